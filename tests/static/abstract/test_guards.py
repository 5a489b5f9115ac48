"""Stages under conditions: which of them can be in one pipeline."""

from __future__ import annotations

import pytest

from tests.cases import Case, Table, prove

GUARDS: Table = {
    "those that exclude each other are not one pipeline": """
        import tensorflow as tf

        def make(files, training):
            ds = tf.data.TFRecordDataset(files)
            if training:
                ds = ds.shuffle(1000).repeat()
            if not training:
                ds = ds.cache()
            return ds.batch(32).prefetch(1)
    """,
    "those that do not are": """
        import tensorflow as tf

        def make(files, training=True, cache=True):
            ds = tf.data.TFRecordDataset(files)
            if training:
                ds = ds.shuffle(1000)
            if cache:
                ds = ds.cache()  #! PIPE302 advice
            return ds.batch(32).prefetch(1)
    """,
    "different constants of one variable exclude each other": """
        import tensorflow as tf

        def make(files, mode):
            ds = tf.data.TFRecordDataset(files)
            if mode == "train":
                ds = ds.shuffle(1000)
            elif mode == "eval":
                ds = ds.cache()
            return ds.batch(32).prefetch(1)
    """,
    "an early return guards the rest": """
        import tensorflow as tf

        def make(files, training):
            ds = tf.data.TFRecordDataset(files)
            if training:
                ds = ds.shuffle(1000)
            if training:
                return ds.batch(32).prefetch(1)
            ds = ds.cache()
            return ds.batch(32).prefetch(1)
    """,
    "a prefetch that only some runs have is the user's choice": """
        import tensorflow as tf

        def make(files, prefetch):
            ds = tf.data.TFRecordDataset(files).batch(32)
            if prefetch:
                ds = ds.prefetch(1)
            return ds
    """,
    "the caller's constant decides the branch": """
        import tensorflow as tf

        def make(files, training):
            ds = tf.data.TFRecordDataset(files)
            if training:
                ds = ds.shuffle(1000)
            else:
                ds = ds.cache()
            return ds.batch(2 if training else 1)

        model.evaluate(make(files, training=False).prefetch(1))
    """,
}


@pytest.mark.parametrize("case", GUARDS.values(), ids=GUARDS)
def test_stages_under_conditions(case: str | Case) -> None:
    prove(case, "PIPE101", "PIPE201", "PIPE302", "PIPE801")
