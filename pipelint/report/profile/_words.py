"""How every format speaks of a profile: figures for people, and the sentences of the headline."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from pipelint.display.figures import duration, figure, known, percent, size
from pipelint.dynamic.profile import INPUT_BOUND, WORTHWHILE, PipelineProfile, StageProfile, Suggestion

_CONSUMERS = {"loop": "a loop", "iter": "an iterator", "dataset": "the dataset"}
_BOUNDS = {
    "cpu": "the processors",
    "io": "reading and waiting",
    "python": "Python's interpreter lock",
    "memory": "memory",
    "consumer": "what consumes it",
}


def rate(batches_per_second: float) -> str:
    """`212 batches/s`."""
    return f"{figure(batches_per_second)} batches/s"


def place(path: str | None, line: int | None, column: int | None = None) -> str:
    """`train.py:31:9`, as far as it is known."""
    return ":".join(str(part) for part in (path, line, column) if part is not None) if path is not None else ""


def taker(pipeline: PipelineProfile) -> str:
    """`fit at train.py:40`."""
    name = _CONSUMERS.get(pipeline.consumer, pipeline.consumer)
    where = place(pipeline.path, pipeline.line)
    return f"{name} at {where}" if where else name


def consumer(pipeline: PipelineProfile) -> str:
    """`fit at train.py:40, training, first epoch`."""
    epoch = {"first": "first epoch", "later": "later epochs"}.get(pipeline.epoch or "", "")
    role = pipeline.role if pipeline.role in ("training", "evaluation") else ""
    return ", ".join(filter(None, [taker(pipeline), role, epoch]))


def throughput(pipeline: PipelineProfile) -> str:
    """What it delivers, and what this machine could."""
    now, limit = pipeline.batches_per_second, pipeline.limit_batches_per_second
    if not known(now):
        return "The throughput could not be measured"
    spread = f" ± {percent(pipeline.spread)}" if pipeline.spread >= 0.005 else ""
    if not known(limit):
        return f"{rate(now)}{spread}"
    gain = f" ({figure(limit / now)}x)" if now > 0 and limit / now >= WORTHWHILE else ""
    return f"{rate(now)}{spread}; limit of this machine about {rate(limit)}{gain}"


def waiting(pipeline: PipelineProfile) -> str:
    """Whether the step waits for input; nothing without a step."""
    step, share = pipeline.step, pipeline.input_bound
    if step is None or not known(share):
        return ""
    # A step that does not wait has had a batch each time.
    delivers = min(1 / pipeline.batches_per_second, step.period_seconds) if pipeline.batches_per_second else None
    if waits(pipeline):
        arrives = f", a batch arrives every {duration(step.period_seconds)}" if known(step.period_seconds) else ""
        return f"input-bound {percent(share)} of step time: the step takes {duration(step.seconds)}{arrives}"
    also = f", the pipeline delivers in {duration(delivers)}" if known(delivers) else ""
    return f"not input-bound: the step takes {duration(step.seconds)}{also}"


def waits(pipeline: PipelineProfile) -> bool:
    """Whether the consumer spends a part of its time that matters on waiting for input."""
    return known(pipeline.input_bound) and pipeline.input_bound >= INPUT_BOUND


def held_back(pipeline: PipelineProfile) -> str:
    """What keeps the pipeline from being faster, in words."""
    return _BOUNDS.get(pipeline.bound, pipeline.bound) if pipeline.bound else ""


def circumstances(pipeline: PipelineProfile) -> str:
    """What holds it back, the processors at work and the memory, in one line."""
    held = held_back(pipeline)
    used = figure(pipeline.cores_used) if known(pipeline.cores_used) else ""
    cores = f"{used} {'core' if used == '1' else 'cores'} at work" if used else ""
    return "; ".join(filter(None, [f"held back by {held}" if held else "", cores, memory(pipeline)]))


def memory(pipeline: PipelineProfile) -> str:
    """What it holds, and what it will hold where that is more; nothing where neither is known."""
    parts = []
    held = pipeline.memory_bytes or 0
    if held:
        parts.append(f"{size(held)} held while it ran")
    if (pipeline.memory_forecast_bytes or 0) > held:
        parts.append(f"{size(pipeline.memory_forecast_bytes)} once buffers and caches are full")
    return ", ".join(parts)


def label(stage: StageProfile) -> str:
    """The operation with the name of the function that it applies: `map(augment)`."""
    quoted = stage.function.startswith("`") and stage.function.endswith("`") and len(stage.function) > 2
    return f"{stage.op}({stage.function[1:-1]})" if quoted else stage.op


def parallelism(stage: StageProfile) -> str:
    """`x8`; nothing for one call at a time."""
    calls = stage.parallelism
    return f"x{figure(calls)}" if known(calls) and calls >= 1.05 else ""


def facts(stage: StageProfile) -> Iterator[tuple[str, str]]:
    """All that is known of a stage's cost, named."""
    values = {
        "Share of the cost": percent(stage.share),
        "Time a batch": duration(stage.seconds_per_batch),
        "Alone, one call at a time": rate(stage.rate) if known(stage.rate) else "",
        "Elements a batch": figure(stage.elements) if known(stage.elements) else "",
        "Bytes an element": size(stage.bytes_per_element),
        "Calls at a time": figure(stage.parallelism) if known(stage.parallelism) else "",
        "Bound by": _BOUNDS.get(stage.bound, stage.bound) if stage.bound else "",
        "Processor at work": percent(stage.cpu_share),
        "Buffer when full": size(stage.buffered_bytes) if stage.buffered_bytes else "",
        "State": "stateful" if stage.stateful else "",
        "TensorFlow runs it as": stage.rewritten_by_tensorflow or "",
    }
    return ((name, value) for name, value in values.items() if value)


def gain(suggestion: Suggestion) -> str:
    """`about 1.9x`; nothing where it cannot be told."""
    speedup = suggestion.predicted_speedup
    return f"about {figure(speedup)}x" if known(speedup) else ""


def repair(suggestion: Suggestion) -> tuple[str, str] | None:
    """The command that mends it, and what that does; None where it has to be done by hand."""
    if not suggestion.fix:
        return None
    options = "--fix --unsafe-fixes" if suggestion.unsafe else "--fix"
    file = "" if suggestion.path is None else f" {shlex.quote(suggestion.path)}"
    return f"pipelint check {options}{file}", suggestion.fix
