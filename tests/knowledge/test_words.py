"""What words of names tell, and what they do not."""

from __future__ import annotations

import pytest

from pipelint.knowledge.consumption import Purpose
from pipelint.knowledge.words import purpose_of_words, words_of


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("train_ds", ["train", "ds"]),
        ("makeTrainSet", ["make", "train", "set"]),
        ("DSTrain", ["ds", "train"]),
        ("x2", ["x"]),
        ("self val_data", ["self", "val", "data"]),
    ],
)
def test_a_name_is_split_in_words(name: str, words: list[str]) -> None:
    assert words_of(name) == words


@pytest.mark.parametrize(
    ("names", "purpose"),
    [
        (["train_ds"], Purpose.TRAINING),
        (["trainer", "val_ds"], Purpose.TRAINING),
        (["val_ds"], Purpose.EVALUATION),
        (["testDataset"], Purpose.EVALUATION),
        (["value_ds", "device", "fitness", "developer"], Purpose.UNKNOWN),
        (["latest", "interval", "restrained"], Purpose.UNKNOWN),
        (["predictors_", "plots_", "demographics_", "valence_", "validity"], Purpose.UNKNOWN),
        (["trainable", "fitted", "training_set"], Purpose.TRAINING),
        (["trainable", "fitted"], Purpose.UNKNOWN),
        ([], Purpose.UNKNOWN),
    ],
)
def test_words_tell_what_elements_are_for(names: list[str], purpose: Purpose) -> None:
    assert purpose_of_words(names) is purpose
