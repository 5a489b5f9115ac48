"""PIPE701 missing-tf-function: cases beyond the examples of the rule itself."""

from __future__ import annotations

import pytest

from pipelint.rule import Example
from tests.rules.promises import check_promises

CASES = (
    Example(
        "a step that a loop calls",
        """
        import tensorflow as tf

        def train_step(model, optimizer, x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(x) - y))
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
            return loss

        def train(model, optimizer, batches):
            for x, y in batches:
                train_step(model, optimizer, x, y)
        """,
        """
        import tensorflow as tf

        @tf.function
        def train_step(model, optimizer, x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(x) - y))
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
            return loss

        def train(model, optimizer, batches):
            for x, y in batches:
                train_step(model, optimizer, x, y)
        """,
    ),
    Example(
        "written out in the loop",
        """
        import tensorflow as tf

        for x, y in batches:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(x) - y))
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        """,
    ),
    Example(
        "wrapped where it is used",
        """
        import tensorflow as tf

        def train_step(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(x) - y))
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))

        step = tf.function(train_step)
        for x, y in batches:
            step(x, y)
        """,
        silent=True,
    ),
    Example(
        "the train_step of a Keras model",
        """
        import tensorflow as tf

        class Net(tf.keras.Model):
            def train_step(self, data):
                x, y = data
                with tf.GradientTape() as tape:
                    loss = self.compute_loss(y=y, y_pred=self(x, training=True))
                gradients = tape.gradient(loss, self.trainable_variables)
                self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
                return {"loss": loss}
        """,
        silent=True,
    ),
    Example(
        "an environment in Python under the tape",
        """
        import tensorflow as tf

        def play(env, model, optimizer, state):
            with tf.GradientTape() as tape:
                action = int(tf.argmax(model(state)[0]))
                state, reward, done, _ = env.step(action)
                loss = -reward * tf.reduce_mean(model(state))
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))

        for _ in range(1000):
            play(env, model, optimizer, env.reset())
        """,
        silent=True,
    ),
)


@pytest.mark.parametrize("example", CASES, ids=lambda example: example.title)
def test_missing_tf_function(example: Example) -> None:
    check_promises("PIPE701", example)
