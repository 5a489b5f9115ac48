"""Why a program may train on few examples at a time on purpose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import takewhile

from pipelint.rule import TENSOR_SHAPE_FIRST, Argument, Call, Literal, Module, Program, Region, Stage, tells_why_few

from ._batching import TrainingBatch
from ._large_inputs import handles_volumes, largest_side

_LARGE = 512
"""Pixels of a side from which a few images fill a device (RULES.md, PIPE801)."""
_MANY_PIXELS = 8 * 224 * 224
"""Pixels of a batch with which a network for images computes for so long that the fixed cost of a step is little."""
_SHAPES = ("shape", "batch_shape", "batch_input_shape")
"""The parameters that take the shape of a tensor."""


def is_meant(program: Program, batch: TrainingBatch) -> bool:
    """Whether few examples at a time are right for this program: for its inputs, its model or the way it trains."""
    settings = batch.size.written if batch.size is not None else None
    # Where another module holds the settings, the size of the batch stands beside that of the pictures.
    with_settings = program.near(settings) if settings is not None else program
    program = program.near(batch.place)
    if batch.examples == 1 and isinstance(batch.at, Stage) and _takes_one_at_a_time(program, batch.at):
        return True
    side = largest_side(program) or largest_side(with_settings)
    if handles_volumes(program) or side >= _LARGE or side * side * batch.examples >= _MANY_PIXELS:
        return True
    return any(_keeps_few(call) for call in program.calls)


def may_be_meant(program: Program, batch: TrainingBatch) -> str:
    """Why few examples may be there on purpose though nothing but words speaks for it; "" where there is no reason."""
    program = program.near(batch.place)
    if batch.size_name and any(_is_shaped_by(program, call, batch.size_name) for call in program.calls):
        return f"`{batch.size_name}` is also a dimension of tensors here, so few may be meant; if not, use more"
    if batch.size is not None and any(map(tells_why_few, _comments(program, batch.size))):
        return "the comment beside it gives a reason; if that no longer holds, use more"
    return ""


def _takes_one_at_a_time(program: Program, stage: Stage) -> bool:
    """Whether examples may differ in shape, are normalised each by itself, or train networks against each other."""
    from_generator = any(earlier.op == "from_generator" for earlier in stage.upstream())
    return from_generator or any(map(_normalises_each, program.calls)) or _trains_several(program)


def _keeps_few(call: Call) -> bool:
    """Whether it makes a layer with a state for each row of the batch, or a model that leaves little memory for one."""
    return keeps_state(call) or call.symbol.endswith("CausalLM.from_preset")


def keeps_state(call: Call) -> bool:
    """Whether it makes a layer that goes on from where the batch before left it."""
    stateful = call.keywords.get("stateful")
    return stateful is not None and stateful.value == Literal(True)


def _is_shaped_by(program: Program, call: Call, name: str) -> bool:
    """Whether a call gives a tensor a shape of which this constant is a dimension."""
    if call.library not in ("tensorflow", "keras"):
        return False
    shapes = [call.keywords[parameter] for parameter in _SHAPES if parameter in call.keywords]
    if call.symbol in TENSOR_SHAPE_FIRST:
        shapes += call.positional[:1]
    elif call.last_name == "reshape":
        shapes += call.positional[1:2]
    texts = (program.written(one.region) for one in shapes if isinstance(one.region, Region))
    return any(re.search(rf"(?<![\w.]){re.escape(name)}\b", text) for text in texts)


def _normalises_each(call: Call) -> bool:
    groups = call.argument("groups")
    of_one_channel = groups is not None and groups.integer == -1
    return call.last_name == "InstanceNormalization" or (call.last_name == "GroupNormalization" and of_one_channel)


def _trains_several(program: Program) -> bool:
    """Whether each step applies the gradients of several networks, as adversarial training does."""
    steps: dict[object, set[Region]] = {}
    for call in program.calls:
        if call.last_name == "apply_gradients":
            steps.setdefault((call.function, call.loops, call.guards), set()).add(call.region)
    return any(len(calls) > 1 for calls in steps.values())


def _comments(program: Program, size: Argument) -> Iterator[str]:
    """The comments in and above the lines that use or give the size, and those that give a variable its value."""
    for place in {size.region, size.given, size.written}:
        if isinstance(place, Region):
            module = program.module_at(place)
            yield from _comments_at(module, place)
            begins = program.beginning_of_statement(place)
            yield from _comments_at(module, Region(begins, begins))


def _comments_at(module: Module, region: Region) -> Iterator[str]:
    source, places = module.text, [region.start - module.start]
    name = module.written(region).rpartition(".")[2]
    if name.isidentifier():
        places += _assignments(source, name)
    for place in places:
        *above, line = source[: source.find("\n", place) if "\n" in source[place:] else None].split("\n")
        yield line.partition("#")[2]
        yield from takewhile(lambda text: text.startswith("#"), map(str.strip, reversed(above)))


@lru_cache(maxsize=64)
def _assignments(source: str, name: str) -> tuple[int, ...]:
    """Where a variable is given a value, with an annotation or without."""
    return tuple(found.start() for found in re.finditer(rf"\b{name}\b[ \t]*(?::[^=:\n]*)?=(?!=)", source))
