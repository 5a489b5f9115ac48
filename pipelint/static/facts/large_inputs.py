"""Whether a program handles inputs so large that few of them fill a device."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.knowledge.tensors import SIZE_PARAMETERS, SIZED
from pipelint.model.code import Call
from pipelint.model.values import Argument
from pipelint.static.abstract.machine import Machine

_LARGE = 512
"""Pixels of a side from which an image counts as large (RULES.md, PIPE801)."""


def handles_large_inputs(machine: Machine) -> bool:
    """Whether there are volumes (3-D convolutions, 4-D inputs) or images of 512 pixels and more."""
    calls = [event for event in machine.events if isinstance(event, Call)]
    named = {reference.name for reference in machine.references} | {call.symbol for call in calls}
    if any(name.startswith(("keras.layers.Conv3D", "keras.layers.MaxPooling3D")) for name in named):
        return True
    return any(map(_is_large, calls))


def _is_large(call: Call) -> bool:
    last = call.last_name
    known = call.library in ("tensorflow", "keras", "keras_cv") or call.on_unknown_object
    for parameter, argument in _sizes(call, sized=last in SIZED and known):
        size = argument.constant
        numbers = [number for number in (size if isinstance(size, tuple) else (size,)) if isinstance(number, int)]
        if last in ("Input", "InputLayer") or parameter.endswith("input_shape"):
            # One long axis is a sequence or a vector; only pictures have two.
            sides = [number for number in numbers if number >= _LARGE]
            counts_batch = parameter.startswith("batch") or last == "build"
            volume = isinstance(size, tuple) and len(size) == (5 if counts_batch else 4)
            if len(sides) >= 2 or volume:
                return True
        elif any(number >= _LARGE for number in numbers):
            return True
    return False


def _sizes(call: Call, *, sized: bool) -> Iterator[tuple[str, Argument]]:
    """The arguments that give a size; those by position count among the first two of a function about sizes."""
    for parameter in SIZE_PARAMETERS if sized else ("input_shape", "batch_input_shape"):
        if parameter in call.keywords:
            yield parameter, call.keywords[parameter]
    for argument in call.positional[:2] if sized else ():
        yield "", argument
