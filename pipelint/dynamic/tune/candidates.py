"""What is worth a trial in a measured pipeline, besides what rules find: what only measuring can justify."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pipelint.dynamic.predict.rate_model import RateModel, calls_set, can_be_parallel, cost_of, gains_from_threads
from pipelint.dynamic.predict.what_if import plan_change_of, with_waiting_threads
from pipelint.dynamic.profile import WORTHWHILE
from pipelint.dynamic.tune.cache_places import Room, cache_repairs
from pipelint.dynamic.tuning import TriedRewrite
from pipelint.knowledge.stages import BATCHING, COMMUTES_WITH_CACHE, FEEDS, PARALLEL_READERS, PREFETCHES, SHUFFLES
from pipelint.model.definitions import Effect
from pipelint.model.grades import Safety
from pipelint.model.locations import Place
from pipelint.model.pipeline import Pipeline, Stage
from pipelint.model.repair import Append, Distribute, MoveAfter, Repair, SetArgument, SetOption, SliceItems, Together
from pipelint.model.values import AUTOTUNE, Literal

MOST_GAIN = 1000.0
"""Where nothing is left to do, no figure tells how much faster it is."""
_NOTABLE = 0.1
"""The share of the time from which a map is worth a trial of which nothing is known."""
_ADDRESS = "grpc://localhost:5050"
"""Where a patch looks for a dispatcher, until somebody writes their own."""
_POOL = "threading.private_threadpool_size"


@dataclass(frozen=True)
class Candidate:
    """A change of the pipeline that may make it faster."""

    code: str
    """That of the rule that is about it, or a name of its own."""
    title: str
    safety: Safety
    repair: Repair
    """For the stages of the pipeline that ran."""
    place: Place | None
    predicted: float | None = None
    """How many times as fast the pipeline would be, None where the model cannot tell."""
    group: str = ""
    """Of those with one name only one can be of use; they are tried against each other."""
    keeps: Stage | None = None
    """The stage whose elements it keeps for later epochs, which therefore have to be the same in each."""

    @property
    def untried(self) -> TriedRewrite:
        """What there is to tell of it before it has run."""
        return TriedRewrite(self.code, self.title, self.safety, self.place, self.predicted)


def candidates(model: RateModel, room: Room, rows: int | None) -> list[Candidate]:
    """The changes, each with what the measured costs promise; `rows` tells how many examples an epoch has."""
    found = [*_caches(model, room, rows)]
    found += [
        *_all_parallel(model),
        *_threads(model),
        *_parallel(model),
        *_vectorized(model),
        *_parallel_batches(model),
    ]
    found += [*_settled_badly(model), *_unordered(model), *_sliced(model), *_buffers(model), *_options(model)]
    return found


def distribution(pipeline: Pipeline, policy: str) -> Distribute:
    """What lets a tf.data service make the elements, up to what only buffers them."""
    ends = (pipeline.end, *pipeline.end.straight_up())
    return Distribute(next(stage for stage in ends if stage.op not in COMMUTES_WITH_CACHE), policy, _ADDRESS)


def predicted_gain(repair: Repair, model: RateModel) -> float | None:
    """How many times as fast the pipeline would be with a repair, as far as the model can tell."""
    plan = plan_change_of(repair, model).plan
    gain = model.speedup(plan) if plan is not None else None
    return min(gain, MOST_GAIN) if gain is not None else None


def _candidate(
    model: RateModel, code: str, title: str, repair: Repair, stage: Stage, *, safe: bool = False, group: str = ""
) -> Candidate:
    safety = Safety.SAFE if safe else Safety.UNSAFE
    return Candidate(code, title, safety, repair, stage.place, predicted_gain(repair, model), group)


def _own(model: RateModel) -> Iterator[Stage]:
    """The stages that stand in the user's own source, those in functions included."""
    return (stage for stage in model.pipeline.every_stage if not stage.helper and stage.op not in FEEDS)


