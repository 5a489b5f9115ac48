"""PIPE206 by running it: which maps keep their parallel calls under op determinism."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("tensorflow", reason="shows what TensorFlow does")
# In a process of its own: op determinism holds for all that runs in one.
PROGRAM = """
import tensorflow as tf
tf.keras.utils.set_random_seed(1)
tf.config.experimental.enable_op_determinism()
function = {function}
batches = iter(tf.data.Dataset.range(100).map(function, num_parallel_calls=8).batch(10))
next(batches)
nodes = tf.data.experimental.get_model_proto(batches).nodes.values()
print(max([parameter.state_value for node in nodes for parameter in node.parameters], default=1))
"""


@pytest.mark.parametrize(
    ("function", "calls"),
    [
        ("lambda x: x * 2", 8.0),
        ("lambda x: tf.random.uniform((3,)) + tf.cast(x, tf.float32)", 8.0),
        ("lambda x: tf.numpy_function(lambda y: y, [x], tf.int64)", 1.0),
        ("lambda x: tf.keras.layers.RandomBrightness(0.5)(tf.cast(tf.fill((4, 4, 3), x), tf.float32))", 1.0),
    ],
    ids=["no state", "a draw, which is taken out", "Python", "a layer that draws"],
)
def test_parallel_calls_are_kept(function: str, calls: float) -> None:
    layer = "tf.keras.layers.RandomBrightness(0.5)"
    program = PROGRAM.format(function=function.replace(layer, "layer"))
    program = program.replace("function =", f"layer = {layer}\nfunction =", 1)
    found = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True)
    assert float(found.stdout.split()[-1]) == calls
