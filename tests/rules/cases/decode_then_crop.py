"""PIPE504 decode-then-crop: where it fires, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table

FOUND: Table = {
    "in a function that it calls, with another dtype between": """
        import tensorflow as tf

        def decode(data):
            return tf.image.convert_image_dtype(tf.image.decode_jpeg(data, channels=3), tf.float32)

        def prepare(path, label):
            return tf.image.crop_to_bounding_box(decode(tf.io.read_file(path)), 10, 10, 100, 100), label  #! PIPE504 advice

        model.fit(tf.data.Dataset.from_tensor_slices((paths, labels)).map(prepare).batch(32))
    """,
    "the middle": """
        import tensorflow as tf

        def load(path):
            return tf.image.central_crop(tf.io.decode_jpeg(tf.io.read_file(path)), 0.5)  #! PIPE504 advice

        model.fit(tf.data.Dataset.list_files("photos/*.jpg").map(load).batch(32))
    """,
}
SILENT: Table = {
    "nearly all of it": """
        import tensorflow as tf

        def load(path):
            return tf.image.central_crop(tf.io.decode_jpeg(tf.io.read_file(path)), central_fraction=0.875)

        model.fit(tf.data.Dataset.list_files("photos/*.jpg").map(load).batch(32))
    """,
    "another format": """
        import tensorflow as tf

        def load(path):
            return tf.image.random_crop(tf.io.decode_png(tf.io.read_file(path)), (224, 224, 3))

        model.fit(tf.data.Dataset.list_files("photos/*.png").map(load).batch(32))
    """,
    "a picture and its mask": """
        import tensorflow as tf

        def load(photo, mask):
            both = tf.concat([tf.io.decode_jpeg(photo), tf.io.decode_jpeg(mask)], -1)
            return tf.image.random_crop(both, (224, 224, 4))

        model.fit(tf.data.Dataset.from_tensor_slices((photos, masks)).map(load).batch(32))
    """,
    "now and then": """
        import tensorflow as tf

        def load(path):
            photo = tf.io.decode_jpeg(tf.io.read_file(path))
            if tf.random.uniform(()) > 0.5:
                photo = tf.image.random_crop(photo, (224, 224, 3))
            return photo

        model.fit(tf.data.Dataset.list_files("photos/*.jpg").map(load).batch(32))
    """,
    "turned first": """
        import tensorflow as tf

        def load(path):
            photo = tf.image.random_flip_left_right(tf.io.decode_jpeg(tf.io.read_file(path)))
            return tf.image.random_crop(photo, (224, 224, 3))

        model.fit(tf.data.Dataset.list_files("photos/*.jpg").map(load).batch(32))
    """,
}
