"""PIPE302 cache-after-shuffle: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "arrays, which are in memory already": Case(
        """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).batch(64)
        ds = ds.cache().prefetch(tf.data.AUTOTUNE)  #! PIPE302 error, unsafe fix
        model.fit(ds, epochs=5)
        """,
        """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).batch(64)
        ds = ds.prefetch(tf.data.AUTOTUNE)
        model.fit(ds, epochs=5)
        """,
    ),
    "arrays, and a line for the cache": Case(
        """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices({"x": x, "y": y}).prefetch(2).shuffle(1000)
        ds = ds.cache()  # keep them  #! PIPE302 error, unsafe fix
        model.fit(ds.batch(8), epochs=5)
        """,
        """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices({"x": x, "y": y}).prefetch(2).shuffle(1000)
        model.fit(ds.batch(8), epochs=5)
        """,
    ),
    "arrays of which a shuffled part was taken: without the cache all of that would be done in each epoch": Case(
        """
        import tensorflow as tf

        rows = tf.data.Dataset.from_tensor_slices({"x": x, "y": y}).map(lambda row: (row["x"], row["y"]))
        kept = rows.shuffle(50_000, seed=1, reshuffle_each_iteration=False).take(40_000)
        train = kept.shuffle(40_000).batch(1024).cache()  #! PIPE302 error, unsafe fix
        model.fit(train, epochs=50)
        """,
        """
        import tensorflow as tf

        rows = tf.data.Dataset.from_tensor_slices({"x": x, "y": y}).map(lambda row: (row["x"], row["y"]))
        kept = rows.shuffle(50_000, seed=1, reshuffle_each_iteration=False).take(40_000)
        train = kept.cache().shuffle(40_000).batch(1024)
        model.fit(train, epochs=50)
        """,
    ),
    "a few epochs of what was shuffled whole before": """
        import tensorflow as tf

        rows = tf.data.TFRecordDataset(files).map(parse).shuffle(50_000, reshuffle_each_iteration=False)
        train = rows.take(40_000).shuffle(40_000).batch(1024).cache()  #! PIPE302 advice
        model.fit(train, epochs=5)
    """,
    "a few epochs of what is in the order of its files": """
        import tensorflow as tf

        rows = tf.data.TFRecordDataset(files).map(parse)
        train = rows.shuffle(40_000).batch(1024).cache()  #! PIPE302 error, unsafe fix
        model.fit(train, epochs=5)
    """,
    "shuffled once": Case(
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(10_000).cache().batch(32).prefetch(tf.data.AUTOTUNE)  #! PIPE302 error, unsafe fix
        model.fit(ds, epochs=10)
        """,
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).cache().shuffle(10_000).batch(32).prefetch(tf.data.AUTOTUNE)
        model.fit(ds, epochs=10)
        """,
    ),
    "the same batches in every epoch": Case(
        """
        import tensorflow as tf

        ds = (
            tf.data.TFRecordDataset(files)
            .shuffle(10_000)
            .batch(32)
            .cache()  #! PIPE302 error, unsafe fix
            .prefetch(tf.data.AUTOTUNE)
        )
        model.fit(ds, epochs=10)
        """,
        """
        import tensorflow as tf

        ds = (
            tf.data.TFRecordDataset(files)
            .cache()
            .shuffle(10_000)
            .batch(32)
            .prefetch(tf.data.AUTOTUNE)
        )
        model.fit(ds, epochs=10)
        """,
    ),
    "work between them stays cached: the shuffle moves": Case(
        """
        import tensorflow as tf

        ds = tf.data.TextLineDataset(files).shuffle(1000)
        ds = ds.map(tokenize, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.cache()  #! PIPE302 error, unsafe fix
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
        """
        import tensorflow as tf

        ds = tf.data.TextLineDataset(files)
        ds = ds.map(tokenize, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.cache().shuffle(1000)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
    ),
    "work between them, in batches": """
        import tensorflow as tf

        ds = tf.data.TextLineDataset(files).shuffle(1000).batch(32).map(tokenize)
        ds = ds.cache()  #! PIPE302 error
        model.fit(ds.prefetch(tf.data.AUTOTUNE), epochs=10)
    """,
    "batches, tokenised, shuffled and cached: the cache keeps what is tokenised": Case(
        """
        import tensorflow as tf

        ds = tf.data.TextLineDataset(files).batch(32).map(tokenize)
        ds = ds.shuffle(100).cache()  #! PIPE401 warning; PIPE302 error, unsafe fix
        model.fit(ds.prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
        """
        import tensorflow as tf

        ds = tf.data.TextLineDataset(files).batch(32).map(tokenize)
        ds = ds.cache().shuffle(100)  #! PIPE401 advice
        model.fit(ds.prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
        beside=("PIPE401",),
    ),
    "a file of an earlier run holds batches": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(1000).batch(32)
        ds = ds.cache("/tmp/train.cache")  #! PIPE302 error
        model.fit(ds.prefetch(tf.data.AUTOTUNE), epochs=10)
    """,
    "a file of an earlier run holds the same elements": Case(
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(1000).cache("/tmp/train.cache")  #! PIPE302 error, unsafe fix
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).cache("/tmp/train.cache").shuffle(1000)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
    ),
    "files are shuffled, not records": """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices(files).shuffle(100)
        ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.cache()  #! PIPE302 error
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
    """,
    "a part of the shuffled elements": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(1000)
        train_ds = ds.take(800).batch(32).cache()  #! PIPE302 warning
        model.fit(train_ds.prefetch(tf.data.AUTOTUNE), epochs=10)
    """,
    "flags that one call sets": """
        import tensorflow as tf

        def load(files, shuffle=False, cache=False):
            ds = tf.data.TFRecordDataset(files)
            if shuffle:
                ds = ds.shuffle(1000)
            if cache:
                ds = ds.cache()  #! PIPE302 error
            return ds.batch(32).prefetch(tf.data.AUTOTUNE)

        model.fit(load(files, shuffle=True, cache=True), epochs=10)
    """,
    "flags that are on by default": """
        import tensorflow as tf

        def load(files, shuffle=True, cache=True):
            ds = tf.data.TFRecordDataset(files)
            if shuffle:
                ds = ds.shuffle(1000)
            if cache:
                ds = ds.cache()  #! PIPE302 advice
            return ds.batch(32).prefetch(tf.data.AUTOTUNE)
    """,
    "one flag for both": """
        import tensorflow as tf

        def load(files, training):
            ds = tf.data.TFRecordDataset(files)
            if training:
                ds = ds.shuffle(1000).cache()  #! PIPE302 advice, unsafe fix
            return ds.batch(32).prefetch(tf.data.AUTOTUNE)
    """,
    "how many epochs is not known": Case(
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(1000).cache()  #! PIPE302 error, unsafe fix
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), **settings)
        """,
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).cache().shuffle(1000)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), **settings)
        """,
    ),
    "a number of epochs that is there to be raised": Case(
        """
        import tensorflow as tf

        EPOCHS = 1
        ds = tf.data.TFRecordDataset(files).shuffle(1000).cache()  #! PIPE302 error, unsafe fix
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=EPOCHS)
        """,
    ),
    "one epoch at a time": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(1000).cache().batch(32).prefetch(tf.data.AUTOTUNE)  #! PIPE302 error, unsafe fix
        for epoch in range(10):
            model.fit(ds)
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

        train = tf.data.TFRecordDataset(files).shuffle(1000).batch(32).prefetch(tf.data.AUTOTUNE)
        model.fit(train, epochs=9)
        print(matrix(model, train), matrix_by_loop(model, train))
    """,
    "a shuffle that a parameter leaves out by default, and nobody asks for": """
        import tensorflow as tf

        class Loader:
            def load(self, size=8, whole=False):
                self.whole = whole
                ds = tf.data.TFRecordDataset(files)
                if self.whole:
                    ds = ds.shuffle(1000)
                return ds.batch(size).cache()

        model.fit(Loader().load(size=4), epochs=9)
    """,
    "a buffer of one element keeps the order anyway": """
        import tensorflow as tf

        model.fit(tf.data.TFRecordDataset(files).shuffle(1).batch(32).cache(), epochs=5)
    """,
    "an endless stream, of which no cache is ever full": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).repeat().shuffle(100).cache()
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10, steps_per_epoch=100)
    """,
    "a single epoch": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(1000).cache().batch(32)
        model.fit(ds.prefetch(tf.data.AUTOTUNE))
    """,
    "flags that no call sets together": """
        import tensorflow as tf

        def load(files, shuffle=False, cache=False):
            ds = tf.data.TFRecordDataset(files)
            if shuffle:
                ds = ds.shuffle(1000)
            if cache:
                ds = ds.cache()
            return ds.batch(32).prefetch(tf.data.AUTOTUNE)

        model.fit(load(files, shuffle=True), epochs=10)
    """,
    "flags that nobody in sight sets": """
        import tensorflow as tf

        class Loader:
            def __init__(self, shuffle, cache):
                self.shuffle = shuffle
                self.cache = cache

            def load(self, files):
                ds = tf.data.TFRecordDataset(files)
                if self.shuffle:
                    ds = ds.shuffle(1000)
                if self.cache:
                    ds = ds.cache()
                return ds.batch(32).prefetch(tf.data.AUTOTUNE)
    """,
    "flags out of sight": """
        import tensorflow as tf

        def load(files, training, cache=False):
            ds = tf.data.TFRecordDataset(files)
            if training:
                ds = ds.shuffle(1000)
            if cache:
                ds = ds.cache()
            return ds.batch(32).prefetch(tf.data.AUTOTUNE)

        model.fit(load(files, config.training, config.cache), epochs=10)
    """,
    "a fixed order on purpose": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(10_000, reshuffle_each_iteration=False).cache()
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
    """,
    "shuffled again behind the cache": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(100).cache().shuffle(10_000)
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE), epochs=10)
    """,
    "evaluation": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(100).batch(32).cache().prefetch(tf.data.AUTOTUNE)
        model.evaluate(ds)
    """,
}
