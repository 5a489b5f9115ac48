"""PIPE104 vectorizable-map: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "a lambda over rows that are counted": """
        import numpy as np
        import tensorflow as tf
        rows = np.zeros((50_000, 8))
        ds = tf.data.Dataset.from_tensor_slices(rows).map(lambda row: tf.math.log1p(row) * 2)  #! PIPE104 advice
        model.fit(ds.shuffle(1000).batch(64), epochs=5)
    """,
    "the first of two, the second of which only picks": """
        import tensorflow as tf
        (x, y), _ = tf.keras.datasets.fashion_mnist.load_data()

        def prepare(image, label):
            image = tf.image.convert_image_dtype(image, tf.float32)
            image -= 0.5
            return image, tf.one_hot(label, 10)

        ds = tf.data.Dataset.from_tensor_slices((x, y)).map(prepare)  #! PIPE104 advice
        ds = ds.map(lambda image, label: {"image": image, "label": label}).repeat().batch(64)
        model.fit(ds, epochs=5, steps_per_epoch=100)
    """,
    "parts of a dict, each by itself": """
        import tensorflow as tf
        (x, y), _ = tf.keras.datasets.mnist.load_data()
        ds = tf.data.Dataset.from_tensor_slices({"x": x, "y": y})
        ds = ds.map(lambda row: (row["x"] / 255, tf.cast(row["y"], tf.int32))).batch(64)  #! PIPE104 advice
        model.fit(ds, epochs=5)
    """,
}
SILENT: Table = {
    "two parts of an element meet": """
        import tensorflow as tf
        (x, y), _ = tf.keras.datasets.mnist.load_data()
        ds = tf.data.Dataset.from_tensor_slices((x, y)).map(lambda image, weight: image * weight)
        model.fit(ds.batch(64), epochs=5)
    """,
    "reshaped": """
        import tensorflow as tf
        (x, y), _ = tf.keras.datasets.mnist.load_data()
        ds = tf.data.Dataset.from_tensor_slices(x).map(lambda image: tf.reshape(image, (784,)) / 255)
        model.fit(ds.batch(64), epochs=5)
    """,
    "a part of each": """
        import tensorflow as tf
        (x, y), _ = tf.keras.datasets.mnist.load_data()
        ds = tf.data.Dataset.from_tensor_slices(x).map(lambda image: image[:14] / 255)
        model.fit(ds.batch(64), epochs=5)
    """,
    "another function comes between": """
        import tensorflow as tf
        (x, y), _ = tf.keras.datasets.mnist.load_data()
        ds = tf.data.Dataset.from_tensor_slices(x).map(lambda image: image / 255).map(augment)
        model.fit(ds.batch(64), epochs=5)
    """,
    "a cache pays once": """
        import tensorflow as tf
        (x, y), _ = tf.keras.datasets.mnist.load_data()
        ds = tf.data.Dataset.from_tensor_slices(x).map(lambda image: image / 255).cache()
        model.fit(ds.shuffle(1000).batch(64), epochs=5)
    """,
    "decoded pictures": """
        import tensorflow as tf
        ds = tf.data.TFRecordDataset(files).map(tf.io.decode_jpeg).map(lambda image: image / 255)
        model.fit(ds.batch(64), epochs=5)
    """,
    "who knows how many": """
        import tensorflow as tf
        ds = tf.data.Dataset.from_tensor_slices(x).map(lambda image: image / 255)
        model.fit(ds.batch(64), epochs=5)
    """,
    "few": """
        import numpy as np
        import tensorflow as tf
        ds = tf.data.Dataset.from_tensor_slices(np.zeros((100, 8))).map(lambda row: row / 255)
        model.fit(ds.batch(10), epochs=5)
    """,
    "only evaluated": """
        import tensorflow as tf
        _, (x, y) = tf.keras.datasets.mnist.load_data()
        model.evaluate(tf.data.Dataset.from_tensor_slices((x, y)).map(lambda image, label: (image / 255, label)).batch(64))
    """,
}
