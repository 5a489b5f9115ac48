"""Each function of the table gives for a batch what it gives for each of its elements."""

from __future__ import annotations

import pytest

from pipelint.knowledge.tensors import ELEMENTWISE
from tests.knowledge.installed import np, resolve, tf

FURTHER = {
    "cast": (tf.int32,),
    "clip_by_value": (0.5, 0.75),
    "image.convert_image_dtype": (tf.uint8,),
    "one_hot": (4,),
    **dict.fromkeys(("add", "divide", "multiply", "pow", "subtract", "truediv"), (2.0,)),
}
BATCH = np.random.default_rng(1).uniform(0.1, 1.0, (3, 2, 4)).astype("float32")


@pytest.mark.parametrize("symbol", sorted(ELEMENTWISE))
def test_a_batch_gives_the_same(symbol: str) -> None:
    name = symbol.removeprefix("tensorflow.")
    further = FURTHER.get(name) or FURTHER.get(name.removeprefix("math."), ())
    batch = tf.cast(BATCH * 4, tf.int32) if name == "one_hot" else tf.constant(BATCH)
    function = resolve(symbol)
    each = tf.stack([function(element, *further) for element in batch])
    np.testing.assert_array_equal(function(batch, *further), each)
