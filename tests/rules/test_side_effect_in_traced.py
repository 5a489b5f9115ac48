"""PIPE601 side-effect-in-traced: cases beyond the examples of the rule itself."""

from __future__ import annotations

import pytest

from pipelint.model.grades import Severity
from pipelint.rule import Example
from tests.rules.promises import check_promises

CASES = (
    Example(
        "a sleep that delays nothing, and a clock that stands still",
        """
        import time
        import tensorflow as tf

        def load(path):
            start = time.time()
            time.sleep(0.01)
            return tf.io.read_file(path)

        ds = tf.data.Dataset.list_files("*.jpg").map(load)
        """,
        count=2,
        severity=Severity.ERROR,
    ),
    Example(
        "a counter and a list that outlive the step",
        """
        import tensorflow as tf

        losses = []

        class Trainer(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.steps = 0

            def train_step(self, data):
                self.steps += 1
                loss = tf.reduce_mean(self(data))
                losses.append(loss)
                return {"loss": loss}
        """,
        count=2,
        severity=Severity.ERROR,
    ),
    Example(
        "a print that shows a symbolic tensor once",
        """
        import tensorflow as tf

        @tf.function
        def step(x):
            loss = tf.reduce_mean(x)
            print("loss", loss)
            return loss
        """,
        """
        import tensorflow as tf

        @tf.function
        def step(x):
            loss = tf.reduce_mean(x)
            tf.print("loss", loss)
            return loss
        """,
        severity=Severity.ADVICE,
    ),
    Example(
        "behind py_function, where Python runs for each element",
        """
        import time
        import tensorflow as tf

        def wait(x):
            time.sleep(0.01)
            return x

        ds = tf.data.Dataset.range(9).map(lambda x: tf.py_function(wait, [x], tf.int64))
        """,
        silent=True,
    ),
    Example(
        "a list of the function's own, a metric, a variable",
        """
        import tensorflow as tf

        seen = tf.Variable(0)
        metric = tf.keras.metrics.Mean()

        @tf.function
        def step(xs):
            outputs = []
            for x in tf.unstack(xs):
                outputs.append(x * 2)
            seen.assign_add(1)
            metric.update_state(outputs)
            return tf.stack(outputs)
        """,
        silent=True,
    ),
    Example(
        "eager code",
        """
        import time
        import tensorflow as tf

        start = time.time()
        for x in tf.data.Dataset.range(9):
            print(x)
        """,
        silent=True,
    ),
)


@pytest.mark.parametrize("example", CASES, ids=lambda example: example.title)
def test_side_effect_in_traced(example: Example) -> None:
    check_promises("PIPE601", example)
