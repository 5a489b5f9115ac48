"""What PIPE510 finds beyond its own examples, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "in statements, with a prefetch and a cheap map between": Case(
        """
        import tensorflow as tf

        def load(path):
            return tf.io.decode_jpeg(tf.io.read_file(path))

        ds = tf.data.Dataset.from_tensor_slices(paths)
        ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE).map(lambda image: image / 255)
        ds = ds.prefetch(8)
        ds = ds.shard(num_shards=8, index=worker)  #! PIPE510 advice, safe fix
        model.fit(ds.batch(32), epochs=5)
        """,
        """
        import tensorflow as tf

        def load(path):
            return tf.io.decode_jpeg(tf.io.read_file(path))

        ds = tf.data.Dataset.from_tensor_slices(paths)
        ds = ds.shard(num_shards=8, index=worker)
        ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE).map(lambda image: image / 255)
        ds = ds.prefetch(8)
        model.fit(ds.batch(32), epochs=5)
        """,
    ),
    "a split of decoded pictures: both parts are to be mapped": """
        import tensorflow as tf

        def load(path):
            return tf.io.decode_jpeg(tf.io.read_file(path))

        ds = tf.data.Dataset.from_tensor_slices(paths).map(load)
        val = ds.take(1000).batch(32)
        train = ds.skip(1000).batch(32)  #! PIPE510 advice
        model.fit(train, validation_data=val, epochs=5)
    """,
    "behind a shuffle that comes before the map": """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices(paths).shuffle(9000, reshuffle_each_iteration=False)
        ds = ds.map(lambda path: tf.io.decode_jpeg(tf.io.read_file(path))).skip(held_back)  #! PIPE510 advice, safe fix
        model.fit(ds.batch(32), epochs=5)
    """,
    "Python": """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices(paths).map(lambda path: tf.numpy_function(load, [path], tf.float32))
        model.fit(ds.skip(5000).batch(32), epochs=5)  #! PIPE510 advice, unsafe fix
    """,
}

SILENT: Table = {
    "a cheap map": """
        import tensorflow as tf

        model.fit(tf.data.Dataset.from_tensor_slices(x).map(lambda x: x / 255).skip(1000).batch(32), epochs=5)
    """,
    "the lines above a table": """
        import tensorflow as tf

        rows = tf.data.TextLineDataset("table.csv").map(lambda line: tf.io.decode_csv(line, defaults)).skip(1)
        model.fit(rows.batch(32), epochs=5)
    """,
    "a filter counts other elements": """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices(paths).map(lambda path: tf.io.decode_jpeg(tf.io.read_file(path)))
        model.fit(ds.filter(is_sharp).skip(1000).batch(32), epochs=5)
    """,
    "batches are counted": """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices(paths).map(lambda path: tf.io.decode_jpeg(tf.io.read_file(path)))
        model.fit(ds.batch(32).skip(100), epochs=5)
    """,
    "a shuffle in between": """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices(paths).map(lambda path: tf.io.decode_jpeg(tf.io.read_file(path)))
        model.fit(ds.shuffle(100).skip(1000).batch(32), epochs=5)
    """,
    "a cache pays once": """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices(paths).map(lambda path: tf.io.decode_jpeg(tf.io.read_file(path)))
        model.fit(ds.cache().skip(1000).batch(32), epochs=5)
    """,
}
