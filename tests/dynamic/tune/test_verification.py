"""Data of rewritten pipelines beside that of the pipeline as written, read on TensorFlow in one process."""

from __future__ import annotations

import pytest

from pipelint.dynamic.measure.contents import Contents
from pipelint.dynamic.tune.verification import compared
from pipelint.dynamic.tuning import Sameness, Verdict
from tests.dynamic.programs import Run, run

pytest.importorskip("tensorflow", reason="data is read on TensorFlow")
__all__ = ["run"]

SOURCE = """
import random
import numpy as np
import tensorflow as tf

x = np.random.default_rng(3).normal(size=(50, 6)).astype("float32")

def scale(row):
    return (row - tf.reduce_mean(row)) / 3.0

def scale_rows(rows):
    return (rows - tf.reduce_mean(rows, axis=1, keepdims=True)) / 3.0

def augment(row):
    return row + tf.random.normal([6])

def drawn(row):
    return tf.ensure_shape(tf.numpy_function(lambda part: part + np.float32(random.random()), [row], tf.float32), [6])

rows = tf.data.Dataset.from_tensor_slices(x)
plain = rows.map(scale).batch(8)
parallel = rows.map(scale, num_parallel_calls=tf.data.AUTOTUNE).batch(8).prefetch(1)
vectorized = rows.batch(8).map(scale_rows)
whole_batch = rows.batch(8).map(lambda part: scale(part))
shorter = rows.skip(1).map(scale).batch(8)
doubled = rows.map(scale).map(lambda row: 2 * row).batch(8)
wider = rows.map(scale).map(lambda row: tf.concat([row, row], 0)).batch(8)
shuffled = rows.shuffle(50).map(scale).batch(8)
cached = rows.map(scale).cache().shuffle(50).batch(8)
backwards = tf.data.Dataset.from_tensor_slices(x[::-1].copy()).map(scale).batch(8)
dropping = rows.shuffle(50).batch(8, drop_remainder=True)
dropping_backwards = tf.data.Dataset.from_tensor_slices(x[::-1].copy()).batch(8, drop_remainder=True)
endless = rows.map(scale).batch(8).repeat()
random_rows = rows.shuffle(50).map(scale).map(augment).batch(8)
random_cached = rows.map(scale).cache().shuffle(50).map(augment, num_parallel_calls=2).batch(8)
random_other = rows.map(lambda row: 2 * row).map(augment).batch(8)
python_draws = rows.map(drawn).batch(8)
"""


def test_data_that_stays_and_data_that_does_not(run: Run) -> None:
    from pipelint.dynamic.measure.read_contents import read_contents

    program = run(SOURCE)
    read: dict[str, Contents] = {}

    def between(one: str, other: str, *, keeps: bool = False) -> Verdict:
        for name in (one, other):
            if name not in read:
                read[name] = read_contents(program.names[name], program.captured(name))
        return compared(read[one], read[other], keeps=keeps)

    assert between("plain", "parallel").sameness is Sameness.IDENTICAL
    assert between("plain", "plain").sameness is Sameness.IDENTICAL
    assert between("plain", "vectorized").sameness in (Sameness.IDENTICAL, Sameness.SAME_ELEMENTS)
    assert between("shuffled", "cached", keeps=True) == Verdict(Sameness.SAME_ELEMENTS, "shuffled at another place")
    assert between("plain", "backwards") == Verdict(Sameness.SAME_ELEMENTS, "in another order")
    assert between("dropping", "dropping_backwards").sameness is Sameness.SAME_ELEMENTS
    assert between("endless", "endless").sameness is Sameness.IDENTICAL

    for other, reason in {
        "whole_batch": "50 of 50 examples differ, the first is number 1",
        "shorter": "an epoch has 49 examples instead of 50",
        "doubled": "50 of 50 examples differ, the first is number 1",
        "wider": "its elements are TensorSpec",
        "endless": "it has -1 elements instead of 7",
    }.items():
        verdict = between("plain", other)
        assert (verdict.sameness, verdict.reason.startswith(reason)) == (Sameness.CHANGED, True), (other, verdict)

    kept = between("random_rows", "random_cached", keeps=True)
    assert kept.sameness is Sameness.NOT_COMPARABLE
    assert kept.reason == (
        "cannot be compared: `augment` draws random numbers (tf.random.normal); everything before it is identical"
    )
    assert between("random_rows", "random_other").sameness is Sameness.CHANGED

    drawn = between("python_draws", "python_draws")
    assert drawn.sameness is Sameness.NOT_COMPARABLE
    assert between("python_draws", "python_draws", keeps=True).sameness is Sameness.CHANGED
