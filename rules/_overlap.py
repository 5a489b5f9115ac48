"""Whether a pipeline works ahead of its consumer, and which of its stages cost anything."""

from __future__ import annotations

from pipelint.rule import (
    FEW_ELEMENTS,
    FREE,
    MERGES,
    MULTIPLIES,
    PREFETCHES,
    READY_MADE,
    Array,
    Dataset,
    Pipeline,
    Program,
    Stage,
)

_IN_MEMORY = FREE | {"cache", "shuffle", "prefetch", "concatenate", "zip"}


def selects(stage: Stage) -> bool:
    """Whether a map only picks, renames or rearranges parts of the elements, which costs nothing."""
    return stage.function is not None and stage.function.selects


def lacks_prefetch(pipeline: Pipeline) -> bool:
    """Whether the last stage that costs anything runs only when the consumer asks."""
    trunk = pipeline.trunk
    if any(stage.op in PREFETCHES for stage in trunk) or not pipeline.end.inputs:
        return False
    if all(selects(stage) or stage.op in (_IN_MEMORY if stage.inputs else READY_MADE) for stage in pipeline.stages):
        return False
    working = [stage for stage in trunk if not stage.is_source and stage.op not in FREE and not selects(stage)]
    if working:
        return not working[-1].has("num_parallel_calls")
    return len(trunk[0].inputs) < 2 or not all(map(_ends_in_prefetch, trunk[0].inputs))


def has_few_elements(pipeline: Pipeline) -> bool:
    """Whether all its sources are written to give so few elements that nothing is gained by working ahead."""
    sources = [stage for stage in pipeline.stages if stage.is_source and stage.op not in MERGES]
    if any(stage.op in MULTIPLIES for stage in pipeline.stages):
        return False
    return bool(sources) and sum(_length(stage) or FEW_ELEMENTS + 1 for stage in sources) <= FEW_ELEMENTS


def _length(source: Stage) -> int | None:
    """How many elements a source in memory gives, None where that is not written."""
    match source.op:
        case "from_tensors":
            return 1
        case "range":
            stop = source.argument("stop")
            return stop.integer if stop is not None and source.omits("start") and not stop.is_assumed else None
        case "from_tensor_slices":
            given = source.argument("tensors")
            if given is None or given.is_assumed:
                return None
            if isinstance(given.value, Array):
                return given.value.shape[0] if given.value.shape else None
            items = given.constant
            # What lies in a tuple of lists is sliced together.
            return (
                len(items) if isinstance(items, tuple) and not any(isinstance(item, tuple) for item in items) else None
            )
        case _:
            return None


def drops_prefetch(program: Program, dataset: Dataset) -> bool:
    """Whether the program does ask for a prefetch of this dataset, and loses it (PIPE110)."""
    lost = {source.call for stage in program.discarded if stage.op in PREFETCHES for source in stage.inputs}
    return any(stage.call in lost for variant in dataset.variants for stage in variant.trunk)


def _ends_in_prefetch(stage: Stage) -> bool:
    return stage.op in PREFETCHES or (
        (stage.op in FREE or selects(stage)) and any(map(_ends_in_prefetch, stage.inputs))
    )
