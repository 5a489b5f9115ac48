"""What kind of loop it is: over what it runs, how often, and whether it counts steps or epochs."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from pipelint.knowledge.keras import UPDATES_WEIGHTS
from pipelint.knowledge.python_calls import PROGRESS_BARS
from pipelint.knowledge.stages import FEW_ELEMENTS
from pipelint.knowledge.tensors import JOINS
from pipelint.model.code import Call, Event, Loop, LoopOver
from pipelint.model.definitions import Callee, Method
from pipelint.model.values import Literal, Symbol, Value
from pipelint.source.tree_walk import children, kept_with_tree, walk
from pipelint.static.abstract.guards import NO_GUARDS, consistent, guards_of
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.values import (
    Choice,
    Closure,
    DatasetValue,
    Foreign,
    FunctionNode,
    Generating,
    Iterating,
    Loading,
    alternatives,
    datasets_in,
)
from pipelint.static.facts import loop_work
from pipelint.static.facts.dotted_names import symbol_of

LoopNode = ast.For | ast.AsyncFor | ast.While


def for_loop(machine: Machine, node: ast.For | ast.AsyncFor, over: Value) -> Loop:
    """A loop over this value."""
    turns = over.turns if isinstance(over, Foreign) else None
    return Loop(
        machine.region(node),
        loop_kind(over),
        few=leaves_at_first(node) or retries(node) or runs_few_times(over),
        watched=any(_is_progress_bar(machine, part) for part in walk(node.iter)),
        turns=turns,
        at_most=min(filter(None, (turns, _most_taken(over), loop_work.last_turn(machine, node))), default=None),
        names=tuple(part.id for part in walk(node.iter) if isinstance(part, ast.Name)),
        targets=frozenset(part.id for part in walk(node.target) if isinstance(part, ast.Name)),
        growing=growing_names(node),
        guards=machine.tests,
        fed_by=feeding(over),
        always=held_in_each_turn(machine, node),
        at_end=frozenset(_tests_of_last_turn(node)),
    )


def _is_progress_bar(machine: Machine, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and symbol_of(machine, node.func).rpartition(".")[2] in PROGRESS_BARS


def feeding(value: Value) -> set[Callee]:
    """The generator function, or the loader of Keras, that hands out what is taken from a value."""
    match value:
        case Generating(function=function):
            return {function}
        case Loading(call=Call(callee=Symbol() | Method() as loader)):
            return {loader}
        case _:
            return set()


def while_loop(machine: Machine, node: ast.While) -> Loop:
    """A loop that runs for as long as a test holds."""
    return Loop(
        machine.region(node),
        LoopOver.WHILE,
        few=retries(node),
        at_most=loop_work.last_turn(machine, node),
        guards=machine.tests,
        always=held_in_each_turn(machine, node),
        at_end=frozenset(_tests_of_last_turn(node)),
        growing=growing_names(node),
    )


def held_in_each_turn(machine: Machine, node: LoopNode) -> frozenset[str]:
    """What holds in each turn of a loop that another may follow: a test that leaves it has failed there."""
    stays = set(machine.holding)
    for statement in node.body:
        match statement:
            case ast.If(test=test, body=[*_, ast.Break() | ast.Return() | ast.Raise()], orelse=[]):
                stays |= {atom.written for atom in guards_of(test, 0, holds=False)}
    return frozenset(stays)


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
    """Whether each turn of a loop, not only its last, runs through a dataset, a loop of training steps, or `fit`."""
    if loop.over is LoopOver.DATASET:
        return False
    return any(
        _is_part_of_an_epoch(event, loop)
        for event in body
        if not loop.at_end or (isinstance(event, Call) and event.held.isdisjoint(loop.at_end))
    )


def _tests_of_last_turn(node: LoopNode) -> Iterator[str]:
    """What holds in the last turn of a loop alone, as written: it ends the loop, or is the opposite of its own test."""
    goes_on = guards_of(node.test, 0) if isinstance(node, ast.While) else NO_GUARDS
    for statement in node.body:
        match statement:
            case ast.If(test=test, body=[*_, last]):
                held = guards_of(test, 0)
                ends = isinstance(last, (ast.Break, ast.Return)) and len(held) == 1
                yield from (atom.written for atom in held if ends or not consistent(frozenset({atom}), goes_on))


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


def retries(node: LoopNode) -> bool:
    """Whether a loop is left as soon as its turn raises no exception: only what failed is done again."""
    for inner in node.body:
        match inner:
            case ast.Try(body=body, handlers=[_, *_], orelse=orelse):
                *done, last = [*body, *orelse]
                goes_on = any(isinstance(part, ast.Continue) for statement in done for part in walk(statement))
                if isinstance(last, (ast.Break, ast.Return)) and not goes_on:
                    return True
    return False


@kept_with_tree
def growing_names(loop: LoopNode) -> frozenset[str]:
    """The variables that a loop's body makes longer by joining something to them, and those it makes of them."""
    body = loop.body
    made = [
        (target.id, part.value)
        for statement in body
        for part in walk(statement)
        if isinstance(part, ast.Assign)
        for target in part.targets
        if isinstance(target, ast.Name)
    ]
    growing = {name for name, value in made if _joins(value, name)}
    for statement in body:
        for part in walk(statement):
            match part:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append" | "extend")):
                    growing.add(name)
                case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=ast.List() | ast.ListComp()):
                    growing.add(name)
    growing -= {name for name, value in made if isinstance(value, (ast.List, ast.Constant))}
    for name, value in made:
        if mentions([value], frozenset(growing)):
            growing.add(name)
    return frozenset(growing)


