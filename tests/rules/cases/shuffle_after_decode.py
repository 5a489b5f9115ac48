"""What PIPE404 finds beyond its own examples, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "a comment that names the method's argument goes with it": Case(
        """
        import tensorflow as tf

        def load(path):
            return tf.io.decode_jpeg(tf.io.read_file(path))

        ds = tf.data.Dataset.from_tensor_slices(paths)
        ds = ds.map(load, num_parallel_calls=8)
        # of buffer_size elements one is drawn
        ds = ds.shuffle(buffer_size=23000)  #! PIPE404 advice, unsafe fix
        ds = ds.batch(32)
        model.fit(ds.prefetch(1), epochs=3)
        """,
        """
        import tensorflow as tf

        def load(path):
            return tf.io.decode_jpeg(tf.io.read_file(path))

        ds = tf.data.Dataset.from_tensor_slices(paths)
        # of buffer_size elements one is drawn
        ds = ds.shuffle(buffer_size=23000)
        ds = ds.map(load, num_parallel_calls=8)
        ds = ds.batch(32)
        model.fit(ds.prefetch(1), epochs=3)
        """,
    ),
    "behind a repeat and an augmentation": Case(
        """
        import tensorflow as tf

        def load(path, label):
            return tf.image.resize(tf.io.decode_image(tf.io.read_file(path)), (128, 128)), label

        ds = tf.data.Dataset.from_tensor_slices((paths, labels))
        ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE).map(augment).repeat()
        ds = ds.shuffle(buffer_size=1000).batch(16)  #! PIPE404 advice, unsafe fix
        model.fit(ds, steps_per_epoch=100, epochs=5)
        """,
        """
        import tensorflow as tf

        def load(path, label):
            return tf.image.resize(tf.io.decode_image(tf.io.read_file(path)), (128, 128)), label

        ds = tf.data.Dataset.from_tensor_slices((paths, labels))
        ds = ds.shuffle(buffer_size=1000).map(load, num_parallel_calls=tf.data.AUTOTUNE).map(augment).repeat()
        ds = ds.batch(16)
        model.fit(ds, steps_per_epoch=100, epochs=5)
        """,
    ),
    "a hundred batches of a size that the machine gives": """
        import tensorflow as tf

        def parse(record):
            return tf.io.decode_jpeg(tf.io.parse_single_example(record, features)["image"])

        def build(files, size):
            ds = tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=tf.data.AUTOTUNE).repeat()
            return ds.shuffle(size * 100).batch(size).prefetch(1)  #! PIPE404 advice, unsafe fix

        strategy = tf.distribute.MirroredStrategy()
        model.fit(build(files, 64 * strategy.num_replicas_in_sync), steps_per_epoch=100, epochs=5)
    """,
    "thousands of something": """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices(paths).map(lambda path: tf.io.decode_png(tf.io.read_file(path)))
        model.fit(ds.shuffle(2 * 1_000 * options.workers).batch(32), epochs=5)  #! PIPE404 advice, unsafe fix
    """,
    "records of many files, whose names are shuffled": """
        import tensorflow as tf

        def parse(record):
            return tf.io.decode_jpeg(tf.io.parse_single_example(record, features)["image"])

        names = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files))
        ds = names.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(parse).shuffle(10_000)  #! PIPE404 advice, unsafe fix
        model.fit(ds.batch(256), epochs=5)
    """,
    "shuffled and repeated in one": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).map(tf.io.decode_jpeg)
        ds = ds.apply(tf.data.experimental.shuffle_and_repeat(10_000))  #! PIPE404 advice
        model.fit(ds.batch(256), steps_per_epoch=100, epochs=5)
    """,
    "sounds of paths": """
        import tensorflow as tf

        ds = tf.data.Dataset.list_files("sounds/*.wav").map(lambda path: tf.audio.decode_wav(tf.io.read_file(path))[0])
        model.fit(ds.shuffle(5000).batch(8), epochs=5)  #! PIPE404 advice, unsafe fix
    """,
}

SILENT: Table = {
    "a few batches, and a hundred of nobody knows what": """
        import tensorflow as tf

        def build(size, share):
            ds = tf.data.Dataset.from_tensor_slices(paths).map(lambda path: tf.io.decode_png(tf.io.read_file(path)))
            few = ds.shuffle(size * 4).batch(size)
            return few if share is None else ds.shuffle(100 * share).batch(size)

        model.fit(build(options.size, options.share), epochs=5)
    """,
    "a small buffer": """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices(paths).map(lambda path: tf.io.decode_png(tf.io.read_file(path)))
        model.fit(ds.shuffle(10 * 32).batch(32), epochs=5)
    """,
    "the paths are shuffled as well": """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices(paths).shuffle(len(paths))
        ds = ds.map(lambda path: tf.io.decode_png(tf.io.read_file(path)))
        model.fit(ds.shuffle(1000).batch(32), epochs=5)
    """,
    "records hold numbers": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).map(lambda record: tf.io.decode_raw(record, tf.float32))
        model.fit(ds.shuffle(1000).batch(32), epochs=5)
    """,
    "a part is taken in between: another one would be": """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices(paths).map(lambda path: tf.io.decode_png(tf.io.read_file(path)))
        model.fit(ds.skip(1000).shuffle(1000).batch(32), epochs=5)
    """,
    "evaluation": """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices(paths).map(lambda path: tf.io.decode_png(tf.io.read_file(path)))
        model.evaluate(ds.shuffle(1000).batch(32))
    """,
    "a buffer that nothing in sight tells": """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices(paths).map(lambda path: tf.io.decode_png(tf.io.read_file(path)))
        model.fit(ds.shuffle(options.buffer).batch(32), epochs=5)
    """,
    "there are few": """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices(["a.png", "b.png"])
        ds = ds.map(lambda path: tf.io.decode_png(tf.io.read_file(path)))
        model.fit(ds.shuffle(1000).batch(2), epochs=5)
    """,
}
