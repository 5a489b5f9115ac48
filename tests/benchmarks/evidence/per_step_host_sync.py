"""Traced training steps whose loss is read in each iteration, and once after the loop; a CPU runs nothing ahead."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.evidence import Run, keras, perceptron, tf

SIZE = 500


def _step() -> Any:
    model, optimizer = perceptron(), keras.optimizers.Adam()
    x, y = tf.random.normal((32, 32)), tf.random.normal((32, 1))

    def step() -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - y))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
        return loss

    return tf.function(step)


def slow(size: int) -> Run:
    step = _step()
    return lambda: [float(step()) for _ in range(size)][-1]


def fast(size: int) -> Run:
    step = _step()
    return lambda: float([step() for _ in range(size)][-1])
