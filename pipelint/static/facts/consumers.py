"""What takes the elements of datasets: fit, loops, iterators, returns; and what only looks at them."""

from __future__ import annotations

import ast
import collections.abc
from bisect import bisect_left
from collections.abc import Iterator

from pipelint.knowledge.consumption import ConsumerKind, Purpose
from pipelint.knowledge.keras import DISTRIBUTES, MODEL_METHODS
from pipelint.knowledge.python_calls import LOOKS, SHOWING
from pipelint.knowledge.tensors import RUNS_A_MODEL
from pipelint.knowledge.words import purpose_of_words
from pipelint.model.code import Call, Event, Loop, VariableRead
from pipelint.model.consumer import Consumer
from pipelint.model.definitions import Method
from pipelint.model.first_element import FirstElement
from pipelint.model.locations import NOWHERE, Region
from pipelint.model.values import UNKNOWN, Literal, Symbol, Value
from pipelint.source.tree_walk import walk
from pipelint.static.abstract.containers import element_of, with_values
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.values import (
    Arguments,
    Closure,
    DatasetValue,
    Generating,
    Iterating,
    Loading,
    Sequence,
    alternatives,
    datasets_in,
)
from pipelint.static.facts import events, feeds, first_elements, loop_work, loops, naming

_CONTAINERS = frozenset({"builtins.list", "builtins.tuple", "builtins.set", "builtins.dict"})
_EVALUATES = frozenset({"evaluate", "predict", "test_on_batch", "predict_on_batch"})
"""Methods of a model that compute and do not train."""
_TEXT_OF_UNKNOWN = frozenset({"decode", "numpy", "join", "ParseFromString"})
"""Methods that turn an element of which nothing is known into something to show."""


def model_method(machine: Machine, name: str, given: Arguments) -> Value | None:
    """What `fit`, `evaluate`, `predict`, `adapt` and their like do with a dataset; None for any other method."""
    if name == "adapt" and given.positional:
        machine.use(given.positional[0].value)
        return Literal(None)
    if name in DISTRIBUTES:
        return _distribute(machine, given)
    if name not in MODEL_METHODS:
        return None
    parameter, kind, purpose = MODEL_METHODS[name]
    value = given.get(0, parameter)
    if value is None:
        return None
    node = given.keywords[parameter].node if parameter in given.keywords else given.positional[0].node
    found = _consume_all(machine, value, Consumer(kind, machine.region(given.node or node), purpose), node)
    validation = given.keywords.get("validation_data")
    if validation is not None:
        consumer = Consumer(ConsumerKind.EVALUATE, machine.region(validation.node), Purpose.EVALUATION)
        found |= _consume_all(machine, validation.value, consumer, validation.node)
    return UNKNOWN if found else None


def _consume_all(machine: Machine, value: Value, consumer: Consumer, node: ast.expr) -> bool:
    found = list(datasets_in(value))
    if not found:
        feeds.note(machine, value, consumer)
    for dataset in found:
        exact = node if dataset is value else None
        named = Consumer(consumer.kind, consumer.region, consumer.purpose, variable=naming.variable(node))
        machine.consume(dataset, named, exact)
    return bool(found)


def _distribute(machine: Machine, given: Arguments) -> Value:
    value = given.get(0, "dataset")
    if value is None or given.node is None:
        return UNKNOWN
    if isinstance(value, Closure):
        value = machine.enter(value, Arguments.unknown())
    consumers: list[Consumer] = []
    for dataset in datasets_in(value):
        variable = naming.variable(given.positional[0].node if given.positional else None)
        consumers.append(Consumer(ConsumerKind.STRATEGY, machine.region(given.node), variable=variable))
        machine.consume(dataset, consumers[-1], None)
    return Iterating((), consumers=tuple(consumers))


def iterator(value: Value) -> Value:
    """`iter(ds)`: whether it is a consumer shows when elements are taken from it."""
    if isinstance(value, (Generating, Loading)):
        return value
    found = tuple(datasets_in(value))
    return Iterating(found, is_iterator=True) if found else UNKNOWN


def next_of(machine: Machine, value: Value, node: ast.expr) -> Value:
    """`next(it)`: in a loop it consumes, once it only looks, and so does `next(iter(ds))` wherever it stands."""
    if machine.loops:
        machine.loops[-1].fed_by |= loops.feeding(value)
    if not isinstance(value, Iterating):
        return UNKNOWN
    for dataset in value.datasets:
        if machine.loops and not isinstance(node, ast.Call):
            machine.consume(dataset, Consumer(ConsumerKind.ITERATOR, machine.loops[-1].region), None)
        else:
            machine.use(dataset)
            first_elements.note(machine, dataset, node)
    return element(machine, value)


