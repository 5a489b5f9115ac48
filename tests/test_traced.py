"""Python in traced code: numpy in `call`, numpy on tensors, side effects, and debugging that is left on."""

from __future__ import annotations

import textwrap

import pytest

from tests.linting import findings, notebook

PREAMBLE = """\
import random
import cv2
import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K
from tensorflow.keras.layers import Layer
from elsewhere import BaseLayer, Thing
"""
FIRST = PREAMBLE.count("\n") + 1


def marked(source: str, code: str) -> tuple[list[int], list[int]]:
    """The lines that end in `#!`, and the lines that the rule reports, counted without the preamble."""
    text = PREAMBLE + textwrap.dedent(source).lstrip("\n")
    expected = [number for number, line in enumerate(text.split("\n"), 1) if line.endswith("#!")]
    found = [int(line.partition(":")[2].partition(" ")[0]) for line in findings(text, code)]
    return [line - FIRST for line in expected], [line - FIRST for line in dict.fromkeys(found)]


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


def test_tensorflow_1_is_left_alone() -> None:
    source = """
        import numpy as np
        import tensorflow.compat.v1 as tf

        class Wave(tf.keras.layers.Layer):
            def call(self, x):
                print(x)
                return np.sin(x)

        tf.debugging.set_log_device_placement(True)
    """
    assert findings(source, "PIPE601", "PIPE603", "PIPE604", "PIPE901") == []


def test_a_layer_and_its_use_in_two_cells() -> None:
    cells = notebook(
        "import numpy as np\nimport tensorflow as tf",
        "class Wave(tf.keras.layers.Layer):\n    def call(self, x):\n        return np.sin(x)",
    )
    assert findings(cells, "PIPE604", path="train.ipynb") == ["PIPE604:2:3 error"]


NUMPY_ON_TENSOR = {
    "a mapped function and its helper": """
        def helper(x):
            return np.sqrt(x)  #!
        ds = tf.data.Dataset.range(3).map(lambda x: helper(x))
    """,
    "the value of a tensor": """
        @tf.function
        def f(x):
            y = tf.reduce_sum(x)
            return y.numpy()  #!
    """,
    "train_step": """
        class M(tf.keras.Model):
            def train_step(self, data):
                return {"loss": np.mean(data)}  #!
    """,
    "what numpy-in-call reports is not reported twice": """
        class L(Layer):
            def call(self, x):
                return np.sin(x)
        layer = L()
        ds = tf.data.Dataset.range(3).map(lambda x: layer(x))
    """,
    "parameters that are plain Python": """
        @tf.function
        def f(sigma, size, x=3, mode="a"):
            return tf.constant(np.exp(-sigma) + np.zeros(size) + np.sqrt(x))
    """,
    "a function that is called with a number": """
        @tf.function
        def f(x):
            return tf.ones(3) * np.sqrt(x)
        f(2.0)
    """,
    "a pool is no dataset": """
        from multiprocessing import Pool
        def f(x):
            print(x)
            return np.sqrt(x)
        Pool().map(f, [1, 2])
        pool.map(f, [1, 2])
    """,
    "eager by a switch": """
        tf.config.run_functions_eagerly(True)
        @tf.function
        def f(x):
            return tf.reduce_sum(x).numpy()
    """,
    "a model that is compiled to run eagerly": """
        class M(tf.keras.Model):
            def train_step(self, data):
                return {"loss": self(data).numpy()}
        model = M()
        model.compile("adam", "mse", run_eagerly=True)
    """,
    "eager by a test": """
        @tf.function
        def f(x):
            if tf.executing_eagerly():
                return np.sum(x)
            return tf.reduce_sum(x)
    """,
    "a decorator that leads out of the graph": """
        @tf.py_function(Tout=tf.float32)
        def python(x):
            return np.sqrt(x)
        @tf.function
        def f(x):
            return python(x)
    """,
}


@pytest.mark.parametrize("source", NUMPY_ON_TENSOR.values(), ids=NUMPY_ON_TENSOR)
def test_numpy_on_tensor(source: str) -> None:
    expected, found = marked(source, "PIPE603")
    assert found == expected


