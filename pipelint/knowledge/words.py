"""The words by which programs name things: evidence of what these are for, never proof. Each with its reason.

Tested by examples of names. Tables whose docstring says "anywhere in a name" are matched as parts of names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pipelint.knowledge.consumption import Purpose

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def words_of(name: str) -> list[str]:
    """The words of a name in lower case, however it joins them: `val_ds`, `makeTrainSet`, `x2`."""
    return [word.lower() for word in _WORD.findall(name)]


def parts_of(name: str) -> list[str]:
    """What the underscores of a name separate, in lower case, digits included: `x2` is not `x`."""
    return name.lower().split("_")


def _listed(reasons: dict[str, str]) -> frozenset[str]:
    return frozenset(word for words in reasons.values() for word in words.split())


_TRAINING = _listed({"the part to learn from": "train training trainer trainset trn", "the method that trains": "fit"})
_EVALUATION = _listed(
    {
        "the part to choose by": "val valid validate validation valset dev",
        "the part kept for the end": "test testing testset holdout",
        "what is done with it": "eval evaluate evaluation evaluator predict predicting prediction infer inference",
        "shown to people": "demo plot plotting visualize visualise visualization visualisation",
        "of a finished model": "calibrate calibration",
    }
)


def purpose_of_words(names: Iterable[str]) -> Purpose:
    """What names such as `val_ds` or `make_train_set` say; training where they speak of both."""
    words = {word for name in names for word in words_of(name)}
    if words & _TRAINING:
        return Purpose.TRAINING
    return Purpose.EVALUATION if words & _EVALUATION else Purpose.UNKNOWN


_REASONS_FOR_FEW = _listed(
    {
        "there is room for no more": "memory oom ram vram gpu gpus",
        "the model is made for it": "stateful better original paper",
    }
)


def tells_why_few(comment: str) -> bool:
    """Whether a comment beside the size of a batch gives a reason for a small one."""
    return not _REASONS_FOR_FEW.isdisjoint(words_of(comment))


DEBUGGING = "debug"
"""Anywhere in the name of a function that is there for debugging."""
TRACING = "trac"
"""Anywhere in a text or counter that is about tracing itself: trace, tracing, retracing."""
EAGER_TESTS = {
    "eager": "tf.executing_eagerly() and settings called so",
    "inside_function": "tf.inside_function()",
}
"""Anywhere in a test that tells whether a graph is recorded."""
KNOWN_INPUT_TESTS = {
    **EAGER_TESTS,
    "ndarray": "isinstance(x, np.ndarray)",
    "numpy": "hasattr(x, 'numpy') and settings called so",
    "is_tensor": "tf.is_tensor(x)",
    "is_symbolic": "is_symbolic_tensor(x)",
    "tf.Tensor": "isinstance(x, tf.Tensor)",
}
"""Anywhere in a test that keeps tensors of a graph from a call, those of EAGER_TESTS included."""

SHAPE_CALLS = {
    "shape": "get_shape, shape_list",
    "dtype": "result_dtype",
    "rank": "get_rank",
    "ndim": "get_ndim",
    "static": "static_value",
    "dim": "get_dims",
    "size": "get_size",
    "len": "length_of",
}
"""Anywhere in the name of an unknown function that tells a shape or type rather than computes a tensor."""

SETTINGS = _listed(
    {
        "shapes": "shape shapes size sizes dim dims axis axes rank resolution heads",
        "names and places": "name path filename",
        "switches": "mode training trainable verbose dtype config",
        "objects that are no tensors": "model optimizer strategy",
    }
)
"""Parts of names of parameters that are plain Python values."""
SETTING_STARTS = frozenset({"is", "use", "num", "n", "return", "with"})
"""First parts of such names: `is_training`, `num_heads`, `return_sequences`."""
TENSORS = _listed(
    {
        "what formulas call them": "x y z xs ys",
        "inputs": "input inputs inp batch data tensor tensors feature features",
        "images, sound, text": "image images img imgs audio frames points tokens ids sequence sequences embeddings",
        "what is learned": "label labels target targets tar true mask masks",
        "what a model gives": "logits pred preds prediction predictions output outputs",
        "reinforcement learning": "state states obs observation observations action actions reward rewards",
        "generative models": "noise latent latents real fake",
    }
)
"""Parts of names of parameters that are tensors."""

NETWORK_CLASS = re.compile(
    r"(Layer|Model|Network|Net|Cell|Encoder|Decoder|Attention|Conv\w*|Pool\w*|Norm\w*|Embeddings?"
    r"|RNN|MLP)$"
)
"""How classes end that are layers or models by their names."""
