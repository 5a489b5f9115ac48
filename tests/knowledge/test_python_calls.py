"""What calls of Python's libraries do."""

from __future__ import annotations

import pytest

from pipelint.knowledge.python_calls import PythonEffect, python_effect
from pipelint.model.definitions import Effect


@pytest.mark.parametrize(
    ("name", "effect"),
    [
        ("time.sleep", "read"),
        ("requests.get", "read"),
        ("urllib.request.urlopen", "read"),
        ("builtins.open", "read"),
        ("numpy.load", "read"),
        ("pandas.read_csv", "read"),
        ("PIL.Image.open", "decode"),
        ("cv2.imread", "decode"),
        ("keras.utils.load_img", "decode"),
        ("numpy.sin", None),
        ("builtins.print", None),
        ("time.time", None),
        ("tensorflow.cast", None),
        ("pickle.load", "unknown"),
        ("pandas.DataFrame", "unknown"),
        ("mine.load", "unknown"),
    ],
)
def test_what_a_call_does(name: str, effect: PythonEffect | None) -> None:
    assert python_effect(name) == effect
    assert effect is None or Effect(effect)
