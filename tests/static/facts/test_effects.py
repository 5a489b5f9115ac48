"""What a mapped function does, found through everything that it calls."""

from __future__ import annotations

import textwrap

import pytest

from pipelint.model.definitions import MappedFunction
from pipelint.static.analyse import analyse

PREAMBLE = """
import functools
import cv2
import keras
import numpy as np
import tensorflow as tf
from keras import layers
from elsewhere import imported
from tensorflow_addons.image import random_cutout as random_flip, rotate

numbers = iter(tf.data.Dataset.range(3))
table = tf.lookup.StaticHashTable(rows, -1)
generator = tf.random.Generator.from_seed(1)
"""
PIPELINE = "\nmodel.fit(tf.data.Dataset.from_tensor_slices(images).map({function}).batch(8))\n"


def mapped(definitions: str, function: str) -> MappedFunction:
    """The function of the one map in a program with these definitions."""
    source = PREAMBLE + textwrap.dedent(definitions) + PIPELINE.format(function=function)
    program = analyse(source, target=(2, 21))
    (found,) = {stage.function for pipeline in program.pipelines for stage in pipeline.stages if stage.op == "map"}
    assert found is not None
    return found


def effects(definitions: str, function: str) -> str:
    """The effects in the order in which they are met; `stateless` for none, `unresolved` for a body out of sight."""
    found = mapped(definitions, function)
    if not found.resolved:
        return "unresolved"
    names = dict.fromkeys(cause.effect.value for cause in found.causes)
    return " ".join(names) or "stateless"


CALLABLES = {
    "a lambda": ("", "lambda x: tf.image.random_flip_left_right(x)", "random"),
    "a lambda that calls a function": ("def f(x): return tf.random.uniform([]) * x", "lambda x: f(x)", "random"),
    "a local function": (
        """
        def outer():
            def inner(x):
                return tf.io.decode_jpeg(tf.io.read_file(x))
            return inner
        """,
        "outer()",
        "read decode",
    ),
    "a method": (
        """
        class Augment:
            def flip(self, x):
                return self.really(x)
            def really(self, x):
                return tf.image.random_hue(x, 0.1)
        """,
        "Augment().flip",
        "random",
    ),
    "a method of a base class": (
        """
        class Base:
            def flip(self, x):
                return tf.image.random_hue(x, 0.1)
        class Augment(Base):
            pass
        """,
        "Augment().flip",
        "random",
    ),
    "a static method": (
        """
        class Augment:
            @staticmethod
            def scale(x):
                return x / 255
        """,
        "Augment.scale",
        "stateless",
    ),
    "a partial": ("def f(size, x): return tf.image.random_crop(x, size)", "functools.partial(f, (4, 4, 3))", "random"),
    "a partial with a keyword": (
        "def f(x, size): return tf.image.resize(x, size)",
        "functools.partial(f, size=8)",
        "stateless",
    ),
    "a callable class": (
        """
        class Scale:
            def __call__(self, x):
                return x / 255
        """,
        "Scale()",
        "stateless",
    ),
    "a function of TensorFlow itself": ("", "tf.io.decode_jpeg", "decode"),
    "a function that is wrapped": ("g = tf.function(lambda x: tf.random.normal([]) + x)", "g", "random"),
    "a choice of two functions": (
        "def f(x): return x\ndef g(x): return tf.random.normal([])\nh = f if training else g",
        "h",
        "random",
    ),
    "a function of another module": ("", "imported", "unknown"),
    "a call into another module": ("def f(x): return imported(x)", "f", "unknown"),
    "a name that is not known": ("", "whatever", "unresolved"),
    "a function inside graph control flow": (
        "def f(x): return tf.cond(tf.reduce_sum(x) > 0, lambda: x, lambda: tf.random.normal([]))",
        "f",
        "random",
    ),
}


@pytest.mark.parametrize(("definitions", "function", "expected"), CALLABLES.values(), ids=CALLABLES)
def test_whatever_is_mapped_is_followed(definitions: str, function: str, expected: str) -> None:
    assert effects(definitions, function) == expected


