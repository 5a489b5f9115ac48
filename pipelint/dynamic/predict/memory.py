"""Forecast of what buffers and caches will hold, and where a cache is legal and fits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import networkx

from pipelint.display.figures import size
from pipelint.dynamic.predict.rate_model import cost_of
from pipelint.knowledge.stages import (
    COMMUTES_WITH_CACHE,
    ENDS_EARLY,
    KEEPS,
    NO_WORK,
    PREFETCHES,
    SHUFFLES,
    VARIES,
)
from pipelint.model.pipeline import Pipeline, Stage
from pipelint.model.values import Literal
from pipelint.source.paths import at

_ROOM = 0.9
"""The part of the machine's memory that a pipeline may fill."""
_NOTABLE = 0.05
"""The part of the machine's memory from which a buffer is worth a line."""


@dataclass(frozen=True)
class Holding:
    """A buffer or cache and what it will hold when it is full."""

    stage: Stage
    what: str
    elements: float
    bytes_per_element: float

    @property
    def bytes(self) -> float:
        """Its size when it is full."""
        return self.elements * self.bytes_per_element

    def words(self, machine_bytes: int) -> str:
        """`the shuffle buffer at train.py:31 will hold 10,000 elements of 588 KiB: 5.6 GiB of 23 GiB`."""
        held = f"{self.elements:,.0f} elements of {size(self.bytes_per_element)}"
        burst = ", which does not fit" if self.bytes > _ROOM * machine_bytes else ""
        where = f"the {self.what}{at(self.stage.place)}"
        return f"{where} will hold {held}: {size(self.bytes)} of {size(machine_bytes)}{burst}"


@dataclass(frozen=True)
class CachePlace:
    """A stage behind which a cache keeps the elements as they are, and what it would hold."""

    stage: Stage
    bytes: float


def holdings(pipeline: Pipeline) -> tuple[Holding, ...]:
    """What the buffers and caches will hold, as far as the sizes of the elements are known."""
    return tuple(
        Holding(stage, what, elements, stage.bytes_per_element)
        for stage in pipeline.stages
        if stage.bytes_per_element is not None
        for what, elements in _kept(stage)
    )


def is_notable(holding: Holding, machine_bytes: int) -> bool:
    """Whether a buffer takes enough of the machine's memory to speak of it."""
    return machine_bytes > 0 and holding.bytes >= _NOTABLE * machine_bytes


def _kept(stage: Stage) -> Iterator[tuple[str, float]]:
    if buffer := stage.shuffle_buffer:
        yield "shuffle buffer", float(buffer)
    elif stage.op in PREFETCHES:
        if held := _buffer_size(stage) or cost_of(stage).buffered_elements:
            yield "prefetch buffer", held
    elif stage.op == "cache" and stage.omits("filename") and (count := _elements(stage)):
        yield "cache", count


def _buffer_size(stage: Stage) -> float | None:
    given = stage.argument("buffer_size")
    return float(given.integer) if given is not None and given.integer is not None and given.integer > 0 else None


def _elements(stage: Stage) -> float | None:
    """How many elements reach a stage that passes all of them on, None where that is not known or has no end."""
    counts = (part.cardinality for part in (stage, *stage.inputs))
    return next((float(count) for count in counts if count is not None and count > 0), None)


def cache_place(pipeline: Pipeline, machine_bytes: int) -> CachePlace | None:
    """The place closest to the end where a cache spares work, changes no element, completes and fits beside buffers."""
    if any(stage.op in KEEPS for stage in pipeline.every_stage):
        return None
    room = _ROOM * machine_bytes - sum(holding.bytes for holding in holdings(pipeline))
    changing = _changing(pipeline)
    for stage in _on_every_way(pipeline):
        if not _does_work(stage):
            return None
        held = _size_of_cache(stage)
        if held is not None and held <= room and stage not in changing:
            return CachePlace(stage, held)
        # Behind a stage that ends early a cache completes, before it never.
        if stage.op in ENDS_EARLY:
            return None
    return None


def _on_every_way(pipeline: Pipeline) -> Iterator[Stage]:
    """The stages that all elements pass, the last first: those that dominate the end, seen from above all sources."""
    flow, above_all = networkx.DiGraph(), object()
    for stage in pipeline.every_stage:
        flow.add_edges_from((part, stage) for part in stage.parts or (above_all,))
    dominators = networkx.immediate_dominators(flow, above_all)
    stage = pipeline.end
    while stage is not above_all:
        yield stage
        stage = dominators[stage]


def _changing(pipeline: Pipeline) -> set[Stage]:
    """The stages whose elements differ from epoch to epoch, or come in another order."""
    found: set[Stage] = set()
    for stage in pipeline.every_stage:
        if not _repeats_itself(stage) or not found.isdisjoint(stage.parts):
            found.add(stage)
    return found


def _does_work(stage: Stage) -> bool:
    """Whether anything is read or computed on the way to the elements of a stage."""
    parts = (stage, *stage.upstream(inside=True))
    return any(part.op not in NO_WORK for part in parts)


def _size_of_cache(stage: Stage) -> float | None:
    each = stage.bytes_per_element
    if each is None or stage.cardinality is None or stage.cardinality <= 0:
        return None
    return None if stage.op in COMMUTES_WITH_CACHE else stage.cardinality * each


def _repeats_itself(stage: Stage) -> bool:
    """Whether it gives the same elements in the same order in each epoch."""
    if stage.op in VARIES or (stage.function is not None and stage.function.stateful):
        return False
    if stage.op == "list_files":
        return _is_off(stage, "shuffle")
    return stage.op not in SHUFFLES or _is_off(stage, "reshuffle_each_iteration")


def _is_off(stage: Stage, name: str) -> bool:
    given = stage.argument(name)
    return given is not None and given.value == Literal(False)
