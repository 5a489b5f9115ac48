"""What functions and layers of TensorFlow and Keras do besides computing tensors. Tested by tracing each.

A function is stateful, and a map of it sequential, where an operation of its graph is (`op_def.is_stateful`).
"""

from __future__ import annotations

from typing import Literal

PY_FUNCTIONS = frozenset(
    {"tensorflow.py_function", "tensorflow.numpy_function", "tensorflow.py_func", "tensorflow.compat.v1.py_func"}
)
"""Functions that run Python at each element."""

STATEFUL_FUNCTIONS = (
    "tensorflow.print",
    "tensorflow.summary.",
    "tensorflow.io.write_",
    "tensorflow.timestamp",
    "tensorflow.queue.",
    "tensorflow.debugging.check_numerics",
)
"""How names of functions begin that keep state or act on the outside, so that TensorFlow runs them in order."""
STATEFUL_OBJECTS = ("tensorflow.lookup.", "tensorflow.Variable.")
"""How names of methods begin whose objects hold state; to make such an object is none of it."""

RANDOM_MODULES = ("tensorflow.random.", "tensorflow.raw_ops.Random")
RANDOM_FUNCTIONS = frozenset({"tensorflow.nn.dropout", "tensorflow.image.sample_distorted_bounding_box"})
"""Functions outside of those modules that draw, besides those called random_*."""
RANDOM_PACKAGES = frozenset({"tensorflow", "tensorflow_addons", "keras"})
"""Packages in which a function called random_* draws."""
DRAWS_NOTHING = frozenset(
    {
        "set_seed", "fold_in", "split", "create_rng_state", "get_global_generator", "set_global_generator", "Algorithm",
        "Generator", "from_seed", "from_state", "from_key_counter", "from_non_deterministic_state", "SeedGenerator",
    }
)  # fmt: skip
"""What random modules have besides: seeds and generators."""

DECODERS = ("decode_", "parse_tensor")
"""How the last names of TensorFlow's functions begin that decode."""
READERS = frozenset({"read_file"})

LayerEffect = Literal["none", "random", "random when training"]

LAYERS: dict[str, LayerEffect] = {
    "Activation": "none",
    "ActivityRegularization": "none",
    "AdaptiveAveragePooling1D": "none",
    "AdaptiveAveragePooling2D": "none",
    "AdaptiveAveragePooling3D": "none",
    "AdaptiveMaxPooling1D": "none",
    "AdaptiveMaxPooling2D": "none",
    "AdaptiveMaxPooling3D": "none",
    "Add": "none",
    "AlphaDropout": "random when training",
    "AugMix": "random",
    "Augmenter": "random",  # of keras_cv
    "AutoContrast": "none",
    "Average": "none",
    "AveragePooling1D": "none",
    "AveragePooling2D": "none",
    "AveragePooling3D": "none",
    "AvgPool1D": "none",
    "AvgPool2D": "none",
    "AvgPool3D": "none",
    "CategoryEncoding": "none",
    "CenterCrop": "none",
    "Concatenate": "none",
    "ContrastLimitedAdaptiveHistogramEqualization": "none",
    "Cropping1D": "none",
    "Cropping2D": "none",
    "Cropping3D": "none",
    "CutMix": "random",
    "Discretization": "none",
    "Dot": "none",
    "Dropout": "random when training",
    "ELU": "none",
    "Equalization": "none",
    "Flatten": "none",
    "GaussianDropout": "random when training",
    "GaussianNoise": "random when training",
    "GlobalAveragePooling1D": "none",
    "GlobalAveragePooling2D": "none",
    "GlobalAveragePooling3D": "none",
    "GlobalAvgPool1D": "none",
    "GlobalAvgPool2D": "none",
    "GlobalAvgPool3D": "none",
    "GlobalMaxPool1D": "none",
    "GlobalMaxPool2D": "none",
    "GlobalMaxPool3D": "none",
    "GlobalMaxPooling1D": "none",
    "GlobalMaxPooling2D": "none",
    "GlobalMaxPooling3D": "none",
    "GridMask": "random",  # of keras_cv
    "HashedCrossing": "none",
    "Hashing": "none",
    "Identity": "none",
    "InputLayer": "none",
    "LeakyReLU": "none",
    "Masking": "none",
    "MaxPool1D": "none",
    "MaxPool2D": "none",
    "MaxPool3D": "none",
    "MaxPooling1D": "none",
    "MaxPooling2D": "none",
    "MaxPooling3D": "none",
    "Maximum": "none",
    "MelSpectrogram": "none",
    "Minimum": "none",
    "MixUp": "random",
    "Multiply": "none",
    "Normalization": "none",
    "Permute": "none",
    "RandAugment": "random",
    "ReLU": "none",
    "RepeatVector": "none",
    "Rescaling": "none",
    "Reshape": "none",
    "Resizing": "none",
    "Softmax": "none",
    "Solarization": "random",
    "SpatialDropout1D": "random when training",
    "SpatialDropout2D": "random when training",
    "SpatialDropout3D": "random when training",
    "Subtract": "none",
    "UnitNormalization": "none",
    "UpSampling1D": "none",
    "UpSampling2D": "none",
    "UpSampling3D": "none",
    "ZeroPadding1D": "none",
    "ZeroPadding2D": "none",
    "ZeroPadding3D": "none",
}
"""Layers that keep no state; one called Random* is random, and any other has weights or a table, so that it does."""


def _layers(effect: LayerEffect) -> frozenset[str]:
    return frozenset(name for name, known in LAYERS.items() if known == effect)


STATELESS_LAYERS = _layers("none")
RANDOM_LAYERS = _layers("random")
RANDOM_WHEN_TRAINING = _layers("random when training")
