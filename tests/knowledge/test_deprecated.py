"""What tf.data gave up: silent, logged or gone, as the installed TensorFlow has it."""

from __future__ import annotations

import functools
import inspect
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


def arguments_of(name: str) -> tuple[Any, ...]:
    """What the function of tf.data.experimental can be called with."""
    one = tf.data.Dataset.range(1)
    arguments: dict[str, tuple[Any, ...]] = {
        "map_and_batch": (lambda x: x, 2),
        "shuffle_and_repeat": (2,),
        "parallel_interleave": (lambda x: tf.data.Dataset.range(2), 2),
        "choose_from_datasets": ([one, one], one),
        "sample_from_datasets": ([one, one],),
        "get_single_element": (one,),
        "dense_to_ragged_batch": (2,),
        "dense_to_sparse_batch": (2, [2]),
        "bucket_by_sequence_length": (tf.size, [2], [2, 2]),
        "group_by_window": (lambda x: x % 2, lambda key, window: window.batch(2), 2),
        "rejection_resample": (lambda x: tf.cast(x % 2, tf.int32), [0.5, 0.5]),
        "scan": (tf.constant(0, tf.int64), lambda state, x: (state + x, state)),
        "snapshot": ("never read",),
        "take_while": (lambda x: x < 3,),
    }
    return arguments.get(name, ())


@pytest.mark.parametrize("name", [name for name, instead in deprecated.METHODS_INSTEAD.items() if instead.same])
def test_a_method_takes_what_the_transformation_that_calls_it_takes(name: str) -> None:
    method = getattr(tf.data.Dataset, deprecated.METHODS_INSTEAD[name].same)
    old = inspect.signature(getattr(tf.data.experimental, name)).parameters.values()
    new = inspect.signature(method).parameters.values()
    assert list(map(str, old)) == [str(parameter) for parameter in new if parameter.name not in ("self", "name")]


@pytest.mark.parametrize("name", deprecated.METHODS_INSTEAD)
def test_a_transformation_logs_that_it_is_deprecated(name: str) -> None:
    said = logged(lambda: getattr(tf.data.experimental, name)(*arguments_of(name)))
    assert f"{name} (from" in said or f"{name}_v2 (from" in said
    assert "deprecated" in said


@pytest.mark.parametrize("name", deprecated.REMOVED)
def test_what_is_gone_is_gone(name: str) -> None:
    if name.startswith(OPTIONS):
        *groups, option = name.removeprefix(OPTIONS).split(".")
        holder = functools.reduce(getattr, groups, tf.data.Options())
        assert not hasattr(holder, option)
        with pytest.raises(AttributeError):
            setattr(holder, option, True)
    else:
        assert resolve(name) is None


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in sorted(deprecated.GONE.keys() - deprecated.REMOVED.keys())
        if name.startswith(("tensorflow.", "keras."))
    ],
)
def test_what_shows_an_old_tensorflow_is_gone(name: str) -> None:
    assert resolve(name) is None
    assert name.startswith("tensorflow.") or resolve(f"tensorflow.{name}") is None


def test_all_that_is_in_a_module_goes_with_it() -> None:
    assert deprecated.gone("keras.experimental.CosineDecay") == deprecated.GONE["keras.experimental"]
    assert deprecated.gone("tensorflow_addons.optimizers.AdamW") == deprecated.GONE["tensorflow_addons"]
    assert deprecated.gone("keras.experimental_things") is None
