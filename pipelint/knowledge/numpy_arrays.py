"""The shape and the dtype of arrays and tensors, by the arguments of what makes them. Tested by making each."""

from __future__ import annotations

SHAPE_FIRST = {
    "numpy.zeros": "float64",
    "numpy.ones": "float64",
    "numpy.empty": "float64",
    "numpy.full": None,
    "numpy.random.random": "float64",
    "numpy.random.random_sample": "float64",
}
"""Functions that take the shape first, with the dtype that they give by default; None is that of the value."""
AXES = {"numpy.random.rand": "float64", "numpy.random.randn": "float64"}
"""Functions that take one argument for each axis."""
SHAPE_AS_SIZE = {
    "numpy.random.uniform": (2, "float64"),
    "numpy.random.normal": (2, "float64"),
    "numpy.random.standard_normal": (0, "float64"),
    "numpy.random.randint": (2, "int64"),
    "numpy.random.Generator.random": (0, "float64"),
    "numpy.random.Generator.uniform": (2, "float64"),
    "numpy.random.Generator.normal": (2, "float64"),
    "numpy.random.Generator.standard_normal": (0, "float64"),
    "numpy.random.Generator.integers": (2, "int64"),
}
"""Functions that take the shape as `size`, with its place among the arguments and the dtype that they give."""
OF_A_LIST = frozenset({"numpy.array", "numpy.asarray", "tensorflow.constant", "tensorflow.convert_to_tensor"})
"""Functions that make an array or a tensor of the list that they are given first."""
COUNTS = frozenset({"numpy.arange", "tensorflow.range"})
"""Functions that take what `range` takes."""
EVENLY_SPACED = {"numpy.linspace": 50, "tensorflow.linspace": None}
"""Functions that take two bounds and how many numbers there shall be, which need not be given for some."""
RESHAPES = frozenset({"numpy.reshape", "tensorflow.reshape"})
"""Functions that take an array and the shape that it shall have."""
JOINS = frozenset({"numpy.concatenate", "tensorflow.concat"})
"""Functions that take a list of arrays and along which axis they are put together."""
ADDS_AN_AXIS = frozenset({"numpy.expand_dims", "tensorflow.expand_dims"})
KEEPS_DTYPE = frozenset(
    {
        "numpy.array", "numpy.asarray", "numpy.clip", "numpy.concatenate", "numpy.expand_dims", "numpy.hstack",
        "numpy.reshape", "numpy.squeeze", "numpy.stack", "numpy.transpose", "numpy.vstack",
    }
)  # fmt: skip
"""Functions that give the dtype of the array that they are given first, or of those in a list."""
METHODS_THAT_KEEP_FLOATS = frozenset(
    {
        "clip", "cumsum", "flatten", "max", "mean", "min", "prod", "ravel", "repeat", "round", "squeeze", "std", "sum",
        "swapaxes", "transpose",
    }
)  # fmt: skip
"""Methods that give floats as precise as those of the array."""
TENSOR_SHAPE_FIRST = frozenset(
    {
        "tensorflow.zeros", "tensorflow.ones", "tensorflow.random.normal", "tensorflow.random.uniform",
        "tensorflow.random.truncated_normal",
    }
)  # fmt: skip
"""Functions of TensorFlow that take the shape first."""
PYTHON_TYPES = {"builtins.float": "float64", "builtins.int": "int64", "builtins.bool": "bool"}
"""The dtype for which a type of Python stands."""
ITEM_BYTES = {
    "bool": 1, "int8": 1, "uint8": 1, "float16": 2, "int16": 2, "uint16": 2, "float32": 4, "int32": 4, "uint32": 4,
    "float64": 8, "int64": 8, "uint64": 8, "complex64": 8, "complex128": 16,
}  # fmt: skip
"""The size of one item by its dtype."""
