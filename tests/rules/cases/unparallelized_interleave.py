"""PIPE203 unparallelized-interleave: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "remote files": Case(
        """
        import tensorflow as tf

        files = tf.data.Dataset.list_files("gs://bucket/train-*.tfrecord")
        ds = files.interleave(tf.data.TFRecordDataset, cycle_length=8)  #! PIPE203 warning, safe fix
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
        """
        import tensorflow as tf

        files = tf.data.Dataset.list_files("gs://bucket/train-*.tfrecord")
        ds = files.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
    ),
    "remote files whose names are not all known": Case(
        """
        import tensorflow as tf

        files = tf.io.gfile.glob(f"gs://{bucket}/*.tfrecord")
        ds = tf.data.Dataset.from_tensor_slices(files).interleave(  #! PIPE203 warning, safe fix
            lambda path: tf.data.TFRecordDataset(path), cycle_length=8
        )
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
        """
        import tensorflow as tf

        files = tf.io.gfile.glob(f"gs://{bucket}/*.tfrecord")
        ds = tf.data.Dataset.from_tensor_slices(files).interleave(
            lambda path: tf.data.TFRecordDataset(path), cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE
        )
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
    ),
    "the inner dataset maps": Case(
        """
        import tensorflow as tf

        def read(path):
            return tf.data.TFRecordDataset(path).map(tf.io.parse_tensor)

        ds = tf.data.Dataset.list_files(pattern).interleave(  #! PIPE203 warning, safe fix
            read,
            cycle_length=4,
            block_length=16,
        )
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
        """
        import tensorflow as tf

        def read(path):
            return tf.data.TFRecordDataset(path).map(tf.io.parse_tensor)

        ds = tf.data.Dataset.list_files(pattern).interleave(
            read,
            cycle_length=4,
            block_length=16,
            num_parallel_calls=tf.data.AUTOTUNE,
        )
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
    ),
    "the map of the inner dataset is parallel, and reads ahead by itself": """
        import tensorflow as tf

        def decoded(records, parse):
            return records.map(parse, 4)

        def read(path):
            return decoded(tf.data.TFRecordDataset(path), tf.io.parse_tensor)

        ds = tf.data.Dataset.list_files(f"{folder}/*.tfrecord").interleave(read)  #! PIPE203 advice, unsafe fix
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
    """,
    "local files, and no cycle_length: the order would change": Case(
        """
        import tensorflow as tf

        AUTO, csv = tf.data.AUTOTUNE, "*.csv"
        lines = tf.data.Dataset.list_files(csv).interleave(lambda path: tf.data.TextLineDataset(path))  #! PIPE203 advice, unsafe fix
        model.fit(lines.batch(32).prefetch(AUTO))
        """,
        """
        import tensorflow as tf

        AUTO, csv = tf.data.AUTOTUNE, "*.csv"
        lines = tf.data.Dataset.list_files(csv).interleave(lambda path: tf.data.TextLineDataset(path), num_parallel_calls=AUTO)
        model.fit(lines.batch(32).prefetch(AUTO))
        """,
    ),
    "each file is shuffled by itself": """
        import glob
        import tensorflow as tf

        def read(path):
            return tf.data.TFRecordDataset(path).shuffle(10_000)

        ds = tf.data.Dataset.from_tensor_slices(glob.glob("*.tfrecord"))
        ds = ds.interleave(read, cycle_length=4)  #! PIPE203 advice
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
    """,
    "numbers of files": """
        import tensorflow as tf

        ds = tf.data.Dataset.range(8).interleave(  #! PIPE203 advice, safe fix
            lambda number: tf.data.TFRecordDataset(tf.strings.format("{}.tfrecord", number)), cycle_length=4
        )
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
    """,
}

SILENT: Table = {
    "files that may well be one": """
        import tensorflow as tf

        def build(pattern, paths):
            lines = tf.data.Dataset.list_files(pattern).interleave(tf.data.TextLineDataset)
            records = tf.data.Dataset.from_tensor_slices(paths).interleave(tf.data.TFRecordDataset)
            return tf.data.Dataset.zip((lines, records))

        model.fit(build(options.table, options.records).batch(32).prefetch(tf.data.AUTOTUNE))
    """,
    "one file at a time by the length of the cycle, which bounds the parallel calls too": Case(
        """
        import tensorflow as tf

        files = tf.data.Dataset.list_files("gs://bucket/train-*.tfrecord")
        ds = files.interleave(tf.data.TFRecordDataset, cycle_length=1)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """
    ),
    "a loop that only writes": """
        import tensorflow as tf

        with tf.io.TFRecordWriter("all") as writer:
            for record in tf.data.Dataset.list_files("*.tfrecord").interleave(tf.data.TFRecordDataset):
                writer.write(record.numpy())
    """,
    "a loop that only prints": """
        import pprint
        import tensorflow as tf

        for raw in tf.data.Dataset.list_files("*.tfrecord").interleave(tf.data.TFRecordDataset):
            text = pprint.pformat(raw.numpy())
            print(text)
    """,
    "one file": """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensors("gs://bucket/train.tfrecord").interleave(tf.data.TFRecordDataset)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
    """,
    "no files": """
        import tensorflow as tf

        ds = tf.data.Dataset.range(10).interleave(lambda n: tf.data.Dataset.range(n), cycle_length=2)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
    """,
    "parallel already": """
        import tensorflow as tf

        ds = tf.data.Dataset.list_files("gs://bucket/*").interleave(tf.data.TFRecordDataset, num_parallel_calls=4)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
    """,
    "no files, without prefetch": """
        import tensorflow as tf

        ds = tf.data.Dataset.range(10).interleave(lambda n: tf.data.Dataset.range(n), cycle_length=2)
        model.fit(ds.batch(32))
    """,
}
