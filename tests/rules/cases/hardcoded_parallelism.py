"""PIPE202 hardcoded-parallelism: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "one call at a time": Case(
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).map(tf.io.parse_tensor, num_parallel_calls=1)  #! PIPE202 warning, safe fix
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).map(tf.io.parse_tensor, num_parallel_calls=tf.data.AUTOTUNE)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
    ),
    "the count of processors": Case(
        """
        import multiprocessing
        import tensorflow as tf

        AUTO = tf.data.AUTOTUNE
        ds = tf.data.Dataset.from_tensor_slices(images)
        ds = ds.map(tf.image.random_flip_left_right, multiprocessing.cpu_count())  #! PIPE202 advice, unsafe fix
        model.fit(ds.batch(32).prefetch(AUTO))
        """,
        """
        import multiprocessing
        import tensorflow as tf

        AUTO = tf.data.AUTOTUNE
        ds = tf.data.Dataset.from_tensor_slices(images)
        ds = ds.map(tf.image.random_flip_left_right, AUTO)
        model.fit(ds.batch(32).prefetch(AUTO))
        """,
    ),
    "parallel reads: their number decides the order": Case(
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files, num_parallel_reads=8)  #! PIPE202 advice, unsafe fix
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
    ),
    "a constant of the module": Case(
        """
        import tensorflow as tf

        WORKERS = 8
        ds = tf.data.TFRecordDataset(files).map(tf.io.parse_tensor, num_parallel_calls=WORKERS)  #! PIPE202 advice, safe fix
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
        """
        import tensorflow as tf

        WORKERS = 8
        ds = tf.data.TFRecordDataset(files).map(tf.io.parse_tensor, num_parallel_calls=tf.data.AUTOTUNE)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
        """,
    ),
}

SILENT: Table = {
    "a parameter under a local name": """
        import tensorflow as tf

        def make(files, workers=4):
            calls = workers * 2
            return tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=calls).batch(32)

        model.fit(make(files, workers=8).prefetch(tf.data.AUTOTUNE))
    """,
    "a parameter that an object keeps": """
        import tensorflow as tf

        class Loader:
            def __init__(self, files, workers=4):
                self.files = files
                self.workers = workers

            def load(self):
                return tf.data.TFRecordDataset(self.files).map(parse, self.workers).batch(32)

        model.fit(Loader(files, 8).load().prefetch(tf.data.AUTOTUNE))
    """,
    "an option of the command line": """
        import argparse
        import tensorflow as tf

        parser = argparse.ArgumentParser()
        parser.add_argument("--workers", type=int, default=4)
        args = parser.parse_args()
        workers = args.workers
        model.fit(tf.data.TFRecordDataset(files).map(parse, workers).batch(32).prefetch(tf.data.AUTOTUNE))
    """,
    "a flag": """
        import tensorflow as tf
        from absl import flags

        flags.DEFINE_integer("workers", 4, "how many at a time")
        workers = flags.FLAGS.workers
        model.fit(tf.data.TFRecordDataset(files).map(parse, workers).batch(32).prefetch(tf.data.AUTOTUNE))
    """,
    "AUTOTUNE, by its name and by its value": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(resize, num_parallel_calls=-1)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
    """,
    "one file has nothing to read in parallel": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset("train.tfrecord", num_parallel_reads=1)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
    """,
    "a parameter that callers set": """
        import tensorflow as tf

        def make(files, workers=4):
            return tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=workers).batch(32)
    """,
}
