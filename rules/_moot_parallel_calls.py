"""Maps for which parallel calls buy nothing: TensorFlow makes them by itself, or there is hardly any work."""

from __future__ import annotations

from pipelint.rule import (
    MAP_PARALLELIZATION,
    Effect,
    Function,
    Pipeline,
    Program,
    Stage,
    once_a_program,
)

from ._batching import stages_on_batches
from ._caching import is_cached_later
from ._in_memory import comes_from_memory
from ._light_elements import (
    LARGE,
    are_heavy,
    are_light,
    computes_much,
    does_little,
    is_of_small_pictures,
    multiplies_matrices,
)
from ._little_data import is_a_handful
from ._passes import is_gathered_once
from ._purpose import evaluates, evaluates_beside_training

_TABLES = ("keras.layers.IntegerLookup", "keras.layers.StringLookup", "keras.layers.TextVectorization", "tf.lookup.")
_STATEFUL = (Effect.RANDOM, Effect.PYTHON, Effect.STATE)


def is_worth_threads(program: Program, pipeline: Pipeline, stage: Stage) -> bool:
    """Whether each call is known to take so long that several at a time are faster: it reads, decodes, runs Python that
    lets go of the interpreter, runs a layer with weights, computes much, or passes over large rows of arrays; and no cache
    spares later epochs.
    """
    if stage.cost is not None:
        return True  # what was measured tells by itself
    if is_cached_later(stage):
        return False
    if stage.cause(Effect.READ, Effect.DECODE, Effect.PYTHON):
        return True
    if stage in stages_on_batches(pipeline) or are_light(program, pipeline):
        return False
    if _keeps_state(stage) and not _only_looks_up(stage):
        return True
    return are_heavy(pipeline, LARGE) or (computes_much(program, stage) and not is_of_small_pictures(program, pipeline))


def is_moot(program: Program, pipeline: Pipeline, stage: Stage) -> bool:
    """Whether a map that does not ask for parallel calls is as fast as one that does, for all that is known.

    Where TensorFlow makes the calls parallel by itself, it is worth telling all the same for large rows of arrays and for
    a function that the program maps with parallel calls elsewhere.
    """
    left = program.newest < MAP_PARALLELIZATION.since or pipeline.nested_in is not None
    left = left or pipeline.turns_off(*MAP_PARALLELIZATION.turned_off_by)
    if stage.cause(*_STATEFUL) and not left:
        spared = stage in stages_on_batches(pipeline) or is_cached_later(stage) or are_light(program, pipeline)
        may_cost = _only_looks_up(stage) or multiplies_matrices(program, stage)
        told = is_worth_threads(program, pipeline, stage) or (may_cost and not spared)
        return is_a_handful(pipeline) or not told
    if stage.function is None or not stage.function.resolved or stage.cause(Effect.UNKNOWN):
        # Most that are out of sight parse or compute, statelessly.
        sequential = left and not (stage in stages_on_batches(pipeline) or is_cached_later(stage))
        return not sequential or is_of_no_account(program, pipeline)
    if is_cached_later(stage) or are_light(program, pipeline) or is_of_no_account(program, pipeline):
        return True
    if left:
        return does_little(program, stage)  # a call of its own takes longer than that
    if program.target < MAP_PARALLELIZATION.since:
        # Only the oldest that the project admits leaves it sequential: most are run with a newer one.
        return not is_worth_threads(program, pipeline, stage)
    known = stage.function.function in _mapped_in_parallel(program) and not does_little(program, stage)
    forgotten = known and not evaluates([pipeline])
    return not (forgotten or are_heavy(pipeline))


def _keeps_state(stage: Stage) -> bool:
    """Whether a table or a layer with weights is asked for each element; ready-made batches are taken whole."""
    return bool(stage.cause(Effect.STATE)) and not any(earlier.yields_batches for earlier in stage.upstream())


def _only_looks_up(stage: Stage) -> bool:
    """Whether all the state is in tables: a look there took 0.08 ms for a word, and 0.3 ms for a text of 300 words."""
    causes = stage.function.causes if stage.function is not None else ()
    state = [cause.name for cause in causes if cause.effect is Effect.STATE]
    return _keeps_state(stage) and all(name.startswith(_TABLES) for name in state)


def is_of_no_account(program: Program, pipeline: Pipeline) -> bool:
    """Whether nobody waits for how fast the elements are made.

    That is of few elements, of a single list of all, and of what memory holds to evaluate beside the training.
    """
    if is_a_handful(pipeline) or is_gathered_once(program, pipeline):
        return True
    return comes_from_memory(pipeline) and evaluates_beside_training(program, [pipeline])


@once_a_program
def _mapped_in_parallel(program: Program) -> frozenset[Function]:
    """The functions of the program that a map applies with parallel calls."""
    maps = (stage for pipeline in program.all_pipelines for stage in pipeline.stages if stage.op == "map")
    parallel = (stage.function for stage in maps if not stage.omits("num_parallel_calls"))
    return frozenset(mapped.function for mapped in parallel if mapped is not None and mapped.function is not None)
