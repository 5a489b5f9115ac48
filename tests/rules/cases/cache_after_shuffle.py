"""PIPE302 cache-after-shuffle: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "shuffled once": Case(
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(10_000).cache().batch(32).prefetch(tf.data.AUTOTUNE)  #! PIPE302 error, unsafe fix
        model.fit(ds, epochs=10)
        """,
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).cache().shuffle(10_000).batch(32).prefetch(tf.data.AUTOTUNE)
        model.fit(ds, epochs=10)
        """,
    ),
    "the same batches in every epoch": Case(
        """
        import tensorflow as tf

        ds = (
            tf.data.TFRecordDataset(files)
            .shuffle(10_000)
            .batch(32)
            .cache()  #! PIPE302 error, unsafe fix
            .prefetch(tf.data.AUTOTUNE)
        )
        model.fit(ds, epochs=10)
        """,
        """
        import tensorflow as tf

        ds = (
            tf.data.TFRecordDataset(files)
            .cache()
            .shuffle(10_000)
            .batch(32)
            .prefetch(tf.data.AUTOTUNE)
        )
        model.fit(ds, epochs=10)
        """,
    ),
}

SILENT: Table = {
    "a fixed order on purpose": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(10_000, reshuffle_each_iteration=False).cache()
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
    """,
    "shuffled again behind the cache": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(100).cache().shuffle(10_000)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
    """,
    "evaluation": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(100).batch(32).cache().prefetch(tf.data.AUTOTUNE)
        model.evaluate(ds)
    """,
}