def _caches(model: RateModel, room: Room, rows: int | None) -> Iterator[Candidate]:
    for kept in cache_repairs(model.pipeline, room, rows):
        title = f"cache after this {kept.stage.op} ({kept.where}){kept.besides}"
        yield Candidate(
            "PIPE306",
            title,
            Safety.UNSAFE,
            kept.repair,
            kept.stage.place,
            predicted_gain(kept.repair, model),
            "cache",
            kept.stage,
        )


def _parallel(model: RateModel) -> Iterator[Candidate]:
    """Calls at once where there is one at a time, or a number that somebody chose."""
    for stage in _own(model):
        if not can_be_parallel(stage) or stage.op in BATCHING or calls_set(stage) < 0:
            continue
        name = "num_parallel_reads" if stage.op in PARALLEL_READERS else "num_parallel_calls"
        code = {"map": "PIPE201", "interleave": "PIPE203"}.get(stage.op, "PIPE204")
        if calls_set(stage) > 0:
            code = "PIPE202"
        safe = stage.stateless and not (stage.op == "interleave" and stage.omits("cycle_length"))
        repair = SetArgument(stage, name, AUTOTUNE)
        yield _candidate(
            model, code, f"add {name}=AUTOTUNE", repair, stage, safe=safe and stage.op in ("map", "interleave")
        )


def _all_parallel(model: RateModel) -> Iterator[Candidate]:
    """Calls at once in all stages that would gain from them, as the usual recipe has it: one trial instead of many."""
    repairs: list[SetArgument] = []
    chosen: list[Candidate] = []
    for each in _parallel(model):
        match each.repair:
            case SetArgument(stage=stage) if _makes_one_call(stage) and gains_from_threads(stage):
                repairs.append(each.repair)
                chosen.append(each)
    if len(chosen) > 1:
        together = Together(tuple(repairs))
        names = " and ".join(dict.fromkeys(repair.stage.op for repair in repairs))
        title = f"parallel calls (AUTOTUNE) in all {len(chosen)} stages that make one at a time ({names})"
        gain = predicted_gain(together, model)
        safe = all(each.safety is Safety.SAFE for each in chosen)
        safety = Safety.SAFE if safe else Safety.UNSAFE
        yield Candidate(chosen[0].code, title, safety, together, chosen[0].place, gain)


def _makes_one_call(stage: Stage) -> bool:
    """Whether neither the program nor TensorFlow makes several of its calls at once."""
    return calls_set(stage) == 0 and cost_of(stage).parallelism <= 1


def _settled_badly(model: RateModel) -> Iterator[Candidate]:
    """A number of calls where TensorFlow, which was left the choice, makes fewer at once than there are processors."""
    for stage in _own(model):
        if can_be_parallel(stage) and calls_set(stage) < 0 and cost_of(stage).parallelism < model.cores:
            name = "num_parallel_reads" if stage.op in PARALLEL_READERS else "num_parallel_calls"
            title = f"{name}={model.cores}, since AUTOTUNE makes fewer calls at once"
            yield _candidate(model, "PIPE202", title, SetArgument(stage, name, Literal(model.cores)), stage)


def _unordered(model: RateModel) -> Iterator[Candidate]:
    """Elements as they come, where some have to be waited for and the stream is shuffled anyway."""
    if not any(stage.op in SHUFFLES for stage in model.pipeline.every_stage):
        return
    for stage in _own(model):
        waits = stage.op in ("map", "interleave") and calls_set(stage) != 0 and stage.bound == "io"
        if waits and stage.omits("deterministic"):
            repair = SetArgument(stage, "deterministic", Literal(False))
            yield _candidate(model, "PIPE207", "elements as they come, since they are shuffled", repair, stage)


