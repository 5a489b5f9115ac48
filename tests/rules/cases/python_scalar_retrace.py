"""PIPE705 python-scalar-retrace: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "wrapped by a call, and computed from the counter": """
        import tensorflow as tf

        def step(batch, rate):
            return loss_of(batch) * rate

        train = tf.function(step)
        for number in range(1000):
            train(next(batches), rate=number / 1000)  #! PIPE705 error
    """,
    "the number of a batch": """
        import tensorflow as tf

        @tf.function
        def train(batch, number):
            tf.summary.scalar("loss", loss_of(batch), step=number)

        for number, batch in enumerate(tf.data.TFRecordDataset(files).batch(32)):
            train(batch, number)  #! PIPE705 error
    """,
    "a method": """
        import tensorflow as tf

        class Trainer:
            @tf.function
            def step(self, batch, epoch):
                return loss_of(batch) * epoch

            def train(self, batches):
                for epoch in range(200):
                    for batch in batches:
                        self.step(batch, epoch)  #! PIPE705 advice
    """,
}
SILENT: Table = {
    "a signature": """
        import tensorflow as tf

        @tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
        def step(number):
            return number * 2

        for number in range(1000):
            step(number)
    """,
    "a signature by a call": """
        import tensorflow as tf
        step = tf.function(lambda number: number * 2, input_signature=[tf.TensorSpec([], tf.int32)])
        for number in range(1000):
            step(number)
    """,
    "a few levels of a model that grows": """
        import tensorflow as tf

        @tf.function
        def grow(x, level):
            for _ in range(level):
                x = double(x)
            return x

        for level in range(8):
            grow(x, level)
    """,
    "one of three": """
        import tensorflow as tf

        @tf.function
        def step(batch, kind):
            return loss_of(batch, kind)

        for number in range(1000):
            step(next(batches), number % 3)
    """,
    "no tf.function": """
        import tensorflow as tf

        def step(batch, number):
            return loss_of(batch) * number

        for number in range(1000):
            step(next(batches), number)
    """,
    "tracing is off": """
        import tensorflow as tf
        tf.config.run_functions_eagerly(True)

        @tf.function
        def step(batch, number):
            return loss_of(batch) * number

        for number in range(1000):
            step(next(batches), number)
    """,
}
