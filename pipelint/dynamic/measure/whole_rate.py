"""How fast a pipeline is as a whole, over the epochs of a training."""

from __future__ import annotations

import math
import tempfile
import time
from typing import Any

import tensorflow as tf

from pipelint.dynamic.measure.disturbance import busy_seconds
from pipelint.dynamic.measure.drain import Drain
from pipelint.dynamic.measure.measurement import TellProgress, serialized
from pipelint.dynamic.passes import passes_of
from pipelint.knowledge.stages import BATCHING, KEEPS
from pipelint.model.consumer import Consumer
from pipelint.model.cost import Measurement
from pipelint.model.pipeline import Pipeline

_FILL_SECONDS = 30.0
"""How long caches may take to fill before small ones stand in for them."""
_CACHED_BATCHES = 16


def whole_rate(
    dataset: Any,
    pipeline: Pipeline,
    consumer: Consumer,
    *,
    seconds: float,
    progress: TellProgress,
    epoch_batches: int | None,
) -> Measurement:
    """The batches a second of a dataset that runs as the user has it, over all epochs where a cache sets one apart."""
    if consumer.in_tf_function:
        # Iterated there, TensorFlow does not insert a prefetch.
        options = tf.data.Options()
        options.experimental_optimization.inject_prefetch = False
        dataset = dataset.with_options(options)
    cached = any(stage.op in KEEPS for stage in pipeline.every_stage)
    begun, cpu, machine = time.perf_counter(), time.process_time(), busy_seconds()
    with tempfile.TemporaryDirectory() as files:
        # What taking a batch costs stays in, as every consumer pays it.
        drain = Drain(dataset, calibrated=False)
        is_full = cached and drain.fill_caches(epoch_batches, _FILL_SECONDS)
        first_rate = drain.taken / (time.perf_counter() - begun) if cached else 0.0
        if cached and not is_full:
            graph = serialized(dataset, pipeline)
            if not isinstance(graph, str):
                small = graph.with_small_caches(_CACHED_BATCHES * _elements_of_batch(pipeline), files)
                drain = Drain(small.dataset(), warm_batches=2 * _CACHED_BATCHES, calibrated=False)
        run = drain.run(seconds, lambda share: progress("measuring throughput", share))
    others = busy_seconds() - machine - (time.process_time() - cpu)
    passes = passes_of(consumer)
    rate = passes / (1 / first_rate + (passes - 1) / run.rate) if cached else run.rate
    return Measurement(
        batches_per_second=rate,
        spread=run.spread,
        cores_used=run.cores_used,
        batches=run.batches,
        # Without a cache to fill, the moments that others took are left out of the rate.
        disturbance=max(0.0, others) / (time.perf_counter() - begun) if cached else run.disturbance,
    )


def _elements_of_batch(pipeline: Pipeline) -> int:
    """How many elements of the source a final batch is made of, as far as sizes are written."""
    sizes = [stage.argument("batch_size") for stage in pipeline.stages if stage.op in BATCHING]
    return math.prod(size.integer for size in sizes if size is not None and size.integer)
