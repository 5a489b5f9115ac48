"""What pipelint takes for granted of TensorFlow, asserted on the one that is installed."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import Any

import pytest

from pipelint.knowledge.keras import GIVEN_BY_KERAS
from pipelint.knowledge.tensors import GIVES_LISTS
from pipelint.model.definitions import Effect
from pipelint.static.analyse import analyse
from tests.knowledge.installed import np, resolve, stateful_operations, tf

IMAGE = "np.zeros((8, 8, 3), 'float32')"
TEXT = "b'abc'"
NUMBER = "1.0"
PREAMBLE = """
import keras
import numpy as np
import tensorflow as tf
from keras import layers

variable = tf.Variable(1.0)
table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], [1]), -1)
generator = tf.random.Generator.from_seed(1)
flip = layers.RandomFlip()
zoom = layers.RandomZoom(0.1)
solarize = layers.Solarization()
drop = layers.Dropout(0.5)
scale = layers.Rescaling(1 / 255)
resize = layers.Resizing(4, 4)
normalize = layers.Normalization(mean=0.0, variance=1.0)
vectorize = layers.TextVectorization(vocabulary=["a", "b"])
lookup = layers.StringLookup(vocabulary=["a"])
hashing = layers.Hashing(4)
dense = layers.Dense(2)
dense.build((None, 3))
augment = keras.Sequential([layers.RandomFlip(), layers.Rescaling(1.0)])
plain = keras.Sequential([layers.Rescaling(1.0)])
"""

STATEFUL = {
    "tf.random.uniform([]) + x": NUMBER,
    "tf.random.normal([]) + x": NUMBER,
    "tf.random.shuffle(x)": IMAGE,
    "generator.uniform([]) + x": NUMBER,
    "tf.image.random_flip_left_right(x)": IMAGE,
    "tf.image.random_brightness(x, 0.1)": IMAGE,
    "tf.image.random_crop(x, (4, 4, 3))": IMAGE,
    "tf.image.random_jpeg_quality(x, 50, 90)": IMAGE,
    "tf.nn.dropout(x, 0.5)": IMAGE,
    "flip(x)": IMAGE,
    "zoom(x)": IMAGE,
    "solarize(x)": IMAGE,
    "drop(x, training=True)": IMAGE,
    "augment(x[None], training=True)": IMAGE,
    "keras.random.uniform([]) + x": NUMBER,
    "vectorize(x[None])": TEXT,
    "lookup(x)": TEXT,
    "table.lookup(x)": TEXT,
    "dense(x)": IMAGE,
    "x + variable": NUMBER,
    "variable.assign_add(x)": NUMBER,
    "(tf.print(x), x)[1]": NUMBER,
    "tf.debugging.check_numerics(x, 'x')": NUMBER,
    "(tf.io.write_file('unused', x), x)[1]": TEXT,
    "tf.py_function(lambda y: y, [x], tf.float32)": NUMBER,
    "tf.numpy_function(lambda y: y, [x], tf.float32)": NUMBER,
}
"""Functions whose map stays sequential, with an element to map them over."""

STATELESS = {
    "tf.random.stateless_uniform([], [1, 2]) + x": NUMBER,
    "tf.image.stateless_random_flip_left_right(x, [1, 2])": IMAGE,
    "tf.nn.experimental.stateless_dropout(x, 0.5, [1, 2])": IMAGE,
    "tf.image.resize(x, (4, 4))": IMAGE,
    "tf.io.read_file(x)": TEXT,
    "tf.io.decode_jpeg(x)": TEXT,
    "tf.io.decode_image(x)": TEXT,
    "tf.audio.decode_wav(x)[0]": TEXT,
    "tf.io.decode_raw(x, tf.uint8)": TEXT,
    "tf.io.parse_single_example(x, {'a': tf.io.FixedLenFeature([], tf.int64)})": TEXT,
    "tf.strings.split(x)": TEXT,
    "tf.map_fn(lambda y: y * 2, x)": IMAGE,
    "tf.cond(tf.reduce_sum(x) > 0, lambda: x, lambda: x + 1)": IMAGE,
    "scale(x)": IMAGE,
    "resize(x)": IMAGE,
    "normalize(x)": IMAGE,
    "hashing(x)": TEXT,
    "drop(x)": IMAGE,
    "plain(x[None])": IMAGE,
    "keras.random.uniform([], seed=1) + x": NUMBER,
    "keras.applications.resnet.preprocess_input(x)": IMAGE,
}


@pytest.fixture(scope="module")
def scope() -> dict[str, Any]:
    """The names of the preamble, made once."""
    names: dict[str, Any] = {}
    exec(PREAMBLE, names)
    return names


def mapped(function: Callable[[Any], Any], element: Any) -> Any:
    return tf.data.Dataset.from_tensors(element).map(function)


def predicted(expression: str) -> set[Effect]:
    source = f"{PREAMBLE}\nmodel.fit(tf.data.Dataset.from_tensors(images).map(lambda x: {expression}).batch(2))"
    stages = [stage for pipeline in analyse(source, target=(2, 21)).pipelines for stage in pipeline.stages]
    (function,) = [stage.function for stage in stages if stage.function is not None]
    assert function.resolved
    return {cause.effect for cause in function.causes}


@pytest.mark.parametrize(("expression", "element"), STATEFUL.items(), ids=STATEFUL)
def test_what_keeps_a_map_sequential_is_stateful(scope: dict[str, Any], expression: str, element: str) -> None:
    assert stateful_operations(mapped(eval(f"lambda x: {expression}", scope), eval(element, scope)))
    assert predicted(expression) & {Effect.RANDOM, Effect.STATE, Effect.PYTHON}


@pytest.mark.parametrize(("expression", "element"), STATELESS.items(), ids=STATELESS)
def test_what_tensorflow_makes_parallel_is_stateless(scope: dict[str, Any], expression: str, element: str) -> None:
    assert not stateful_operations(mapped(eval(f"lambda x: {expression}", scope), eval(element, scope)))
    assert predicted(expression) <= {Effect.DECODE, Effect.READ}


def test_python_runs_once_when_a_mapped_function_is_traced() -> None:
    calls: list[Any] = []

    def mapped(x: Any) -> Any:
        calls.append(x)
        return x

    assert len(list(tf.data.Dataset.range(5).map(mapped, num_parallel_calls=2))) == 5
    assert len(calls) == 1


@pytest.mark.parametrize("expression", ["np.sin(x)", "x.numpy()", "np.eye(tf.shape(x)[0])", "np.stack([x, x])"])
def test_values_of_traced_tensors_cannot_be_read(scope: dict[str, Any], expression: str) -> None:
    traced = tf.function(eval(f"lambda x: {expression}", scope), autograph=False)
    with pytest.raises((NotImplementedError, AttributeError, TypeError)):
        traced(tf.ones([3]))


def test_static_facts_can_be_read_while_tracing() -> None:
    def scaled(x: Any) -> Any:
        return x * float(np.prod(np.shape(x))) * np.ndim(x) * np.prod(x.shape)

    assert float(tf.function(scaled, autograph=False)(tf.ones([3]))[0]) == 9.0


def loop_over_dataset(dataset: Any, step: Callable[[Any], Any]) -> None:
    for element in dataset:
        step(element)


def loop_over_own_iterator(dataset: Any, step: Callable[[Any], Any]) -> None:
    iterator = iter(dataset)
    for _ in tf.range(2):
        step(next(iterator))


def loop_over_given_iterator(iterator: Any, step: Callable[[Any], Any]) -> None:
    for element in iterator:
        step(element)


@pytest.mark.parametrize(
    ("consume", "prefetches"),
    [
        (tf.function(loop_over_dataset), False),
        (tf.function(loop_over_own_iterator), True),
        (lambda dataset, step: tf.function(loop_over_given_iterator)(iter(dataset), step), True),
        (lambda dataset, step: [step(element) for element in dataset], True),
    ],
    ids=["a loop over the dataset", "an iterator made inside", "an iterator made outside", "Python"],
)
def test_a_graph_that_loops_over_a_dataset_gets_no_prefetch(consume: Callable[..., Any], prefetches: bool) -> None:
    second_made = Event()
    ahead: list[bool] = []

    def make(number: Any) -> Any:
        if number == 1:
            second_made.set()
        return number

    def look(number: Any) -> Any:
        if number == 0:
            ahead.append(second_made.wait(20 if prefetches else 0.5))
        return number

    def called(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda number: tf.numpy_function(function, [number], tf.int64)

    consume(tf.data.Dataset.range(2).map(called(make)), called(look))
    assert ahead == [prefetches]


@pytest.mark.parametrize("name", sorted(GIVES_LISTS))
def test_parts_of_a_tensor_come_in_a_list(name: str) -> None:
    assert isinstance(resolve(name)(tf.zeros((2, 3)), 2), list)


def stages_run(dataset: Any) -> list[str]:
    """The stages that TensorFlow makes of a dataset, the last one last."""
    iterator = iter(dataset)
    next(iterator)
    model = tf.data.experimental.get_model_proto(iterator)
    found: list[str] = []
    node = model.nodes[model.output]
    while node.inputs:
        node = model.nodes[node.inputs[0]]
        found.insert(0, node.name)
    return found


@pytest.mark.parametrize(
    ("build", "prefetches"),
    [
        (lambda ds, f: ds.map(f).batch(4), False),
        (lambda ds, f: ds.map(f).batch(4).with_options(tf.data.Options()), False),
        (lambda ds, f: ds.map(f).batch(4).take(50), True),
        (lambda ds, f: ds.map(f).batch(4).repeat(), True),
        (lambda ds, f: ds.map(f).take(100).batch(4), True),
        (lambda ds, f: ds.map(f, num_parallel_calls=2).repeat().batch(4), True),
    ],
    ids=["last", "options behind", "take behind", "repeat behind", "take between", "repeat between"],
)
@pytest.mark.parametrize("stateful", [False, True])
def test_a_map_right_before_the_last_batch_keeps_tensorflow_from_inserting_a_prefetch(
    build: Callable[..., Any], prefetches: bool, stateful: bool
) -> None:
    def function(number: Any) -> Any:
        return number + tf.random.uniform([], 0, 9, tf.int64) if stateful else number + 1

    stages = stages_run(build(tf.data.Dataset.range(1000), function))
    assert (stages[-1] == "Prefetch") == prefetches
    assert prefetches or stages[-1] == "MapAndBatch"


def test_the_option_for_parallel_maps_leaves_stateful_functions_as_they_are() -> None:
    options = tf.data.Options()
    options.experimental_optimization.map_parallelization = True
    numbers = tf.data.Dataset.range(9)
    stateful = numbers.map(lambda number: number + tf.random.uniform([], 0, 9, tf.int64))
    assert "Map" in stages_run(stateful.with_options(options))
    assert "ParallelMapV2" in stages_run(numbers.map(lambda number: number + 1).with_options(options))


def test_the_length_of_a_batch_is_not_known_while_a_function_is_traced() -> None:
    """What PIPE606 says, and what it names instead."""
    ds = tf.data.Dataset.from_tensor_slices(tf.ones((5, 2)))
    with pytest.raises(ValueError, match="None values not supported"):
        ds.batch(2).map(lambda x: x / x.shape[0])
    with pytest.raises(TypeError, match="NoneType"):
        ds.batch(2).map(lambda x: x * (1 / x.shape[0]))
    assert [float(x[0, 0]) for x in ds.batch(2, drop_remainder=True).map(lambda x: x / x.shape[0])] == [0.5, 0.5]
    lengths = ds.batch(2).map(lambda x: tf.shape(x)[0])
    assert [int(length) for length in lengths] == [2, 2, 1]


def test_keras_gives_call_no_more_than_whether_it_trains_and_the_mask() -> None:
    seen: dict[str, object] = {}

    class Model(tf.keras.Model):  # type: ignore[misc]
        def call(self, x: Any, training: Any = "left", mask: Any = "left", mode: str = "left") -> Any:
            seen.update(training=training, mask=mask, mode=mode)
            return x

    model = Model()
    model.compile(loss="mse")
    model.predict(tf.data.Dataset.from_tensors(tf.zeros([1, 2])), verbose=0)
    assert {name for name, value in seen.items() if not isinstance(value, str)} <= GIVEN_BY_KERAS
    assert seen["mode"] == "left"