def _threads(model: RateModel) -> Iterator[Candidate]:
    """More threads than there are processors, for functions that wait."""
    pipeline = model.pipeline
    if pipeline.dataset is None:
        return
    pool = SetOption(pipeline.dataset, _POOL, Literal(model.many))
    for stage in _own(model):
        waiting = with_waiting_threads(model, model.current, stage)
        outer = stage.nested_in
        if waiting is None or (outer is not None and can_be_parallel(outer)) or model.current.pool >= model.many:
            continue
        gain = model.speedup(waiting)
        own = f"{model.many} threads of its own, since {stage.op} waits"
        # In each epoch AUTOTUNE begins with few calls at once, which a short epoch is over before it has learned.
        for calls, named in ((AUTOTUNE, "AUTOTUNE"), (Literal(model.many), str(model.many))):
            keeps = calls is AUTOTUNE and calls_set(stage) != 0
            repair = pool if keeps else Together((SetArgument(stage, "num_parallel_calls", calls), pool))
            title = own if keeps else f"num_parallel_calls={named} and {own}"
            yield Candidate("private-threads", title, Safety.UNSAFE, repair, stage.place, gain, "threads")


def _vectorized(model: RateModel) -> Iterator[Candidate]:
    """Batches before maps that may give the same for them: a run has shown it, or nothing speaks against it."""
    for stage in _own(model):
        trial = stage.tried if stage.op == "map" else None
        batch = next((later for later in stage.downstream() if later.op == "batch"), None)
        gains = trial.speedup >= WORTHWHILE if trial is not None else _may_take_batches(stage)
        if batch is None or not gains:
            continue
        between = batch.straight_up_to(stage)
        if all(part.op == "map" for part in between):
            repair = MoveAfter(batch, stage.inputs)
        elif [part for part in between if part.op == "map"] == [stage]:
            repair = MoveAfter(stage, (batch,))
        else:
            continue
        title = (
            f"batch before {stage.function.label if stage.function else 'the map'}, which then works on whole batches"
        )
        yield Candidate("PIPE104", title, Safety.UNSAFE, repair, stage.place, trial.speedup if trial else None)


def _may_take_batches(stage: Stage) -> bool:
    """Whether a map takes much of the time and does nothing that only single elements are good for."""
    function = stage.function if stage.op == "map" else None
    if function is None or (stage.share or 0.0) < _NOTABLE:
        return False
    return function.python is None and all(cause.effect is Effect.STATE for cause in function.causes)


def _parallel_batches(model: RateModel) -> Iterator[Candidate]:
    for stage in _own(model):
        trial = stage.tried if stage.op == "batch" else None
        if trial is not None and trial.speedup >= WORTHWHILE and stage.omits("num_parallel_calls"):
            repair = SetArgument(stage, "num_parallel_calls", AUTOTUNE)
            title = "batch with num_parallel_calls=AUTOTUNE"
            yield Candidate("parallel-batch", title, Safety.SAFE, repair, stage.place, trial.speedup)


def _sliced(model: RateModel) -> Iterator[Candidate]:
    """Generators that may do no more than hand out what is in memory."""
    for stage in _own(model):
        if stage.op == "from_generator":
            yield _candidate(model, "PIPE501", "from_tensor_slices instead of the generator", SliceItems(stage), stage)


def _buffers(model: RateModel) -> Iterator[Candidate]:
    pipeline = model.pipeline
    last = next((stage for stage in (pipeline.end, *pipeline.end.straight_up()) if stage.op != "with_options"), None)
    if pipeline.dataset is not None and last is not None and last.op not in PREFETCHES | FEEDS:
        repair = Append(pipeline.dataset, "prefetch", AUTOTUNE)
        yield _candidate(model, "PIPE101", "prefetch(AUTOTUNE) at the end", repair, pipeline.end, safe=True)


def _options(model: RateModel) -> Iterator[Candidate]:
    """What TensorFlow does by itself unless it is switched off."""
    pipeline = model.pipeline
    for stage in _own(model):
        for name, value in stage.options.items():
            if value == Literal(False) and pipeline.dataset is not None and "determini" not in name:
                repair = SetOption(pipeline.dataset, name, Literal(True))
                yield Candidate("PIPE205", f"options.{name} on again", Safety.SAFE, repair, stage.place)
