"""PIPE106 unbatch-then-batch: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "in the middle of a chain": Case(
        """
        import tensorflow as tf
        ds = (
            tf.data.TFRecordDataset(files)
            .batch(1024)
            .map(parse)
            .unbatch()  # rows
            .batch(64)  #! PIPE106 advice, safe fix
            .prefetch(2)
        )
        model.fit(ds)
        """,
        """
        import tensorflow as tf
        ds = (
            tf.data.TFRecordDataset(files)
            .batch(1024)
            .map(parse)  # rows
            .rebatch(64)
            .prefetch(2)
        )
        model.fit(ds)
        """,
    ),
    "in two statements": """
        import tensorflow as tf
        ds = tf.data.TFRecordDataset(files).batch(1024).map(parse)
        ds = ds.unbatch()
        ds = ds.batch(64)  #! PIPE106 advice
        model.fit(ds)
    """,
    "arguments that rebatch does not take": """
        import tensorflow as tf
        ds = tf.data.TFRecordDataset(files).batch(1024).map(parse)
        model.fit(ds.unbatch().batch(64, num_parallel_calls=4))  #! PIPE106 advice
    """,
}
SILENT: Table = {
    "filtered in between": """
        import tensorflow as tf
        ds = tf.data.TFRecordDataset(files).batch(1024).map(parse)
        model.fit(ds.unbatch().filter(is_wanted).batch(64))
    """,
    "padded": """
        import tensorflow as tf
        ds = tf.data.TFRecordDataset(files).batch(1024).map(parse)
        model.fit(ds.unbatch().padded_batch(64))
    """,
    "a few": """
        import tensorflow as tf
        ds = tf.data.Dataset.range(20).batch(10)
        for row in ds.unbatch().batch(5):
            print(row)
    """,
}
