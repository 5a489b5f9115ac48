"""PIPE709 unvectorized-map-fn: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Case, Table

FOUND: Table = {
    "a function of the program, in a layer": Case(
        """
        import tensorflow as tf

        def scaled(row):
            row = row - tf.reduce_mean(row)
            return row / tf.math.reduce_std(row)

        class Scale(tf.keras.layers.Layer):
            def call(self, rows):
                return tf.map_fn(fn=scaled, elems=rows, fn_output_signature=tf.float32)  #! PIPE709 advice, unsafe fix
        """,
        """
        import tensorflow as tf

        def scaled(row):
            row = row - tf.reduce_mean(row)
            return row / tf.math.reduce_std(row)

        class Scale(tf.keras.layers.Layer):
            def call(self, rows):
                return tf.vectorized_map(scaled, rows)
        """,
    ),
    "in a mapped function": """
        import tensorflow as tf
        ds = tf.data.Dataset.from_tensor_slices(x).batch(32)
        ds = ds.map(lambda rows: tf.map_fn(lambda row: tf.matmul(row, row), rows))  #! PIPE709 advice, unsafe fix
        model.fit(ds)
    """,
}
SILENT: Table = {
    "outside of a graph, once": """
        import tensorflow as tf
        print(tf.map_fn(lambda row: tf.reduce_sum(row), tf.ones((3, 4))))
    """,
    "draws for each row": """
        import tensorflow as tf

        @tf.function
        def cropped(images):
            return tf.map_fn(lambda image: tf.image.random_crop(image, (32, 32, 3)), images)
    """,
    "a function that calls another one": """
        import tensorflow as tf

        def scaled(row):
            return lookup(tf.reduce_sum(row))

        @tf.function
        def all_scaled(rows):
            return tf.map_fn(scaled, rows)
    """,
    "branches on a row": """
        import tensorflow as tf

        def clipped(row):
            if tf.reduce_sum(row) > 1:
                row = row / tf.reduce_sum(row)
            return row

        @tf.function
        def all_clipped(rows):
            return tf.map_fn(clipped, rows)
    """,
    "rows of any length": """
        import tensorflow as tf

        @tf.function
        def doubled(rows):
            signature = tf.RaggedTensorSpec([None], tf.float32)
            return tf.map_fn(lambda row: tf.concat([row, row], 0), rows, fn_output_signature=signature)
    """,
    "nothing that is known": """
        import tensorflow as tf

        @tf.function
        def mapped(function, rows):
            return tf.map_fn(function, rows)
    """,
}
