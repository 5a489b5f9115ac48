"""Datasets that loops begin anew for a single element."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pipelint.knowledge.stages import NO_WORK
from pipelint.model.code import Loop
from pipelint.model.first_element import FirstElement
from pipelint.model.values import Value
from pipelint.source.tree_walk import walk
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.values import DatasetValue, alternatives


def note(machine: Machine, dataset: Value, node: ast.expr, *, looped: bool = False) -> None:
    """Remember that one element is taken of a new iterator in a loop that Python runs."""
    if machine.loops and not machine.is_traced:
        anew = _is_of_the_turn(machine.loops[-1], dataset, node)
        machine.record(FirstElement(region=machine.region(node), of=dataset, looped=looped, anew=anew))


def _is_of_the_turn(loop: Loop, dataset: Value, node: ast.expr) -> bool:
    """Whether each turn has its own dataset: the loop runs over several, or makes more of one than batches."""
    names = {part.id for part in walk(node) if isinstance(part, ast.Name)}
    options = [option for _, option in alternatives(dataset)]
    if not names.isdisjoint(loop.targets) or len(options) > 1:
        return True
    return any(loop in made.made_in and (made.is_source or made.op not in NO_WORK) for made in _nodes(options))


def _nodes(options: list[Value]) -> Iterator[DatasetValue]:
    pending = list(options)
    seen: set[int] = set()
    while pending:
        node = pending.pop()
        if isinstance(node, DatasetValue) and id(node) not in seen:
            seen.add(id(node))
            yield node
            pending += [option for value in node.inputs for _, option in alternatives(value)]
