"""PIPE607 by running it: what becomes of layers and variables that are made where a graph is recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pipelint.rule import HAS_WEIGHTS, KEEPS_SEED
from tests.knowledge.installed import keras, np, tf


def dense(x: Any) -> Any:
    return keras.layers.Dense(3)(x)


MADE_IN_CALL: dict[str, Callable[[Any], Any]] = {
    "a layer": dense,
    "a variable": lambda x: x @ tf.Variable(tf.ones((3, 3))),
    "a dropout": lambda x: keras.layers.Dropout(0.5)(x, training=True),
}
ARGUMENTS = {
    "EinsumDense": ("ab,bc->ac", 3),
    "Embedding": (10, 3),
    "MultiHeadAttention": (2, 3),
    **dict.fromkeys(("BatchNormalization", "LayerNormalization", "PReLU"), ()),
    "GroupNormalization": (1,),
}
SEQUENCES = frozenset({"GRU", "LSTM", "MultiHeadAttention", "SimpleRNN"})


def fitted(call: Callable[[Any], Any]) -> Any:
    """A model with a layer that does this to its input, after one epoch."""
    block = type("Block", (keras.layers.Layer,), {"call": lambda self, x: call(x)})
    model = keras.Sequential([block(), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(np.ones((8, 3), "float32"), np.ones((8, 1), "float32"), verbose=0)
    return model


@pytest.mark.parametrize("call", MADE_IN_CALL.values(), ids=MADE_IN_CALL)
def test_fit_refuses_what_is_made_in_call(call: Callable[[Any], Any]) -> None:
    with pytest.raises(ValueError, match="only supports singleton"):
        fitted(call)


def test_what_is_made_before_is_trained() -> None:
    made = keras.layers.Dense(3)
    made.build((None, 3))
    assert fitted(lambda x: keras.layers.ReLU()(made(x))) is not None


def test_a_tf_function_refuses_a_variable_at_its_first_call() -> None:
    with pytest.raises(ValueError, match="only supports singleton"):
        tf.function(lambda x: x + tf.Variable(1.0))(1.0)


def test_run_eagerly_each_call_has_weights_of_its_own() -> None:
    x = np.ones((1, 3), "float32")
    assert not np.allclose(*(dense(x) for _ in range(2)))


@pytest.mark.parametrize("name", sorted(HAS_WEIGHTS))
def test_these_layers_have_weights(name: str) -> None:
    layer = getattr(keras.layers, name)(*ARGUMENTS.get(name, (3, 2) if "Conv" in name else (3,)))
    length = next((axes for axes in (1, 2, 3) if f"{axes}D" in name), 0) + name.startswith("ConvLSTM")
    shape = (1, *[8] * (length or name in SEQUENCES), 3)
    layer.build(*[shape] * (2 if name == "MultiHeadAttention" else 1))
    assert layer.weights


@pytest.mark.parametrize("name", sorted(KEEPS_SEED))
def test_these_keep_the_state_of_a_seed(name: str) -> None:
    assert getattr(keras.layers, name)(0.5).variables
