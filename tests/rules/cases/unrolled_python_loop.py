"""PIPE706 unrolled-python-loop: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "a list is filled, which a graph cannot": """
        import tensorflow as tf

        @tf.function
        def powers(x):
            found = []
            for i in range(500):  #! PIPE706 advice
                x = tf.matmul(x, x)
                found.append(x)
            return tf.stack(found)

        powers(tf.ones((3, 3)))
    """,
    "in a layer": """
        import tensorflow as tf

        class Settle(tf.keras.layers.Layer):
            def call(self, x):
                for _ in range(100):  #! PIPE706 advice, unsafe fix
                    x = tf.tanh(tf.matmul(x, self.weight))
                return x
    """,
}
SILENT: Table = {
    "over tensors": """
        import tensorflow as tf

        @tf.function
        def power(x):
            for _ in tf.range(500):
                x = tf.matmul(x, x)
            return x
    """,
    "who knows how often": """
        import tensorflow as tf

        @tf.function
        def power(x, times):
            for _ in range(times):
                x = tf.matmul(x, x)
            return x
    """,
    "no operations": """
        import tensorflow as tf

        @tf.function
        def named(x):
            names = [str(number) for number in range(500)]
            return {name: x for name in names}
    """,
}