def _joins(value: ast.expr, name: str) -> bool:
    joined = (part for part in walk(value) if isinstance(part, ast.Call) and _last_name(part.func) in JOINS)
    return any(mentions(part.args, frozenset({name})) for part in joined)


def mentions(parts: Iterable[ast.AST], names: frozenset[str]) -> bool:
    """Whether any of these variables is part of an expression as a whole: an item or a slice of it is another thing."""
    pending: list[ast.AST] = list(parts) if names else []
    while pending:
        part = pending.pop()
        if isinstance(part, ast.Name) and part.id in names:
            return True
        if not isinstance(part, ast.Subscript):
            pending.extend(children(part))
    return False


def runs_few_times(over: Value) -> bool:
    """Whether a loop is over a short `range`, or over a dataset of which it takes a few elements."""
    if isinstance(over, Foreign) and over.turns is not None:
        return over.turns <= FEW_ELEMENTS
    most = _most_taken(over)
    return most is not None and most <= FEW_ELEMENTS


def takes_one(node: ast.For | ast.AsyncFor, over: Value) -> bool:
    """Whether a loop over a dataset takes its first element and ends."""
    return leaves_at_first(node) or _most_taken(over) == 1


def _most_taken(over: Value) -> int | None:
    """How many elements `take` leaves of a dataset, whichever of several it is; None where that is not written."""
    taken = [_taken(option) for value in datasets_in(over) for _, option in alternatives(value)]
    known = [count for count in taken if count is not None]
    return max(known) if known and len(known) == len(taken) else None


def _taken(value: Value) -> int | None:
    while isinstance(value, DatasetValue):
        if value.op == "take" and "count" in value.arguments:
            return _written(value.arguments["count"].value)
        if len(value.inputs) != 1:
            return None
        value = value.inputs[0]
    return None


def _written(count: Value) -> int | None:
    if not isinstance(count, Literal) or not isinstance(count.value, int) or count.assumed:
        return None
    # Of a negative count `take` leaves everything.
    return count.value if count.value >= 0 else None


@kept_with_tree
def _calls_of(node: FunctionNode) -> frozenset[str]:
    """The last names that a function's body calls."""
    return frozenset(_last_name(sub.func) for sub in walk(node) if isinstance(sub, ast.Call))


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
