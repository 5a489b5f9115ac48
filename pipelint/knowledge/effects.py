"""What functions of TensorFlow and Keras do besides computing tensors."""

from __future__ import annotations

PY_FUNCTIONS = frozenset(
    {"tensorflow.py_function", "tensorflow.numpy_function", "tensorflow.py_func", "tensorflow.compat.v1.py_func"}
)
