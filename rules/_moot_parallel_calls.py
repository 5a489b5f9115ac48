"""Maps for which parallel calls buy nothing: TensorFlow makes them by itself, or there is hardly any work."""

from __future__ import annotations

from pipelint.rule import (
    KEEPS,
    MAP_PARALLELIZATION,
    Effect,
    Function,
    Pipeline,
    Program,
    Stage,
    once_a_program,
)

from ._automatic import is_of_no_account
from ._batching import takes_batches
from ._light_elements import are_heavy, are_light, does_little, is_light_work


def is_paid_once(stage: Stage) -> bool:
    """Whether a cache keeps what the map gives, so that it is paid for once."""
    return any(later.op in KEEPS for later in stage.downstream())


def costs_little(program: Program, pipeline: Pipeline, stage: Stage) -> bool:
    """Whether a stateful function computes for rows, small pictures or whole batches, or looks up what a cache keeps."""
    if _has(stage, Effect.READ, Effect.DECODE):
        return False
    # Batches of texts are ready-made; what is computed for those of pictures is another matter.
    if _looks_up(stage) and (is_paid_once(stage) or any(earlier.yields_batches for earlier in stage.upstream())):
        return True
    return takes_batches(stage) or are_light(program, pipeline) or is_light_work(program, pipeline, stage)


def is_moot(program: Program, pipeline: Pipeline, stage: Stage) -> bool:
    """Whether a map that does not ask for parallel calls is as fast as one that does.

    Where TensorFlow makes the calls parallel by itself, it is worth telling all the same for large rows of arrays, for a
    function that the program maps with parallel calls elsewhere, and for one that reads, where the project speaks of a
    TensorFlow that does not do so.
    """
    # A table or a layer takes a millisecond for a batch, and no less with several calls at a time.
    if _has(stage, Effect.RANDOM, Effect.PYTHON, Effect.STATE):
        return _looks_up(stage) and costs_little(program, pipeline, stage)
    if program.target < MAP_PARALLELIZATION.since or pipeline.nested_in is not None:
        return False
    if pipeline.turns_off(*MAP_PARALLELIZATION.turned_off_by):
        return False
    reads = _has(stage, Effect.READ, Effect.DECODE)
    if (not reads and is_paid_once(stage)) or are_light(program, pipeline) or is_of_no_account(program, pipeline):
        return True
    if stage.function is None or not stage.function.resolved or _has(stage, Effect.UNKNOWN):
        return takes_batches(stage)
    forgotten = stage.function.function in _mapped_in_parallel(program) and not does_little(program, stage)
    needed = reads and program.oldest < MAP_PARALLELIZATION.since
    return not (forgotten or needed or are_heavy(pipeline))


@once_a_program
def _mapped_in_parallel(program: Program) -> frozenset[Function]:
    """The functions of the program that a map applies with parallel calls."""
    maps = (stage for pipeline in program.all_pipelines for stage in pipeline.stages if stage.op == "map")
    parallel = (stage.function for stage in maps if not stage.omits("num_parallel_calls"))
    return frozenset(mapped.function for mapped in parallel if mapped is not None and mapped.function is not None)


def _has(stage: Stage, *effects: Effect) -> bool:
    return stage.function is not None and stage.function.cause(*effects) is not None


def _looks_up(stage: Stage) -> bool:
    """Whether a function is stateful by nothing but a table or a layer with weights."""
    return _has(stage, Effect.STATE) and not _has(stage, Effect.RANDOM, Effect.PYTHON)
