"""Why there is no advice for a pipeline that its consumer waits for, and what was considered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipelint.display.figures import figure
from pipelint.dynamic.predict.rate_model import RateModel, can_be_parallel, cost_of, gains_from_threads
from pipelint.dynamic.profile import WORTHWHILE
from pipelint.knowledge.keras import MAKE_BATCHES
from pipelint.knowledge.stages import FEEDS, SHUFFLES
from pipelint.model.pipeline import Stage
from pipelint.source.paths import at

_TOLD = 2
"""How many of the rules that were considered are named."""


@dataclass(frozen=True)
class Considered:
    """A finding that would gain too little to be advised."""

    code: str
    what: str
    gain: float


def why_no_advice(model: RateModel, considered: Sequence[Considered]) -> str | None:
    """Why nothing is advised about the bottleneck, in one line; None where there is none."""
    stage = model.bottleneck
    if stage is None:
        return None
    best = sorted(considered, key=lambda each: each.gain, reverse=True)[:_TOLD]
    reasons = [f"{each.code} ({each.what}) would give about {figure(max(each.gain, 1.0))}x" for each in best]
    where = f"the {stage.op}{at(stage.place)}"
    reasons += filter(None, [_reason(model, stage), through_helper(stage)])
    return f"no advice for {where}: {'; '.join(reasons)}"


def through_helper(stage: Stage | None) -> str:
    """What a user can write where a library's function makes the stage, which they cannot change; "" for their own."""
    if stage is None or not stage.helper:
        return ""
    if stage.helper not in MAKE_BATCHES:
        return f"`{stage.helper}` makes it, and would have to let you choose"
    others = stage.pipeline.every_stage if stage.pipeline is not None else ()
    shuffled = any(other.op in SHUFFLES and other.helper == stage.helper for other in others)
    settings = "shuffle=False and batch_size=None" if shuffled else "batch_size=None"
    return f"`{stage.helper}` makes it: pass {settings}, then cache, shuffle and batch"


def _reason(model: RateModel, stage: Stage) -> str:
    if stage.op in FEEDS:
        return "its batches are in memory already" if stage.op == "arrays" else "more workers would give no more"
    now, limit = model.measurement.batches_per_second, model.limit_batches_per_second
    if can_be_parallel(stage) and not gains_from_threads(stage):
        return "its calls are so short that handing them to other threads costs as much as making them"
    if now and limit and limit < WORTHWHILE * now:
        busy = "; only less work for each element, or more cores, would help" if stage.bound == "cpu" else ""
        return f"with everything parallel that can be, the pipeline gives no more{busy}"
    if stage in model.current.threads and cost_of(stage).parallelism > 1:
        return "its calls are parallel already; only less work for each element would help"
    return "no rule finds anything in how it is written that would make it faster"
