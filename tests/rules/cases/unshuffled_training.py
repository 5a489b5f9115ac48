"""What PIPE406 finds beyond its own examples, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "sorted files, by a function for both parts": """
        import tensorflow as tf
        from glob import glob

        def build(paths):
            ds = tf.data.Dataset.from_tensor_slices(paths).map(load, num_parallel_calls=tf.data.AUTOTUNE)
            return ds.batch(16).prefetch(2)

        train, val = build(sorted(glob("train/*/*.png"))), build(sorted(glob("val/*/*.png")))
        model.fit(train, validation_data=val, epochs=25)  #! PIPE406 advice
    """,
    "arrays of two sources": """
        import tensorflow as tf

        slices = tf.data.Dataset.from_tensor_slices
        ds = tf.data.Dataset.zip((slices(texts), slices(labels))).cache().batch(32)
        EPOCHS = 3
        model.fit(ds, epochs=EPOCHS)  #! PIPE406 advice
    """,
}

SILENT: Table = {
    "each epoch goes on where the last one ended": """
        import tensorflow as tf
        model = tf.keras.models.load_model("network.keras")
        ds = tf.data.Dataset.from_tensor_slices((pictures, labels)).batch(32).repeat()
        model.fit(ds, epochs=30, steps_per_epoch=200)
    """,
    "one epoch": """
        import tensorflow as tf

        model.fit(tf.data.Dataset.from_tensor_slices((x, y)).batch(32))
    """,
    "the arrays are permuted": """
        import numpy as np
        import tensorflow as tf

        order = np.random.permutation(len(x))
        model.fit(tf.data.Dataset.from_tensor_slices((x[order], y[order])).batch(32), epochs=5)
    """,
    "a table is sampled": """
        import pandas as pd
        import tensorflow as tf

        table = pd.read_csv("table.csv").sample(frac=1)
        model.fit(tf.data.Dataset.from_tensor_slices(dict(table)).batch(32), epochs=5)
    """,
    "a flag shuffles": """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices((x, y))
        if options.shuffled:
            ds = ds.shuffle(1000)
        model.fit(ds.batch(32), epochs=5)
    """,
    "windows of a series": """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices(series).window(20, shift=1).flat_map(lambda part: part.batch(20))
        model.fit(ds.batch(32), epochs=5)
    """,
    "a model of sequences, which may follow each other in time": """
        import keras
        import tensorflow as tf

        model = keras.Sequential([keras.layers.LSTM(32, stateful=True), keras.layers.Dense(1)])
        model.fit(tf.data.Dataset.from_tensor_slices((past, future)).batch(32), epochs=5)
    """,
    "records, which may be shuffled when they are written": """
        import tensorflow as tf

        model.fit(tf.data.TFRecordDataset(files).map(parse).batch(32), epochs=5)
    """,
    "one batch holds everything": """
        import numpy as np
        import tensorflow as tf

        model.fit(tf.data.Dataset.from_tensor_slices(np.zeros((5000, 2))).batch(5000), epochs=500)
    """,
    "few examples": """
        import tensorflow as tf

        model.fit(tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0, 4.0]).batch(2), epochs=50)
    """,
    "models are compared on the same batches": """
        import tensorflow as tf

        ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(1000)
        wide.fit(ds, epochs=100)
        deep.fit(ds, epochs=100)
    """,
    "ways to feed a model are shown": """
        import numpy as np
        import tensorflow as tf

        x, y = np.load("x.npy"), np.load("y.npy")
        model.fit(x, y, epochs=5)
        model.fit(tf.data.Dataset.from_tensor_slices((x, y)).batch(32), epochs=5)
    """,
    "the dataset comes from elsewhere": """
        import tensorflow as tf
        from data import training_data

        model.fit(training_data().batch(32), epochs=5)
    """,
}
