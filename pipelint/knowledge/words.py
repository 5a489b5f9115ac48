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
        "somebody asks for it": "must required",
    }
)


_SAYS_ONE = re.compile(r"\bbatch[ _]size\s*(?:=+|:|of|is)?\s*(?:1|one)\b", re.IGNORECASE)
"""`(batch_size=1)`, `a batch size of one`: whoever writes that knows it."""


def tells_why_few(comment: str) -> bool:
    """Whether a comment beside the size of a batch gives a reason for a small one, or says that it is one."""
    return not _REASONS_FOR_FEW.isdisjoint(words_of(comment)) or _SAYS_ONE.search(comment) is not None


_EAGER = re.compile(r"\beager(?:ly)?\b", re.IGNORECASE)


def speaks_of_eager(text: str) -> bool:
    """Whether a file says that it runs eagerly, in comments or texts: its author knows, and may want to show that."""
    return _EAGER.search(text) is not None


DEBUGGING = frozenset({"debug", "debugging"})
"""Words in the name of a function that is there for debugging."""
TRACING = frozenset({"retrace", "retraced", "retraces", "retracing", "trace", "traced", "traces", "tracing"})
"""Words in a text or a counter that is about tracing itself."""
