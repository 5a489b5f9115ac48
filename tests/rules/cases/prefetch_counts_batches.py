"""What PIPE103 finds beyond its own examples, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "slices of arrays are in memory anyway": Case(
        """
        import tensorflow as tf

        BATCH = 256
        ds = tf.data.Dataset.from_tensor_slices((frame, labels)).shuffle(len(frame)).batch(BATCH)
        model.fit(ds.prefetch(BATCH), epochs=10)  #! PIPE103 advice, safe fix
        """,
        """
        import tensorflow as tf

        BATCH = 256
        ds = tf.data.Dataset.from_tensor_slices((frame, labels)).shuffle(len(frame)).batch(BATCH)
        model.fit(ds.prefetch(tf.data.AUTOTUNE), epochs=10)
        """,
    ),
    "a parameter, which callers set": """
        import tensorflow as tf

        def build(files, batch_size):
            ds = tf.data.TFRecordDataset(files).map(parse).batch(batch_size)
            return ds.prefetch(batch_size)  #! PIPE103 warning

        model.fit(build(files, batch_size=int(sizes[0])), epochs=10)
    """,
    "a source that gives batches": """
        import tensorflow as tf

        ds = tf.keras.utils.image_dataset_from_directory("photos", batch_size=BATCH)
        model.fit(ds.map(augment).prefetch(buffer_size=BATCH), epochs=10)  #! PIPE103 warning, safe fix
    """,
    "some tens of batches may be meant": """
        import tensorflow as tf

        ds = tf.data.TFRecordDataset(files).map(parse).padded_batch(32)
        model.fit(ds.prefetch(buffer_size=32), epochs=10)  #! PIPE103 advice, safe fix
    """,
    "a constant that is meant for the shuffle": """
        import tensorflow as tf

        BUFFER = 1024
        ds = tf.data.TFRecordDataset(files).map(parse).shuffle(BUFFER).batch(32)
        model.fit(ds.prefetch(buffer_size=BUFFER), epochs=10)  #! PIPE103 warning, safe fix
    """,
}

SILENT: Table = {
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