LAYERS = {
    "a random layer": ("flip = layers.RandomFlip()", "flip", "random"),
    "a random layer made in place": ("", "lambda x: layers.RandomFlip()(x)", "random"),
    "a stateless layer": ("scale = layers.Rescaling(1 / 255)", "scale", "stateless"),
    "a layer with weights": ("dense = layers.Dense(3)", "dense", "state"),
    "a layer with a table": ("lookup = layers.StringLookup(vocabulary=words)", "lookup", "state"),
    "dropout does nothing outside of training": ("drop = layers.Dropout(0.5)", "drop", "stateless"),
    "dropout in training": ("drop = layers.Dropout(0.5)", "lambda x: drop(x, training=True)", "random"),
    "a Sequential of random layers": (
        "augment = keras.Sequential([layers.RandomFlip(), layers.Rescaling(1.0)])",
        "lambda x: augment(x, training=True)",
        "random",
    ),
    "a Sequential of stateless layers": ("scale = keras.Sequential([layers.Rescaling(1.0)])", "scale", "stateless"),
    "a Sequential that grows": (
        "augment = keras.Sequential()\naugment.add(layers.Rescaling(1.0))\naugment.add(layers.RandomZoom(0.1))",
        "augment",
        "random",
    ),
    "a Sequential of what is not known": ("augment = keras.Sequential(make())", "augment", "state"),
    "a list of layers, applied in a loop": (
        """
        steps = [layers.RandomFlip(), layers.RandomRotation(0.1)]
        def augment(x):
            for step in steps:
                x = step(x)
            return x
        """,
        "augment",
        "random",
    ),
    "a Sequential that __init__ assigns": (
        """
        class Data:
            def __init__(self):
                self.augment = keras.Sequential([layers.RandomFlip()])
            def one(self, x):
                return self.augment(x)
        """,
        "Data().one",
        "random",
    ),
    "a layer of the user's own": (
        """
        class Noise(layers.Layer):
            def call(self, x):
                return x + tf.random.normal(tf.shape(x))
        """,
        "Noise()",
        "random",
    ),
    "a layer of the user's own without state": (
        """
        class Half(layers.Layer):
            def call(self, x):
                return x / 2
        """,
        "Half()",
        "stateless",
    ),
    "a layer of the user's own with a weight": (
        """
        class Scaled(layers.Layer):
            def build(self, shape):
                self.scale = self.add_weight(shape=())
            def call(self, x):
                return x * self.scale
        """,
        "Scaled()",
        "state",
    ),
    "a subclass that leaves call to its base": ("class Flip(layers.RandomFlip): pass", "Flip()", "random"),
    "a Lambda layer": ("noise = layers.Lambda(lambda x: x + tf.random.normal([]))", "noise", "random"),
    "a model": ("net = keras.applications.ResNet50()", "net", "state"),
    "a layer that gives what it gets": ("same = layers.Identity()", "same", "stateless"),
    "an initializer, which holds its seed": (
        "noise = keras.initializers.RandomNormal()",
        "lambda x: x + noise([3])",
        "stateless",
    ),
    "a random layer outside of training": (
        "flip = layers.RandomFlip()",
        "lambda x: flip(x, training=False)",
        "stateless",
    ),
    "a random layer that is told elsewhere whether it trains": (
        "flip = layers.RandomFlip()\ntraining = imported()",
        "lambda x: flip(x, training=training)",
        "random",
    ),
    "dropout with arguments out of sight": ("drop = layers.Dropout(0.5)", "lambda x: drop(x, **options)", "random"),
    "a layer of another package": ("crop = imported.layers.Crop()", "lambda x: crop(x)", "unknown"),
    "a layer of which only the base is known": ("class Own(layers.Layer): pass", "Own()", "unknown"),
    "a Lambda layer of something unknown": ("noise = layers.Lambda(imported)", "noise", "unknown"),
}


@pytest.mark.parametrize(("definitions", "function", "expected"), LAYERS.values(), ids=LAYERS)
def test_layers_are_looked_into(definitions: str, function: str, expected: str) -> None:
    assert effects(definitions, function) == expected


