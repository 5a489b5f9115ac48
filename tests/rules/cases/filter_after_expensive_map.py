"""PIPE108 filter-after-expensive-map: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "a lambda with a function behind it": """
        import tensorflow as tf
        ds = tf.data.Dataset.from_tensor_slices((paths, labels))
        ds = ds.map(lambda path, label: (tf.io.decode_png(tf.io.read_file(path)), label))

        def is_known(image, label):
            return tf.reduce_any(tf.equal(label, [1, 2]))

        model.fit(ds.filter(is_known).batch(32), epochs=3)  #! PIPE108 advice
    """,
    "the second of three parts": """
        import tensorflow as tf

        def load(path, label, weight):
            image = tf.io.decode_png(tf.io.read_file(path))
            return image, label, weight * 2

        ds = tf.data.Dataset.from_tensor_slices((paths, labels, weights)).map(load)
        model.fit(ds.filter(lambda image, label, weight: label > 0).batch(32), epochs=3)  #! PIPE108 advice
    """,
}
SILENT: Table = {
    "the label is another one behind the map": """
        import tensorflow as tf

        def load(path, label):
            label = label - 1
            return tf.io.decode_png(tf.io.read_file(path)), label

        ds = tf.data.Dataset.from_tensor_slices((paths, labels)).map(load)
        model.fit(ds.filter(lambda image, label: label > 0).batch(32), epochs=3)
    """,
    "other places behind the map": """
        import tensorflow as tf

        def load(label, path):
            return tf.io.decode_png(tf.io.read_file(path)), label

        ds = tf.data.Dataset.from_tensor_slices((labels, paths)).map(load)
        model.fit(ds.filter(lambda image, label: label > 0).batch(32), epochs=3)
    """,
    "both parts": """
        import tensorflow as tf

        def load(path, label):
            return tf.io.decode_png(tf.io.read_file(path)), label

        ds = tf.data.Dataset.from_tensor_slices((paths, labels)).map(load)
        model.fit(ds.filter(lambda image, label: tf.reduce_max(image) > label).batch(32), epochs=3)
    """,
    "a map that costs nothing": """
        import tensorflow as tf
        ds = tf.data.Dataset.from_tensor_slices((x, labels)).map(lambda row, label: (row / 255, label))
        model.fit(ds.filter(lambda row, label: label > 0).batch(32), epochs=3)
    """,
    "another stage in between": """
        import tensorflow as tf

        def load(path, label):
            return tf.io.decode_png(tf.io.read_file(path)), label

        ds = tf.data.Dataset.from_tensor_slices((paths, labels)).map(load).cache()
        model.fit(ds.filter(lambda image, label: label > 0).batch(32), epochs=3)
    """,
}
