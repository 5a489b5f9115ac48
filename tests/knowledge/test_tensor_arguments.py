"""What takes a tensor, and what is known of one while tracing, as the installed TensorFlow and Keras have it."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from pipelint.knowledge import tensor_arguments as table
from pipelint.knowledge.tensors import (
    ALWAYS_OUTSIDE,
    ARRAY_ATTRIBUTES,
    CONTAINERS,
    IN_A_GRAPH,
    NO_TENSORS,
    SHAPE_METHODS,
    STATIC_METHODS,
    TENSOR_TESTS,
    TENSOR_TYPES,
)
from tests.knowledge.installed import keras, np, parameters, resolve, tf

NO_DATA = frozenset(
    {
        "M", "N", "activation", "condlist", "config", "dim", "equation", "f", "frame_step", "fun", "function",
        "identifier", "image_size", "index", "input_sizes", "loss", "lower", "n", "name", "num_mel_bins", "num_rows",
        "pred", "pyfunc", "scalar", "shape", "start", "subscripts", "template", "window_length", "cond",
    }
)  # fmt: skip
"""How TensorFlow and Keras call a first parameter that is a size, a function or a setting."""
WINDOWS = frozenset({"bartlett", "blackman", "hamming", "hanning", "kaiser"})
"""Functions of keras.ops whose `x` is the length of a window."""


@pytest.mark.parametrize("module", table.MODULES)
def test_all_functions_of_a_module_take_a_tensor_first_but_those_that_are_listed(module: str) -> None:
    found = resolve(module)
    functions = {name for name in dir(found) if name[:1].islower() and inspect.isfunction(getattr(found, name))}
    functions -= table.TAKES_ANYTHING
    others = {name for name in functions if (parameters(getattr(found, name)) or ["several"])[0] in NO_DATA}
    others |= WINDOWS & functions
    assert {name for name in functions if not table.tensors_of(f"{module}.{name}")} == others


@pytest.mark.parametrize("name", sorted(table.TOP_LEVEL))
def test_functions_of_tensorflow_itself_take_one_too(name: str) -> None:
    assert parameters(getattr(tf, name))[0] not in NO_DATA
    assert table.tensors_of(f"tensorflow.{name}")


@pytest.mark.parametrize("function", ["tensorflow.cast", "tensorflow.stack", "tensorflow.ones", "keras.losses.Loss"])
def test_what_takes_numbers_or_shapes_says_nothing(function: str) -> None:
    assert not table.tensors_of(function)


def test_a_loss_and_a_product_take_two() -> None:
    assert table.tensors_of("keras.losses.mean_squared_error") == table.tensors_of("tensorflow.matmul") == 2


def test_what_is_known_while_a_graph_is_recorded() -> None:
    seen: dict[str, Any] = {}

    def record(x: Any) -> Any:
        seen.update({name: resolve(name)() for name in IN_A_GRAPH})
        seen["attributes"] = all(hasattr(x, name) for name in ARRAY_ATTRIBUTES)
        seen["tests"] = all(resolve(name)(x) for name in TENSOR_TESTS)
        seen["types"] = isinstance(x, tuple(map(resolve, TENSOR_TYPES)))
        seen["others"] = isinstance(x, tuple(map(resolve, NO_TENSORS | CONTAINERS)))
        seen["numpy"] = hasattr(x, "numpy")
        return x

    tf.function(record)(tf.ones(2))
    told = {"attributes": True, "tests": True, "types": True, "others": False, "numpy": False}
    assert seen == {**IN_A_GRAPH, **told}


def test_static_methods_are_methods_of_tensors_layers_or_models() -> None:
    owners = (tf.Tensor, keras.layers.Layer, keras.Model, tf.TensorShape)
    missing = {name for name in STATIC_METHODS if not any(hasattr(owner, name) for owner in owners)}
    assert missing == {"get_input_at"}  # of Keras 2


def test_shapes_have_these_methods() -> None:
    assert {name for name in SHAPE_METHODS if not hasattr(tf.TensorShape, name)} == set()


def test_an_array_becomes_a_tensor_and_a_number_stays_one() -> None:
    seen = []

    def record(x: Any) -> Any:
        seen.append(tf.is_tensor(x))
        return x

    tf.function(record)(np.ones(2))
    tf.function(record)(2.0)
    assert seen == [True, False]


def test_outside_of_graphs_they_answer_the_opposite() -> None:
    assert {name: resolve(name)() for name in ALWAYS_OUTSIDE} == {name: not IN_A_GRAPH[name] for name in ALWAYS_OUTSIDE}
