"""What PIPE403 finds beyond its own examples, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "the files come in another order in each pass, too": """
        import tensorflow_datasets as tfds

        everything = tfds.load("malaria", split="train", shuffle_files=True, as_supervised=True)
        everything = everything.shuffle(1000)  #! PIPE403 error
        model.fit(everything.skip(500).batch(64), validation_data=everything.take(500).batch(64), epochs=5)
    """,
    "a seed fixes the sequence of orders, not one order": Case(
        """
        import tensorflow as tf

        SEED = 7
        everything = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(len(x), seed=SEED)  #! PIPE403 error, unsafe fix
        val = everything.take(500).batch(64)
        train = everything.skip(500).batch(64)
        model.fit(train, validation_data=val, epochs=5)
        """,
        """
        import tensorflow as tf

        SEED = 7
        everything = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(len(x), seed=SEED, reshuffle_each_iteration=False)
        val = everything.take(500).batch(64)
        train = everything.skip(500).shuffle(len(x), seed=SEED).batch(64)
        model.fit(train, validation_data=val, epochs=5)
        """,
    ),
    "what is trained on is shuffled again already": Case(
        """
        import tensorflow as tf

        def parts(ds, count):
            ds = ds.shuffle(  #! PIPE403 error, unsafe fix
                count,
                reshuffle_each_iteration=True,
            )
            return ds.take(800).shuffle(800).batch(32), ds.skip(800).batch(32)

        train, val = parts(tf.data.TFRecordDataset(files), 1000)
        model.fit(train, validation_data=val, epochs=5)
        """,
        """
        import tensorflow as tf

        def parts(ds, count):
            ds = ds.shuffle(
                count,
                reshuffle_each_iteration=False,
            )
            return ds.take(800).shuffle(800).batch(32), ds.skip(800).batch(32)

        train, val = parts(tf.data.TFRecordDataset(files), 1000)
        model.fit(train, validation_data=val, epochs=5)
        """,
    ),
    "a function cuts the parts: the buffer means the same behind the split": Case(
        """
        import tensorflow as tf

        def parts(ds, count):
            ds = ds.shuffle(  #! PIPE403 error, unsafe fix
                count,
                reshuffle_each_iteration=True,
            )
            cut = int(0.8 * count)
            train = ds.take(cut)
            return train.batch(32), ds.skip(cut).batch(32)

        train, val = parts(tf.data.TFRecordDataset(files), 1000)
        model.fit(train, validation_data=val, epochs=5)
        """,
        """
        import tensorflow as tf

        def parts(ds, count):
            ds = ds.shuffle(
                count,
                reshuffle_each_iteration=False,
            )
            cut = int(0.8 * count)
            train = ds.take(cut).shuffle(count, reshuffle_each_iteration=True)
            return train.batch(32), ds.skip(cut).batch(32)

        train, val = parts(tf.data.TFRecordDataset(files), 1000)
        model.fit(train, validation_data=val, epochs=5)
        """,
    ),
    "decoded pictures are split: a buffer of them would hold much more": """
        import tensorflow as tf

        pictures = tf.data.Dataset.from_tensor_slices(paths).shuffle(10_000).map(load)  #! PIPE403 error
        model.fit(pictures.skip(500).batch(32), validation_data=pictures.take(500).batch(32), epochs=5)
    """,
    "batches are split": """
        import tensorflow as tf

        batches = tf.data.TFRecordDataset(files).shuffle(1000).map(parse).batch(32)  #! PIPE403 error
        model.fit(batches.skip(10), validation_data=batches.take(10), epochs=5)
    """,
    "three parts, by a function that shuffles unless told not to": """
        import tensorflow as tf

        def partitions(ds, size, shuffle=True):
            if shuffle:
                ds = ds.shuffle(10_000, seed=12)  #! PIPE403 error
            train_size, val_size = int(0.8 * size), int(0.1 * size)
            train_ds = ds.take(train_size)
            val_ds = ds.skip(train_size).take(val_size)
            test_ds = ds.skip(train_size).skip(val_size)
            return train_ds, val_ds, test_ds

        train, val, test = partitions(tf.data.TFRecordDataset(files), 5000)
        model.fit(train.batch(32), validation_data=val.batch(32), epochs=5)
    """,
    "each part is cached: the parts overlap for good": """
        import tensorflow as tf

        ratings = tf.data.TFRecordDataset(files).shuffle(100_000)  #! PIPE403 error, unsafe fix
        train = ratings.take(80_000).batch(256).cache()
        test = ratings.skip(80_000).batch(256).cache()
        model.fit(train, epochs=5)
        model.evaluate(test)
    """,
    "list_files shuffles unless told not to: in the order of files, a part may lack classes": """
        import tensorflow as tf

        files = tf.data.Dataset.list_files("photos/*/*.jpg")  #! PIPE403 error
        val = files.take(900).map(load).batch(32)
        train = files.skip(900).map(load).batch(32)
        model.fit(train, validation_data=val, epochs=5)
    """,
    "a flag that nothing in sight decides": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files)
        if options.shuffle:
            ds = ds.shuffle(1000)  #! PIPE403 warning
        model.fit(ds.skip(100).batch(8), validation_data=ds.take(100).batch(8), epochs=5)
    """,
    "nothing tells what the parts are for, but they are cut at one place": """
        import tensorflow as tf

        def halves(files, count):
            ds = tf.data.TFRecordDataset(files).shuffle(1000)  #! PIPE403 warning, unsafe fix
            return ds.take(count).batch(8), ds.skip(count).batch(8)
    """,
}

