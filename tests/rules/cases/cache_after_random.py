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
        ds = tf.data.TFRecordDataset(files).batch(32).map(lambda x: flip(x, training=True)).cache()  #! PIPE301 error, unsafe fix
        model.fit(ds.prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
        """
        import tensorflow as tf

        flip = tf.keras.layers.RandomFlip("horizontal")
        ds = tf.data.TFRecordDataset(files).batch(32).cache().map(lambda x: flip(x, training=True))
        model.fit(ds.prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
    ),
    "a paragraph of its own, which leaves no second blank line behind": Case(
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).map(parse)
        # another picture each time
        ds = ds.map(tf.image.random_flip_up_down)

        ds = ds.cache()  #! PIPE301 error, unsafe fix

        ds = ds.batch(32).prefetch(tf.data.AUTOTUNE)
        model.fit(ds, epochs=10)
        """,
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).map(parse)
        ds = ds.cache()
        # another picture each time
        ds = ds.map(tf.image.random_flip_up_down)

        ds = ds.batch(32).prefetch(tf.data.AUTOTUNE)
        model.fit(ds, epochs=10)
        """,
    ),
    "comments that say what each cache keeps, which would be wrong in another place": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).map(parse).map(tf.image.random_flip_up_down)
        # so that the spectra are computed once
        ds = ds.cache()  #! PIPE301 error
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
    """,
    "trained on here and predicted there": Case(
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).map(tf.image.random_flip_up_down).cache()  #! PIPE301 error, unsafe fix
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
        print(model.predict(ds.batch(64).prefetch(tf.data.AUTOTUNE)))
        """,
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).cache().map(tf.image.random_flip_up_down)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
        print(model.predict(ds.batch(64).prefetch(tf.data.AUTOTUNE)))
        """,
    ),
    "a file that an earlier run has filled": """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices(images).map(tf.image.random_flip_up_down)
        ds = ds.cache("/tmp/train.cache")  #! PIPE301 error
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
    """,
    "one function decodes and augments: a cache before it would keep nothing of that": """
        import tensorflow as tf

        def load(path):
            image = tf.io.decode_jpeg(tf.io.read_file(path))
            return tf.image.random_flip_left_right(image)

        ds = tf.data.Dataset.from_tensor_slices(paths).map(load).cache()  #! PIPE301 error
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
    """,
    "shuffled too: one thing after the other": Case(
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files)
        ds = ds.shuffle(1000)
        ds = ds.map(tf.io.decode_jpeg)
        ds = ds.map(tf.image.random_flip_up_down)
        ds = ds.cache()  #! PIPE301 error, unsafe fix; PIPE302 error
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files)
        ds = ds.map(tf.io.decode_jpeg)
        ds = ds.cache()
        ds = ds.shuffle(1000)
        ds = ds.map(tf.image.random_flip_up_down)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
        beside=("PIPE302",),
    ),
    "flags that one call sets": """
        import tensorflow as tf

        def load(files, augment=False, cache=False):
            ds = tf.data.TFRecordDataset(files)
            if augment:
                ds = ds.map(tf.image.random_flip_up_down)
            if cache:
                ds = ds.cache()  #! PIPE301 error
            return ds.batch(32).prefetch(tf.data.AUTOTUNE)

        model.fit(load(files, augment=True, cache=True), epochs=10)
    """,
}

SILENT: Table = {
    "kept as it is from the predictions to the labels": """
        import numpy as np
        import tensorflow as tf

        def matrix(model, ds):
            ds = ds.cache()
            predicted = np.argmax(model.predict(ds), axis=1)
            labels = [np.argmax(label) for _, label in ds.unbatch()]
            return tf.math.confusion_matrix(labels, predicted)

        def matrix_by_loop(model, ds):
            ds = ds.cache()
            predicted, labels = np.argmax(model.predict(ds), axis=1), np.zeros(10)
            for at, element in enumerate(ds.unbatch()):
                labels[at] = np.argmax(element[1])
            return tf.math.confusion_matrix(labels, predicted)

        train = tf.data.TFRecordDataset(files).map(tf.image.random_flip_up_down).batch(32).prefetch(tf.data.AUTOTUNE)
        model.fit(train, epochs=9)
        print(matrix(model, train), matrix_by_loop(model, train))
    """,
    "a single epoch": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).map(tf.image.random_flip_up_down).cache().batch(32)
        model.fit(ds.prefetch(tf.data.AUTOTUNE))
    """,
    "flags that no call sets together": """
        import tensorflow as tf

        def load(files, augment=False, cache=False):
            ds = tf.data.TFRecordDataset(files)
            if augment:
                ds = ds.map(tf.image.random_flip_up_down)
            if cache:
                ds = ds.cache()
            return ds.batch(32).prefetch(tf.data.AUTOTUNE)

        model.fit(load(files, augment=True), validation_data=load(others, cache=True), epochs=10)
    """,
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
