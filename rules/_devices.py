"""On which devices a program runs, as far as it says so."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipelint.rule import (
    CLUSTER,
    CLUSTER_STRATEGIES,
    HIDES_DEVICES,
    NO_DEVICES,
    Call,
    DeviceBlock,
    Event,
    Literal,
    Program,
    Switch,
)

_ON_CPU = re.compile(r"(?<![a-z])cpu(?![a-z])", re.IGNORECASE)
ON_GPU = re.compile(r"(?<![a-z])gpu(?![a-z])", re.IGNORECASE)
"""The kinds of device in the name of one: `/GPU:0`, `/device:GPU:1`."""


def blocks_on_gpu(program: Program) -> Iterator[DeviceBlock]:
    """The blocks whose operations are placed on a graphics card, each once."""
    blocks = (event for event in program.events if isinstance(event, DeviceBlock) and ON_GPU.search(event.device))
    return iter({block.region: block for block in blocks}.values())


def is_on_processor(program: Program, call: Call) -> bool:
    """Whether a block pins a call or a loop around it to the processor, as those do who have no haste."""
    blocks = (event for event in program.events if isinstance(event, DeviceBlock) and _ON_CPU.search(event.device))
    places = [call.region, *(loop.region for loop in call.loops)]
    return any(block.region.holds(place) for block in blocks for place in places)


def runs_on_gpu_too(program: Program, hidden: Event) -> bool:
    """Whether a program names a graphics card elsewhere, as those do that compare devices or choose among them."""
    return any(
        isinstance(event, DeviceBlock | Switch | Call) and event.region != hidden.region and _names_gpu(event)
        for event in program.events
    )


def is_one_of_several(program: Program) -> bool:
    """Whether a program is a process of a cluster, or starts one: on one machine, all would take the same cards."""
    return any(
        (isinstance(event, Switch) and event.attribute == CLUSTER)
        or (isinstance(event, Call) and event.symbol in CLUSTER_STRATEGIES)
        for event in program.events
    )


def _names_gpu(event: DeviceBlock | Switch | Call) -> bool:
    match event:
        case DeviceBlock(device=device):
            return ON_GPU.search(device) is not None
        case Switch(attribute=attribute, value=Literal(value=str() as value)) if attribute in HIDES_DEVICES:
            return value not in NO_DEVICES
        case Call(symbol="tensorflow.config.experimental.set_memory_growth"):
            return True
        case _:
            return False
