"""What PIPE103 finds beyond its own examples, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "rows of a large array, which are in memory anyway": Case(
        """
        import numpy as np
        import tensorflow as tf

        photos = np.zeros((5000, 256, 256, 3), "float32")
        ds = tf.data.Dataset.from_tensor_slices(photos).shuffle(5000).batch(64)
        model.fit(ds.prefetch(64), epochs=10)  #! PIPE103 advice, safe fix
        """,
        """
        import numpy as np
        import tensorflow as tf

        photos = np.zeros((5000, 256, 256, 3), "float32")
        ds = tf.data.Dataset.from_tensor_slices(photos).shuffle(5000).batch(64)
        model.fit(ds.prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
    ),
    "some tens of batches of pictures": """
        import tensorflow as tf

        def decode(path):
            return tf.image.resize(tf.io.decode_png(tf.io.read_file(path)), [224, 224])

        ds = tf.data.Dataset.list_files("photos/*.png").map(decode).batch(32)
        model.fit(ds.prefetch(buffer_size=32), epochs=10)  #! PIPE103 advice, safe fix
    """,
    "a constant that is meant for the shuffle": """
        import tensorflow as tf

        BUFFER = 1024

        def decode(path):
            return tf.image.resize(tf.io.decode_png(tf.io.read_file(path)), [224, 224])

        ds = tf.data.Dataset.list_files("photos/*.png").shuffle(BUFFER).map(decode).batch(32)
        model.fit(ds.prefetch(buffer_size=BUFFER), epochs=10)  #! PIPE103 warning, safe fix
    """,
    "pictures that a later map crops, after it has made them larger": """
        import tensorflow as tf

        def load(path):
            image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
            return tf.image.resize(image, (256, 256))

        def vary(image):
            image = tf.image.resize_with_crop_or_pad(image, 280, 280)
            return tf.image.random_crop(image, size=[256, 256, 3])

        ds = tf.data.Dataset.list_files("photos/*.jpg").map(load).map(vary).batch(64)
        model.fit(ds.prefetch(buffer_size=200), epochs=10)  #! PIPE103 warning, safe fix
    """,
    "bytes, which a resize by the nearest pixel leaves bytes": """
        import tensorflow as tf

        def load(path, label):
            image = tf.io.decode_png(tf.io.read_file(path))
            return tf.image.resize(image, (256, 256), method="nearest"), tf.cast(label, tf.float32)

        ds = tf.data.Dataset.from_tensor_slices((paths, labels)).map(load).batch(64)
        model.fit(ds.prefetch(200), epochs=10)  #! PIPE103 advice, safe fix
    """,
}

SILENT: Table = {
    "grey pictures, beside larger ones of another pipeline": """
        import tensorflow as tf

        def load(path):
            image = tf.io.decode_png(tf.io.read_file(path), channels=3)
            image = tf.image.rgb_to_grayscale(image)
            return tf.image.resize(image, (64, 64))

        def poster(path):
            return tf.image.resize(tf.io.decode_png(tf.io.read_file(path)), (1024, 1024))

        small = tf.data.Dataset.list_files("faces/*.png").map(load).batch(64)
        model.fit(small.prefetch(buffer_size=200), epochs=10)
        model.evaluate(tf.data.Dataset.list_files("posters/*.png").map(poster).batch(8).prefetch(2))
    """,
    "one channel, as decoded": """
        import tensorflow as tf

        def load(path):
            return tf.image.resize(tf.io.decode_png(tf.io.read_file(path), channels=1), (64, 64))

        ds = tf.data.Dataset.list_files("digits/*.png").map(load).batch(64)
        model.fit(ds.prefetch(buffer_size=200), epochs=10)
    """,
    "a crop after the resize": """
        import tensorflow as tf

        def load(path):
            image = tf.image.resize(tf.io.decode_png(tf.io.read_file(path)), (512, 512))
            return tf.image.random_crop(image, (32, 32, 3))

        ds = tf.data.Dataset.list_files("photos/*.png").map(load).batch(64)
        model.fit(ds.prefetch(buffer_size=64), epochs=10)
    """,
    "a size that only the model tells": """
        import tensorflow as tf

        def load(path):
            return tf.image.resize(tf.io.decode_png(tf.io.read_file(path)), options.size)

        model = tf.keras.Sequential([tf.keras.Input((512, 512, 3)), tf.keras.layers.Flatten()])
        ds = tf.data.Dataset.list_files("photos/*.png").map(load).batch(64)
        model.fit(ds.prefetch(buffer_size=64), epochs=10)
    """,
    "nothing tells how large the records are": """
        import tensorflow as tf

        BATCH = 512
        model.fit(tf.data.TFRecordDataset(files).map(parse).batch(BATCH).prefetch(BATCH), epochs=10)
    """,
    "many batches of rows of numbers": """
        import tensorflow as tf

        def parse(record):
            return tf.io.parse_single_example(record, {"ids": tf.io.FixedLenFeature([128], tf.int64)})

        model.fit(tf.data.TFRecordDataset(files).map(parse).batch(32).prefetch(1024), epochs=10)
    """,
    "small pictures": """
        import tensorflow as tf

        def decode(path):
            return tf.image.resize(tf.io.decode_png(tf.io.read_file(path)), [32, 32])

        ds = tf.data.Dataset.list_files("digits/*.png").map(decode).batch(64)
        model.fit(ds.prefetch(buffer_size=64), epochs=10)
    """,
    "pictures in batches whose size callers choose": """
        import tensorflow as tf

        def build(paths, batch_size):
            ds = tf.data.Dataset.from_tensor_slices(paths).map(decode).batch(batch_size)
            return ds.prefetch(batch_size)

        def decode(path):
            return tf.image.resize(tf.io.decode_png(tf.io.read_file(path)), [224, 224])

        model.fit(build(paths, batch_size=int(sizes[0])), epochs=10)
    """,
    "the size of a batch is small": """
        import tensorflow as tf

        BATCH = 8
        model.fit(tf.data.TFRecordDataset(files).map(parse).batch(BATCH).prefetch(BATCH), epochs=10)
    """,
    "batches of one": """
        import tensorflow as tf

        model.fit(tf.data.TFRecordDataset(files).map(parse).batch(1).prefetch(64), epochs=10)
    """,
    "nothing tells the number": """
        import tensorflow as tf

        model.fit(tf.data.TFRecordDataset(files).map(parse).batch(32).prefetch(options.ahead), epochs=10)
    """,
    "the batches are taken apart again": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).batch(64).map(parse).unbatch().prefetch(64)
        model.fit(ds.batch(32).prefetch(2), epochs=10)
    """,
    "TensorFlow chooses": """
        import tensorflow as tf

        model.fit(tf.data.TFRecordDataset(files).map(parse).batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
    """,
}