SIDE_EFFECTS = {
    "clocks and sleep, through a helper": """
        import time
        from datetime import datetime
        def wait(x):
            time.sleep(1)  #!
            return x
        def f(x):
            start = time.perf_counter()  #!
            now = datetime.now()  #!
            return wait(x)
        ds = tf.data.Dataset.range(3).map(f)
    """,
    "counters": """
        count = 0
        def outer():
            steps = 0
            @tf.function
            def f(x):
                global count
                nonlocal steps
                count += 1  #!
                steps += 1  #!
                inner = 0
                inner += 1
                return x
            return f(1)
        outer()
    """,
    "a counter of traces": """
        traces = 0
        @tf.function
        def f(x):
            global traces
            traces += 1
            return x
    """,
    "lists that outlive the function": """
        losses = []
        class M(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.kept = []
            def train_step(self, x):
                losses.append(x)  #!
                self.kept.append(x)  #!
                own = []
                def add(y):
                    own.append(y)
                add(x)
                return own
    """,
    "variables that are made once": """
        state = []
        @tf.function
        def f(x):
            if not state:
                state.append(tf.Variable(1.0))
            return state[0] * x
    """,
    "variables, metrics and attributes": """
        class M(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.seen = tf.Variable(0)
                self.metric = tf.keras.metrics.Mean()
            def call(self, x):
                self.seen.assign_add(1)
                self.metric.update_state(x)
                self.last = x
                self.add_loss(x)
                return x
    """,
    "print under a test for eager": """
        @tf.function
        def f(x):
            if tf.executing_eagerly():
                print(x)
            return x
    """,
}


@pytest.mark.parametrize("source", SIDE_EFFECTS.values(), ids=SIDE_EFFECTS)
def test_side_effects(source: str) -> None:
    expected, found = marked(source, "PIPE601")
    assert found == expected


DEBUG = {
    "in a function that runs": """
        def main():
            tf.config.experimental_run_functions_eagerly(True)  #!
        main()
    """,
    "checks of every number": """
        tf.debugging.enable_check_numerics()  #!
    """,
    "checks that end": """
        tf.debugging.enable_check_numerics()
        train()
        tf.debugging.disable_check_numerics()
    """,
    "a model that is not known": """
        def build(model):
            model.compile("adam", "mse", run_eagerly=True)  #!
    """,
    "switched off": """
        tf.config.run_functions_eagerly(False)
        tf.debugging.set_log_device_placement(False)
        model.compile("adam", run_eagerly=False)
    """,
    "a parameter with a default": """
        def build(model, eager=True):
            model.compile("adam", "mse", run_eagerly=eager)
    """,
    "a constant that names it": """
        DEBUG = True
        if DEBUG:
            tf.config.run_functions_eagerly(True)
    """,
    "a function for debugging": """
        def debug_mode():
            tf.config.run_functions_eagerly(True)
    """,
}


@pytest.mark.parametrize("source", DEBUG.values(), ids=DEBUG)
def test_debug_left_on(source: str) -> None:
    expected, found = marked(source, "PIPE901")
    assert found == expected


PYTHON_IN_MAP = {
    "PIL decodes": ("lambda path: PIL.Image.open(path)", "warning"),
    "the network": ("lambda path: requests.get(path)", "advice"),
    "numpy loads": ("np.load", "warning"),
    "plain Python": ("lambda path: path + 1", "warning"),
    "what is not known": ("Thing", "advice"),
}


@pytest.mark.parametrize(("function", "severity"), PYTHON_IN_MAP.values(), ids=PYTHON_IN_MAP)
def test_py_function_in_map_is_graded_by_what_it_does(function: str, severity: str) -> None:
    source = f"""
        import PIL.Image, requests
        import numpy as np
        import tensorflow as tf
        from elsewhere import Thing
        ds = tf.data.Dataset.list_files("*").map(lambda path: tf.py_function({function}, [path], tf.uint8))
        model.fit(ds.batch(32))
    """
    assert findings(source, "PIPE503") == [f"PIPE503:5 {severity}"]
