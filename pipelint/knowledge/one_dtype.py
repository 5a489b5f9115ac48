"""Where eager TensorFlow converts an array to the dtype of the tensor that it meets, and a graph refuses. Tested so.

Outside of a graph an array of numpy is no tensor yet, and becomes one of the dtype that is needed. A `tf.function`
makes a tensor of each array that it is given, of the array's own dtype, and TensorFlow converts no tensors by itself.
"""

from __future__ import annotations

_OF_TWO = (
    "add", "divide", "equal", "greater", "greater_equal", "less", "less_equal", "maximum", "minimum", "multiply",
    "not_equal", "pow", "subtract",
)  # fmt: skip
OF_TWO = frozenset(
    {
        *(f"tensorflow.{name}" for name in _OF_TWO),
        *(f"tensorflow.math.{name}" for name in _OF_TWO),
        "tensorflow.math.divide_no_nan",
        "tensorflow.math.floordiv",
        "tensorflow.math.floormod",
        "tensorflow.math.squared_difference",
        "tensorflow.math.xlogy",
    }
)
"""Functions that take two tensors of one dtype."""
OF_A_LIST = frozenset({"tensorflow.concat", "tensorflow.stack"})
"""Functions that take a list of tensors of one dtype."""
TO_A_DTYPE = frozenset({"tensorflow.convert_to_tensor"})
"""Functions that convert an array to the dtype that they are asked for, and check that of a tensor."""
OF_VALUES = frozenset({"tensorflow.constant"})
"""Functions that take an array of any dtype, and no tensor of a graph."""
OF_INDICES = {"tensorflow.one_hot": 0}
"""Functions that take indices, which eager code makes whole numbers, with their position."""
ONLY_OF_ARRAYS = frozenset(
    {
        "all", "any", "argmax", "argmin", "argsort", "astype", "clip", "copy", "cumsum", "dot", "fill", "flatten",
        "max", "mean", "min", "prod", "ravel", "repeat", "reshape", "round", "sort", "squeeze", "std", "sum",
        "swapaxes", "take", "transpose", "var",
    }
)  # fmt: skip
"""Methods of an array that a tensor has not."""
SETS_FLOATX = frozenset({"keras.backend.set_floatx", "keras.config.set_floatx"})
"""Functions that say which dtype weights, and so the tensors of models, have."""
FLOATX = "float32"
"""Which one they have otherwise."""
