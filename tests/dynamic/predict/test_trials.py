"""Changes of structure are tried on the live dataset, where they can be made and keep its elements."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import pytest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
pytest.importorskip("tensorflow", reason="trials run on TensorFlow")

import numpy as np
import tensorflow as tf

from pipelint.dynamic.capture import lineage
from pipelint.dynamic.capture.stages import describe
from pipelint.dynamic.predict import trials
from pipelint.knowledge.consumption import ConsumerKind
from pipelint.model.consumer import Consumer
from pipelint.model.cost import Cost, Measurement
from pipelint.model.locations import NOWHERE
from pipelint.model.pipeline import Pipeline

SECONDS = 0.3
plain = tf.autograph.experimental.do_not_convert
PICTURES = (np.arange(4096 * 64) % 251).astype(np.uint8).reshape(4096, 8, 8)
TABLE = np.zeros((64, 4), np.float32)

scale = plain(lambda x: tf.cast(x, tf.float32) / 255)
centre = plain(lambda x: x - tf.reduce_mean(x))
flatten = plain(lambda x: tf.reshape(x, [64]))
turn = plain(tf.image.random_flip_left_right)
in_python = plain(lambda x: tf.numpy_function(lambda y: y, [x], tf.uint8))


def pictures() -> Any:
    return tf.data.Dataset.from_tensor_slices(PICTURES)


@pytest.fixture(scope="module", autouse=True)
def _watched() -> None:
    lineage.install()


def tried(dataset: Any, *dear: str, epoch: str | None = None, elements: Mapping[str, float] = {}) -> list[str]:
    """The stages of which something was tried, where these are said to take all of the time."""
    return [stage.op for stage in measured(dataset, *dear, epoch=epoch, elements=elements).stages if stage.tried]


def measured(dataset: Any, *dear: str, epoch: str | None = None, elements: Mapping[str, float] = {}) -> Pipeline:
    captured = describe(dataset).pipeline.consumed_by(Consumer(ConsumerKind.ASKED_FOR, NOWHERE))
    costs = {
        stage: Cost(
            elements=elements.get(stage.op, 16.0), seconds=float(stage.op in dear), cpu_seconds=float(stage.op in dear)
        )
        for stage in captured.every_stage
    }
    pipeline = captured.measured(costs, Measurement(epoch, batches_per_second=1.0))
    trials.try_changes(dataset, pipeline, 2, seconds=SECONDS, progress=lambda share: None)
    return pipeline


BEHIND_BATCH: dict[str, Callable[[], Any]] = {
    "a scaling": lambda: pictures().map(scale).batch(64),
    "with what passes elements on between": lambda: pictures().map(scale).shuffle(9).repeat().prefetch(1).batch(64),
    "with work behind the batch": lambda: pictures().map(scale).batch(64).map(centre).prefetch(1),
    "a gather": lambda: tf.data.Dataset.range(64).map(plain(lambda i: tf.gather(TABLE, i))).batch(16),
    "with parallel calls and no remainder": lambda: (
        pictures().map(scale, num_parallel_calls=tf.data.AUTOTUNE).batch(60, drop_remainder=True, num_parallel_calls=2)
    ),
}


@pytest.mark.parametrize("dataset", BEHIND_BATCH.values(), ids=BEHIND_BATCH)
def test_a_map_is_tried_behind_its_batch(dataset: Callable[[], Any]) -> None:
    assert tried(dataset(), "map")[:1] == ["map"]


def test_one_call_for_many_elements_is_a_gain() -> None:
    (trial,) = [stage.tried for stage in measured(pictures().map(scale).batch(512), "map").stages if stage.tried]
    assert trial.speedup > 1
    assert trial.predicted_speedup is not None
    assert trial.predicted_speedup > 1


def test_two_maps_are_tried_together_under_the_first() -> None:
    first, second = (
        stage for stage in measured(pictures().map(scale).map(scale).batch(64), "map").stages if stage.op == "map"
    )
    assert first.tried is not None
    assert second.tried is None


def test_of_two_maps_the_one_that_can_be_moved_is() -> None:
    first, second = (
        stage for stage in measured(pictures().map(flatten).map(scale).batch(64), "map").stages if stage.op == "map"
    )
    assert first.tried is None
    assert second.tried is not None


def test_a_cache_before_the_map_stays_before_it() -> None:
    assert tried(pictures().cache().map(scale).batch(64), "map", epoch="later") == ["map"]


NOTHING: dict[str, Callable[[], Any]] = {
    "a mean over the picture, which is one over the batch": lambda: pictures().map(scale).map(centre).take(9).batch(3),
    "a shape that is written out": lambda: pictures().map(flatten).batch(64),
    "a random draw": lambda: pictures().map(plain(lambda x: turn(x[..., None]))).batch(64),
    "Python": lambda: pictures().map(in_python).batch(64),
    "a filter between": lambda: pictures().map(scale).filter(plain(lambda x: x[0, 0] < 1)).batch(64),
    "a cache between": lambda: pictures().map(scale).cache().batch(64),
    "batches of other shapes": lambda: pictures().map(scale).padded_batch(64),
    "elements that do not make a batch": lambda: (
        tf.data.Dataset.range(1, 9)
        .map(plain(lambda n: tf.zeros([n])))
        .map(plain(lambda x: tf.reduce_sum(x, -1)))
        .batch(4)
    ),
}


@pytest.mark.parametrize("dataset", NOTHING.values(), ids=NOTHING)
def test_nothing_is_claimed_where_elements_would_change(dataset: Callable[[], Any]) -> None:
    assert tried(dataset(), "map") == []


def test_a_map_that_others_take_from_stays_where_it_is() -> None:
    mapped = pictures().map(flatten)
    assert tried(tf.data.Dataset.zip((mapped.skip(2048), mapped)).batch(16), "map") == []


def test_nothing_is_tried_with_what_costs_nothing() -> None:
    assert tried(pictures().map(scale).batch(64), "from_tensor_slices") == []


def test_a_shard_is_tried_before_the_map() -> None:
    dataset = pictures().map(flatten).shard(4, 1).batch(16)
    assert tried(dataset, "map", elements={"map": 64.0, "from_tensor_slices": 64.0}) == ["shard"]


def test_a_skip_is_tried_before_the_map() -> None:
    assert tried(pictures().map(flatten).skip(2048).batch(16), "map") == ["skip"]


def test_a_batch_that_copies_much_is_tried_in_parallel() -> None:
    assert tried(pictures().batch(64), "batch") == ["batch"]
