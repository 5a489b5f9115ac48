"""PIPE503 py-function-in-map: cases beyond the examples of the rule itself."""

from __future__ import annotations

import pytest

from pipelint.model.grades import Severity
from pipelint.rule import Example
from tests.rules.promises import check_promises

CASES = (
    Example(
        "PIL decodes each image",
        """
        import numpy as np
        import tensorflow as tf
        from PIL import Image

        def read(path):
            return np.array(Image.open(path.numpy()).resize((224, 224)))

        def load(path):
            return tf.py_function(read, [path], tf.uint8)

        ds = tf.data.Dataset.list_files("*.jpg").map(load).batch(32)
        model.fit(ds)
        """,
        severity=Severity.WARNING,
    ),
    Example(
        "numpy arithmetic",
        """
        import numpy as np
        import tensorflow as tf

        def scale(x):
            return np.log(x + 1.0)

        ds = tf.data.Dataset.from_tensor_slices(images)
        ds = ds.map(lambda x: tf.numpy_function(scale, [x], tf.float32)).batch(32)
        model.fit(ds)
        """,
        severity=Severity.WARNING,
    ),
    Example(
        "a function of the graph",
        """
        import tensorflow as tf

        def load(path):
            return tf.image.resize(tf.io.decode_image(tf.io.read_file(path), expand_animations=False), (224, 224))

        ds = tf.data.Dataset.list_files("*.jpg").map(load).batch(32)
        model.fit(ds)
        """,
        silent=True,
    ),
)


@pytest.mark.parametrize("example", CASES, ids=lambda example: example.title)
def test_py_function_in_map(example: Example) -> None:
    check_promises("PIPE503", example)
