"""numpy in the `call` of a layer or a model, and all that only looks like it."""

from __future__ import annotations

import pytest

from tests.linting import findings, notebook
from tests.traced_code import marked

NUMPY_IN_CALL = {
    "a layer": """
        class L(tf.keras.layers.Layer):
            def call(self, x):
                return np.sin(x)  #!
    """,
    "a subclass of a subclass with tf.function on call": """
        class A(Layer):
            pass
        class B(A):
            @tf.function(jit_compile=True)
            def call(self, x):
                return np.sin(x)  #!
    """,
    "a base of another module that is a layer by its name": """
        class L(BaseLayer):
            def call(self, x):
                return tf.constant(np.sin(x))  #!
    """,
    "methods and functions that call reaches": """
        def helper(x):
            return np.cos(x)  #!
        class L(Layer):
            def call(self, x):
                return self.middle(x)
            def middle(self, x):
                return helper(x) + np.exp(x)  #!
    """,
    "a chain of numpy": """
        class L(tf.keras.Model):
            def call(self, x):
                x = np.abs(x)  #!
                return np.sum(x)  #!
    """,
    "parts of the inputs": """
        class L(Layer):
            def call(self, inputs, mask=None):
                a, b = inputs
                c = np.maximum(a, 0)  #!
                d = np.where(b > 0, b, 1.0)  #!
                return c + d + np.sum(inputs["c"]) + inputs[0]  #!
    """,
    "a list that fills with tensors": """
        class L(Layer):
            def call(self, x):
                parts = []
                for part in tf.unstack(x):
                    parts.append(tf.sin(part))
                return np.stack(parts)  #!
    """,
    "weights": """
        class L(Layer):
            def build(self, shape):
                self.w = self.add_weight(shape=(3,))
            def call(self, x):
                return x * np.linalg.norm(self.w)  #!
    """,
    "the dynamic shape is a tensor": """
        class L(Layer):
            def call(self, x):
                return x / np.sqrt(tf.cast(tf.shape(x)[-1], tf.float32)) + np.eye(K.shape(x)[0])  #!
    """,
    "a function given to map_fn": """
        class L(Layer):
            def call(self, x):
                return tf.map_fn(lambda row: np.fft.fft(row), x)  #!
    """,
    "a function for training alone": """
        class L(Layer):
            def call(self, x, training=None):
                def noised():
                    return x + np.random.normal(size=3)  #!
                return K.in_train_phase(noised, x, training=training)
    """,
    "random draws": """
        from numpy.random import uniform
        class L(Layer):
            def __init__(self):
                super().__init__()
                self.rng = np.random.default_rng(0)
            def call(self, x, training=None):
                if training:
                    x = x + np.random.normal()  #!
                return x * random.random() + self.rng.uniform() + uniform()  #!
    """,
    "OpenCV": """
        class L(Layer):
            def call(self, image):
                return cv2.resize(image, (4, 4))  #!
    """,
    "a numpy function kept in an attribute": """
        class L(Layer):
            def __init__(self):
                super().__init__()
                self.activation = np.tanh
            def call(self, x):
                return self.activation(x)  #!
    """,
    "static shapes": """
        class L(Layer):
            def call(self, x):
                a = np.prod(x.shape[1:]) + np.prod(x.get_shape().as_list()) + np.prod(K.int_shape(x))
                b = np.arange(len(x)) + np.arange(K.ndim(x)) + np.zeros(np.shape(x))
                return tf.reshape(x, (-1, np.prod(tf.TensorShape(x.shape).as_list())))
    """,
    "shapes that are dynamic only where they must be": """
        def shape_list(x):
            dynamic = tf.shape(x)
            return [dynamic[i] if size is None else size for i, size in enumerate(x.shape)]
        class L(Layer):
            def call(self, x):
                rows = tf.shape(x)[0] if x.shape[0] is None else x.shape[0]
                return tf.reshape(x, (rows, np.prod(shape_list(x)[1:]), np.sqrt(rows)))
    """,
    "a tensor on each way": """
        class L(Layer):
            def call(self, x, mask=None, training=None):
                y, z = None, 0.0
                if training:
                    y, z = tf.sin(x), tf.cos(x)
                if mask is None:
                    mask = tf.ones_like(x)
                return np.abs(y) + np.abs(z) + np.abs(mask)  #!
    """,
    "a sum over a loop": """
        class L(Layer):
            def call(self, x):
                total = 0
                for row in tf.unstack(x):
                    total += tf.reduce_sum(row)
                return np.log(total)  #!
    """,
    "dtypes and constants": """
        class L(Layer):
            def call(self, x):
                limit = np.finfo(np.float32).max
                return tf.cast(x, np.float32) * np.pi + np.log(2.0) + np.array([1, 2], dtype=np.float32) + limit
    """,
    "attributes that __init__ and build set": """
        class L(Layer):
            def __init__(self, alpha):
                super().__init__()
                self.alpha = alpha
                self.scale = tf.constant(2.0) * 3
            def build(self, shape):
                self.size = np.prod(shape)
                self.table = np.random.normal(size=shape)
            def get_config(self):
                return {"alpha": np.sqrt(self.alpha)}
            def call(self, x):
                return x * np.sqrt(self.alpha) + np.log(self.size) + self.table + np.sqrt(self.scale)
    """,
    "settings among the parameters": """
        class L(Layer):
            def call(self, x, num_heads, size: int, axis=-1):
                return tf.reshape(x, (np.prod(size), np.sqrt(num_heads), np.abs(axis)))
    """,
    "behind py_function": """
        def python(x):
            return np.sin(x) + np.random.normal()
        class L(Layer):
            def call(self, x):
                return tf.py_function(python, [x], tf.float32) + tf.numpy_function(self.other, [x], tf.float32)
            def other(self, x):
                return np.cos(x)
    """,
    "an array by test": """
        class L(Layer):
            def call(self, x):
                if isinstance(x, np.ndarray):
                    return np.clip(x, 0, 1)
                return tf.clip_by_value(x, 0, 1)
    """,
    "a test of the inputs that says nothing of arrays": """
        class L(Layer):
            def call(self, x):
                if not isinstance(x, list):
                    raise ValueError
                return np.stack(x)  #!
    """,
    "methods that only a script calls": """
        class Agent(tf.keras.Model):
            def call(self, x):
                return x
            def act(self, x):
                return np.argmax(self(x)) + np.random.choice(3)
    """,
    "a loss is no layer": """
        class Loss(tf.keras.losses.Loss):
            def call(self, y_true, y_pred):
                return np.abs(y_true - y_pred)
    """,
    "a class with a call that is no layer": """
        class Step(Thing):
            def call(self, x):
                return np.abs(x)
    """,
}


