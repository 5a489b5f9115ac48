"""The strategies for several processes, by their names in TensorFlow."""

from __future__ import annotations

import pytest

from pipelint.knowledge.devices import CLUSTER_STRATEGIES
from tests.knowledge.installed import resolve, tf


@pytest.mark.parametrize("name", sorted(CLUSTER_STRATEGIES))
def test_a_strategy_for_a_cluster_is_one(name: str) -> None:
    assert issubclass(resolve(name), tf.distribute.Strategy)