def element(machine: Machine, over: Value) -> Value:
    """What a loop over a value gives each time: outside of traced code the tensors of a dataset have values."""
    of_dataset = isinstance(over, Iterating) or any(
        isinstance(option, DatasetValue) for _, option in alternatives(over)
    )
    return with_values(element_of(over)) if of_dataset and not machine.is_traced else element_of(over)


def collect(machine: Machine, value: Value, node: ast.expr) -> None:
    """Gathering all elements (`list(ds)`, a comprehension, `reduce`) goes through the dataset once."""
    found = _single(value) or (list(datasets_in(value)) if isinstance(value, Iterating) else [])
    consumer = Consumer(ConsumerKind.COLLECTION, machine.region(node), by_iterator=isinstance(value, Iterating))
    for dataset in found:
        machine.consume(dataset, consumer, None)


def statement(machine: Machine, node: ast.Expr, value: Value) -> None:
    """An expression whose value is dropped: a transformation in vain, or a look in a notebook."""
    options = [option for _, option in alternatives(value)]
    if _is_shown(machine, node):
        machine.use(value)
    elif options and all(isinstance(option, DatasetValue) for option in options):
        for option in options:
            made_here = isinstance(option, DatasetValue) and (option.applied or option.node) is node.value
            if made_here and isinstance(option, DatasetValue) and not option.is_source:
                machine.discarded.append(option)


def forget_probe(machine: Machine, node: ast.Try) -> None:
    """Take back that a transformation is in vain which is all that is tried: it is made to see whether it raises."""
    match node.body:
        case [ast.Expr(value=probe)] if node.orelse or any(map(_tells, node.handlers)):
            machine.discarded[:] = [one for one in machine.discarded if (one.applied or one.node) is not probe]


def _tells(handler: ast.ExceptHandler) -> bool:
    """Whether code after a handler, or around it, learns that it ran."""
    return any(isinstance(part, (ast.Assign, ast.Return)) for statement in handler.body for part in walk(statement))


def _is_shown(machine: Machine, node: ast.Expr) -> bool:
    """Whether a statement is the last of a notebook's cell, which then shows its value."""
    end = machine.region(node).end
    index = bisect_left(machine.cell_ends, end)
    if index == len(machine.cell_ends):
        return False
    rest = machine.positions.text[end : machine.cell_ends[index]]
    return all(not line.strip() or line.lstrip().startswith("#") for line in rest.splitlines())


def loop(machine: Machine, node: ast.For | ast.AsyncFor, over: Value, body: collections.abc.Sequence[Event]) -> None:
    """A `for` loop over datasets, judged by what its body does."""
    found = list(datasets_in(over)) if isinstance(over, Iterating) else _single(over)
    for known in over.consumers if isinstance(over, Iterating) else ():
        _judge(known, body)
    if not found:
        _loop_over_loaders(machine, node, over, body)
        return
    events.elements_taken(machine, node.iter)
    if loops.takes_one(node, over):
        for dataset in found:
            first_elements.note(machine, dataset, node.iter, looped=True)
    peeks = loops.leaves_at_first(node) or loop_work.passes_by(node) or loop_work.shows_each(body, machine.tests)
    shows = loop_work.shows_pictures(node, body) or loop_work.shows_a_few(machine, node, body)
    if peeks or shows or _only_looks(body):
        for dataset in found:
            machine.use(dataset)
        return
    exact = node.iter if found[0] is over else None
    kind = ConsumerKind.ITERATOR if isinstance(over, Iterating) and over.is_iterator else ConsumerKind.LOOP
    if loop_work.counts(node):
        kind = ConsumerKind.COLLECTION
    saves, stands_in = loop_work.saves_each(body, machine.tests), loop_work.stands_in(node)
    leaves_to_others = stands_in or loop_work.hands_out(node)
    may_run_a_model = not saves and (loop_work.may_run_a_model(node, body) or stands_in)
    for dataset in found:
        consumer = Consumer(kind, machine.region(node.iter), variable=naming.variable(node.iter))
        consumer.name = machine.title
        consumer.may_run_a_model = may_run_a_model
        consumer.waits = loop_work.waits(body, machine.tests)
        consumer.trains_nothing = loop_work.trains_nothing(body) and not leaves_to_others
        _judge(consumer, body)
        machine.consume(dataset, consumer, exact)


def _loop_over_loaders(
    machine: Machine, node: ast.For | ast.AsyncFor, over: Value, body: collections.abc.Sequence[Event]
) -> None:
    if any(isinstance(option, Loading) for _, option in alternatives(over)):
        consumer = Consumer(ConsumerKind.LOOP, machine.region(node.iter))
        _judge(consumer, body)
        feeds.note(machine, over, consumer)


