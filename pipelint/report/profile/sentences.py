"""How every format speaks of a profile: figures for people, and the sentences of the headline."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from pipelint.display.figures import between, duration, figure, known, off_by, percent, share_within, size
from pipelint.dynamic.profile import INPUT_BOUND, WORTHWHILE, PipelineProfile, Suggestion
from pipelint.model.cost import Cost, InnerCost, Inside
from pipelint.model.grades import Safety
from pipelint.model.locations import Place
from pipelint.model.pipeline import Stage
from pipelint.source.paths import shown_file, split_cell

_CONSUMERS = {"loop": "a loop", "iter": "an iterator", "dataset": "the dataset"}
_PLURALS = {"batch": "batches", "element": "elements"}
BEYOND_STEPS = 10_000.0
"""Batches a second that no step takes: a call of a compiled function alone takes about 100 µs."""
_MOST_CALLS = 5
_LEAST_SHARE = 0.05
"""Of a function's time: were less than that free, nothing would be worth a word."""
_BOUNDS = {
    "cpu": "the processors",
    "io": "reading and waiting",
    "python": "Python's interpreter lock",
    "memory": "memory",
    "consumer": "what consumes it",
}


def rate(per_second: float, unit: str = "batch") -> str:
    """`212 batches/s`."""
    return f"{figure(per_second)} {_PLURALS[unit]}/s"


def unit(pipeline: PipelineProfile, count: int = 1) -> str:
    """What its elements are, for so many of them."""
    one = "batch" if pipeline.gives_batches else "element"
    return one if count == 1 else _PLURALS[one]


def place(at: Place | None, *, with_column: bool = False) -> str:
    """`train.py:31:9`, as far as it is known."""
    if at is None:
        return ""
    parts = (shown_file(at.path), at.line, at.column if with_column else None)
    return ":".join(str(part) for part in parts if part is not None)


def taker(pipeline: PipelineProfile) -> str:
    """`fit at train.py:40`."""
    kind = pipeline.consumer.kind.value
    name, where = _CONSUMERS.get(kind, kind), place(pipeline.consumer.place)
    return f"{name} at {where}" if where else name


def consumer(pipeline: PipelineProfile) -> str:
    """`fit at train.py:40, training, first epoch`."""
    epoch = {"first": "first epoch", "later": "later epochs"}.get(pipeline.measurement.epoch or "", "")
    purpose = pipeline.consumer.purpose.value if pipeline.consumer.purpose_is_known else ""
    return ", ".join(filter(None, [taker(pipeline), purpose, epoch]))


def throughput(pipeline: PipelineProfile) -> str:
    """What it delivers by itself, and what this machine could where that is of use."""
    measured, limit = pipeline.measurement, pipeline.limit_batches_per_second
    now = measured.batches_per_second
    if not known(now):
        return "The throughput could not be measured"
    alone = " by itself" * (pipeline.step is not None)
    delivers = f"{rate(now, unit(pipeline))}{off_by(measured.spread)}{alone}"
    if not known(limit) or not pipeline.holds_back or now > BEYOND_STEPS:
        return delivers
    gain = f" ({figure(limit / now)}x)" if now > 0 and limit / now >= WORTHWHILE else ""
    return f"{delivers}; limit of this machine about {rate(limit, unit(pipeline))}{gain}"


def waiting(pipeline: PipelineProfile) -> str:
    """What of the time from one batch to the next is the step, and what the input costs; nothing without a step."""
    step, share = pipeline.step, pipeline.input_bound
    if step is None or not known(share) or not known(step.period_seconds):
        return ""
    every = f"a {unit(pipeline)} every {duration(step.period_seconds)}{off_by(step.spread)}"
    if not step.is_settled:
        costs = f"the input costs between {between(share, step.waiting_spread)} of the time"
        return f"not settled whether it is input-bound: {costs}; {every}{_alone_in(pipeline)}"
    if waits(pipeline):
        cost = duration(step.period_seconds - step.seconds)
        parts = f"of which the step takes {duration(step.seconds)} and the input costs {cost}"
        parts += ", starts of epochs included" * step.has_starts
        return f"input-bound {share_within(share, step.waiting_spread)}: {every}, {parts}"
    most = min(1.0, share + step.waiting_spread)
    at_most = f", or by {percent(most)} at most" if most >= 2 * INPUT_BOUND else ""
    return f"not input-bound{at_most}: {every}{_alone_in(pipeline)}"


def _alone_in(pipeline: PipelineProfile) -> str:
    now = pipeline.measurement.batches_per_second
    return f"; the pipeline alone delivers in {duration(1 / now)}" if now else ""


def break_even(pipeline: PipelineProfile) -> str:
    """How short a step may be, wherever it runs, before the input holds it back; nothing where none is as short."""
    now = pipeline.measurement.batches_per_second
    if not known(now) or now <= 0 or now > BEYOND_STEPS:
        return ""
    return f"the input keeps up with steps of {duration(1 / now)} and more"


def waits(pipeline: PipelineProfile) -> bool:
    """Whether the input costs its consumer a part of the time that matters."""
    return pipeline.step is not None and pipeline.holds_back


def held_back(pipeline: PipelineProfile) -> str:
    """What keeps the pipeline from being faster, in words."""
    return _BOUNDS.get(pipeline.bound, pipeline.bound) if pipeline.bound else ""


