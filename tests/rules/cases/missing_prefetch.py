"""PIPE101 missing-prefetch: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "fit on a batched dataset": Case(
        """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).batch(64)  #! PIPE101 advice, safe fix
        model.fit(ds, epochs=3)
        """,
        """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).batch(64).prefetch(tf.data.AUTOTUNE)
        model.fit(ds, epochs=3)
        """,
    ),
    "iterated inside a tf.function, where TensorFlow inserts nothing": Case(
        """
        import tensorflow as tf

        @tf.function
        def train_epoch(ds):
            for batch in ds:
                step(batch)

        train_epoch(tf.data.Dataset.range(1000).batch(32))  #! PIPE101 warning, safe fix
        """,
        """
        import tensorflow as tf

        @tf.function
        def train_epoch(ds):
            for batch in ds:
                step(batch)

        train_epoch(tf.data.Dataset.range(1000).batch(32).prefetch(tf.data.AUTOTUNE))
        """,
    ),
    "a stage that only some runs have: added where the dataset is returned": Case(
        """
        import tensorflow as tf

        def make(files, training):
            ds = tf.data.TFRecordDataset(files)
            ds = ds.batch(32)
            if training:
                ds = ds.repeat()  #! PIPE101 advice, safe fix
            return ds
        """,
        """
        import tensorflow as tf

        def make(files, training):
            ds = tf.data.TFRecordDataset(files)
            ds = ds.batch(32)
            if training:
                ds = ds.repeat()
            return ds.prefetch(tf.data.AUTOTUNE)
        """,
    ),
}

SILENT: Table = {
    "the last stage runs in parallel": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).batch(32).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        model.fit(ds)
    """,
    "a look at the first batches": """
        import tensorflow as tf

        for batch in tf.data.TFRecordDataset(files).batch(32).take(2):
            show(batch)
    """,
    "the last stage of a chain given to fit runs in parallel": """
        import tensorflow as tf

        model.fit(tf.data.TFRecordDataset(files).batch(32).map(parse, num_parallel_calls=tf.data.AUTOTUNE))
    """,
}
