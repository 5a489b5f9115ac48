"""Canonical names: one for each imported thing, however a file imports it. Tested by importing both names."""

from __future__ import annotations

from functools import lru_cache

CANONICAL = (
    # spelled, meant, where the spelling is found if not in today's TensorFlow and Keras
    ("tensorflow.compat.v2", "tensorflow", ""),
    ("tensorflow._api.v2", "tensorflow", ""),
    ("tensorflow.python.keras", "keras", ""),
    ("tensorflow.keras", "keras", ""),
    ("tensorflow.initializers", "keras.initializers", ""),
    ("tensorflow.losses", "keras.losses", ""),
    ("tensorflow.metrics", "keras.metrics", ""),
    ("tensorflow.optimizers", "keras.optimizers", ""),
    ("tf_keras", "keras", "Keras 2 as a package of its own"),
    ("keras.api", "keras", "Keras 2.13 to 3.9"),
    ("keras.src", "keras", ""),
    ("tensorflow_core", "tensorflow", "TensorFlow 1.15 and 2.0"),
    ("keras.layers.experimental.preprocessing", "keras.layers", "TensorFlow 2.3 to 2.15"),
    ("keras.layers.preprocessing", "keras.layers", "Keras 2"),
    ("keras.engine.base_layer", "keras.layers", "Keras 2"),
    ("keras.engine.topology", "keras.layers", "Keras 2.0 to 2.1"),
    ("keras.engine.training.Model", "keras.Model", "Keras 2"),
    ("keras.engine.network.Network", "keras.Model", "Keras 2.2 and 2.3"),
    ("keras.engine.Model", "keras.Model", "Keras 2.0 to 2.3"),
    ("keras.models.Model", "keras.Model", ""),
    ("keras.models.Sequential", "keras.Sequential", ""),
    ("keras.engine.Layer", "keras.layers.Layer", "Keras 2.0 to 2.3"),
    ("keras.Layer", "keras.layers.Layer", ""),
    ("keras.preprocessing.image_dataset_from_directory", "keras.utils.image_dataset_from_directory", ""),
    ("keras.preprocessing.image.image_dataset_from_directory", "keras.utils.image_dataset_from_directory", "Keras 2"),
    ("keras.preprocessing.text_dataset_from_directory", "keras.utils.text_dataset_from_directory", ""),
    ("keras.preprocessing.timeseries_dataset_from_array", "keras.utils.timeseries_dataset_from_array", ""),
    ("tensorflow.python.data.Dataset", "tensorflow.data.Dataset", ""),
    ("tensorflow.python.data.TFRecordDataset", "tensorflow.data.TFRecordDataset", ""),
    ("tensorflow.python.data.experimental.AUTOTUNE", "tensorflow.data.AUTOTUNE", ""),
    ("tensorflow.python.data.AUTOTUNE", "tensorflow.data.AUTOTUNE", ""),
    ("tensorflow.python.data.ops.dataset_ops.AUTOTUNE", "tensorflow.data.AUTOTUNE", ""),
    ("tensorflow.python.data.ops.dataset_ops.DatasetV2", "tensorflow.data.Dataset", ""),
    ("tensorflow.python.data.ops.dataset_ops.Dataset", "tensorflow.data.Dataset", ""),
    ("tensorflow.python.eager.def_function.function", "tensorflow.function", ""),
    ("tensorflow.python.eager.def_function.run_functions_eagerly", "tensorflow.config.run_functions_eagerly", ""),
    ("tensorflow.python.eager.polymorphic_function.polymorphic_function.function", "tensorflow.function", ""),
    ("tensorflow.data.experimental.TFRecordDataset", "tensorflow.data.TFRecordDataset", "misspelled in some programs"),
    ("tensorflow.data.python", "tensorflow.data", "misspelled in some programs"),
)

ALIASES = {"tensorflow": "tf", "numpy": "np"}
"""The names under which programs import packages."""

_SHORT = (
    # canonical prefix, as users write it
    *((f"{package}.", f"{alias}.") for package, alias in ALIASES.items()),
    ("builtins.", ""),
    ("datetime.datetime.", "datetime."),
)


@lru_cache(maxsize=16384)
def canonical(name: str) -> str:
    """The one name under which the engine and the rules know an imported thing."""
    for spelled, meant, _ in CANONICAL:
        if name == spelled or name.startswith(spelled + "."):
            return canonical(meant + name[len(spelled) :])
    return name


def root(name: str) -> str:
    """The package of a dotted name."""
    return name.partition(".")[0]


def last(name: str) -> str:
    """A dotted name without what it belongs to."""
    return name.rpartition(".")[2]


def display(name: str) -> str:
    """The name as users write it: `tf.image.resize`, `np.sin`, `keras.layers.Dense`."""
    for long, short in _SHORT:
        if name.startswith(long):
            return short + name[len(long) :]
    return name
