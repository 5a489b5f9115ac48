"""PIPE304 cache-after-repeat: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "one behind the other": Case(
        """
        import tensorflow as tf
        ds = tf.data.TFRecordDataset(files)
        ds = ds.repeat().cache()  #! PIPE304 error, unsafe fix
        model.fit(ds.batch(32), steps_per_epoch=100)
        """,
        """
        import tensorflow as tf
        ds = tf.data.TFRecordDataset(files)
        ds = ds.cache().repeat()
        model.fit(ds.batch(32), steps_per_epoch=100)
        """,
    ),
    "what is random stays behind the cache": Case(
        """
        import tensorflow as tf
        ds = tf.data.TFRecordDataset(files).map(parse).repeat().map(tf.image.random_flip_left_right)
        ds = ds.cache()  #! PIPE304 error, unsafe fix
        model.fit(ds.batch(32), steps_per_epoch=100)
        """,
        """
        import tensorflow as tf
        ds = tf.data.TFRecordDataset(files).map(parse).cache().repeat().map(tf.image.random_flip_left_right)
        model.fit(ds.batch(32), steps_per_epoch=100)
        """,
    ),
    "arrays, which need no cache": """
        import tensorflow as tf
        ds = tf.data.Dataset.from_tensor_slices((x, y)).repeat(None).shuffle(1000).cache()  #! PIPE304 error
        model.fit(ds.batch(32), steps_per_epoch=100)
    """,
    "a file, which grows as well": """
        import tensorflow as tf
        ds = tf.data.TFRecordDataset(files).repeat().map(parse).cache("rows")  #! PIPE304 error, unsafe fix
        model.fit(ds.batch(32), steps_per_epoch=100)
    """,
    "nobody in sight takes it": """
        import tensorflow as tf

        def load(files):
            return tf.data.TFRecordDataset(files).repeat().batch(32).cache()  #! PIPE304 advice, unsafe fix
    """,
    "a part of it is taken later, so that there is an end to what it keeps": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).repeat().map(parse).cache().batch(32)  #! PIPE304 warning, unsafe fix
        model.fit(ds.take(2000), epochs=10)
    """,
    "all of it is taken": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).repeat().map(parse).cache().batch(32)  #! PIPE304 error, unsafe fix
        model.fit(ds.take(-1), steps_per_epoch=2000, epochs=10)
    """,
}
SILENT: Table = {
    "a few epochs": """
        import tensorflow as tf
        model.fit(tf.data.TFRecordDataset(files).repeat(3).map(parse).cache().batch(32))
    """,
    "one part of it repeats": """
        import tensorflow as tf
        noise = tf.data.TFRecordDataset(noises).repeat()
        ds = tf.data.Dataset.zip((tf.data.TFRecordDataset(files), noise)).cache()
        model.fit(ds.batch(32), epochs=3)
    """,
    "either the one or the other": """
        import tensorflow as tf

        def load(files, endless, keep):
            ds = tf.data.TFRecordDataset(files)
            if endless:
                ds = ds.repeat()
            if keep:
                ds = ds.cache()
            return ds.batch(32)
    """,
    "an apply that may end it": """
        import tensorflow as tf
        ds = tf.data.TFRecordDataset(files).repeat().apply(limited).cache()
        model.fit(ds.batch(32), epochs=3)
    """,
}
