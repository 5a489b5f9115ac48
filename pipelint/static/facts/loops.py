"""What kind of loop it is: over what it runs, how often, and whether it counts steps or epochs."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import lru_cache

from pipelint.knowledge.keras import UPDATES_WEIGHTS
from pipelint.knowledge.stages import FEW_ELEMENTS
from pipelint.knowledge.tensors import JOINS
from pipelint.model.code import Call, Event, Loop, LoopOver
from pipelint.model.locations import Region
from pipelint.model.values import Literal, Value
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


def for_loop(node: ast.For | ast.AsyncFor, over: Value, region: Region, guards: frozenset[str]) -> Loop:
    """A loop over this value."""
    few = leaves_at_first(node) or runs_few_times(over)
    turns = over.turns if isinstance(over, Foreign) else None
    return Loop(region, loop_kind(over), few=few, turns=turns, growing=growing_names(node.body), guards=guards)


def loop_kind(over: Value) -> LoopOver:
    """Over what a loop runs."""
    match over:
        case Iterating():
            return LoopOver.DATASET
        case DatasetValue(proven=True):
            return LoopOver.DATASET
        case Choice():
            kinds = {loop_kind(option) for _, option in alternatives(over)}
            return LoopOver.DATASET if LoopOver.DATASET in kinds else kinds.pop()
        case Foreign(library="builtins.range"):
            return LoopOver.RANGE
        case _:
            return LoopOver.OTHER


def counts_epochs(loop: Loop, body: Iterable[Event]) -> bool:
    """Whether each turn of a loop runs through a dataset, a loop of training steps, or `fit`."""
    return loop.over is not LoopOver.DATASET and any(_is_part_of_an_epoch(event, loop) for event in body)


def _is_part_of_an_epoch(event: Event, outer: Loop) -> bool:
    # What is traced has only the loops of its own graph.
    inner = event.loops[event.loops.index(outer) + 1 :] if outer in event.loops else event.loops
    if isinstance(event, Call) and event.fits and not inner:
        return True
    trains = isinstance(event, Call) and event.updates_weights
    return any(loop.over is LoopOver.DATASET or trains for loop in inner if not loop.few)


def mark_traced_twin(branch: Iterable[Event], other: Iterable[Event]) -> None:
    """Tell eager calls in one branch of a test that the other branch does the same in a graph."""
    if any(isinstance(event, Call) and (event.fits or _computes(event, traced=True)) for event in other):
        for event in branch:
            event.has_traced_twin = event.has_traced_twin or _computes(event, traced=False)


def _computes(event: Event, *, traced: bool) -> bool:
    """Whether an event runs a model or takes a training step."""
    if not isinstance(event, Call) or (event.trace is not None) is not traced:
        return False
    return event.updates_weights or event.last_name in ("__call__", "GradientTape")


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


def growing_names(body: list[ast.stmt]) -> frozenset[str]:
    """The variables that a loop's body makes longer by joining something to them, and those it makes of them."""
    made = [
        (target.id, part.value)
        for statement in body
        for part in ast.walk(statement)
        if isinstance(part, ast.Assign)
        for target in part.targets
        if isinstance(target, ast.Name)
    ]
    growing = {name for name, value in made if _joins(value, name)}
    for statement in body:
        for part in ast.walk(statement):
            match part:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append" | "extend")):
                    growing.add(name)
    growing -= {name for name, value in made if isinstance(value, (ast.List, ast.Constant))}
    for name, value in made:
        if mentions([value], frozenset(growing)):
            growing.add(name)
    return frozenset(growing)


def _joins(value: ast.expr, name: str) -> bool:
    joined = (part for part in ast.walk(value) if isinstance(part, ast.Call) and _last_name(part.func) in JOINS)
    return any(mentions(part.args, frozenset({name})) for part in joined)


def mentions(parts: Iterable[ast.AST], names: frozenset[str]) -> bool:
    """Whether any of these variables is part of an expression as a whole: an item or a slice of it is another thing."""
    pending: list[ast.AST] = list(parts) if names else []
    while pending:
        part = pending.pop()
        if isinstance(part, ast.Name) and part.id in names:
            return True
        if not isinstance(part, ast.Subscript):
            pending.extend(ast.iter_child_nodes(part))
    return False


def runs_few_times(over: Value) -> bool:
    """Whether a loop is over a short `range`, or over a dataset of which it takes a few elements."""
    if isinstance(over, Foreign) and over.turns is not None:
        return over.turns <= FEW_ELEMENTS
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
    return frozenset(_last_name(sub.func) for sub in ast.walk(node) if isinstance(sub, ast.Call))


def _last_name(function: ast.expr) -> str:
    match function:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case _:
            return ""


def is_training_part(function: Closure) -> bool:
    """Whether a function computes gradients, or applies them."""
    return bool(_calls_of(function.node) & {*UPDATES_WEIGHTS, "GradientTape"})


def is_training_step(function: Closure) -> bool:
    """Whether a function computes gradients and applies them."""
    called = _calls_of(function.node)
    return bool(UPDATES_WEIGHTS & called) and "GradientTape" in called
