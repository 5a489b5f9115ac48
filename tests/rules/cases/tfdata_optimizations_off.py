"""PIPE205 tfdata-optimizations-off: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "no prefetch is injected": """
        import tensorflow as tf
        options = tf.data.Options()
        options.experimental_optimization.inject_prefetch = False
        ds = tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=8).batch(32)
        model.fit(ds.with_options(options))  #! PIPE205 warning
    """,
    "no map is made parallel": """
        import tensorflow as tf
        options = tf.data.Options()
        options.experimental_optimization.map_parallelization = False
        ds = tf.data.TFRecordDataset(files).with_options(options)  #! PIPE205 warning
        model.fit(ds.map(tf.io.decode_jpeg).batch(32).prefetch(2))
    """,
    "who takes it is out of sight": """
        import tensorflow as tf

        def batches(files):
            options = tf.data.Options()
            options.experimental_optimization.apply_default_optimizations = False
            ds = tf.data.TFRecordDataset(files).map(tf.io.decode_jpeg).batch(32)
            return ds.with_options(options)  #! PIPE205 advice
    """,
}
SILENT: Table = {
    "left on": """
        import tensorflow as tf
        options = tf.data.Options()
        options.experimental_optimization.apply_default_optimizations = True
        ds = tf.data.TFRecordDataset(files).map(tf.io.decode_jpeg).batch(32)
        model.fit(ds.with_options(options))
    """,
    "as the user chooses": """
        import tensorflow as tf
        options = tf.data.Options()
        options.autotune.enabled = arguments.autotune
        ds = tf.data.TFRecordDataset(files).map(tf.io.decode_jpeg).batch(32)
        model.fit(ds.with_options(options))
    """,
    "turned on again": """
        import tensorflow as tf
        off, on = tf.data.Options(), tf.data.Options()
        off.autotune.enabled = False
        on.autotune.enabled = True
        ds = tf.data.TFRecordDataset(files).with_options(off).map(tf.io.decode_jpeg).batch(32)
        model.fit(ds.with_options(on))
    """,
    "a TensorFlow that injects nothing": Case(
        """
        import tensorflow as tf
        options = tf.data.Options()
        options.experimental_optimization.inject_prefetch = False
        ds = tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=8).batch(32)
        model.fit(ds.with_options(options))
        """,
        target=(2, 8),
    ),
}
