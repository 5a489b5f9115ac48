"""Python in traced functions: numpy on tensors, side effects, `py_function`, and debugging that is left on."""

from __future__ import annotations

import pytest

from tests.linting import findings
from tests.traced_code import marked

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
