"""PIPE503 py-function-in-map: where it fires, what it makes of it, and where it stays silent."""

from __future__ import annotations

from tests.cases import Table


def mapped(function: str, severity: str) -> str:
    """A function behind tf.py_function, and how bad that is."""
    return f"""
        import PIL.Image, requests
        import numpy as np
        import tensorflow as tf
        from elsewhere import Thing
        ds = tf.data.Dataset.list_files("*").map(lambda path: tf.py_function({function}, [path], tf.uint8))  #! PIPE503 {severity}
        model.fit(ds.batch(32))
    """


FOUND: Table = {
    "PIL decodes each image": """
        import numpy as np
        import tensorflow as tf
        from PIL import Image

        def read(path):
            return np.array(Image.open(path.numpy()).resize((224, 224)))

        def load(path):
            return tf.py_function(read, [path], tf.uint8)

        ds = tf.data.Dataset.list_files("*.jpg").map(load).batch(32)  #! PIPE503 warning
        model.fit(ds)
    """,
    "numpy arithmetic": """
        import numpy as np
        import tensorflow as tf

        def scale(x):
            return np.log(x + 1.0)

        ds = tf.data.Dataset.from_tensor_slices(images)
        ds = ds.map(lambda x: tf.numpy_function(scale, [x], tf.float32)).batch(32)  #! PIPE503 warning
        model.fit(ds)
    """,
    "PIL decodes": mapped("lambda path: PIL.Image.open(path)", "warning"),
    "numpy loads": mapped("np.load", "warning"),
    "plain Python": mapped("lambda path: path + 1", "warning"),
    "the network, for which calls wait side by side": mapped("lambda path: requests.get(path)", "advice"),
    "what is not known": mapped("Thing", "advice"),
}

SILENT: Table = {
    "a function of the graph": """
        import tensorflow as tf

        def load(path):
            return tf.image.resize(tf.io.decode_image(tf.io.read_file(path), expand_animations=False), (224, 224))

        ds = tf.data.Dataset.list_files("*.jpg").map(load).batch(32)
        model.fit(ds)
    """,
    "not in a pipeline": """
        import tensorflow as tf

        y = tf.py_function(lambda x: x + 1, [x], tf.float32)
    """,
}
