"""PIPE305 cache-file-shared: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "a constant": """
        import tensorflow as tf
        CACHE = "rows.cache"
        train = tf.data.Dataset.from_tensor_slices(train_paths).map(load).cache(CACHE)
        test = tf.data.Dataset.from_tensor_slices(test_paths).map(load).cache(filename=CACHE)  #! PIPE305 error
        model.fit(train.batch(32), epochs=3)
        model.evaluate(test.batch(32))
    """,
}
SILENT: Table = {
    "in memory": """
        import tensorflow as tf
        train = tf.data.TFRecordDataset(train_files).cache().batch(32)
        model.fit(train, validation_data=tf.data.TFRecordDataset(test_files).cache("").batch(32), epochs=3)
    """,
    "a name for each": """
        import tensorflow as tf

        def load(files, name):
            return tf.data.TFRecordDataset(files).cache(f"/tmp/{name}").batch(32)

        model.fit(load(train_files, "train"), validation_data=load(test_files, "test"), epochs=3)
    """,
    "one function for two programs that train on the same": """
        import tensorflow as tf

        def load(files):
            return tf.data.TFRecordDataset(files).cache("rows").batch(32)

        small.fit(load(files), epochs=3)
        large.fit(load(files), epochs=3)
    """,
    "one dataset for two models": """
        import tensorflow as tf
        rows = tf.data.TFRecordDataset(files).cache("rows").batch(32)
        small.fit(rows, epochs=3)
        large.fit(rows, epochs=3)
    """,
    "either the one or the other": """
        import tensorflow as tf
        if compressed:
            rows = tf.data.TFRecordDataset(files, compression_type="GZIP").cache("rows")
        else:
            rows = tf.data.TFRecordDataset(files).cache("rows")
        model.fit(rows.batch(32), epochs=3)
    """,
}