@pytest.mark.parametrize("source", NUMPY_IN_CALL.values(), ids=NUMPY_IN_CALL)
def test_numpy_in_call(source: str) -> None:
    expected, found = marked(source, "PIPE604")
    assert found == expected


def test_numpy_layers_without_tensorflow_are_left_alone() -> None:
    source = """
        import numpy as np
        from network import Layer

        class Relu(Layer):
            def call(self, x):
                return np.maximum(0, x)  # keras has this too
    """
    assert findings(source, "PIPE604") == []


def test_the_numpy_of_jax_and_tensorflow_is_none() -> None:
    source = """
        import keras
        import jax.numpy as np
        import tensorflow.experimental.numpy as tnp

        class Wave(keras.layers.Layer):
            def call(self, x):
                return np.sin(x) + tnp.sin(x)
    """
    assert findings(source, "PIPE604") == []


def test_a_layer_and_its_use_in_two_cells() -> None:
    cells = notebook(
        "import numpy as np\nimport tensorflow as tf",
        "class Wave(tf.keras.layers.Layer):\n    def call(self, x):\n        return np.sin(x)",
    )
    assert findings(cells, "PIPE604", path="train.ipynb") == ["PIPE604:2:3 error"]


class TestNumpyInLayers:
    SOURCE = """
        import numpy as np
        import tensorflow as tf

        class Base(tf.keras.layers.Layer):
            pass

        class Noisy(Base):
            @tf.function
            def call(self, inputs):
                {}
                return inputs
        """

    @pytest.mark.parametrize("line", ["inputs = np.tanh(inputs)", "inputs += np.random.normal(size=3)"])
    def test_on_a_tensor_or_drawn_at_random_it_is_found(self, line: str) -> None:
        assert findings(self.SOURCE.format(line), "PIPE603", "PIPE604") == ["PIPE604:10 error"]

    @pytest.mark.parametrize(
        "line",
        [
            "inputs *= np.prod(inputs.shape[1:])",
            "inputs = tf.cast(inputs, np.float32)",
            "inputs *= np.sqrt(2.0 / np.pi)",
            "inputs *= np.sqrt(self.dim)",
            "inputs *= np.log(inputs.get_shape().as_list()[-1])",
        ],
    )
    def test_on_static_shapes_dtypes_constants_and_attributes_it_is_not(self, line: str) -> None:
        assert findings(self.SOURCE.format(line), "PIPE603", "PIPE604") == []
