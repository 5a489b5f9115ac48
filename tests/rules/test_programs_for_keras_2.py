"""Modules that run with one that fails to import what Keras 3 lacks: what is gone besides is advice, and told once."""

from __future__ import annotations

from pathlib import Path

from pipelint.lint.check_files import check_paths
from pipelint.lint.task import Task
from pipelint.project.projects import Overrides, Projects

TRAIN = """
import tensorflow as tf
from words import numbers

model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
model.compile(tf.keras.optimizers.Adam(lr=0.1), "mse")
model.fit(numbers(texts), y, workers=4)
"""


def told(directory: Path, words: str) -> list[tuple[str, int, str, bool]]:
    """Where PIPE904 speaks of a script and of the module that it imports, how severely, and whether it has a fix."""
    (directory / "pyproject.toml").touch()
    (directory / "train.py").write_text(TRAIN)
    (directory / "words.py").write_text(words)
    outcome = check_paths(Projects(Overrides(select=("PIPE904",)), tell=print), [directory], Task())
    return [
        (Path(one.span.path).name, one.span.start.line, one.severity.value, one.fix is not None)
        for one in outcome.diagnostics
    ]


def test_a_module_of_keras_2_is_imported_beside(tmp_path: Path) -> None:
    words = "from keras.preprocessing.text import Tokenizer\n\ndef numbers(texts):\n    return Tokenizer().fit(texts)\n"
    assert told(tmp_path, words) == [("train.py", 6, "advice", False)]


def test_the_same_is_still_there_in_tensorflow(tmp_path: Path) -> None:
    words = "from tensorflow.keras.preprocessing.text import Tokenizer\n\ndef numbers(texts):\n    return Tokenizer()\n"
    assert told(tmp_path, words) == [("train.py", 6, "error", True), ("train.py", 7, "error", False)]


def test_a_package_of_keras_2_is_imported_beside(tmp_path: Path) -> None:
    words = "from keras_bert import Tokenizer\n\ndef numbers(texts):\n    return Tokenizer().encode(texts)\n"
    assert told(tmp_path, words) == []
