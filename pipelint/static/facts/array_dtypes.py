"""Arrays that a function is given, and the places where a graph would not make them fit as eager code does."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from pipelint.knowledge.one_dtype import FLOATX, OF_A_LIST, OF_INDICES, OF_TWO, OF_VALUES, SETS_FLOATX, TO_A_DTYPE
from pipelint.model.code import Call, Misfit
from pipelint.model.values import Literal, Value
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.symbolic import is_symbolic
from pipelint.static.abstract.traced_values import GivenArray
from pipelint.static.abstract.values import Arguments, Foreign, Given, Sequence, alternatives
from pipelint.static.facts import arrays


def floatx(machine: Machine) -> str | None:
    """The dtype that the tensors of models have; None where the program decides that out of sight."""
    set_to = [call.argument("value") or next(call.arguments, None) for call in _settings(machine)]
    for argument in set_to[-1:]:
        value = argument.value if argument is not None else None
        return value.value if isinstance(value, Literal) and isinstance(value.value, str) else None
    return FLOATX


def _settings(machine: Machine) -> Iterator[Call]:
    return (event for event in machine.events if isinstance(event, Call) and event.symbol in SETS_FLOATX)


def as_given(given: Arguments, parameters: list[str], fits: str | None) -> Arguments:
    """The arguments of a call, with its arrays marked; this dtype fits the tensors of models."""

    def marked(name: str, item: Given) -> Given:
        match item.value:
            case Foreign(library="numpy", array=array):
                dtype = array.dtype if array is not None else None
                return Given(GivenArray(name=name, dtype=dtype, fits=dtype is not None and dtype == fits), item.node)
            case _:
                return item

    positional = tuple(map(marked, [*parameters, *[""] * len(given.positional)], given.positional))
    keywords = {name: marked(name, item) for name, item in given.keywords.items()}
    return replace(given, positional=positional, keywords=keywords)


def note(machine: Machine, node: ast.expr, *values: Value) -> None:
    """Remember that an operation takes an array that was given and a tensor, which must be of one dtype in a graph."""
    if machine.recorder is not None and any(map(_is_tensor, values)):
        for array in _given_in(*values):
            if not array.fits:
                _record(machine, node, array)


def note_call(machine: Machine, name: str, given: Arguments) -> None:
    """The same for a call of TensorFlow."""
    node = given.node
    if machine.recorder is None or node is None:
        return
    values = [item.value for item in given.positional]
    if name in OF_TWO:
        note(machine, node, *given.values())
    elif name in OF_A_LIST and values and isinstance(values[0], Sequence):
        note(machine, node, *values[0].items)
    asked = given.get(1, "dtype") if name in TO_A_DTYPE else None
    for array in _given_in(*values[:1]):
        indices = name in OF_INDICES and array.dtype is not None and array.dtype.startswith("float")
        converted = asked not in (None, Literal(None)) and arrays.dtype_of(asked) != (array.dtype or "")
        if name in OF_VALUES or indices or converted:
            _record(machine, node, array)


def _is_tensor(value: Value) -> bool:
    return is_symbolic(value) and not any(_given_in(value))


def _given_in(*values: Value) -> Iterator[GivenArray]:
    for value in values:
        yield from (option for _, option in alternatives(value) if isinstance(option, GivenArray))


def _record(machine: Machine, node: ast.expr, array: GivenArray) -> None:
    machine.record(Misfit(region=machine.region(node), array=array.name, dtype=array.dtype))
