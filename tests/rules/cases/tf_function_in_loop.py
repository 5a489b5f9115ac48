"""PIPE704 tf-function-in-loop: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "a lambda, in a method": """
        import tensorflow as tf

        class Solver:
            def solve(self, x):
                while not self.done(x):
                    step = tf.function(lambda value: value * 0.9)  #! PIPE704 error
                    x = step(x)
                return x
    """,
    "with options": """
        import tensorflow as tf
        for batch in tf.data.TFRecordDataset(files).map(parse).batch(32):
            fast = tf.function(loss_of, jit_compile=True)  #! PIPE704 error
            losses.append(fast(batch))
    """,
}
SILENT: Table = {
    "when it is first needed": """
        import tensorflow as tf
        step = None
        for batch in tf.data.TFRecordDataset(files).batch(32):
            if step is None:
                step = tf.function(loss_of)
            step(batch)
    """,
    "a function that makes one, which a loop calls": """
        import tensorflow as tf

        def train(model, batches):
            step = tf.function(loss_of)
            for batch in batches:
                step(batch)

        for fold in range(100):
            train(models[fold], folds[fold])
    """,
    "a few sizes that are compared": """
        import tensorflow as tf
        for size in (8, 16, 32):
            step = tf.function(loss_of)
            step(tf.zeros((size, 10)))
    """,
}
