"""PIPE405 repeat-before-shuffle: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "a number of epochs, with a map between": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files)
        ds = ds.repeat(20)  #! PIPE405 advice
        ds = ds.map(parse).shuffle(1000).batch(32)
        model.fit(ds)
    """,
    "in statements of their own": Case(
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).map(parse)
        ds = ds.repeat()  #! PIPE405 advice, unsafe fix
        ds = ds.shuffle(1000)
        ds = ds.batch(32)
        model.fit(ds, steps_per_epoch=100)
        """,
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).map(parse)
        ds = ds.shuffle(1000)
        ds = ds.repeat()
        ds = ds.batch(32)
        model.fit(ds, steps_per_epoch=100)
        """,
    ),
}
SILENT: Table = {
    "shuffled before as well": """
        import tensorflow as tf
        files = tf.data.Dataset.from_tensor_slices(names).shuffle(100).repeat()
        model.fit(files.interleave(tf.data.TFRecordDataset).shuffle(1000).batch(32), steps_per_epoch=100)
    """,
    "whole batches": """
        import tensorflow as tf
        model.fit(tf.data.TFRecordDataset(files).map(parse).repeat().batch(32).shuffle(10), steps_per_epoch=100)
    """,
    "what is evaluated": """
        import tensorflow as tf
        model.evaluate(tf.data.TFRecordDataset(files).map(parse).repeat().shuffle(1000).batch(32), steps=10)
    """,
    "a buffer of one": """
        import tensorflow as tf
        model.fit(tf.data.TFRecordDataset(files).map(parse).repeat().shuffle(1).batch(32), steps_per_epoch=100)
    """,
}
