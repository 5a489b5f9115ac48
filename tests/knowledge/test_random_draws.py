"""Each draw of the table beside the one of TensorFlow that stands for it: the same range, mean and spread."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pipelint.knowledge.random_draws import DRAWS, Draw
from tests.knowledge.installed import np, resolve, tf

MANY = 4000
BOUNDS = {"low": 2, "high": 5, "a": 2, "b": 5, "loc": 2, "scale": 5, "mu": 2, "sigma": 5}


def drawn_by_python(name: str, draw: Draw) -> Any:
    function = resolve(name)
    given = {key: BOUNDS[key] for key in draw.parameters if key in BOUNDS}
    if draw.shape == "*":
        return function(MANY)
    return function(**given, size=MANY) if draw.shape else np.array([function(*given.values()) for _ in range(MANY)])


@pytest.mark.parametrize("name", DRAWS)
def test_both_draw_from_the_same_distribution(name: str) -> None:
    np.random.seed(0)
    random.seed(0)
    draw = DRAWS[name]
    bounds = [BOUNDS[key] for key in draw.parameters if key in BOUNDS]
    dtype = tf.int32 if draw.integers else tf.float32
    there = resolve(draw.tensorflow)([MANY], *bounds, dtype=dtype, seed=1).numpy().astype("float64")
    here = drawn_by_python(name, draw)
    assert there.mean() == pytest.approx(here.mean(), abs=0.1 * here.std())
    assert there.std() == pytest.approx(here.std(), rel=0.1)
    if draw.tensorflow.endswith("uniform"):
        assert np.floor([there.min(), there.max()]).tolist() == np.floor([here.min(), here.max()]).tolist()
