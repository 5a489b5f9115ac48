"""PIPE807 by asking Keras: which arguments keep a recurrent layer off the kernels of cuDNN."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from tests.knowledge.installed import keras

LSTM = {"activation": "tanh", "recurrent_activation": "sigmoid", "unroll": False, "use_bias": True}
GRU = {**LSTM, "reset_after": True}
OTHERS = {
    "activation": "relu",
    "recurrent_activation": "hard_sigmoid",
    "unroll": True,
    "use_bias": False,
    "reset_after": False,
}


def is_fused(layer: str, arguments: dict[str, Any]) -> bool:
    """Whether Keras says so of a layer with these arguments; no GPU is needed to ask."""
    backend: Any = importlib.import_module("keras.src.backend.tensorflow.rnn")
    given = {
        name: keras.activations.get(value) if isinstance(value, str) else value for name, value in arguments.items()
    }
    return bool(getattr(backend, f"_do_{layer}_arguments_support_cudnn")(**given))


@pytest.mark.parametrize(("layer", "arguments"), [("lstm", LSTM), ("gru", GRU)])
def test_only_the_defaults_are_fused(layer: str, arguments: dict[str, Any]) -> None:
    assert is_fused(layer, arguments)
    for name in arguments:
        assert not is_fused(layer, {**arguments, name: OTHERS[name]})
