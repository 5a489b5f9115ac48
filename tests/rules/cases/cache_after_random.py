"""PIPE301 cache-after-random: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "cached augmentation": Case(
        """
        import tensorflow as tf

        def augment(image, label):
            return tf.image.random_flip_left_right(image), label

        ds = tf.data.Dataset.from_tensor_slices((images, labels))
        ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.cache()  #! PIPE301 error, unsafe fix
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
        """
        import tensorflow as tf

        def augment(image, label):
            return tf.image.random_flip_left_right(image), label

        ds = tf.data.Dataset.from_tensor_slices((images, labels))
        ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.cache()
        ds = ds.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
    ),
    "a Keras layer, in one chain": Case(
        """
        import tensorflow as tf

        flip = tf.keras.layers.RandomFlip("horizontal")
        ds = tf.data.TFRecordDataset(files).batch(32).map(lambda x: flip(x, training=True)).cache("cached")  #! PIPE301 error, unsafe fix
        model.fit(ds.prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
        """
        import tensorflow as tf

        flip = tf.keras.layers.RandomFlip("horizontal")
        ds = tf.data.TFRecordDataset(files).batch(32).cache("cached").map(lambda x: flip(x, training=True))
        model.fit(ds.prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
    ),
}

SILENT: Table = {
    "the cache comes first": """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices(images).cache().map(tf.image.random_flip_up_down)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
    """,
    "stateless random operations repeat anyway": """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices(images)
        ds = ds.map(lambda x: tf.image.stateless_random_flip_left_right(x, seed=(1, 2))).cache()
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
    """,
    "random data that is made once": """
        import tensorflow as tf

        ds = tf.data.Dataset.range(1000).map(lambda _: tf.random.uniform([32])).cache()
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
    """,
    "random data that is made once, without prefetch": """
        import tensorflow as tf

        ds = tf.data.Dataset.range(1000).map(lambda _: tf.random.uniform([32])).cache()
        model.fit(ds.batch(32), epochs=10)
    """,
}
