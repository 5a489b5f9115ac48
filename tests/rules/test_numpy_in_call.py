"""PIPE604 numpy-in-call: cases beyond the examples of the rule itself."""

from __future__ import annotations

import pytest

from pipelint.rule import Example
from tests.rules.promises import check_promises

CASES = (
    Example(
        "a file that uses Keras alone gets keras.ops",
        """
        import keras
        import numpy as np

        class Centre(keras.layers.Layer):
            def call(self, x):
                return x - np.mean(x, axis=-1, keepdims=True)
        """,
        """
        import keras
        import numpy as np

        class Centre(keras.layers.Layer):
            def call(self, x):
                return x - keras.ops.mean(x, axis=-1, keepdims=True)
        """,
    ),
    Example(
        "a random number that is drawn once, in a method that call reaches",
        """
        import numpy as np
        import tensorflow as tf

        class Base(tf.keras.Model):
            pass

        class Noisy(Base):
            @tf.function
            def call(self, x, training=None):
                return x + self.noise()

            def noise(self):
                return np.random.normal(0.0, 0.1)
        """,
    ),
    Example(
        "an array as large as a shape that only the graph knows",
        """
        import numpy as np
        import tensorflow as tf

        class Identity(tf.keras.layers.Layer):
            def call(self, inputs):
                return tf.matmul(inputs, np.eye(tf.shape(inputs)[-1]))
        """,
    ),
    Example(
        "what is known while tracing: shapes, dtypes, constants, attributes",
        """
        import numpy as np
        import tensorflow as tf

        class Flat(tf.keras.layers.Layer):
            def __init__(self, units):
                super().__init__()
                self.units = units
                self.table = np.sin(np.arange(units))

            def call(self, x):
                size = np.prod(x.shape[1:])
                x = tf.cast(tf.reshape(x, [-1, size]), np.float32)
                return x / np.sqrt(self.units) + np.log(2.0) + self.table
        """,
        silent=True,
    ),
    Example(
        "the numpy interface of TensorFlow",
        """
        import tensorflow as tf
        import tensorflow.experimental.numpy as np

        class Wave(tf.keras.layers.Layer):
            def call(self, x):
                return np.sin(x)
        """,
        silent=True,
    ),
    Example(
        "a method that the script calls, not call",
        """
        import numpy as np
        import tensorflow as tf

        class Agent(tf.keras.Model):
            def call(self, state):
                return self.policy(state)

            def act(self, state):
                return np.argmax(self(state), axis=-1)
        """,
        silent=True,
    ),
)


@pytest.mark.parametrize("example", CASES, ids=lambda example: example.title)
def test_numpy_in_call(example: Example) -> None:
    check_promises("PIPE604", example)
