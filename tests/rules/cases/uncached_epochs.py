"""PIPE306 uncached-epochs: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "a number of epochs that is a constant": """
        EPOCHS = 20

        import tensorflow as tf

        def load(path):
            return tf.io.decode_jpeg(tf.io.read_file(path))

        paths = tf.data.Dataset.from_tensor_slices(files)
        model.fit(paths.map(load).batch(32), epochs=EPOCHS)  #! PIPE306 advice
    """,
    "records that are decoded inside an interleave": """
        import tensorflow as tf

        def parse(record):
            return tf.io.decode_jpeg(tf.io.parse_single_example(record, FEATURES)["image"])

        def read(path):
            return tf.data.TFRecordDataset(path).map(parse)

        model.fit(tf.data.Dataset.list_files("*").interleave(read).batch(32), epochs=3)  #! PIPE306 advice
    """,
    "augmented later": """
        import tensorflow as tf

        def load(path):
            return tf.io.decode_jpeg(tf.io.read_file(path))

        paths = tf.data.Dataset.from_tensor_slices(files)
        model.fit(paths.map(load).map(flip).batch(32), epochs=9)  #! PIPE306 advice
    """,
    "several epochs": """
        import tensorflow as tf

        def load(path):
            return tf.io.decode_jpeg(tf.io.read_file(path))

        paths = tf.data.Dataset.from_tensor_slices(files)
        model.fit(paths.map(load).batch(32), epochs=9)  #! PIPE306 advice
    """,
}

SILENT: Table = {
    "a number of epochs that is not known": """
        import tensorflow as tf

        def load(path):
            return tf.io.decode_jpeg(tf.io.read_file(path))

        paths = tf.data.Dataset.from_tensor_slices(files)
        model.fit(paths.map(load).batch(32), epochs=arguments.epochs)
    """,
    "cached": """
        import tensorflow as tf

        def load(path):
            return tf.io.decode_jpeg(tf.io.read_file(path))

        paths = tf.data.Dataset.from_tensor_slices(files)
        model.fit(paths.map(load).batch(32).cache(), epochs=9)
    """,
    "nothing is read or decoded": """
        import tensorflow as tf

        def load(path):
            return tf.io.decode_jpeg(tf.io.read_file(path))

        paths = tf.data.Dataset.from_tensor_slices(files)
        model.fit(paths.map(tf.strings.length).batch(32), epochs=9)
    """,
    "evaluated once": """
        import tensorflow as tf

        def load(path):
            return tf.io.decode_jpeg(tf.io.read_file(path))

        paths = tf.data.Dataset.from_tensor_slices(files)
        model.evaluate(paths.map(load).batch(32))
    """,
}
