"""PIPE802 per-step-host-sync: cases beyond the examples of the rule itself."""

from __future__ import annotations

import pytest

from pipelint.rule import Example
from tests.rules.promises import check_promises

CASES = (
    Example(
        "read, printed and tested",
        """
        import tensorflow as tf

        @tf.function
        def train_step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            return loss

        for x in batches:
            loss = train_step(x)
            losses.append(loss.numpy())
            print(f"loss {loss}")
            if loss < 0.1:
                break
        """,
        count=3,
    ),
    Example(
        "every hundred steps, and after the loop",
        """
        import tensorflow as tf

        @tf.function
        def train_step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            return loss

        for step, x in enumerate(batches):
            loss = train_step(x)
            if step % 100 == 0:
                print(float(loss))
        print(float(loss))
        """,
        silent=True,
    ),
    Example(
        "once an epoch, behind the steps",
        """
        import tensorflow as tf

        @tf.function
        def train_step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            return loss

        for _ in range(100):
            for x in batches:
                loss = train_step(x)
            print(loss.numpy())
        """,
        silent=True,
    ),
)


@pytest.mark.parametrize("example", CASES, ids=lambda example: example.title)
def test_per_step_host_sync(example: Example) -> None:
    check_promises("PIPE802", example)
