"""PIPE303 cache-then-take: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "validation in each epoch": Case(
        """
        import tensorflow as tf
        held_back = tf.data.TFRecordDataset(files).map(parse).cache()  #! PIPE303 warning, unsafe fix
        held_back = held_back.take(500)
        model.fit(train, validation_data=held_back.batch(32), epochs=10)
        """,
        """
        import tensorflow as tf
        held_back = tf.data.TFRecordDataset(files).map(parse)
        held_back = held_back.take(500).cache()
        model.fit(train, validation_data=held_back.batch(32), epochs=10)
        """,
    ),
    "a loop in a loop": """
        import tensorflow as tf
        ds = tf.data.TFRecordDataset(files).map(parse).cache().batch(32).take(100)  #! PIPE303 warning
        for epoch in range(10):
            for batch in ds:
                model.train_on_batch(batch)
    """,
    "fewer than there are": """
        import tensorflow as tf
        ds = tf.data.Dataset.range(1000).map(load).cache().take(900)  #! PIPE303 warning, unsafe fix
        model.fit(ds.batch(32), epochs=10)
    """,
}
SILENT: Table = {
    "as many as there are": """
        import tensorflow as tf
        ds = tf.data.Dataset.range(1000).map(load).cache()
        model.fit(ds.take(1000).batch(32), epochs=10)
    """,
    "all batches": """
        import tensorflow as tf
        model.fit(tf.data.Dataset.range(1000).map(load).cache().batch(10).take(100), epochs=10)
    """,
    "who knows how many": """
        import tensorflow as tf
        model.fit(tf.data.TFRecordDataset(files).map(load).cache().take(count).batch(10), epochs=10)
    """,
    "a single pass": """
        import tensorflow as tf
        model.fit(tf.data.TFRecordDataset(files).map(load).cache().take(1000).batch(10))
    """,
    "it repeats before the part is taken": """
        import tensorflow as tf
        model.fit(tf.data.TFRecordDataset(files).map(load).cache().repeat().take(10_000).batch(10), epochs=10)
    """,
    "a look at some": """
        import tensorflow as tf
        ds = tf.data.TFRecordDataset(files).map(load).cache()
        for epoch in range(10):
            for row in ds.take(3):
                show(row)
    """,
}
