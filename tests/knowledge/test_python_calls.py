"""What calls of Python's libraries do."""

from __future__ import annotations

import multiprocessing
import threading

import pytest

from pipelint.knowledge.python_calls import RUN_BY_START, PythonEffect, python_effect
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


def test_starting_a_thread_or_process_runs_the_method_of_its_class() -> None:
    class Player(threading.Thread):
        played = False

        def run(self) -> None:
            self.played = True

    player = Player()
    player.start()
    player.join()
    assert player.played
    assert {"threading.Thread", "multiprocessing.Process"} == RUN_BY_START
    assert callable(multiprocessing.Process.run)
