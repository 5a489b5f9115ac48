"""The names of the operations that take long are names of TensorFlow and Keras."""

from __future__ import annotations

from operator import attrgetter

import pytest

from pipelint.knowledge.costly_operations import COSTLY, COSTLY_MODULES

tf = pytest.importorskip("tensorflow", reason="the names are looked up in TensorFlow")


@pytest.mark.parametrize("symbol", sorted(COSTLY))
def test_an_operation_is_there(symbol: str) -> None:
    assert callable(attrgetter(symbol.removeprefix("tensorflow."))(tf))


@pytest.mark.parametrize("beginning", [name for name in COSTLY_MODULES if name.startswith("keras.layers.")])
def test_a_layer_is_there(beginning: str) -> None:
    assert any(f"keras.layers.{name}".startswith(beginning) for name in dir(tf.keras.layers))
