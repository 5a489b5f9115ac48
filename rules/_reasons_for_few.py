"""Why a program may train on few examples at a time on purpose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from pipelint.rule import TENSOR_SHAPE_FIRST, Argument, Call, Literal, Module, Program, Region, Stage, tells_why_few

from ._large_inputs import handles_volumes, largest_side
from ._training_batches import TrainingBatch

_LARGE = 512
"""Pixels of a side from which a few images fill a device (RULES.md, PIPE801)."""
_SHAPES = ("shape", "batch_shape", "batch_input_shape")
"""The parameters that take the shape of a tensor."""


def reason_for_few(program: Program, batch: TrainingBatch) -> str:
    """Why this program may train on few examples on purpose; "" where nothing speaks for it."""
    program = program.near(batch.place)
    if batch.examples == 1 and isinstance(batch.at, Stage):
        if any(stage.op == "from_generator" for stage in batch.at.upstream()):
            return "what a generator gives may differ in shape, so that no two make a batch; if it does not, use more"
        if any(map(_normalises_each, program.calls)):
            return "this model normalises each example by itself, and may be meant for one at a time; if not, use more"
        if _trains_several(program):
            return "networks that are trained against each other may be meant for one at a time; if not, use more"
    if handles_volumes(program) or largest_side(program) >= _LARGE:
        return "this program has large images or volumes, so memory may allow no more; if it does, use it"
    if batch.size_name and any(_is_shaped_by(program, call, batch.size_name) for call in program.calls):
        return f"`{batch.size_name}` is also a dimension of tensors here, so few may be meant; if not, use more"
    for call in program.calls:
        stateful = call.keywords.get("stateful")
        if stateful is not None and stateful.value == Literal(True):
            return "a stateful layer keeps a state for each row of the batch, so few may be meant; if not, use more"
        if call.symbol.endswith("CausalLM.from_preset"):
            return "a large language model leaves little memory for a batch; if there is some, use it"
    if batch.size is not None and any(map(tells_why_few, _comments(program.module_at(batch.size.region), batch.size))):
        return "the comment beside it gives a reason; if that no longer holds, use more"
    return ""


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


def _comments(module: Module, size: Argument) -> Iterator[str]:
    """The comments in and above the lines that use the size, and those that give the variable that it is its value."""
    if not isinstance(size.region, Region):
        return
    source, places = module.text, [size.region.start - module.start]
    name = module.written(size.region).rpartition(".")[2]
    if name.isidentifier():
        places += _assignments(source, name)
    for place in places:
        start = source.rfind("\n", 0, place) + 1
        above = source[source.rfind("\n", 0, max(start - 1, 0)) + 1 : max(start - 1, 0)]
        end = source.find("\n", start)
        line = source[start : end if end >= 0 else len(source)]
        yield line.partition("#")[2]
        yield above.lstrip().removeprefix("#") if above.lstrip().startswith("#") else ""


@lru_cache(maxsize=64)
def _assignments(source: str, name: str) -> tuple[int, ...]:
    """Where a variable is given a value, with an annotation or without."""
    return tuple(found.start() for found in re.finditer(rf"\b{name}\b[ \t]*(?::[^=:\n]*)?=(?!=)", source))
