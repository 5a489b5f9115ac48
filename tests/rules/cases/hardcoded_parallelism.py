"""PIPE202 hardcoded-parallelism: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "pictures that are decoded and resized": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).map(lambda x: tf.io.decode_jpeg(x), num_parallel_calls=4)  #! PIPE202 advice, safe fix
        ds = ds.map(lambda x: tf.image.resize(x, (224, 224)), num_parallel_calls=4)  #! PIPE202 advice, safe fix
        model.fit(ds.batch(64).prefetch(tf.data.AUTOTUNE))
    """,
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
        ds = ds.map(tf.keras.layers.RandomRotation(0.1), multiprocessing.cpu_count())  #! PIPE202 advice, unsafe fix
        model.fit(ds.batch(32).prefetch(AUTO))
        """,
        """
        import multiprocessing
        import tensorflow as tf

        AUTO = tf.data.AUTOTUNE
        ds = tf.data.Dataset.from_tensor_slices(images)
        ds = ds.map(tf.keras.layers.RandomRotation(0.1), AUTO)
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
    "Python code that reads files waits side by side": """
        import numpy as np
        import tensorflow as tf

        ds = tf.data.Dataset.list_files("*.npy")
        ds = ds.map(lambda path: tf.numpy_function(np.load, [path], tf.float32), 4)  #! PIPE202 advice, unsafe fix
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
    """,
    "plain Python beside what the graph decodes": """
        import tensorflow as tf

        def load(path):
            label = tf.py_function(lambda path: len(path.numpy()), [path], tf.int32)
            return tf.io.decode_png(tf.io.read_file(path)), label

        ds = tf.data.Dataset.list_files("*.png").map(load, num_parallel_calls=1)  #! PIPE202 warning, unsafe fix
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
    """,
}

SILENT: Table = {
    "AUTOTUNE stands at the call as a comment, so that the number was chosen beside it": """
        import tensorflow as tf

        def load(path):
            return tf.io.decode_jpeg(tf.io.read_file(path))

        ds = tf.data.Dataset.list_files("*.jpg").map(
            load,
            # num_parallel_calls=tf.data.experimental.AUTOTUNE,
            num_parallel_calls=3,
        )
        more = tf.data.Dataset.list_files("*.jpeg").map(load, num_parallel_calls=4)  # tf.data.AUTOTUNE
        model.fit(ds.batch(32).prefetch(1))
        model.fit(more.batch(32).prefetch(1))
    """,
    "frames of one video, which Python reads on in turn": """
        import cv2
        import tensorflow as tf

        video = cv2.VideoCapture("drive.mp4")

        def frame(_):
            return video.read()[1]

        def load(number):
            return tf.py_function(frame, [number], tf.uint8)

        model.predict(tf.data.Dataset.range(10_000).map(load, num_parallel_calls=1).batch(8).prefetch(2))
    """,
    "work that is paid for once, or hardly any": """
        import tensorflow as tf

        words = tf.keras.layers.TextVectorization()
        records = tf.data.TFRecordDataset(files)
        model.fit(records.map(tf.io.decode_jpeg, num_parallel_calls=4).cache().batch(32).prefetch(1), epochs=5)
        model.fit(records.map(lambda x: tf.cast(x, tf.float32), num_parallel_calls=4).batch(32).prefetch(1))
        model.fit(tf.data.TextLineDataset(files).batch(32).map(words, num_parallel_calls=4).prefetch(1))
    """,
    "as many calls as a machine has cores for": """
        import tensorflow as tf

        model.fit(tf.data.TFRecordDataset(files).map(tf.io.decode_jpeg, num_parallel_calls=64).batch(32).prefetch(1))
    """,
    "a number for one case, and AUTOTUNE for the other: a limit that is meant": """
        import tensorflow as tf

        def volumes(files, shuffled):
            calls = tf.data.AUTOTUNE if shuffled else 2
            ds = tf.data.TFRecordDataset(files).map(tf.io.decode_jpeg, num_parallel_calls=calls)
            return ds.batch(1).prefetch(1)

        model.fit(volumes(files, True))
        model.predict(volumes(files, False))
    """,
    "a file for any backend of Keras, which does without TensorFlow": """
        import keras

        crop = keras.layers.CenterCrop(64, 64)
        pictures = keras.utils.image_dataset_from_directory("pictures")
        pictures = pictures.map(lambda picture, label: (crop(picture), label), num_parallel_calls=8)
        keras.Sequential([keras.layers.Dense(1)]).fit(pictures)
    """,
    "one call at a time of Python code that nobody knows": """
        import tensorflow as tf
        from elsewhere import encode

        ds = tf.data.TextLineDataset(files)
        ds = ds.map(lambda text: tf.py_function(encode, [text], tf.int64), 1)
        model.fit(ds.padded_batch(32).prefetch(tf.data.AUTOTUNE))
    """,
    "whole batches that are cast and given another shape": """
        import tensorflow as tf

        def flat(images, labels):
            return tf.reshape(tf.cast(images, tf.float32) / 255, (-1, 784)), tf.ones_like(labels)

        ds = tf.data.TFRecordDataset(files).batch(64).map(flat, num_parallel_calls=4)
        model.fit(ds.prefetch(tf.data.AUTOTUNE))
    """,
    "few elements, and a loop that only writes them": """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0]).map(tf.math.sin, num_parallel_calls=4)
        model.fit(ds.batch(2).prefetch(tf.data.AUTOTUNE))
        with tf.io.TFRecordWriter("out") as writer:
            for record in tf.data.TFRecordDataset(files).map(tf.io.serialize_tensor, num_parallel_calls=4):
                writer.write(record.numpy())
    """,
    "plain Python, of which one call runs at a time": """
        import random
        import tensorflow as tf

        def pick(names):
            return sorted(names)[random.randrange(3)]

        def picked(names):
            return tf.numpy_function(pick, [names], tf.string)

        ds = tf.data.Dataset.from_tensor_slices(names)
        ds = ds.map(picked, num_parallel_calls=1) if seed else ds.map(picked, num_parallel_calls=4)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
    """,
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
    "as many calls as an interleave has inputs": """
        import tensorflow as tf

        files = tf.data.Dataset.list_files("*.tfrecord")
        ds = files.interleave(tf.data.TFRecordDataset, cycle_length=4, num_parallel_calls=4)
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
