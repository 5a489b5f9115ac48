"""PIPE107 chained-cheap-maps: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "one finding for four of them": """
        import numpy as np
        import tensorflow as tf
        ds = tf.data.Dataset.from_tensor_slices(np.zeros((50_000, 8)))
        ds = ds.map(lambda row: row * 2)  #! PIPE107 advice
        ds = ds.map(lambda row: tf.expand_dims(row, -1))
        ds = ds.map(lambda row: tf.cast(row, tf.float32))
        ds = ds.map(lambda row: {"row": row})
        model.fit(ds.shuffle(1000).batch(64), epochs=5)
    """,
}
SILENT: Table = {
    "two": """
        import numpy as np
        import tensorflow as tf
        ds = tf.data.Dataset.from_tensor_slices(np.zeros((50_000, 8)))
        model.fit(ds.map(lambda row: row * 2).map(lambda row: row + 1).batch(64), epochs=5)
    """,
    "not in a row": """
        import numpy as np
        import tensorflow as tf
        ds = tf.data.Dataset.from_tensor_slices(np.zeros((50_000, 8))).map(lambda row: row * 2).shuffle(1000)
        model.fit(ds.map(lambda row: row + 1).map(lambda row: row / 3).batch(64), epochs=5)
    """,
    "one of them draws": """
        import numpy as np
        import tensorflow as tf
        ds = tf.data.Dataset.from_tensor_slices(np.zeros((50_000, 8))).map(lambda row: row * 2)
        ds = ds.map(lambda row: row + tf.random.normal((8,))).map(lambda row: row / 3)
        model.fit(ds.batch(64), epochs=5)
    """,
    "whole batches": """
        import numpy as np
        import tensorflow as tf
        ds = tf.data.Dataset.from_tensor_slices(np.zeros((50_000, 8))).batch(64)
        model.fit(ds.map(lambda row: row * 2).map(lambda row: row + 1).map(lambda row: row / 3), epochs=5)
    """,
    "a cache pays once": """
        import numpy as np
        import tensorflow as tf
        ds = tf.data.Dataset.from_tensor_slices(np.zeros((50_000, 8))).map(lambda row: row * 2)
        ds = ds.map(lambda row: row + 1).map(lambda row: row / 3).cache()
        model.fit(ds.batch(64), epochs=5)
    """,
    "few rows": """
        import numpy as np
        import tensorflow as tf
        ds = tf.data.Dataset.from_tensor_slices(np.zeros((50, 8))).map(lambda row: row * 2)
        model.fit(ds.map(lambda row: row + 1).map(lambda row: row / 3).batch(10), epochs=5)
    """,
}
