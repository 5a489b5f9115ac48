"""What a mapped function does, read off its traced graph."""

from __future__ import annotations

from typing import Any

import pytest

from pipelint.dynamic.capture import lineage
from pipelint.model.definitions import Effect
from pipelint.static.analyse import analyse
from tests.dynamic.programs import Program, Run, run, tf

__all__ = ["run"]

keras: Any = pytest.importorskip("keras", reason="layers need Keras")

PREAMBLE = """\
import keras
import numpy as np
import tensorflow as tf

variable = tf.Variable(1.0)
table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], [1]), -1)
generator = tf.random.Generator.from_seed(1)
flip = keras.layers.RandomFlip()
augment = keras.Sequential([keras.layers.RandomFlip(), keras.layers.Rescaling(1.0)])
dense = keras.layers.Dense(2)
dense.build((None, 3))
vectorize = keras.layers.TextVectorization(vocabulary=["a", "b"])
scale = keras.layers.Rescaling(1 / 255)

@tf.function
def checked(x):
    tf.debugging.assert_greater(x, -1.0)
    return x

@tf.function
def doubled(x):
    return x * 2

def when_positive(x):
    if x > 0:
        x += tf.random.normal([])
    return x

def until_large(x):
    while x < 3:
        tf.debugging.assert_greater(x, -1.0)
        x += 1
    return x
"""
IMAGE, TEXT, NUMBER = "tf.zeros([8, 8, 3])", "'a'", "1.0"
KNOWN = {
    "tf.random.uniform([]) + x": (NUMBER, {("random", "tf.random.uniform")}),
    "tf.image.random_flip_left_right(x)": (IMAGE, {("random", "tf.image.random_flip_left_right")}),
    "tf.image.random_crop(x, (4, 4, 3))": (IMAGE, {("random", "tf.image.random_crop")}),
    "tf.nn.dropout(x, 0.5)": (IMAGE, {("random", "tf.nn.dropout")}),
    "generator.uniform([]) + x": (NUMBER, {("random", "tf.random.Generator")}),
    "flip(x)": (IMAGE, {("random", "keras.layers.RandomFlip")}),
    "augment(x[None], training=True)": (IMAGE, {("random", "keras.layers.RandomFlip")}),
    "keras.random.uniform([]) + x": (NUMBER, {("random", "keras.random.uniform")}),
    "when_positive(x)": (NUMBER, {("random", "tf.random.normal")}),
    "vectorize(x[None])": (TEXT, {("state", "keras.layers.TextVectorization")}),
    "table.lookup(x)": (TEXT, {("state", "tf.lookup.StaticHashTable.lookup")}),
    "dense(x)": (IMAGE, {("state", "keras.layers.Dense")}),
    "x + variable": (NUMBER, {("state", "tf.Variable")}),
    "variable.assign_add(x)": (NUMBER, {("state", "tf.Variable.assign"), ("state", "tf.Variable")}),
    "(tf.print(x), x)[1]": (NUMBER, {("state", "tf.print")}),
    "tf.debugging.check_numerics(x, 'x')": (NUMBER, {("state", "tf.debugging.check_numerics")}),
    "tf.timestamp()": (NUMBER, {("state", "tf.timestamp")}),
    "checked(x)": (NUMBER, {("state", "tf.debugging.assert_greater")}),
    "tf.py_function(abs, [x], tf.float32)": (NUMBER, {("python", "tf.py_function")}),
    "tf.numpy_function(abs, [x], tf.float32)": (NUMBER, {("python", "tf.numpy_function")}),
    "tf.numpy_function(abs, [x], tf.float32, stateful=False)": (NUMBER, {("python", "tf.numpy_function")}),
    "tf.io.read_file('/dev/null')": (TEXT, {("read", "tf.io.read_file")}),
    "tf.io.decode_jpeg(x)": (TEXT, {("decode", "tf.io.decode_jpeg")}),
    "tf.image.decode_image(x)": (TEXT, {("decode", "tf.io.decode_image")}),
    "tf.io.decode_raw(x, tf.uint8)": (TEXT, set()),
    "tf.image.stateless_random_flip_left_right(x, [1, 2])": (IMAGE, set()),
    "doubled(x)": (NUMBER, set()),
    "until_large(x)": (NUMBER, set()),
    "scale(x)": (IMAGE, set()),
    "(tf.debugging.assert_greater(x, -1.0), x)[1]": (NUMBER, set()),
    "tf.map_fn(lambda y: y * 2, x)": (IMAGE, set()),
}
"""Functions of an element, with the element and why they are what they are."""


