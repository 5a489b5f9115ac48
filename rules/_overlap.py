"""Whether a pipeline works ahead of its consumer, and which of its stages cost anything."""

from __future__ import annotations

from pipelint.rule import (
    FREE,
    PREFETCHES,
    READY_MADE,
    RUNS_AHEAD,
    Consumer,
    ConsumerKind,
    Dataset,
    Pipeline,
    Program,
    Stage,
    once_a_program,
)

from ._switched_off import is_prefetch_switched_off

_BY_KERAS = frozenset({ConsumerKind.FIT, ConsumerKind.EVALUATE, ConsumerKind.PREDICT})
_IN_MEMORY = FREE | {"cache", "shuffle", "prefetch", "concatenate", "zip"}


def selects(stage: Stage) -> bool:
    """Whether a map only picks, renames or rearranges parts of the elements, which costs nothing."""
    return stage.function is not None and stage.function.selects


def waits_for(program: Program, consumer: Consumer) -> bool:
    """Whether a prefetch would let it wait less; Keras distributes what it is given to a strategy, which prefetches."""
    if consumer.takes_all:
        return False
    return consumer.kind not in _BY_KERAS or not _distributes(program.near(consumer.region))


@once_a_program
def _distributes(program: Program) -> bool:
    """Whether a part of the program stands in the scope of a strategy."""
    scopes = (call.symbol for call in program.calls if call.last_name == "scope")
    return any(symbol.startswith("tensorflow.distribute.") for symbol in scopes)


def is_waited_for(program: Program, pipeline: Pipeline) -> bool:
    """Whether one of those who take the elements would wait less, or nobody knows who takes them."""
    return not pipeline.consumers or any(waits_for(program, consumer) for consumer in pipeline.consumers)


def lacking_prefetch(program: Program) -> list[Dataset]:
    """The datasets that somebody waits for, and that no stage works ahead for, whichever way they are built."""
    looked_at = set(program.pipelines)
    lacking = []
    for dataset in program.datasets:
        variants = [pipeline for pipeline in dataset.variants if pipeline in looked_at]
        waits = any(waits_for(program, consumer) for consumer in dataset.consumers)
        if not waits or not variants or _drops_prefetch(program, dataset):
            continue
        lacks = dataset.complete and all(map(_lacks_prefetch, variants))
        if lacks and not is_prefetch_switched_off(program, dataset):
            lacking.append(dataset)
    return lacking


def _lacks_prefetch(pipeline: Pipeline) -> bool:
    """Whether the last stage that costs anything runs only when the consumer asks."""
    trunk = pipeline.trunk
    if any(stage.op in PREFETCHES for stage in trunk) or not pipeline.end.inputs:
        return False
    if all(selects(stage) or stage.op in (_IN_MEMORY if stage.inputs else READY_MADE) for stage in pipeline.stages):
        return False
    working = [stage for stage in trunk if not stage.is_source and stage.op not in FREE and not selects(stage)]
    if working:
        return not working[-1].has("num_parallel_calls") and working[-1].op not in RUNS_AHEAD
    return len(trunk[0].inputs) < 2 or not all(map(_ends_in_prefetch, trunk[0].inputs))


def _drops_prefetch(program: Program, dataset: Dataset) -> bool:
    """Whether the program does ask for a prefetch of this dataset, and loses it (PIPE110)."""
    lost = {source.call for stage in program.discarded if stage.op in PREFETCHES for source in stage.inputs}
    return any(stage.call in lost for variant in dataset.variants for stage in variant.trunk)


def _ends_in_prefetch(stage: Stage) -> bool:
    return stage.op in PREFETCHES or (
        (stage.op in FREE or selects(stage)) and any(map(_ends_in_prefetch, stage.inputs))
    )
