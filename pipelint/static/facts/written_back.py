"""Values of steps' results that Python writes into the batch that the step was given, for what comes next."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pipelint.model.code import Call
from pipelint.source.tree_walk import walk
from pipelint.static.abstract.machine import Machine
from pipelint.static.facts.syntax_index import SyntaxIndex


def mark(machine: Machine, written: SyntaxIndex) -> None:
    """Tell every `.numpy()` on the result of a step whether what it gives becomes a part of the step's own input."""
    reads = [
        event
        for event in machine.events
        if isinstance(event, Call) and event.on_step_result and event.symbol == "tensorflow.Tensor.numpy"
    ]
    for read in reads:
        node = written.calls.get(read.region)
        read.written_back = node is not None and _is_written_back(node, written)


def _is_written_back(read: ast.Call, written: SyntaxIndex) -> bool:
    function: ast.AST = read
    while not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)):
        function = written.parents[function]
    assignments = sorted((node for node in walk(function) if isinstance(node, ast.Assign)), key=lambda one: one.lineno)
    results = set(_names(read.func))
    inputs = {
        argument.id
        for one in assignments
        if isinstance(one.value, ast.Call) and not results.isdisjoint(_targets(one))
        for argument in one.value.args
        if isinstance(argument, ast.Name)
    }
    values: set[str] = set()
    for one in assignments:
        if not (read in walk(one.value) or values.intersection(_names(one.value))):
            continue
        values.update(_targets(one))
        if any(
            isinstance(target, ast.Subscript) and inputs.intersection(_names(target.value)) for target in one.targets
        ):
            return True
    return False


def _targets(assignment: ast.Assign) -> set[str]:
    return {target.id for target in assignment.targets if isinstance(target, ast.Name)}


def _names(node: ast.AST) -> Iterator[str]:
    return (part.id for part in walk(node) if isinstance(part, ast.Name))
