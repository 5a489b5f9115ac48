"""How the elements of a dataset are taken, and what for."""

from __future__ import annotations

from enum import Enum


class Purpose(Enum):
    """What elements are used for."""

    TRAINING = "training"
    EVALUATION = "evaluation"
    UNKNOWN = "unknown"


class ConsumerKind(Enum):
    """What takes the elements, by the word that reports have for it."""

    FIT = "fit"
    EVALUATE = "evaluate"
    PREDICT = "predict"
    LOOP = "loop"
    ITERATOR = "iter"
    STRATEGY = "distribute"
    COLLECTION = "collect"
    """A list of all elements, or a `reduce` over them."""
    ELSEWHERE = "handed out"
    """Returned, stored or passed on: what follows is out of sight."""
    ASKED_FOR = "dataset"
    """Named by the user, to be measured by itself."""
