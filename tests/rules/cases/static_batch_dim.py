"""PIPE606 static-batch-dim: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "in a function that a lambda calls, for one of two parts": """
        import tensorflow as tf

        def shares(x):
            return x / x.shape[0]  #! PIPE606 error

        ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(8).prefetch(2).map(lambda a, b: (shares(a), b))
        model.fit(ds)
    """,
    "on either side of a chain of operators": """
        import tensorflow as tf

        def split(x):
            half = 1 + x.shape[0] // 2  #! PIPE606 error
            return x[:half], x[half:]

        ds = tf.data.TFRecordDataset("x.tfrecord").batch(8, drop_remainder=False).map(split)
        for a, b in ds:
            step(a, b)
    """,
}
SILENT: Table = {
    "single rows, whose shape is known": """
        import tensorflow as tf

        def shares(x):
            return x / x.shape[0]

        ds = tf.data.Dataset.from_tensor_slices(x).map(shares).batch(8)
        model.fit(ds)
    """,
    "taken apart again": """
        import tensorflow as tf

        def shares(x):
            return x / x.shape[0]

        ds = tf.data.Dataset.from_tensor_slices(x).batch(8).unbatch().map(shares)
        model.fit(ds)
    """,
    "mapped in two places, once over single rows": """
        import tensorflow as tf

        def shares(x):
            return x / x.shape[0]

        rows = tf.data.Dataset.from_tensor_slices(x)
        model.fit(rows.map(shares).batch(8))
        model.fit(rows.batch(8).map(shares))
    """,
    "another shape is given": """
        import tensorflow as tf

        def shares(x):
            x = tf.reshape(x, (8, 4))
            return x / x.shape[0]

        model.fit(tf.data.Dataset.from_tensor_slices(x).batch(8).map(shares))
    """,
    "no arithmetic": """
        import tensorflow as tf

        def shares(x):
            rows = x.shape[0] or tf.shape(x)[0]
            print(x.shape[0])
            return x

        model.fit(tf.data.Dataset.from_tensor_slices(x).batch(8).map(shares))
    """,
    "another axis": """
        import tensorflow as tf

        def shares(x):
            return x / x.shape[1]

        model.fit(tf.data.Dataset.from_tensor_slices(x).batch(8).map(shares))
    """,
}