def circumstances(pipeline: PipelineProfile) -> str:
    """What holds it back, the processors at work and the memory, in one line."""
    held = held_back(pipeline)
    at_work = pipeline.measurement.cores_used
    used = figure(at_work) if known(at_work) else ""
    cores = f"{used} {'core' if used == '1' else 'cores'} at work" if used else ""
    held_by = f"held back by {held}" if held else ""
    return "; ".join(filter(None, [break_even(pipeline), held_by, cores, memory(pipeline)]))


def memory(pipeline: PipelineProfile) -> str:
    """What it holds, and what it will hold where that is more; nothing where neither is known."""
    parts = []
    held = pipeline.measurement.memory_bytes or 0
    if held:
        parts.append(f"{size(held)} held while it ran")
    if (pipeline.memory_forecast_bytes or 0) > held:
        parts.append(f"{size(pipeline.memory_forecast_bytes)} once buffers and caches are full")
    return ", ".join(parts)


def label(stage: Stage) -> str:
    """The operation with the name of the function that it applies: `map(augment)`."""
    return f"{stage.op}({stage.function.name})" if stage.function is not None and stage.function.name else stage.op


def parallelism(stage: Stage) -> str:
    """`x8`; nothing for one call at a time."""
    calls = stage.cost.parallelism if stage.cost is not None else None
    return f"x{figure(calls)}" if known(calls) and calls >= 1.05 else ""


def alone(cost: Cost) -> float | None:
    """The batches a second that a stage could deliver on its own, one call at a time."""
    return 1 / cost.seconds if cost.seconds > 0 else None


def cpu_share(cost: Cost) -> float | None:
    """The part of a stage's time in which a processor works for it."""
    return min(cost.cpu_seconds / cost.seconds, 1.0) if cost.seconds > 0 else None


def seconds(stage: Stage) -> float | None:
    """The time of a stage for one final batch; None where it was not measured."""
    return stage.cost.seconds if stage.cost is not None else None


def is_stateful(stage: Stage) -> bool:
    """Whether TensorFlow takes its function for stateful."""
    return stage.function is not None and stage.function.stateful is True


def inside_of(stage: Stage) -> Inside | None:
    """What the calls in its function take, where that was looked at."""
    return stage.cost.inside if stage.cost is not None else None


def inside_title(stage: Stage) -> str:
    """`inside augment`."""
    return f"inside {(stage.function.name if stage.function is not None else None) or 'the lambda'}"


def inner_name(call: InnerCost) -> str:
    """The call as users know it, or the Python function that is called."""
    return f"Python function {call.name}" if call.python else call.name


def inner_calls(inside: Inside) -> tuple[InnerCost, ...]:
    """The calls that are worth a reader's time."""
    return tuple(call for call in inside.calls[:_MOST_CALLS] if call.share >= _LEAST_SHARE)


def remaining(inside: Inside) -> Iterator[tuple[str, float]]:
    """What else the function takes, where it matters, named."""
    others = 1 - inside.between - sum(call.share for call in inner_calls(inside))
    parts = {"other operations": others, "between operations": inside.between}
    return ((name, share) for name, share in parts.items() if share >= _LEAST_SHARE and not inside.untold)


def facts(stage: Stage) -> Iterator[tuple[str, str]]:
    """All that is known of a stage's cost, named."""
    cost = stage.cost
    by_itself = alone(cost) if cost is not None else None
    values = {
        "Share of the cost": percent(stage.share),
        "Time a batch": duration(seconds(stage)),
        "Alone, one call at a time": rate(by_itself) if known(by_itself) else "",
        "Elements a batch": figure(cost.elements) if cost is not None else "",
        "Bytes an element": size(stage.bytes_per_element),
        "Calls at a time": figure(cost.parallelism) if cost is not None else "",
        "Bound by": _BOUNDS[stage.bound] if stage.bound else "",
        "Processor at work": percent(cpu_share(cost)) if cost is not None else "",
        "Buffer when full": size(cost.buffered_bytes) if cost is not None and cost.buffered_bytes else "",
        "State": "stateful" if is_stateful(stage) else "",
        "TensorFlow runs it as": (cost.rewritten or "") if cost is not None else "",
    }
    return ((name, value) for name, value in values.items() if value)


def gain(suggestion: Suggestion) -> str:
    """`training about 1.3x (pipeline 1.9x)`, without a step `about 1.9x`; nothing where it cannot be told.

    What was tried is told as measured, with its interval.
    """
    speedup, trained, trial = suggestion.predicted_speedup, suggestion.training_speedup, suggestion.trial
    alone = f"about {figure(speedup)}x" if known(speedup) else ""
    if trial is not None:
        alone = f"measured {figure(trial.speedup)}x ({figure(trial.low)} to {figure(trial.high)}x)"
    if not alone or not known(trained):
        return alone
    whole = f"training about {figure(trained)}x" if trained >= WORTHWHILE else "training hardly faster"
    same = known(suggestion.speedup) and figure(trained) == figure(suggestion.speedup)
    return whole if same and trial is None else f"{whole} (pipeline {alone.removeprefix('about ')})"


def repair(suggestion: Suggestion) -> tuple[str, str] | None:
    """The command that mends it, and what that does; None where it has to be done by hand."""
    if suggestion.fix is None:
        return None
    options = "--fix --unsafe-fixes" if suggestion.fix.safety is Safety.UNSAFE else "--fix"
    file = "" if suggestion.place is None else f" {shlex.quote(shown_file(split_cell(suggestion.place.path)[0]))}"
    return f"pipelint check {options}{file}", suggestion.fix.title
