"""What more machine would give: twice the cores, or the workers of a tf.data service."""

from __future__ import annotations

import math
from dataclasses import replace

from pipelint.dynamic.predict.rate_model import Plan, RateModel, calls_set
from pipelint.dynamic.profile import WORTHWHILE, Scaling, Service
from pipelint.knowledge.stages import FEEDS
from pipelint.model.pipeline import Stage

_RECEIVED_BYTES = 2**30
"""What a consumer receives of a service in a second: as measured on one machine, about what 10 Gbit/s carry."""
_RECEIVING_SECONDS = 350e-6
"""What a batch costs the consumer however small it is: asking for it, and making tensors of the answer."""
_MOST_WORKERS = 100
"""A step that needs more is so short that something else will hold it back first."""


def scaling(model: RateModel) -> Scaling | None:
    """What the pipeline would give as it stands; None where its stages were not measured."""
    if not model.pipeline.serial_seconds:
        return None
    wider = replace(model, cores=2 * model.cores)
    limit = wider.limit(_plan_on(wider, model.current))
    # Tuning that has not come as far as these cores allow is nothing that more of them would give.
    gain = max(1.0, model.rate_at(limit) / model.rate(_plan_on(model, model.current)))
    held_by = max(limit.use, key=lambda stage: limit.use[stage], default=None)
    rate = (model.measurement.batches_per_second or model.rate(model.current)) * gain
    return Scaling(wider.cores, rate, limit.resource, held_by, _service(model))


def _plan_on(wider: RateModel, current: Plan) -> Plan:
    """The plan with what is left to TensorFlow as it chooses for more cores; what is written stays as it is."""
    pool = wider.current.pool
    threads = {
        stage: max(calls, _cycle(stage) or pool) if _is_left_to_tensorflow(stage) else calls
        for stage, calls in current.threads.items()
    }
    return replace(current, threads=threads, pool=pool)


def _is_left_to_tensorflow(stage: Stage) -> bool:
    """Whether its calls at once are tuned: as asked for, or as TensorFlow does by itself with stateless functions."""
    if stage.op in FEEDS or stage.function is None:
        return False
    # One that is stateful may be run as part of a parallel stage too, with one call at a time.
    return calls_set(stage) < 0 or (calls_set(stage) == 0 and not stage.function.stateful)


def _cycle(stage: Stage) -> float | None:
    cycle = stage.argument("cycle_length")
    return float(cycle.integer) if cycle is not None and cycle.integer is not None and cycle.integer > 0 else None


def _service(model: RateModel) -> Service | None:
    """The service that would feed the step, each worker at this machine's limit; None where that alone does."""
    step, limit = model.measurement.step, model.limit_batches_per_second
    if step is None or not limit or step.seconds * limit * WORTHWHILE >= 1:
        return None
    here = next((stage for stage in model.pipeline.every_stage if stage.runs_python or stage.op in FEEDS), None)
    if here is not None:
        return Service(only_here=here)
    size = model.pipeline.end.bytes_per_element
    rate = 1 / max(step.seconds, _RECEIVING_SECONDS + (size or 0.0) / _RECEIVED_BYTES)
    if rate < WORTHWHILE * limit:
        return Service()
    workers = rate / limit
    return Service(math.ceil(workers), rate, rate * size if size else None) if workers <= _MOST_WORKERS else None
