"""Canonical names of imported things: one name for each, however a file imports it."""

from __future__ import annotations

import ast
from functools import lru_cache

from pipelint.model.values import Symbol

_CANONICAL = (
    ("tensorflow.compat.v2", "tensorflow"),
    ("tensorflow._api.v2", "tensorflow"),
    ("tensorflow.python.keras", "keras"),
    ("tensorflow.keras", "keras"),
    ("tf_keras", "keras"),
    ("keras.api", "keras"),
    ("keras.src", "keras"),
    ("tensorflow_core", "tensorflow"),
    ("keras.layers.experimental.preprocessing", "keras.layers"),
    ("keras.layers.preprocessing", "keras.layers"),
    ("keras.engine.base_layer", "keras.layers"),
    ("keras.engine.topology", "keras.layers"),
    ("keras.engine.training.Model", "keras.Model"),
    ("keras.engine.network.Network", "keras.Model"),
    ("keras.engine.Model", "keras.Model"),
    ("keras.models.Model", "keras.Model"),
    ("keras.models.Sequential", "keras.Sequential"),
    ("keras.engine.Layer", "keras.layers.Layer"),
    ("keras.Layer", "keras.layers.Layer"),
    ("keras.preprocessing.image_dataset_from_directory", "keras.utils.image_dataset_from_directory"),
    ("keras.preprocessing.image.image_dataset_from_directory", "keras.utils.image_dataset_from_directory"),
    ("keras.preprocessing.text_dataset_from_directory", "keras.utils.text_dataset_from_directory"),
    ("keras.preprocessing.timeseries_dataset_from_array", "keras.utils.timeseries_dataset_from_array"),
    ("tensorflow.python.data.Dataset", "tensorflow.data.Dataset"),
    ("tensorflow.python.data.TFRecordDataset", "tensorflow.data.TFRecordDataset"),
    ("tensorflow.python.data.ops.dataset_ops.DatasetV2", "tensorflow.data.Dataset"),
    ("tensorflow.python.data.ops.dataset_ops.Dataset", "tensorflow.data.Dataset"),
    ("tensorflow.data.experimental.TFRecordDataset", "tensorflow.data.TFRecordDataset"),
    ("tensorflow.data.python", "tensorflow.data"),
)


@lru_cache(maxsize=16384)
def canonical(name: str) -> str:
    """The one name under which the engine and the rules know an imported thing."""
    for old, new in _CANONICAL:
        if name == old or name.startswith(old + "."):
            return canonical(new + name[len(old) :])
    return name


def imported(node: ast.Import | ast.ImportFrom) -> dict[str, Symbol]:
    """The names that an import statement binds; the names behind a star are not known."""
    if isinstance(node, ast.Import):
        return {
            alias.asname or alias.name.partition(".")[0]: Symbol(
                canonical(alias.name if alias.asname else alias.name.partition(".")[0])
            )
            for alias in node.names
        }
    prefix = "." * node.level + (node.module or "")
    separator = "" if prefix.endswith(".") else "."
    return {
        alias.asname or alias.name: Symbol(canonical(f"{prefix}{separator}{alias.name}"))
        for alias in node.names
        if alias.name != "*"
    }


def root(name: str) -> str:
    """The package of a dotted name."""
    return name.partition(".")[0]


def display(name: str) -> str:
    """The name as users write it: `tf.image.resize`, `np.sin`, `keras.layers.Dense`."""
    for long, short in (("tensorflow.", "tf."), ("numpy.", "np."), ("builtins.", "")):
        if name.startswith(long):
            return short + name[len(long) :]
    return name
