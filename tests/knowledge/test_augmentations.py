"""The table of augmentations, against the effects that were traced and the TensorFlow that is installed."""

from __future__ import annotations

import pytest

from pipelint.knowledge.augmentations import ALTERS, AUGMENTS, AUGMENTS_BY_SEED
from pipelint.knowledge.effects import entry_of
from tests.knowledge.installed import resolve


@pytest.mark.parametrize("symbol", sorted(AUGMENTS))
def test_what_augments_draws(symbol: str) -> None:
    entry = entry_of(symbol)
    assert entry is not None
    assert "random" in entry.worst


@pytest.mark.parametrize("symbol", sorted(AUGMENTS_BY_SEED | ALTERS))
def test_what_is_given_a_seed_or_an_amount_does_not(symbol: str) -> None:
    entry = entry_of(symbol)
    assert entry is None or "random" not in entry.worst
    assert symbol.startswith("tensorflow_addons.") or callable(resolve(symbol))
