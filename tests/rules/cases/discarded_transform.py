"""PIPE110 discarded-transform: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "a shuffle of batches, whose rows are shuffled where they are read": """
        import tensorflow as tf
        ds = tf.data.experimental.make_csv_dataset("rows.csv", batch_size=2048, label_name="y", num_epochs=1)
        ds.shuffle(10_000)  #! PIPE110 advice
        model.fit(ds, epochs=5)
    """,
    "a shuffle of decoded pictures, as many as memory holds and more": """
        import tensorflow as tf

        def load(path):
            return tf.io.decode_jpeg(tf.io.read_file(path))

        ds = tf.data.Dataset.list_files("*.jpg").map(load, num_parallel_calls=tf.data.AUTOTUNE)
        ds.shuffle(50_000)  #! PIPE110 error
        ds.shuffle(500)  #! PIPE110 error, unsafe fix
        model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
    """,
    "a shuffle meant for batches that are dropped as well": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset("train").map(parse)
        ds.batch(32)  #! PIPE110 error
        ds.shuffle(100)  #! PIPE110 error
        for row in ds.take(1000):
            count(row)
    """,
    "a shuffle before batches that are dropped as well": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset("train").map(parse)
        ds.shuffle(100)  #! PIPE110 error, unsafe fix
        ds.batch(32)  #! PIPE110 error
        for row in ds.take(1000):
            count(row)
    """,
    "a prefetch that is lost costs time, not results": """
        import tensorflow as tf

        def load(files):
            ds = tf.data.TFRecordDataset(files).batch(32)
            ds.prefetch(tf.data.AUTOTUNE)  #! PIPE110 advice, unsafe fix
            ds.cache()  #! PIPE110 warning, unsafe fix
            return ds
    """,
    "the code below is written for the elements as they are": """
        import tensorflow as tf

        def first_pictures(data, number):
            data.unbatch()  #! PIPE110 error
            return [batch.numpy()[0] for batch in data.take(number)]

        ds = tf.data.TFRecordDataset("train").map(parse)
        ds.batch(32)  #! PIPE110 error
        for picture in ds:
            learn(picture[tf.newaxis])
    """,
    "fit takes the batches that were meant": Case(
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset("train").map(parse)
        ds.batch(32)  #! PIPE110 error, unsafe fix
        model.fit(ds)
        """,
        """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset("train").map(parse)
        ds = ds.batch(32)
        model.fit(ds)
        """,
    ),
    "a shuffle before a split would move examples between the parts in each epoch": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset("all").map(parse)
        ds.shuffle(5000)  #! PIPE110 error
        model.fit(ds.skip(1000).batch(32), validation_data=ds.take(1000).batch(32))
    """,
    "tried with no word of what came of it": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset("train").map(parse)
        try:
            ds.batch(32)  #! PIPE110 error, unsafe fix
        except ValueError:
            pass
        model.fit(ds)
    """,
    "a shuffle before a split that keeps its order": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset("all").map(parse)
        ds.shuffle(5000, reshuffle_each_iteration=False)  #! PIPE110 error, unsafe fix
        model.fit(ds.skip(1000).batch(32), validation_data=ds.take(1000).batch(32))
    """,
    "a part of the batches, by a number that may count examples": """
        import tensorflow as tf

        def prepare(ds):
            return ds.map(parse).batch(32)

        ds = tf.data.TFRecordDataset("all").apply(prepare)
        train = ds.take(8000)
        ds.skip(8000)  #! PIPE110 error
        model.fit(train, validation_data=ds.take(100))
    """,
    "a part of the examples": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset("all").map(parse)
        ds.skip(8000)  #! PIPE110 error, unsafe fix
        model.fit(ds.batch(32))
    """,
}

SILENT: Table = {
    "a single element": """
        import tensorflow as tf
        both = tf.data.Dataset.zip((tf.data.Dataset.from_tensors(x), tf.data.Dataset.from_tensors(y)))
        both.prefetch(3)
        model.fit(both, epochs=5)
    """,
    "tried only to see whether it raises": """
        import tensorflow as tf

        def can_be_taken_apart(ds: tf.data.Dataset):
            try:
                ds.unbatch()
            except ValueError:
                return False
            else:
                return True

        can_be_taken_apart(tf.data.TFRecordDataset("train.tfrecord").batch(8))
    """,
    "a look at the first elements, which a notebook shows": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset("train.tfrecord")
        ds.map(decode).take(1)
    """,
}
