"""Training steps of a small model in a Python loop, untraced and traced."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.evidence import Run, keras, perceptron, tf

SIZE = 50


def _training(size: int, trace: Any) -> Run:
    model, optimizer = perceptron(), keras.optimizers.Adam()
    x, y = tf.random.normal((32, 32)), tf.random.normal((32, 1))

    def step() -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - y))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
        return loss

    run = trace(step)
    return lambda: float([run() for _ in range(size)][-1])


def slow(size: int) -> Run:
    return _training(size, lambda step: step)


def fast(size: int) -> Run:
    return _training(size, tf.function)
