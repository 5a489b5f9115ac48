"""What functions and layers of TensorFlow and Keras do besides computing tensors.

A function is stateful, and a map of it sequential, where an operation of its graph is (`op_def.is_stateful`). What is
known of each symbol was traced (`effect_table`); what is in no table may do anything.
"""

from __future__ import annotations

from functools import lru_cache

from pipelint.knowledge import effect_table
from pipelint.knowledge.effect_table import Effects, SymbolEffects

PY_FUNCTIONS = frozenset(
    {"tensorflow.py_function", "tensorflow.numpy_function", "tensorflow.py_func", "tensorflow.compat.v1.py_func"}
)
"""Functions that run Python at each element."""

OF_TENSORS = ("Tensor", "RaggedTensor", "SparseTensor", "TensorArray")
"""The classes of TensorFlow whose objects the engine takes for tensors."""

_OF_ELEMENTS = frozenset(
    {"clear", "copy", "fromkeys", "get", "items", "keys", "pop", "popitem", "setdefault", "update", "values"}
)
"""Methods of dicts, which elements may be that the engine takes for tensors too."""

FOLLOWED = frozenset({"keras.Sequential.__call__", "keras.layers.Lambda.__call__"})
"""Calls of what holds other layers or a function: these are followed, and what they do stands beside."""

OUT_OF_SIGHT = frozenset({"builtins.__import__", "builtins.eval", "builtins.exec", "builtins.next"})
"""Functions of Python that may put anything into a graph: code that is no part of the program, or the next element."""

_BY_HAND: dict[str, Effects] = {
    # A model that the program does not define holds weights.
    "keras.Model.__call__": frozenset({"state"}),
    # tensorboard/plugins/*/summary_v2.py, which TensorFlow 2.21 does not bring: they call tf.summary.write.
    **{
        f"tensorflow.summary.{name}": frozenset({"state"})
        for name in ("audio", "histogram", "image", "scalar", "text")
    },
    # tensorflow_text 2.21, traced: their graphs look up a table, or hold a model of sentencepiece.
    **{
        f"tensorflow_text.{name}Tokenizer.tokenize": frozenset({"state"})
        for name in ("Bert", "Sentencepiece", "Wordpiece")
    },
    "tensorflow_text.FastWordpieceTokenizer.tokenize": frozenset(),
    "tensorflow_text.case_fold_utf8": frozenset(),
    "tensorflow_text.normalize_utf8": frozenset(),
    # tensorflow_addons 0.23, tensorflow_addons/image/{cutout_ops,distort_image_ops}.py: they call tf.random.uniform.
    "tensorflow_addons.image.random_cutout": frozenset({"random"}),
    "tensorflow_addons.image.random_hsv_in_yiq": frozenset({"random"}),
    # keras_cv 0.10, keras_cv/src/layers/preprocessing: they draw from the generator or the factors of their base.
    **{
        f"keras_cv.layers.{name}.__call__": frozenset({"random"})
        for name in (
            "AugMix", "ChannelShuffle", "CutMix", "FourierMix", "GridMask", "JitteredResize", "MixUp", "Mosaic",
            "RandAugment", "RandomApply", "RandomAspectRatio", "RandomAugmentationPipeline",
            "RandomBrightness", "RandomChannelShift", "RandomChoice", "RandomColorDegeneration", "RandomColorJitter",
            "RandomContrast", "RandomCrop", "RandomCropAndResize", "RandomCutout", "RandomFlip", "RandomGaussianBlur",
            "RandomHue", "RandomJpegQuality", "RandomRotation", "RandomSaturation", "RandomSharpness", "RandomShear",
            "RandomTranslation", "RandomZoom", "RepeatedAugmentation", "Solarization",
        )
    },
}  # fmt: skip
"""What no trace of TensorFlow and Keras can tell, each with where it is read from."""


@lru_cache(maxsize=4096)
def entry_of(symbol: str) -> SymbolEffects | None:
    """What is known of a function, a class or a method with this canonical name, None if nothing is."""
    if symbol in _BY_HAND:
        return SymbolEffects(_BY_HAND[symbol])
    symbol = symbol.replace("tensorflow.compat.v1.raw_ops.", "tensorflow.raw_ops.")
    owner, _, method = symbol.rpartition(".")
    if owner == "tensorflow.Tensor":
        return _of_any_tensor(method)
    known = effect_table.entry_of(symbol)
    if known is None and symbol.startswith("tensorflow."):
        # Under this name TensorFlow 1 had it.
        known = effect_table.entry_of("tensorflow.compat.v1." + symbol.removeprefix("tensorflow."))
    return known


def is_without_weights(layer: str) -> bool:
    """Whether a layer of Keras is known to keep no weights and no other state: it prepares, reshapes or draws."""
    # Keras 2 had many of them under `experimental.preprocessing` first.
    name = layer.rpartition(".")[2]
    entry = entry_of(f"keras.layers.{name}.__call__") if layer.startswith("keras.layers.") else None
    return entry is not None and "state" not in entry.worst


def _of_any_tensor(method: str) -> SymbolEffects | None:
    if method in _OF_ELEMENTS:
        return SymbolEffects(frozenset())
    known = [effect_table.entry_of(f"tensorflow.{cls}.{method}") for cls in OF_TENSORS]
    entries = [entry for entry in known if entry is not None]
    return SymbolEffects(frozenset[str]().union(*(entry.worst for entry in entries))) if entries else None