@pytest.fixture(scope="module")
def mapped(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """One program that maps each of the functions, so that TensorFlow and Keras set up once."""
    lineage.install()
    lines = [PREAMBLE]
    for number, (expression, (element, _)) in enumerate(KNOWN.items()):
        lines += [f"def mapped{number}(x):", f"    return {expression}", ""]
        lines += [f"ds{number} = tf.data.Dataset.from_tensors({element}).map(mapped{number})", ""]
    return Program(tmp_path_factory.mktemp("mapped") / "mapped.py", "\n".join(lines))


def dataset_of(expression: str) -> str:
    return f"ds{list(KNOWN).index(expression)}"


@pytest.mark.parametrize("expression", KNOWN)
def test_causes_have_the_names_that_users_know(mapped: Program, expression: str) -> None:
    function = mapped.function(dataset_of(expression))
    assert {(cause.effect.value, cause.name) for cause in function.causes} == KNOWN[expression][1]


@pytest.mark.parametrize("expression", KNOWN)
def test_stateful_is_what_tensorflow_does_not_make_parallel(mapped: Program, expression: str) -> None:
    name = dataset_of(expression)
    nodes = tf.data.experimental.get_model_proto(iter(mapped.names[name])).nodes.values()
    parallel = any(node.name.startswith("ParallelMap") for node in nodes)
    assert mapped.function(name).stateful is not parallel


@pytest.mark.parametrize("expression", ["tf.random.uniform([]) + x", "tf.io.decode_jpeg(x)", "flip(x)", "dense(x)"])
def test_both_front_ends_name_a_cause_alike(mapped: Program, expression: str) -> None:
    source = f"{PREAMBLE}\ndata = tf.data.Dataset.from_tensors(0)\nmodel.fit(data.map(lambda x: {expression}).batch(2))"
    stages = [stage for pipeline in analyse(source, target=(2, 21)).pipelines for stage in pipeline.stages]
    (static,) = [stage.function for stage in stages if stage.function is not None]
    live = mapped.function(dataset_of(expression))
    assert [(cause.effect, cause.name) for cause in static.causes] == [
        (cause.effect, cause.name) for cause in live.causes
    ]


class TestPlaces:
    def test_a_function_and_its_causes(self, run: Run) -> None:
        program = run(
            """
            def augment(x):
                é = tf.image.random_flip_left_right(x); return shifted(é)

            def shifted(x):
                return x + tf.random.uniform([]) - tf.random.normal([])

            ds = tf.data.Dataset.from_tensors(tf.zeros([8, 8, 3])).map(augment)
            """
        )
        function = program.function()
        assert function.name == "augment"
        assert program.text(function.location) == "def <augment>"
        assert [program.text(cause.location) for cause in function.causes] == [
            "é = tf.image.<random_flip_left_right>",
            "return x + tf.random.<uniform>",
            "return x + tf.random.uniform([]) - tf.random.<normal>",
        ]

    def test_the_right_lambda_of_a_line(self, run: Run) -> None:
        program = run("ds = tf.data.Dataset.range(3).map(lambda x: x).map(lambda y: tf.map_fn(lambda z: z, y[None]))")
        functions = [stage.function for stage in program.stages() if stage.function]
        assert [function.name for function in functions] == [None, None]
        assert [program.text(function.location) for function in functions] == [
            "ds = tf.data.Dataset.range(3).map(<lambda>",
            "ds = tf.data.Dataset.range(3).map(lambda x: x).map(<lambda>",
        ]

    @pytest.mark.parametrize(
        ("given", "name"),
        {
            "functools.partial(shift, by=1)": "shift",
            "tf.function(shift)": "shift",
            "Shift().shift": "shift",
            "Shift()": "Shift",
            "tf.abs": "tf.math.abs",
            "keras.layers.Rescaling(2)": "keras.layers.Rescaling",
        }.items(),
    )
    def test_whatever_can_be_called(self, run: Run, given: str, name: str) -> None:
        program = run(
            f"""
            import functools
            import keras

            def shift(x, by=1):
                return x + by

            class Shift:
                def shift(self, x):
                    return x + 1

                __call__ = shift

            ds = tf.data.Dataset.from_tensors(1.0).map({given})
            """
        )
        assert program.function().name == name

    def test_functions_that_tensorflow_makes_up_are_not_the_users(self, run: Run) -> None:
        program = run("ds = tf.data.TFRecordDataset(['a'])\nbatched = tf.data.Dataset.range(3).batch(2)")
        assert program.last().function is None
        assert program.last("batched").function is None

    def test_the_function_inside_another_of_tensorflow(self, run: Run) -> None:
        program = run(
            """
            def length(x):
                return tf.size(x)

            ds = tf.data.Dataset.range(3).bucket_by_sequence_length(length, [2], [2, 2])
            """
        )
        assert program.function().name == "length"


class TestPython:
    def test_what_the_python_function_calls(self, run: Run) -> None:
        program = run(
            """
            import time
            from time import sleep as wait
            import numpy as np
            from PIL import Image

            def read(path):
                wait(0)
                return resized(path)

            def resized(path):
                import json
                image = Image.open(path).resize((2, 2))
                return np.asarray(image) + np.load("x.npy") + len(open("y").read())

            def load(path):
                return tf.py_function(func=read, inp=[path], Tout=tf.float32)

            ds = tf.data.Dataset.from_tensors("x").map(load)
            """
        )
        python = program.function().python
        assert python is not None
        assert python.name == "read"
        assert program.text(python.location) == "def <read>"
        assert [(cause.effect.value, cause.name) for cause in python.causes] == [
            ("read", "time.sleep"),
            ("decode", "PIL.Image.open"),
            ("decode", "PIL.resize"),
            ("read", "np.load"),
            ("read", "open"),
        ]
        assert program.text(python.causes[0].location) == "<wait>"

    def test_a_lambda_inside_the_mapped_function(self, run: Run) -> None:
        program = run(
            """
            import numpy as np

            ds = tf.data.Dataset.from_tensors("x").map(
                lambda path: tf.numpy_function(lambda p: np.load(p), [path], tf.float32)
            )
            """
        )
        python = program.function().python
        assert python is not None
        assert python.name is None
        assert [cause.name for cause in python.causes] == ["np.load"]

    def test_a_generator(self, run: Run) -> None:
        program = run(
            """
            import time

            def numbers():
                for i in range(3):
                    time.sleep(0.1)
                    yield i

            ds = tf.data.Dataset.from_generator(numbers, output_types=tf.int32)
            """
        )
        function = program.function()
        assert (function.name, function.stateful) == ("numbers", True)
        assert program.text(function.location) == "def <numbers>"
        (cause,) = function.causes
        assert (cause.effect, cause.name) == (Effect.PYTHON, "tf.data.Dataset.from_generator")
        assert function.python is not None
        assert [cause.name for cause in function.python.causes] == ["time.sleep"]


def test_stages_inside_a_function_keep_their_own_causes(run: Run) -> None:
    program = run(
        """
        def shaken(x):
            return tf.random.uniform([])

        ds = tf.data.Dataset.range(3).interleave(lambda i: tf.data.Dataset.range(i).map(shaken))
        """
    )
    causes = {stage.op: [cause.name for cause in stage.function.causes] for stage in program.stages() if stage.function}
    assert causes == {"map": ["tf.random.uniform"], "interleave": []}
    assert not program.function().stateful
