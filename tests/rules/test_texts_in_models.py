"""PIPE808 by running it: layers that take texts keep a model from being compiled by XLA."""

from __future__ import annotations

from tests.knowledge.installed import keras


def test_layers_for_texts_are_not_compiled() -> None:
    assert not keras.layers.TextVectorization().supports_jit
    assert not keras.layers.StringLookup(vocabulary=["a"]).supports_jit
