"""What kind of loop it is: over what it runs, how often, and whether it counts steps or epochs."""

from __future__ import annotations

import ast
from functools import lru_cache

from pipelint.knowledge.keras import UPDATES_WEIGHTS
from pipelint.knowledge.stages import FEW_ELEMENTS
from pipelint.knowledge.words import ROUNDS
from pipelint.model.code import LoopOver
from pipelint.model.values import Literal, Value
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.values import (
    Choice,
    Closure,
    DatasetValue,
    Foreign,
    FunctionNode,
    Iterating,
    alternatives,
    datasets_in,
)


def loop_kind(over: Value, node: ast.expr) -> LoopOver:
    """Over what a loop runs."""
    match over:
        case Iterating():
            return LoopOver.DATASET
        case DatasetValue(proven=True):
            return LoopOver.DATASET
        case Choice():
            kinds = {loop_kind(option, node) for _, option in alternatives(over)}
            return LoopOver.DATASET if LoopOver.DATASET in kinds else kinds.pop()
        case Foreign(library="builtins.range"):
            return LoopOver.RANGE
        case _:
            callee = node.func if isinstance(node, ast.Call) else None
            counts = isinstance(callee, ast.Name) and callee.id in ("range", "trange")
            return LoopOver.RANGE if counts else LoopOver.OTHER


def counts_epochs(target: ast.expr, iterated: ast.expr) -> bool:
    """Whether a loop counts epochs, folds or models rather than steps, judged by its names."""
    names = [node.id for part in (target, iterated) for node in ast.walk(part) if isinstance(node, ast.Name)]
    names += [node.attr for node in ast.walk(iterated) if isinstance(node, ast.Attribute)]
    return any(word in name.lower() for name in names for word in ROUNDS)


def leaves_at_first(node: ast.For | ast.AsyncFor) -> bool:
    """Whether the body always ends the loop, or does so when the counter is 0."""
    for inner in node.body:
        match inner:
            case ast.Break() | ast.Return():
                return True
            case ast.If(test=ast.Compare(ops=[ast.Eq() | ast.GtE()], comparators=[ast.Constant(value=0)]), body=body):
                if any(isinstance(item, (ast.Break, ast.Return)) for item in body):
                    return True
            case _:
                continue
    return False


def runs_few_times(machine: Machine, over: Value, iterated: ast.expr) -> bool:
    """Whether a loop is over a short `range`, or over a dataset of which it takes a few elements."""
    match iterated:
        case ast.Call(func=ast.Name(id="range"), args=[only]):
            return _is_few(machine.evaluate(only))
    found = list(datasets_in(over))
    return bool(found) and all(_takes_few(option) for value in found for _, option in alternatives(value))


def _takes_few(value: Value) -> bool:
    while isinstance(value, DatasetValue):
        if value.op == "take" and "count" in value.arguments:
            return _is_few(value.arguments["count"].value)
        if len(value.inputs) != 1:
            return False
        value = value.inputs[0]
    return False


def _is_few(count: Value) -> bool:
    return (
        isinstance(count, Literal)
        and isinstance(count.value, int)
        and not count.assumed
        and count.value <= FEW_ELEMENTS
    )


@lru_cache(maxsize=4096)
def _calls_of(node: FunctionNode) -> frozenset[str]:
    """The last names that a function's body calls."""
    called = (sub.func for sub in ast.walk(node) if isinstance(sub, ast.Call))
    return frozenset(
        func.attr if isinstance(func, ast.Attribute) else func.id
        for func in called
        if isinstance(func, (ast.Attribute, ast.Name))
    )


def is_training_step(function: Closure) -> bool:
    """Whether a function computes gradients and applies them."""
    called = _calls_of(function.node)
    return bool(UPDATES_WEIGHTS & called) and "GradientTape" in called
