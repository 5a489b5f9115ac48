"""PIPE105 parse-single-example-before-batch: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "a lambda, shuffled before the batch": """
        import tensorflow as tf
        ds = tf.data.TFRecordDataset(files)
        ds = ds.map(lambda record: tf.io.parse_single_example(record, features))  #! PIPE105 advice
        for batch in ds.shuffle(1000).repeat(3).batch(64):
            model.train_on_batch(batch)
    """,
    "cast, and picked apart by another map": """
        import tensorflow as tf

        def decode(record):
            row = tf.io.parse_single_example(record, {"ids": tf.io.FixedLenFeature([128], tf.int64)})
            for name in list(row.keys()):
                row[name] = tf.cast(row[name], tf.int32)
            return row

        ds = tf.data.TFRecordDataset(files).map(decode).map(lambda row: row["ids"]).batch(64)  #! PIPE105 advice
        model.fit(ds)
    """,
    "nothing in sight takes it": """
        import tensorflow as tf

        def rows(files):
            parse = lambda record: tf.io.parse_single_example(record, features)
            return tf.data.TFRecordDataset(files).map(parse).batch(64)  #! PIPE105 advice
    """,
}
SILENT: Table = {
    "reshaped": """
        import tensorflow as tf

        def parse(record):
            row = tf.io.parse_single_example(record, {"x": tf.io.FixedLenFeature([64], tf.float32)})
            return tf.reshape(row["x"], (8, 8))

        model.fit(tf.data.TFRecordDataset(files).map(parse).batch(64))
    """,
    "another function comes between": """
        import tensorflow as tf
        ds = tf.data.TFRecordDataset(files).map(lambda record: tf.io.parse_single_example(record, features))
        model.fit(ds.map(augment).batch(64))
    """,
    "sequences of any length, which are padded": """
        import tensorflow as tf
        ds = tf.data.TFRecordDataset(files).map(lambda record: tf.io.parse_single_example(record, features))
        model.fit(ds.padded_batch(64))
    """,
    "no batches": """
        import tensorflow as tf
        ds = tf.data.TFRecordDataset(files).map(lambda record: tf.io.parse_single_example(record, features))
        for row in ds:
            write(row)
    """,
}
