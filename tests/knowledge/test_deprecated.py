"""What tf.data gave up: silent, logged or gone, as the installed TensorFlow has it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest

from pipelint.knowledge import deprecated
from tests.knowledge.installed import resolve, tf

deprecation = pytest.importorskip("tensorflow.python.util.deprecation")
OPTIONS = "tensorflow.data.Options."


def logged(use: Callable[[], object]) -> str:
    """What TensorFlow and absl say while something is used, however often they have said it."""
    said: list[str] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            said.append(record.getMessage())

    listener = Listener()
    loggers = [tf.get_logger(), logging.getLogger("absl")]
    for logger in loggers:
        logger.addHandler(listener)
    tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.WARN)
    deprecation._PRINTED_WARNING.clear()
    try:
        use()
    finally:
        for logger in loggers:
            logger.removeHandler(listener)
    return "\n".join(said)


@pytest.mark.parametrize("name", deprecated.RENAMED)
def test_an_old_name_logs_or_is_silent_as_its_row_says(name: str) -> None:
    def use() -> Any:
        return getattr(tf.data.Options(), name.removeprefix(OPTIONS)) if name.startswith(OPTIONS) else resolve(name)

    assert ("deprecated" in logged(use)) == deprecated.RENAMED[name].logs


@pytest.mark.parametrize("name", deprecated.METHODS_INSTEAD)
def test_a_transformation_logs_that_it_is_deprecated(name: str) -> None:
    arguments: dict[str, tuple[Any, ...]] = {
        "map_and_batch": (lambda x: x, 2),
        "shuffle_and_repeat": (2,),
        "parallel_interleave": (lambda x: tf.data.Dataset.range(2), 2),
        "unbatch": (),
    }
    said = logged(lambda: getattr(tf.data.experimental, name)(*arguments[name]))
    assert f"{name} (from" in said
    assert "deprecated" in said


@pytest.mark.parametrize("name", deprecated.REMOVED)
def test_what_is_gone_is_gone(name: str) -> None:
    if name.startswith(OPTIONS):
        assert not hasattr(tf.data.Options(), name.removeprefix(OPTIONS))
    else:
        assert resolve(name) is None
