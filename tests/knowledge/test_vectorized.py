"""Each function of the table runs under tf.vectorized_map without a loop, and gives what tf.map_fn gives."""

from __future__ import annotations

from typing import Any

import pytest

from pipelint.knowledge.vectorized import VECTORIZED
from tests.knowledge.installed import np, resolve, tf

ELEMENTS = tf.constant(np.random.default_rng(1).uniform(0.1, 1.0, (3, 4, 4)).astype("float32"))
FURTHER: dict[str, tuple[Any, ...]] = {
    "cast": (tf.float32,),
    "clip_by_value": (0.5, 0.75),
    "expand_dims": (0,),
    "gather": ([2, 0],),
    "image.convert_image_dtype": (tf.float32,),
    "reshape": ((16,),),
    "reverse": ([0],),
    "tensordot": (tf.eye(4), 1),
    "tile": ((2, 1),),
    **dict.fromkeys(("add", "divide", "maximum", "minimum", "multiply", "pow", "subtract", "truediv"), (2.0,)),
    **dict.fromkeys(("linalg.matmul", "matmul"), (tf.eye(4),)),
}


def applied(symbol: str, element: Any) -> Any:
    """What a function gives for one element, as a tensor of numbers."""
    name = symbol.removeprefix("tensorflow.")
    function = resolve(symbol)
    match name:
        case "concat":
            return function([element, element], 0)
        case "stack":
            return function([element, element])
        case "einsum":
            return function("ij,jk->ik", element, element)
        case "one_hot":
            return function(tf.cast(element * 4, tf.int32), 4)
        case "squeeze":
            return function(element[None])
        case _:
            further = FURTHER.get(name) or FURTHER.get(name.removeprefix("math."), ())
            return tf.cast(function(element, *further), tf.float32)


@pytest.mark.parametrize("symbol", sorted(VECTORIZED))
def test_it_runs_once_for_all_elements(symbol: str) -> None:
    looped = tf.map_fn(lambda element: applied(symbol, element), ELEMENTS)
    at_once = tf.vectorized_map(lambda element: applied(symbol, element), ELEMENTS, fallback_to_while_loop=False)
    np.testing.assert_allclose(at_once, looped, rtol=1e-5)
