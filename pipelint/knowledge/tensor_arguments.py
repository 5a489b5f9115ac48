"""Which functions of TensorFlow and Keras compute from a tensor that they are given. Tested by their signatures.

What traced code gives to one of them, and nobody in sight says what it is, is a tensor: `tf.function` makes one of an
array, and a Python number is what these functions are rarely given. Functions that convert (`tf.cast`), combine two
values (`tf.maximum`) or a list (`tf.stack`) are given numbers all the time, so they are not among them.
"""

from __future__ import annotations

from pipelint.knowledge import names

MODULES = (
    "tensorflow.math", "tensorflow.nn", "tensorflow.image", "tensorflow.linalg", "tensorflow.signal",
    "tensorflow.strings", "keras.ops", "keras.activations", "keras.losses",
)  # fmt: skip
"""Modules whose functions take a tensor first, but for the next two tables."""
TAKES_ANYTHING = frozenset(
    {
        "add", "add_n", "append", "cast", "concat", "concatenate", "convert_image_dtype", "convert_to_numpy",
        "convert_to_tensor", "divide", "dstack", "equal", "floor_divide", "floordiv", "floormod", "greater",
        "greater_equal", "hstack", "join", "less", "less_equal", "logical_and", "logical_or", "logical_xor",
        "maximum", "meshgrid", "minimum", "mod", "multi_hot", "multiply", "multiply_no_nan", "not_equal", "one_hot",
        "pow", "power", "saturate_cast", "stack", "subtract", "true_divide", "truediv", "vstack",
    }
)  # fmt: skip
"""Functions there that take a number, or a list with numbers in it, as readily as a tensor."""
NO_TENSOR_FIRST = frozenset(
    {
        "arange", "associative_scan", "bartlett", "blackman", "cond", "custom_gradient",
        "depthwise_conv2d_backprop_input", "deserialize", "einsum", "empty", "eye", "fori_loop", "format", "full",
        "geomspace", "get", "hamming", "hamming_window", "hann_window", "hanning", "identity",
        "inverse_stft_window_fn", "jvp", "kaiser", "kaiser_bessel_derived_window", "kaiser_window",
        "linear_to_mel_weight_matrix", "linspace", "logspace", "map", "ones", "sample_distorted_bounding_box",
        "scalar_mul", "scan", "select", "serialize", "sobol_sample", "stateless_sample_distorted_bounding_box",
        "switch", "tri", "vectorize", "vectorized_map", "vorbis_window", "while_loop", "zeros",
    }
)  # fmt: skip
"""Functions there that take a size, a function or a name first."""
TOP_LEVEL = frozenset(
    {
        "abs", "acos", "acosh", "argmax", "argmin", "argsort", "asin", "asinh", "atan", "atanh", "boolean_mask",
        "broadcast_to", "clip_by_norm", "clip_by_value", "cos", "cosh", "cumsum", "ensure_shape", "exp",
        "expand_dims", "floor", "gather", "gather_nd", "identity", "logical_not", "matmul", "negative", "norm",
        "ones_like", "pad", "rank", "reduce_all", "reduce_any", "reduce_logsumexp", "reduce_max", "reduce_mean",
        "reduce_min", "reduce_prod", "reduce_sum", "repeat", "reshape", "reverse", "roll", "round", "shape",
        "sigmoid", "sign", "sin", "sinh", "size", "slice", "sort", "split", "sqrt", "square", "squeeze",
        "stop_gradient", "tan", "tanh", "tensordot", "tile", "transpose", "unique", "unstack", "zeros_like",
    }
)  # fmt: skip
"""Functions of `tensorflow` itself that do."""
_OF_TWO = frozenset(
    {
        "cross", "dot", "inner", "matmul", "matvec", "outer", "psnr", "sigmoid_cross_entropy_with_logits",
        "softmax_cross_entropy_with_logits", "sparse_softmax_cross_entropy_with_logits", "ssim", "tensordot",
    }
)  # fmt: skip
"""Functions among these whose second argument is a tensor too; so it is for all of `keras.losses`."""
TENSOR_KEYWORDS = frozenset(
    {
        "a", "b", "features", "image", "images", "input", "input_tensor", "inputs", "labels", "logits", "tensor", "x",
        "x1", "x2", "y_pred", "y_true",
    }
)  # fmt: skip
"""How these functions call the arguments that are tensors, where they are given by name."""


def tensors_of(function: str) -> int:
    """How many of the first arguments of a function are tensors that it computes from."""
    module, _, last = function.rpartition(".")
    if module == "tensorflow":
        first = last in TOP_LEVEL
    else:
        first = module in MODULES and last not in TAKES_ANYTHING and last not in NO_TENSOR_FIRST
    if not first or last[:1].isupper():
        return 0
    return 2 if last in _OF_TWO or module == "keras.losses" else 1


COMPUTING_OBJECTS = (
    "keras.Model", "keras.Sequential", "keras.applications.", "keras.layers.", "keras.losses.", "keras.metrics.",
)  # fmt: skip
"""How the names of classes begin whose objects are called with tensors."""


def computes(symbol: str) -> bool:
    """Whether an object of this class, or its method `update_state`, takes tensors."""
    return symbol.startswith(COMPUTING_OBJECTS) and names.last(symbol)[:1].isupper()
