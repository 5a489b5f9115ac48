"""PIPE102 prefetch-not-last: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "prefetch before batch, in one chain": Case(
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).map(parse).prefetch(tf.data.AUTOTUNE).batch(32)  #! PIPE102 advice, safe fix
        model.fit(ds)
        """,
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).map(parse).batch(32).prefetch(tf.data.AUTOTUNE)
        model.fit(ds)
        """,
    ),
    "iterated inside a tf.function, where TensorFlow inserts none": Case(
        """
        import tensorflow as tf

        @tf.function
        def train_epoch(ds):
            for batch in ds:
                step(batch)

        ds = tf.data.TFRecordDataset(files)
        ds = ds.prefetch(1000)  #! PIPE102 warning, safe fix
        ds = ds.batch(32)
        train_epoch(ds)
        """,
        """
        import tensorflow as tf

        @tf.function
        def train_epoch(ds):
            for batch in ds:
                step(batch)

        ds = tf.data.TFRecordDataset(files)
        ds = ds.batch(32)
        ds = ds.prefetch(tf.data.AUTOTUNE)
        train_epoch(ds)
        """,
    ),
    "a chain of lines": Case(
        """
        import tensorflow as tf

        ds = (
            tf.data.TFRecordDataset(files)
            .prefetch(tf.data.AUTOTUNE)  # read ahead  #! PIPE102 advice, safe fix
            .padded_batch(32)
            .repeat()
        )
        model.fit(ds, steps_per_epoch=100)
        """,
        """
        import tensorflow as tf

        ds = (
            tf.data.TFRecordDataset(files)
            .padded_batch(32)
            .repeat()
            .prefetch(tf.data.AUTOTUNE)  # read ahead
        )
        model.fit(ds, steps_per_epoch=100)
        """,
        target=(2, 10),
    ),
    "an older target, and a cache that is read from a file": Case(
        """
        import tensorflow as tf

        records = tf.data.TFRecordDataset
        model.fit(records("b").prefetch(2).batch(64).cache("kept"), epochs=5)  #! PIPE102 advice, safe fix
        """,
        target=(2, 4),
    ),
}

SILENT: Table = {
    "an older target, but batches that a cache keeps, or a map that is fused with batch": Case(
        """
        import tensorflow as tf

        records = tf.data.TFRecordDataset
        model.fit(records("a").prefetch(2).batch(64).cache(), epochs=5)
        model.fit(records("c").prefetch(2).map(parse, num_parallel_calls=4).batch(64))
        """,
        target=(2, 4),
    ),
    "a cache keeps all but the batches": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).map(parse).cache().shuffle(6400)
        model.fit(ds.prefetch(tf.data.AUTOTUNE).batch(32), epochs=9)
    """,
    "TensorFlow makes the last map parallel, which works ahead": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).batch(32).prefetch(tf.data.AUTOTUNE)
        model.fit(ds.map(lambda text: tf.io.decode_raw(text, tf.float32)))
    """,
    "a parallel stage works ahead by itself, or a trivial one needs nobody to": """
        import tensorflow as tf

        def batches(files, augmented):
            ds = tf.data.TFRecordDataset(files).batch(32).prefetch(tf.data.AUTOTUNE)
            if augmented:
                ds = ds.map(augment, num_parallel_calls=4)
            return ds

        model.fit(batches(files, augmented))
        ds = tf.data.TFRecordDataset(files).batch(32).prefetch(1)
        model.fit(ds.map(lambda image, mask: (image, tf.tile(mask, [1, 1, 1, 3]))))
    """,
    "a stand-in for data: one element, again and again": """
        import tensorflow as tf

        def blank(number):
            return tf.zeros([2])

        ds = tf.data.Dataset.range(1).repeat().map(blank, num_parallel_calls=tf.data.AUTOTUNE)
        model.fit(ds.prefetch(1).batch(2), steps_per_epoch=10)
    """,
    "Keras distributes the dataset, and a strategy prefetches what it distributes": """
        import tensorflow as tf

        with tf.distribute.MirroredStrategy().scope():
            model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.fit(tf.data.TFRecordDataset(files).prefetch(8).batch(32))
    """,
    "followed only by stages that pass elements on": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).batch(32).prefetch(tf.data.AUTOTUNE).repeat().take(100)
        model.fit(ds)
    """,
    "a later prefetch": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).prefetch(8).map(parse).batch(32).prefetch(tf.data.AUTOTUNE)
        model.fit(ds)
    """,
    "the caller prefetches": """
        import tensorflow as tf

        def records(files):
            return tf.data.TFRecordDataset(files).prefetch(8).batch(32)

        model.fit(records(["a", "b"]).prefetch(tf.data.AUTOTUNE))
    """,
    "a later prefetch in the chain given to fit": """
        import tensorflow as tf
        model.fit(tf.data.TFRecordDataset(files).prefetch(8).map(parse).batch(32).prefetch(tf.data.AUTOTUNE))
    """,
}