def _single(over: Value) -> list[Value]:
    is_dataset = any(isinstance(option, DatasetValue) for _, option in alternatives(over))
    return [over] if is_dataset else []


def iterated(machine: Machine, loop: Loop, body: collections.abc.Sequence[Event]) -> None:
    """Once a loop is followed: what it takes from iterators by `next` is judged by what its body does."""
    for consumption in machine.consumptions:
        consumer = consumption.consumer
        if consumer.kind is ConsumerKind.ITERATOR and consumer.region == loop.region:
            consumer.waits = loop_work.waits(body, loop.guards)
            # What is taken now and then (`if step % 500 == 0`) serves what is done then, not each step.
            seldom = {test for test in consumption.tests - loop.guards if "%" in test}
            done = [event for event in body if seldom <= event.guards]
            _judge(consumer, done)
            trains = consumer.purpose is not Purpose.EVALUATION and not loop_work.trains_nothing(done)
            consumption.only_looks = bool(seldom) and not trains


def _only_looks(body: collections.abc.Sequence[Event]) -> bool:
    """Whether the loop prints or plots and does nothing else."""
    return any(map(_looks, body)) and all(_looks(event) or _prepares_a_look(event) for event in body)


def _looks(event: Event) -> bool:
    return isinstance(event, Call) and (event.last_name in LOOKS or event.library == "matplotlib")


def _prepares_a_look(event: Event) -> bool:
    match event:
        case Call(callee=Method(owner=None, name=name)):
            return name in _TEXT_OF_UNKNOWN
        case Call(callee=Method(owner=Symbol(name=owner))) if owner in _CONTAINERS:
            # What is gathered in a list is for more than a look.
            return False
        case Call():
            computes = event.library == "tensorflow" and not event.symbol.startswith(RUNS_A_MODEL)
            return event.library in SHOWING or computes
        case _:
            return isinstance(event, (VariableRead, FirstElement))


def _judge(consumer: Consumer, body: collections.abc.Sequence[Event]) -> None:
    """What a loop takes elements for, by what its body does; by the names of what it calls where that does not tell."""
    if consumer.purpose is not Purpose.UNKNOWN:
        return
    calls = [event for event in body if isinstance(event, Call)]
    if any(call.updates_weights or call.fits for call in calls):
        consumer.purpose = Purpose.TRAINING
    elif loop_work.measures(calls) or loop_work.compares(calls) or any(map(_evaluates, calls)):
        consumer.purpose = Purpose.EVALUATION
    else:
        # What functions further down are called says little of the loop.
        written = consumer.region.holds if isinstance(consumer.region, Region) else bool
        consumer.purpose = purpose_of_words(call.last_name for call in calls if written(call.region))
        if any(call.last_name == "GradientTape" for call in calls):
            consumer.purpose = Purpose.TRAINING
        consumer.purpose_by_name = consumer.purpose is not Purpose.UNKNOWN


def _evaluates(call: Call) -> bool:
    return isinstance(call.callee, Method) and call.last_name in _EVALUATES


def hand_out(machine: Machine, value: Value, node: ast.expr | None, name: str, *, passed_on: bool = False) -> None:
    """A dataset that leaves the program: returned, stored, or given to a function that is not known."""
    region = machine.region(node) if node is not None else NOWHERE
    for dataset, part in _parts(value, node):
        variable = naming.variable(part or node)
        consumer = Consumer(ConsumerKind.ELSEWHERE, region, name=name, passed_on=passed_on, variable=variable)
        machine.consume(dataset, consumer, part)


def _parts(value: Value, node: ast.expr | None) -> Iterator[tuple[Value, ast.expr | None]]:
    """The datasets in a value, each with the expression that gives just it, where there is one."""
    if isinstance(value, Sequence) and isinstance(node, (ast.Tuple, ast.List)) and len(value.items) == len(node.elts):
        for item, part in zip(value.items, node.elts, strict=True):
            yield from _parts(item, part)
    else:
        for dataset in datasets_in(value):
            yield dataset, node if dataset is value else None


def hand_out_arguments(machine: Machine, given: Arguments) -> None:
    """Datasets that are given to a function of which nothing is known."""
    for item in (*given.positional, *given.keywords.values()):
        if any(True for _ in datasets_in(item.value)):
            name = ast.unparse(given.node.func) if given.node is not None else ""
            hand_out(machine, item.value, item.node, name, passed_on=True)


def builtin(machine: Machine, name: str, given: Arguments) -> None:
    """What builtins do with datasets: `len(ds)` looks; `print(ds)` does nothing."""
    for value in given.values():
        for dataset in datasets_in(value) if name != "print" else ():
            machine.use(dataset)
