"""What TensorFlow and keras.ops have in the place of numpy functions. Tested by comparing what each row computes."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

_REDUCED = ("axis", "keepdims")


class Equivalent(NamedTuple):
    """What stands for a numpy function where its arguments are written in a way that both understand alike."""

    tensorflow: str
    keras: str
    """The name in keras.ops."""
    fewest: int = 1
    most: int = 1
    """How many arguments may be given by position."""
    keywords: tuple[str, ...] = ()
    needs: str = ""
    """An argument that must be there, as the last by position or by this name, since the defaults differ."""
    only_floats: bool = False
    """Whether integers stay what they are, though numpy takes wider ones, or floats, for the result."""

    def accepts(self, positional: int, keywords: Collection[str]) -> bool:
        """Whether a call with so many arguments by position, and these by name, means the same there."""
        if not self.fewest <= positional <= self.most or not set(keywords) <= set(self.keywords):
            return False
        return not self.needs or self.needs in keywords or positional == self.most


EQUIVALENTS: dict[str, Equivalent] = {
    # Of one tensor.
    "abs": Equivalent("tensorflow.abs", "abs"),
    "absolute": Equivalent("tensorflow.abs", "absolute"),
    "arccos": Equivalent("tensorflow.acos", "arccos"),
    "arcsin": Equivalent("tensorflow.asin", "arcsin"),
    "arctan": Equivalent("tensorflow.atan", "arctan"),
    "array": Equivalent("tensorflow.convert_to_tensor", "convert_to_tensor"),
    "asarray": Equivalent("tensorflow.convert_to_tensor", "convert_to_tensor"),
    "ceil": Equivalent("tensorflow.math.ceil", "ceil"),
    "cos": Equivalent("tensorflow.cos", "cos"),
    "cosh": Equivalent("tensorflow.cosh", "cosh"),
    "exp": Equivalent("tensorflow.exp", "exp"),
    "expm1": Equivalent("tensorflow.math.expm1", "expm1"),
    "floor": Equivalent("tensorflow.floor", "floor"),
    "isfinite": Equivalent("tensorflow.math.is_finite", "isfinite"),
    "isinf": Equivalent("tensorflow.math.is_inf", "isinf"),
    "isnan": Equivalent("tensorflow.math.is_nan", "isnan"),
    "log": Equivalent("tensorflow.math.log", "log"),
    "log1p": Equivalent("tensorflow.math.log1p", "log1p"),
    "logical_not": Equivalent("tensorflow.logical_not", "logical_not"),
    "negative": Equivalent("tensorflow.negative", "negative"),
    "ones_like": Equivalent("tensorflow.ones_like", "ones_like"),
    "reciprocal": Equivalent("tensorflow.math.reciprocal", "reciprocal"),
    "round": Equivalent("tensorflow.round", "round"),
    "sign": Equivalent("tensorflow.sign", "sign"),
    "sin": Equivalent("tensorflow.sin", "sin"),
    "sinh": Equivalent("tensorflow.sinh", "sinh"),
    "sqrt": Equivalent("tensorflow.sqrt", "sqrt"),
    "square": Equivalent("tensorflow.square", "square"),
    "tan": Equivalent("tensorflow.tan", "tan"),
    "tanh": Equivalent("tensorflow.tanh", "tanh"),
    "zeros_like": Equivalent("tensorflow.zeros_like", "zeros_like"),
    # Of two.
    "add": Equivalent("tensorflow.add", "add", 2, 2),
    "arctan2": Equivalent("tensorflow.atan2", "arctan2", 2, 2),
    "divide": Equivalent("tensorflow.divide", "divide", 2, 2),
    "equal": Equivalent("tensorflow.equal", "equal", 2, 2),
    "greater": Equivalent("tensorflow.greater", "greater", 2, 2),
    "greater_equal": Equivalent("tensorflow.greater_equal", "greater_equal", 2, 2),
    "less": Equivalent("tensorflow.less", "less", 2, 2),
    "less_equal": Equivalent("tensorflow.less_equal", "less_equal", 2, 2),
    "logical_and": Equivalent("tensorflow.logical_and", "logical_and", 2, 2),
    "logical_or": Equivalent("tensorflow.logical_or", "logical_or", 2, 2),
    "matmul": Equivalent("tensorflow.matmul", "matmul", 2, 2),
    "maximum": Equivalent("tensorflow.maximum", "maximum", 2, 2),
    "minimum": Equivalent("tensorflow.minimum", "minimum", 2, 2),
    "multiply": Equivalent("tensorflow.multiply", "multiply", 2, 2),
    "not_equal": Equivalent("tensorflow.not_equal", "not_equal", 2, 2),
    "power": Equivalent("tensorflow.pow", "power", 2, 2),
    "subtract": Equivalent("tensorflow.subtract", "subtract", 2, 2),
    # Along an axis.
    "amax": Equivalent("tensorflow.reduce_max", "max", 1, 2, _REDUCED),
    "amin": Equivalent("tensorflow.reduce_min", "min", 1, 2, _REDUCED),
    "max": Equivalent("tensorflow.reduce_max", "max", 1, 2, _REDUCED),
    "mean": Equivalent("tensorflow.reduce_mean", "mean", 1, 2, _REDUCED, only_floats=True),
    "min": Equivalent("tensorflow.reduce_min", "min", 1, 2, _REDUCED),
    "prod": Equivalent("tensorflow.reduce_prod", "prod", 1, 2, _REDUCED, only_floats=True),
    "std": Equivalent("tensorflow.math.reduce_std", "std", 1, 2, _REDUCED),
    "sum": Equivalent("tensorflow.reduce_sum", "sum", 1, 2, _REDUCED, only_floats=True),
    "var": Equivalent("tensorflow.math.reduce_variance", "var", 1, 2, _REDUCED),
    "argmax": Equivalent("tensorflow.argmax", "argmax", 1, 2, ("axis",), needs="axis"),
    "argmin": Equivalent("tensorflow.argmin", "argmin", 1, 2, ("axis",), needs="axis"),
    "argsort": Equivalent("tensorflow.argsort", "argsort", 1, 2, ("axis",)),
    "concatenate": Equivalent("tensorflow.concat", "concatenate", 1, 2, ("axis",), needs="axis"),
    "cumsum": Equivalent("tensorflow.cumsum", "cumsum", 1, 2, ("axis",), needs="axis", only_floats=True),
    "expand_dims": Equivalent("tensorflow.expand_dims", "expand_dims", 1, 2, ("axis",), needs="axis"),
    "repeat": Equivalent("tensorflow.repeat", "repeat", 2, 3, ("axis",)),
    "sort": Equivalent("tensorflow.sort", "sort", 1, 2, ("axis",)),
    "squeeze": Equivalent("tensorflow.squeeze", "squeeze", 1, 2, ("axis",)),
    "stack": Equivalent("tensorflow.stack", "stack", 1, 2, ("axis",)),
    # The rest.
    "clip": Equivalent("tensorflow.clip_by_value", "clip", 3, 3),
    "einsum": Equivalent("tensorflow.einsum", "einsum", 2, 8),
    "reshape": Equivalent("tensorflow.reshape", "reshape", 2, 2),
    "tensordot": Equivalent("tensorflow.tensordot", "tensordot", 2, 3, ("axes",), needs="axes"),
    "transpose": Equivalent("tensorflow.transpose", "transpose", 1, 2),
    "where": Equivalent("tensorflow.where", "where", 3, 3),
}
"""By the name in numpy."""

NO_GRADIENT = frozenset(
    {
        "argmax", "argmin", "argsort", "ceil", "count_nonzero", "equal", "floor", "greater", "ones_like", "round",
        "unique", "zeros_like",
    }
)  # fmt: skip
"""Functions of numpy through which TensorFlow has no gradient either, so that eager code loses none."""
TAKES_SIZES = frozenset({"arange", "empty", "eye", "identity", "ones", "tri", "zeros"})
"""Functions of numpy that are given sizes, which are integers: no gradient goes through these."""
