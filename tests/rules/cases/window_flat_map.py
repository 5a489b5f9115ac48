"""PIPE109 window-flat-map: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "a series of which nobody knows how long it is": """
        import tensorflow as tf

        def windows(series, size):
            ds = tf.data.Dataset.from_tensor_slices(series)
            ds = ds.window(size + 1, shift=1, drop_remainder=True)
            ds = ds.flat_map(lambda window: window.batch(size + 1))  #! PIPE109 advice
            return ds.shuffle(1000).map(lambda window: (window[:-1], window[-1])).batch(32).prefetch(1)
    """,
}
SILENT: Table = {
    "few rows": """
        import numpy as np
        import tensorflow as tf
        ds = tf.data.Dataset.from_tensor_slices(np.zeros((500, 3))).window(30, shift=1, drop_remainder=True)
        model.fit(ds.flat_map(lambda window: window.batch(30)).batch(32), epochs=5)
    """,
    "something else is done with each window": """
        import tensorflow as tf
        ds = tf.data.Dataset.from_tensor_slices(x).window(30, shift=1, drop_remainder=True)
        model.fit(ds.flat_map(lambda window: window.map(parse).batch(30)).batch(32), epochs=5)
    """,
    "numbers that are only counted": """
        import tensorflow as tf
        ds = tf.data.Dataset.range(10).window(5, shift=1, drop_remainder=True)
        for window in ds.flat_map(lambda window: window.batch(5)):
            print(window.numpy())
    """,
}
