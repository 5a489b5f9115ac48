"""The words by which programs name things: evidence of what these are for, never proof."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_TRAINING = ("train", "trn", "fit")
_EVALUATION = ("val", "test", "eval", "predict", "infer", "holdout", "dev", "demo", "visuali", "plot", "calib")
_OTHER_WORDS = ("value", "fitness", "device", "develop")


class Purpose(Enum):
    """What the elements are used for."""

    TRAINING = "training"
    EVALUATION = "evaluation"
    UNKNOWN = "unknown"


def purpose_of_words(names: Iterable[str]) -> Purpose:
    """What names such as `val_ds` or `make_train_set` say; training where they speak of both."""
    words = [word.lower() for name in names for word in _WORD.findall(name)]
    words = [word for word in words if not word.startswith(_OTHER_WORDS)]
    if any(word.startswith(_TRAINING) for word in words):
        return Purpose.TRAINING
    if any(word.startswith(_EVALUATION) for word in words):
        return Purpose.EVALUATION
    return Purpose.UNKNOWN
