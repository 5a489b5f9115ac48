"""Records of four short features, parsed one by one and a batch at a time."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.evidence import Run, drain, tf

SIZE = 10_000
FEATURES = {name: tf.io.FixedLenFeature([8], tf.float32) for name in "abcd"}


def _records(size: int) -> Any:
    values = tf.train.Feature(float_list=tf.train.FloatList(value=[1.0] * 8))
    example = tf.train.Example(features=tf.train.Features(feature=dict.fromkeys(FEATURES, values)))
    return tf.data.Dataset.from_tensor_slices([example.SerializeToString()] * size)


def slow(size: int) -> Run:
    parsed = _records(size).map(lambda record: tf.io.parse_single_example(record, FEATURES), tf.data.AUTOTUNE)
    return drain(parsed.batch(128))


def fast(size: int) -> Run:
    return drain(_records(size).batch(128).map(lambda batch: tf.io.parse_example(batch, FEATURES), tf.data.AUTOTUNE))
