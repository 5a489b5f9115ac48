"""What `tf.vectorized_map` runs once for all elements, where `tf.map_fn` runs it for each. Tested by running both."""

from __future__ import annotations

from pipelint.knowledge.tensors import ELEMENTWISE

VECTORIZED = ELEMENTWISE | frozenset(
    f"tensorflow.{name}"
    for name in (
        "argmax", "concat", "cumsum", "einsum", "expand_dims", "gather", "identity", "linalg.diag",
        "linalg.matmul", "linalg.norm", "linalg.trace", "math.argmax", "math.cumsum", "math.l2_normalize",
        "math.maximum", "math.minimum", "math.reduce_max", "math.reduce_mean", "math.reduce_min", "math.reduce_std",
        "math.reduce_sum", "math.sigmoid", "math.tanh", "matmul", "maximum", "minimum", "nn.relu", "nn.softmax", "norm",
        "ones_like", "reduce_max", "reduce_mean", "reduce_min", "reduce_prod", "reduce_sum", "reshape", "reverse",
        "sigmoid", "sort", "squeeze", "stack", "tanh", "tensordot", "tile", "transpose", "zeros_like",
    )
)  # fmt: skip
