"""What a pipeline is for, as far as its consumers and its names tell."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum

from pipelint.model.pipeline import Pipeline, Stage

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


def purpose(pipeline: Pipeline, stage: Stage) -> Purpose:
    """What this stage of a pipeline works for: its consumers decide, then names, from the nearest to the farthest."""
    consumers = pipeline.dataset.consumers if pipeline.dataset is not None else ()
    if any(consumer.role == "training" for consumer in consumers):
        return Purpose.TRAINING
    if any(consumer.role == "evaluation" for consumer in consumers):
        return Purpose.EVALUATION
    for names in (
        [consumer.variable for consumer in consumers],
        [name for later in (stage, *stage.downstream()) for name in later.variables],
        [stage.receiver, *(later.receiver for later in stage.downstream())],
        [text for other in (stage, *stage.upstream()) for text in _texts(other)],
        [earlier.receiver for earlier in stage.upstream()],
        [consumer.name for consumer in consumers],
        [stage.built_in],
    ):
        told = purpose_of_words(names)
        if told is not Purpose.UNKNOWN:
            return told
    return Purpose.UNKNOWN


def _texts(stage: Stage) -> Iterable[str]:
    """The constant texts among the arguments (`split="test"`, `subset="validation"`)."""
    for argument in stage.arguments.values():
        constants = argument.constant if isinstance(argument.constant, tuple) else (argument.constant,)
        yield from (text for text in constants if isinstance(text, str))