SILENT: Table = {
    "a buffer of one element keeps the order": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(buffer_size=1)
        model.fit(ds.skip(500).batch(32), validation_data=ds.take(500).batch(32), epochs=5)
    """,
    "the parts are cut before the shuffle": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files)
        train, val = ds.skip(100).shuffle(1000).batch(8), ds.take(100).batch(8)
        model.fit(train, validation_data=val, epochs=5)
    """,
    "files are listed in order and shuffled once": """
        import tensorflow as tf

        files = tf.data.Dataset.list_files("photos/*/*.jpg", shuffle=False)
        files = files.shuffle(4000, reshuffle_each_iteration=False)
        model.fit(files.skip(900).map(load).batch(32), validation_data=files.take(900).map(load).batch(32))
    """,
    "a cache keeps one order before the split": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(1000).cache()
        model.fit(ds.skip(100).batch(8), validation_data=ds.take(100).batch(8), epochs=5)
    """,
    "both parts are trained on": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(1000)
        model.fit(ds.take(100).batch(8), epochs=5)
        model.fit(ds.skip(100).batch(8), epochs=5)
    """,
    "the parts are of two datasets": """
        import tensorflow as tf

        def load(name):
            return tf.data.TFRecordDataset(name).shuffle(1000)

        model.fit(load("train").skip(10).batch(8), validation_data=load("val").take(100).batch(8), epochs=5)
    """,
    "a caller decides whether it shuffles anew": """
        import tensorflow as tf

        def split(ds, again):
            ds = ds.shuffle(1000, reshuffle_each_iteration=again)
            return ds.take(100).batch(8), ds.skip(100).batch(8)

        train, val = split(tf.data.TFRecordDataset(files), False)
        model.fit(train, validation_data=val)
    """,
    "only a part is used": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).shuffle(1000)
        model.fit(ds.take(10_000).batch(8), epochs=5)
    """,
    "a lesson that shows both": """
        import tensorflow as tf

        ds = tf.data.Dataset.range(1500)
        mixed = ds.shuffle(1500, reshuffle_each_iteration=True)
        train, test = mixed.take(1000).repeat(10), mixed.skip(1000)
        print({int(x) for x in train} & {int(x) for x in test})
        kept = ds.shuffle(1500, reshuffle_each_iteration=False)
        train, test = kept.take(1000).repeat(10), kept.skip(1000)
        print({int(x) for x in train} & {int(x) for x in test})
    """,
}