OPERATIONS = {
    "tf.random.stateless_uniform([], seed=[1, 2])": "stateless",
    "tf.image.stateless_random_flip_left_right(x, seed=(1, 2))": "stateless",
    "tf.nn.dropout(x, 0.5)": "random",
    "tf.nn.experimental.stateless_dropout(x, 0.5, [1, 2])": "stateless",
    "tf.image.sample_distorted_bounding_box(tf.shape(x), boxes)": "random",
    "tf.random.get_global_generator().normal([])": "random",
    "keras.random.uniform([])": "random",
    "keras.random.uniform([], seed=1)": "stateless",
    "keras.backend.random_normal([])": "random",
    "tf.compat.v1.random_uniform([])": "random",
    "tf.print(x)": "state",
    "tf.debugging.assert_equal(x, x)": "stateless",
    "tf.debugging.check_numerics(x, 'x')": "state",
    "tf.summary.scalar('x', x)": "state",
    "tf.lookup.StaticHashTable(rows, -1).lookup(x)": "state",
    "tf.lookup.StaticHashTable(rows, -1)[x]": "state",
    "table[x]": "state",
    "given[x]": "unknown",
    "given['size'] * x": "stateless",
    "generator.uniform([])": "random",
    "tf.compat.v1.distributions.Normal(0.0, 1.0).sample() + x": "random",
    "keras.backend.dropout(x, 0.5)": "random",
    "tf.raw_ops.TruncatedNormal(shape=[2], dtype=tf.float32) + x": "random",
    "tf.raw_ops.Add(x=x, y=x)": "stateless",
    "tf.experimental.numpy.random.randn(3) + x": "random",
    "tf.experimental.numpy.square(x)": "stateless",
    "tf.saved_model.load('model')(x)": "unknown",
    "tf.saved_model.load('model').encode(x)": "unknown",
    "tf.no_such_function(x)": "unknown",
    "cv2.resize(x, (4, 4))": "unknown",
    "random_flip(x)": "random",
    "rotate(x, 1.0)": "unknown",
    "eval('tf.random.normal([])') + x": "unresolved",
    "next(numbers) + x": "unknown",
    "tf.strings.split(x).to_tensor()": "stateless",
    "{**x, 'a': x.pop('b')}": "stateless",
    "tf.image.random_jpeg_quality(x, 1, 9)": "random decode",
    "tf.io.parse_single_example(x, {})": "stateless",
    "tf.audio.decode_wav(x)": "decode",
    "tf.map_fn(lambda y: y * 2, x)": "stateless",
    "keras.applications.resnet.preprocess_input(x)": "stateless",
    "tf.cast(x, np.float32) / np.sqrt(2.0)": "stateless",
    "tf.py_function(lambda y: y, [x], tf.float32)": "python",
    "tf.numpy_function(func=imported, inp=[x], Tout=tf.float32)": "python",
}


@pytest.mark.parametrize(("expression", "expected"), OPERATIONS.items(), ids=OPERATIONS)
def test_operations_are_told_apart(expression: str, expected: str) -> None:
    assert effects("", f"lambda x: {expression}") == expected


def test_a_function_that_goes_through_another_dataset_is_not_proven_stateless() -> None:
    summed = """
    others = tf.data.Dataset.range(3).shuffle(3)
    def f(x):
        for y in others:
            x += y
        return x
    """
    assert effects(summed, "f") == "unknown"


def test_an_item_of_an_object_is_what_its_class_makes_of_it() -> None:
    noise = """
    class Noise:
        def __getitem__(self, index):
            return tf.random.normal([])
    noise = Noise()
    """
    assert effects(noise, "lambda x: x + noise[0]") == "unresolved"


def test_a_variable_that_is_read_is_state() -> None:
    assert effects("scale = tf.Variable(2.0)", "lambda x: x * scale") == "state"


def test_a_function_that_is_too_deep_to_follow_is_not_resolved() -> None:
    chain = "\n".join(f"def f{n}(x): return f{n + 1}(x)" for n in range(30))
    assert effects(f"{chain}\ndef f30(x): return x", "f0") == "unresolved"


PYTHON = {
    "only Python": ("def f(x): return x + 1", "resolved:"),
    "decodes": ("def f(x): return cv2.resize(cv2.imread(x), (4, 4))", "resolved: decode"),
    "reads": ("def f(x): return np.load(x)", "resolved: read"),
    "reads a file": ("def f(x):\n    with open(x) as file:\n        return len(file.name)", "resolved: read"),
    "something else": ("def f(x): return imported(x)", "resolved: unknown"),
    "another module's function": ("f = imported", "not resolved: unknown"),
    "a function of a library": ("f = np.load", "resolved: read"),
}


@pytest.mark.parametrize(("definition", "expected"), PYTHON.values(), ids=PYTHON)
def test_the_python_behind_a_py_function_is_known(definition: str, expected: str) -> None:
    python = mapped(definition, "lambda x: tf.py_function(f, [x], tf.float32)").python
    assert python is not None
    told = " ".join(dict.fromkeys(cause.effect.value for cause in python.causes))
    assert f"{'resolved' if python.resolved else 'not resolved'}: {told}".strip() == expected
