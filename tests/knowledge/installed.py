"""The TensorFlow, Keras and numpy that are installed, against which the tables are tested."""

from __future__ import annotations

import importlib
import inspect
import os
from typing import Any

import pytest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
tf: Any = pytest.importorskip("tensorflow", reason="the facts of TensorFlow need TensorFlow")
keras: Any = pytest.importorskip("keras", reason="the facts of Keras need Keras")
np: Any = pytest.importorskip("numpy", reason="the facts of numpy need numpy")


def resolve(name: str) -> Any:
    """What a dotted name stands for, None if there is none."""
    package, *parts = name.split(".")
    try:
        found: Any = importlib.import_module(package)
    except ImportError:
        return None
    path = package
    for part in parts:
        path = f"{path}.{part}"
        try:
            found = getattr(found, part) if hasattr(found, part) else importlib.import_module(path)
        except ImportError:
            return None
    return found


def parameters(function: Any) -> list[str]:
    """The names of a function's parameters that a caller can give."""
    kept = inspect.signature(function).parameters.values()
    return [item.name for item in kept if item.kind not in (item.VAR_KEYWORD, item.VAR_POSITIONAL)]


def stateful_operations(dataset: Any) -> set[str]:
    """The kinds of stateful operations in the graph of the function that a `map` applies."""
    graph = dataset._map_func.function.graph
    return {operation.type for operation in graph.get_operations() if operation.op_def.is_stateful}
