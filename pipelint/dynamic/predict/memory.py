"""Forecast of what buffers and caches will hold, and where a cache is legal and fits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pipelint.display.figures import size
from pipelint.dynamic.predict.operational import Operations
from pipelint.dynamic.recording import RecordedStage
from pipelint.knowledge.stages import PREFETCHES, SHUFFLES

_ROOM = 0.9
"""The part of the machine's memory that a pipeline may fill."""
_NOTABLE = 0.05
"""The part of the machine's memory from which a buffer is worth a line."""
_ENDS_EARLY = frozenset({"take", "take_while"})
_PASSES_ON = PREFETCHES | {"repeat", "with_options", "assert_cardinality"}
"""Stages before which a cache does the same."""
_DRAWS = frozenset({"from_generator", "random", "rejection_resample", "sample_from_datasets", "choose_from_datasets"})
_REARRANGES = frozenset(
    {"from_tensors", "from_tensor_slices", "range", "zip", "concatenate", "enumerate", "take", "skip", "shard"}
    | {"batch", "padded_batch", "ragged_batch", "unbatch", "rebatch", "window", "apply", "counter"}
)
"""Stages that hand on what is in memory already, which a cache does no faster."""


@dataclass(frozen=True)
class Holding:
    """A buffer or cache and what it will hold when it is full."""

    stage: int
    what: str
    elements: float
    bytes_per_element: float

    @property
    def bytes(self) -> float:
        """Its size when it is full."""
        return self.elements * self.bytes_per_element

    def words(self, where: str, machine_bytes: int) -> str:
        """`the shuffle buffer at train.py:31 will hold 10,000 elements of 588 KiB: 5.6 GiB of 23 GiB`."""
        held = f"{self.elements:,.0f} elements of {size(self.bytes_per_element)}"
        burst = ", which does not fit" if self.bytes > _ROOM * machine_bytes else ""
        return f"the {self.what} at {where} will hold {held}: {size(self.bytes)} of {size(machine_bytes)}{burst}"


@dataclass(frozen=True)
class CachePlace:
    """A stage behind which a cache keeps the elements as they are, and what it would hold."""

    stage: int
    bytes: float


def holdings(operations: Operations) -> tuple[Holding, ...]:
    """What the buffers and caches will hold, as far as the sizes of the elements are known."""
    return tuple(
        Holding(stage.id, what, elements, each)
        for stage in operations.pipeline.stages
        if stage.nested_in is None
        for what, elements in _kept(operations, stage)
        if (each := bytes_per_element(operations, stage)) is not None
    )


def is_notable(holding: Holding, machine_bytes: int) -> bool:
    """Whether a buffer takes enough of the machine's memory to speak of it."""
    return machine_bytes > 0 and holding.bytes >= _NOTABLE * machine_bytes


def bytes_per_element(operations: Operations, stage: RecordedStage) -> float | None:
    """The size of a stage's elements: as measured, else as their shapes say."""
    measured = operations.cost(stage.id).bytes_per_element
    return measured or stage.element_bytes


def _kept(operations: Operations, stage: RecordedStage) -> Iterator[tuple[str, float]]:
    if stage.op in SHUFFLES and (buffer := _count(stage, "buffer_size")):
        yield "shuffle buffer", min(buffer, _elements(operations, stage) or buffer)
    elif stage.op in PREFETCHES:
        if held := _count(stage, "buffer_size") or operations.cost(stage.id).buffered_elements:
            yield "prefetch buffer", held
    elif stage.op == "cache" and not stage.arguments.get("filename") and (count := _elements(operations, stage)):
        yield "cache", count


def _count(stage: RecordedStage, name: str) -> float | None:
    value = stage.arguments.get(name)
    return float(value) if isinstance(value, int) and value > 0 else None


def _elements(operations: Operations, stage: RecordedStage) -> float | None:
    """How many elements reach a stage that passes all of them on, None where that is not known or has no end."""
    counts = (operations.stages[part].cardinality for part in stage.inputs)
    return float(next((count for count in (stage.cardinality, *counts) if count is not None and count > 0), 0)) or None


def cache_place(operations: Operations, machine_bytes: int) -> CachePlace | None:
    """The place closest to the end where a cache spares work, changes no element, completes and fits beside buffers."""
    stages = operations.pipeline.stages
    if any(stage.op in ("cache", "snapshot") for stage in stages):
        return None
    repeats: dict[int, bool] = {}
    for stage in stages:
        before = (*stage.inputs, *stage.inner)
        repeats[stage.id] = _repeats_itself(stage) and all(repeats[part] for part in before)
    room = _ROOM * machine_bytes - sum(holding.bytes for holding in holdings(operations))
    for stage in _trunk(operations):
        if not _does_work(operations, stage):
            return None
        held = _size_of_cache(operations, stage)
        if held is not None and held <= room and repeats[stage.id]:
            return CachePlace(stage.id, held)
        # Behind a stage that ends early a cache completes, before it never.
        if stage.op in _ENDS_EARLY:
            return None
    return None


def _does_work(operations: Operations, stage: RecordedStage) -> bool:
    """Whether anything is read or computed on the way to the elements of a stage."""
    before = (operations.stages[part] for part in (stage.id, *operations.upstream(stage.id)))
    return any(part.op not in _REARRANGES | SHUFFLES | _PASSES_ON for part in before)


def _trunk(operations: Operations) -> Iterator[RecordedStage]:
    """The stages from the end up to where branches merge."""
    stage = operations.end
    yield stage
    while len(stage.inputs) == 1:
        stage = operations.stages[stage.inputs[0]]
        yield stage


def _size_of_cache(operations: Operations, stage: RecordedStage) -> float | None:
    each = bytes_per_element(operations, stage)
    if each is None or stage.cardinality is None or stage.cardinality <= 0:
        return None
    return None if stage.op in _PASSES_ON else stage.cardinality * each


def _repeats_itself(stage: RecordedStage) -> bool:
    """Whether it gives the same elements in the same order in each epoch."""
    if stage.op in _DRAWS or (stage.function is not None and stage.function.stateful):
        return False
    if stage.op == "list_files":
        return stage.arguments.get("shuffle") is False
    return stage.op not in SHUFFLES or stage.arguments.get("reshuffle_each_iteration") is False
