"""PIPE705 by running it: how often a tf.function is traced for numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.knowledge.installed import np, tf

NUMBERS = 5


def traces(given: Callable[[int], Any], **arguments: Any) -> int:
    """How often a function is traced that is called with some numbers, twice with each."""
    traced: list[None] = []

    def scaled(number: Any) -> Any:
        traced.append(None)
        return tf.cast(number, tf.float32) * 2.0

    function = tf.function(scaled, **arguments)
    for number in (*range(NUMBERS), *range(NUMBERS)):
        function(given(number))
    return len(traced)


@pytest.mark.parametrize("given", [int, float], ids=["integers", "floats"])
@pytest.mark.parametrize("arguments", [{}, {"reduce_retracing": True}], ids=["as it is", "asked to retrace less"])
def test_each_python_number_has_a_trace_of_its_own(given: Callable[[int], Any], arguments: dict[str, Any]) -> None:
    assert traces(given, **arguments) == NUMBERS


@pytest.mark.parametrize("given", [tf.constant, np.int64], ids=["tensors", "numbers of numpy"])
def test_tensors_share_one(given: Callable[[int], Any]) -> None:
    assert traces(given) == 1


def test_so_do_numbers_with_a_signature() -> None:
    assert traces(int, input_signature=[tf.TensorSpec([], tf.int32)]) == 1
