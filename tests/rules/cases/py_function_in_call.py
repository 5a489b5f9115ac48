"""PIPE605 py-function-in-call: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "in a step": """
        import tensorflow as tf

        class Net(tf.keras.Model):
            def train_step(self, data):
                x, y = data
                score = tf.py_function(rated, [x, y], tf.float32)  #! PIPE605 advice
                return {"score": score}
    """,
}
SILENT: Table = {
    "mapped over a dataset": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).map(lambda record: tf.py_function(parse, [record], tf.float32))
        model.fit(ds.batch(32))
    """,
    "where somebody asks for it": """
        import tensorflow as tf

        class Net(tf.keras.Model):
            def call(self, x):
                if self.logs:
                    tf.py_function(log, [x], [])
                return self.head(x)
    """,
}
