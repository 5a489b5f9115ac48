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


_TRAINING = {
    "train": "train, trainer, training",
    "trn": "short for it",
    "fit": "the method that trains",
}
"""How words begin that speak of training."""
_EVALUATION = {
    "val": "val, valid, validation",
    "test": "the part kept for the end",
    "eval": "eval, evaluate, evaluation",
    "predict": "the method that only computes",
    "infer": "the same",
    "holdout": "the part kept apart",
    "dev": "what NLP calls the validation part",
    "demo": "shows something",
    "visuali": "visualise, visualization",
    "plot": "shows something",
    "calib": "calibration of a finished model",
}
"""How words begin that speak of anything else."""
_OTHER_WORDS = {
    "value": "begins as val",
    "fitness": "begins as fit",
    "device": "begins as dev",
    "develop": "begins as dev",
}
"""How words begin that say nothing, though they begin like one of those."""


def purpose_of_words(names: Iterable[str]) -> Purpose:
    """What names such as `val_ds` or `make_train_set` say; training where they speak of both."""
    words = [word for name in names for word in words_of(name) if not word.startswith(tuple(_OTHER_WORDS))]
    if any(word.startswith(tuple(_TRAINING)) for word in words):
        return Purpose.TRAINING
    if any(word.startswith(tuple(_EVALUATION)) for word in words):
        return Purpose.EVALUATION
    return Purpose.UNKNOWN


TRAINING_CALL = "train"
"""Anywhere in the name of a function that takes a training step."""
EVALUATION_CALLS = {
    "test_on_batch": "the method of a model",
    "predict_on_batch": "the method of a model",
    "predict": "the method of a model, and functions around it",
    "evaluate": "the method of a model, and functions around it",
    "eval": "short for it",
    "valid": "valid, validate, validation",
    "infer": "infer, inference",
    "test": "test_step and the like",
}
"""Anywhere in the name of a function that is called in a loop which evaluates."""
OUTPUT_CALLS = {
    "predict": "predictions",
    "infer": "the same",
    "generat": "generate, generator: samples to look at",
    "sampl": "sample, sampling",
    "decod": "decode, decoder: text or images",
    "encod": "encode, encoder: vectors to keep",
    "embed": "embed, embedding",
    "forward": "a forward pass by itself",
    "extract": "features",
    "detect": "boxes",
}
"""Anywhere in the name of a function that is called for what it computes, which somebody must read."""
ENVIRONMENT_METHODS = frozenset({"step", "reset", "render"})
"""Methods of an environment of gym or gymnasium."""

ROUNDS = {
    "epoch": "the whole data once",
    "fold": "of a cross-validation",
    "model": "one of several",
    "trial": "of a search",
    "run": "one of several",
    "seed": "one run for each",
    "experiment": "one of several",
}
"""Anywhere in the names of a loop that counts epochs, folds or models rather than steps."""
TRIAL_RUNS = {
    "debug": "tries the program",
    "smoke": "a smoke test",
    "overfit": "tries whether a model can learn at all",
    "sanity": "a sanity check",
    "dry_run": "tries the program",
    "toy": "a small example",
}
"""Anywhere in a test under which a program is only tried, so that its batches may be small."""
DEBUGGING = frozenset({"debug", "debugger", "debugging"})
"""Words in the name of a function that is there for debugging."""
TRACING = frozenset({"retrace", "retraced", "retraces", "retracing", "trace", "traced", "traces", "tracing"})
"""Words in a text or a counter that is about tracing itself."""
