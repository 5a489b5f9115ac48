"""The functions that a program gives to functions of libraries: they are followed, or what is recorded is not all."""

from __future__ import annotations

import ast

from pipelint.knowledge.higher_order import ASKS_ONLY, HOLDS, RUNS_TEXT, SORTS, called_parameters
from pipelint.model.values import UNKNOWN, Literal, Value
from pipelint.static.abstract.containers import element_of, functions_in, holds_functions
from pipelint.static.abstract.guards import NO_GUARDS
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.values import (
    TENSOR,
    Arguments,
    Closure,
    Given,
    Partial,
    Sequence,
    choice,
    parameters,
)
from pipelint.static.facts import tracing


def follow(machine: Machine, name: str, given: Arguments) -> None:
    """Follow the functions that a function of TensorFlow or Keras calls.

    Any other function of a library that gets one may do anything with it.
    """
    called = called_parameters(name)
    if called is None:
        note(machine, name, given)
        return
    if given.hides:
        machine.lose_sight()
    for parameter, position in called.items():
        named = given.keywords.get(parameter)
        for item in [named] if named is not None else given.positional[position : position + 1]:
            for function in functions_in(item.value):
                _call_with_tensors(machine, function, item.node)


def note(machine: Machine, name: str, given: Arguments) -> None:
    """Functions that a library gets which is not known to call them, and text that it runs, are out of sight."""
    if machine.recorder is None or name in ASKS_ONLY or name in HOLDS:
        return
    if name in RUNS_TEXT or any(map(holds_functions, given.values())):
        machine.lose_sight()


def _call_with_tensors(machine: Machine, function: Value, node: ast.expr) -> None:
    match function:
        case Closure(is_python=False):
            machine.enter(function, tracing.tensors_for(function))
        case Partial(function=Closure(is_python=False) as inner, call=call):
            machine.enter(inner, Arguments(None, (*call.positional, *_left(inner, call)), call.keywords, call.hides))
        case _ if machine.recorder is not None:
            machine.call(function, call_at(node, TENSOR))


def _left(function: Closure, call: Arguments) -> tuple[Given, ...]:
    """Tensors for the parameters that a partial leaves open."""
    open_ones = tracing.tensors_for(function).positional[len(call.positional) :]
    named = {argument.arg for argument in parameters(function.node)} & call.keywords.keys()
    return open_ones[: max(len(open_ones) - len(named), 0)]


def call_at(node: ast.expr, *values: Value) -> Arguments:
    """A call that a library makes of a function which this expression gives it."""
    call = ast.copy_location(ast.Call(func=node, args=[], keywords=[]), node)
    return Arguments(call, tuple(Given(value, node) for value in values))


def of_python(machine: Machine, name: str, given: Arguments) -> Value | None:
    """What `map`, `filter`, `reduce` and sorting by a key give where graphs are recorded; None for anything else."""
    if machine.recorder is None:
        return None
    values = [item.value for item in given.positional]
    node = given.positional[0].node if given.positional else ast.Constant(value=None)
    match name, values:
        case "builtins.map", [function, *iterables] if iterables:
            result = machine.call(function, call_at(node, *map(element_of, iterables)))
            return Sequence((result,), "list", open_ended=True)
        case "builtins.filter", [function, iterable]:
            element = element_of(iterable)
            if function != Literal(None):
                machine.call(function, call_at(node, element))
            return Sequence((element,), "list", open_ended=True)
        case "functools.reduce", [function, iterable, *start]:
            return _reduced(machine, function, element_of(iterable), start, node)
        case _, [first, *more] if name in SORTS and "key" in given.keywords:
            element = element_of(first) if not more else choice((NO_GUARDS, value) for value in values)
            machine.call(given.keywords["key"].value, call_at(given.keywords["key"].node, element))
            return Sequence((element,), "list", open_ended=True) if name == "builtins.sorted" else element
        case (("builtins.map" | "builtins.filter" | "functools.reduce"), _):
            machine.lose_sight()
            return UNKNOWN
        case _:
            return None


def _reduced(machine: Machine, function: Value, element: Value, start: list[Value], node: ast.expr) -> Value:
    before = start[0] if start else element
    after = machine.call(function, call_at(node, before, element))
    if holds_functions(after):
        # A function made of the first ones is then given together with the next.
        after = machine.call(function, call_at(node, choice([(NO_GUARDS, before), (NO_GUARDS, after)]), element))
    return after
