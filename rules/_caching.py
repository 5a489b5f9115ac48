"""What matters where a cache moves: random values before it, and a file that keeps what an earlier run has put there."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import (
    BATCHING,
    KEEPS,
    MAPS,
    MULTIPLIES,
    NO_WORK,
    PREFETCHES,
    SHUFFLES,
    SPLITS,
    Cause,
    Effect,
    Fix,
    Location,
    MoveAfter,
    Pipeline,
    Program,
    Region,
    RemoveStage,
    Stage,
    once_a_pipeline,
    once_a_program,
)


def draws(stage: Stage) -> Iterator[Cause]:
    """The random operation of a map, or of a map inside an interleave or flat_map."""
    for part in (stage, *stage.inner_stages):
        cause = part.cause(Effect.RANDOM) if part.op in MAPS else None
        if cause is not None:
            yield cause


def _works(stage: Stage) -> bool:
    """Whether a stage computes what a cache is there to keep; the predicates of filters are mostly cheap."""
    function = stage.function
    costly = stage.cause(Effect.DECODE, Effect.READ, Effect.PYTHON) is not None
    return costly or (stage.op in MAPS and not (function is not None and function.selects))


def _keeps_bare_slices(between: tuple[Stage, ...], shuffle: Stage) -> bool:
    """Whether a cache keeps what is in memory already, with nothing done to it but this shuffle, batch and prefetch."""
    return all(stage.op in NO_WORK - SHUFFLES - SPLITS for stage in shuffle.upstream()) and all(
        stage is shuffle or stage.op in BATCHING | PREFETCHES for stage in between
    )


def is_cached_later(stage: Stage) -> bool:
    """Whether a cache keeps what comes of the elements that a stage gives, so that its work is paid for once."""
    return stage.pipeline is not None and stage in _cached_later(stage.pipeline)


@once_a_pipeline
def _cached_later(pipeline: Pipeline) -> frozenset[Stage]:
    own, found = set(pipeline.stages), set[Stage]()
    for stage in reversed(pipeline.stages):
        # A dataset from outside of a function that returns it is part of the pipeline there.
        outside = [later for taker in stage.outputs if taker not in own for later in (taker, *taker.downstream())]
        if any(later.op in KEEPS or later in found for later in (*stage.outputs, *outside)):
            found.add(stage)
    return frozenset(found)


def may_be_cached(program: Program, stage: Stage) -> bool:
    """Whether a cache keeps it in some run of the program, as where a setting asks for one."""
    return stage.name in _cached_at_times(program)


@once_a_program
def _cached_at_times(program: Program) -> frozenset[Location]:
    stages = (stage for pipeline in program.all_pipelines for stage in pipeline.stages)
    return frozenset(stage.name for stage in stages if is_cached_later(stage))


def has_file(cache: Stage) -> bool:
    """Whether a cache is kept in a file, or may be."""
    name = cache.argument("filename")
    return cache.hides_arguments or (name is not None and name.constant != "")


def is_explained(program: Program, cache: Stage) -> bool:
    """Whether a comment above or behind `ds = ds.cache()` says what it is for, which elsewhere would no longer hold."""
    place = cache.call
    if not isinstance(place, Region):
        return False  # a program that ran shows no statements
    beside = (Region.of(other.call) for other in (*cache.inputs, *cache.outputs))
    if any(program.statement_at(other) == program.statement_at(place) for other in beside):
        return False
    module = program.module_at(place)
    above, _, _ = module.text[: program.beginning_of_statement(place) - module.start].rpartition("\n")
    behind, _, _ = module.text[place.end - module.start :].partition("\n")
    return above.rpartition("\n")[2].lstrip().startswith("#") or behind.lstrip().startswith("#")


def swap(cache: Stage, shuffle: Stage, between: tuple[Stage, ...]) -> Fix | None:
    """A cache and a shuffle before it change places: the shuffle moves where there is work between, which the cache keeps."""
    ops = {stage.op for stage in between}
    if shuffle.op != "shuffle" or len(shuffle.inputs) != 1 or not between or ops & (SPLITS | MULTIPLIES):
        return None
    # A cache behind random values moves for their sake first (PIPE301).
    if any(cause for stage in cache.upstream() for cause in draws(stage)):
        return None
    batched = bool(ops & BATCHING)
    if any(map(_works, between)):
        # Behind batch it would move whole batches.
        return None if batched else Fix.unsafe("move shuffle after cache", MoveAfter(shuffle, (cache,)))
    if not has_file(cache) and _keeps_bare_slices(between, shuffle):
        return Fix.unsafe("remove the cache: what it keeps is in memory already", RemoveStage(cache))
    # A file of an earlier run would give batches where single elements are expected.
    if batched and has_file(cache):
        return None
    return Fix.unsafe("move cache before shuffle", MoveAfter(cache, shuffle.inputs))


def before_repeat(cache: Stage, repeat: Stage) -> Fix | None:
    """A cache and an endless `repeat` before it change places: what is between stays cached unless it varies."""
    between = cache.straight_up_to(repeat)[:-1]
    if any(stage.op in SPLITS for stage in between):
        return None
    varies = any(stage.op in SHUFFLES or any(draws(stage)) for stage in between)
    if not varies and not any(stage.op in BATCHING for stage in between):
        return Fix.unsafe("move repeat after cache", MoveAfter(repeat, (cache,)))
    # There it would keep what is in memory already.
    if all(stage.op in NO_WORK for stage in repeat.upstream()):
        return None
    return Fix.unsafe("move cache before repeat", MoveAfter(cache, repeat.inputs))
