"""The calls that reorder examples are there, in the libraries that are installed."""

from __future__ import annotations

import pytest

from pipelint.knowledge.reordering import IN_TIME, REORDERS
from tests.knowledge.installed import resolve

KNOWN = (
    "keras.random.shuffle",
    "numpy.random.Generator.permuted",
    "numpy.random.choice",
    "numpy.random.permutation",
    "numpy.random.shuffle",
    "random.sample",
    "random.shuffle",
    "tensorflow.random.shuffle",
)


@pytest.mark.parametrize("symbol", KNOWN)
def test_what_reorders_is_known_by_its_last_name(symbol: str) -> None:
    assert callable(resolve(symbol))
    assert symbol.rpartition(".")[2] in REORDERS


@pytest.mark.parametrize("symbol", sorted(IN_TIME))
def test_layers_for_sequences_are_layers(symbol: str) -> None:
    assert callable(resolve(symbol))
