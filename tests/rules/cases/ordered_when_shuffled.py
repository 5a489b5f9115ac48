"""PIPE207 ordered-when-shuffled: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "an argument of its own line": Case(
        """
        import tensorflow as tf
        ds = tf.data.Dataset.list_files("train-*").interleave(  #! PIPE207 advice, unsafe fix
            tf.data.TFRecordDataset,
            num_parallel_calls=4,
        )
        model.fit(ds.map(parse).shuffle(1000).batch(32))
        """,
        """
        import tensorflow as tf
        ds = tf.data.Dataset.list_files("train-*").interleave(
            tf.data.TFRecordDataset,
            num_parallel_calls=4,
            deterministic=False,
        )
        model.fit(ds.map(parse).shuffle(1000).batch(32))
        """,
    ),
}
SILENT: Table = {
    "told by the options": """
        import tensorflow as tf
        options = tf.data.Options()
        options.deterministic = False
        ds = tf.data.Dataset.list_files("train-*").interleave(tf.data.TFRecordDataset, num_parallel_calls=4)
        model.fit(ds.shuffle(1000).batch(32).with_options(options))
    """,
    "asked for": """
        import tensorflow as tf
        ds = tf.data.Dataset.list_files("train-*")
        ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=4, deterministic=True)
        model.fit(ds.shuffle(1000).batch(32))
    """,
    "one file at a time": """
        import tensorflow as tf
        ds = tf.data.Dataset.list_files("train-*").interleave(tf.data.TFRecordDataset)
        model.fit(ds.shuffle(1000).batch(32))
    """,
    "a seed for all": """
        import tensorflow as tf
        tf.random.set_seed(1)
        ds = tf.data.Dataset.list_files("train-*").interleave(tf.data.TFRecordDataset, num_parallel_calls=4)
        model.fit(ds.shuffle(1000).batch(32))
    """,
    "only evaluated": """
        import tensorflow as tf
        ds = tf.data.Dataset.list_files("test-*").interleave(tf.data.TFRecordDataset, num_parallel_calls=4)
        model.evaluate(ds.shuffle(1000).batch(32))
    """,
}
