"""The clock of Python functions tells waiting from work, and work that holds the interpreter lock from other work."""

from __future__ import annotations

import hashlib
import os
import statistics
import sys
import threading
import time
import zlib
from collections.abc import Callable
from typing import Any

import pytest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
pytest.importorskip("tensorflow", reason="the functions are called by TensorFlow")

import tensorflow as tf

from pipelint.dynamic.measure.python_clock import CallTimes, PythonClock

CALLS = 12
LARGE = os.urandom(1 << 20)
LARGER = LARGE * 8


def sleep(x: int) -> int:
    time.sleep(0.01)
    return x


def spin(x: int) -> int:
    end = time.thread_time() + 0.01
    while time.thread_time() < end:
        pass
    return x


def compress(x: int) -> int:
    zlib.compress(LARGE)
    return x


def digest(x: int) -> int:
    hashlib.sha256(LARGER).digest()
    return x


def calling(*functions: Callable[[int], int]) -> Any:
    """A dataset that calls Python functions one after the other."""
    dataset = tf.data.Dataset.range(CALLS)
    for function in functions:
        wrapped = lambda x, called=function: tf.numpy_function(called, [x], tf.int64)  # noqa: E731
        dataset = dataset.map(tf.autograph.experimental.do_not_convert(wrapped))
    return dataset


def listened(*functions: Callable[[int], int]) -> tuple[PythonClock, float]:
    """A clock that has listened to all the calls, and how long they took."""
    clock = PythonClock()
    with clock.listening(to_the_lock=True):
        start = time.perf_counter()
        for _ in calling(*functions):
            pass
        clock.pause()
        return clock, time.perf_counter() - start


def only(clock: PythonClock) -> CallTimes:
    (times,) = clock.times.values()
    return times


@pytest.mark.timing
def test_a_function_that_sleeps_waits_and_one_that_spins_works() -> None:
    clock, _ = listened(sleep, spin)
    sleeping, spinning = clock.times.values()
    # What each of them does for as long as this, by its own clock, nothing can make shorter.
    assert sleeping.seconds >= CALLS * 0.01
    assert spinning.cpu_seconds >= CALLS * 0.01
    assert sleeping.cpu_seconds < spinning.cpu_seconds


@pytest.mark.timing
@pytest.mark.parametrize("function", [compress, digest])
def test_python_code_holds_the_lock_for_more_of_its_work_than_a_library(function: Callable[[int], int]) -> None:
    # They take turns, so that what disturbs the machine disturbs both; one is all lock, and the other next to none.
    turns = [(listened(spin), listened(function)) for _ in range(5)]
    python, library = (
        statistics.median(clock.lock_share(seconds) for clock, seconds in side) for side in zip(*turns, strict=True)
    )
    assert python > library


def test_each_function_has_times_of_its_own() -> None:
    clock, _ = listened(sleep, spin)
    assert [times.calls for times in clock.times.values()] == [CALLS, CALLS]


def test_a_py_function_is_heard() -> None:
    clock = PythonClock()
    eager = tf.autograph.experimental.do_not_convert(lambda x: tf.py_function(lambda y: y + 1, [x], tf.int64))
    with clock.listening(to_the_lock=False):
        assert [int(x) for x in tf.data.Dataset.range(3).map(eager)] == [1, 2, 3]
    assert only(clock).calls == 3


def test_a_function_that_raises_is_counted_and_its_error_goes_through() -> None:
    def fail(x: int) -> int:
        raise ValueError(x)

    clock = PythonClock()
    with clock.listening(to_the_lock=False), pytest.raises(tf.errors.InvalidArgumentError, match="ValueError"):
        next(iter(calling(fail)))
    assert only(clock).calls >= 1


def test_nothing_is_counted_in_a_pause_or_after_the_block() -> None:
    clock = PythonClock()
    dataset = calling(spin).take(2)
    with clock.listening(to_the_lock=False):
        clock.pause()
        list(dataset)
        assert not clock.times
        clock.resume()
        list(dataset)
        assert only(clock).calls == 2
        clock.reset()
        assert not clock.times
    list(dataset)
    assert not clock.times


def test_without_calls_all_of_the_work_would_hold_the_lock() -> None:
    assert PythonClock().lock_share(1.0) == 1.0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells how long a thread waited")
def test_threads_that_ended_leave_no_file_open() -> None:
    clock = PythonClock()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(50):
        thread = threading.Thread(target=clock.call, args=("f", lambda: None))
        thread.start()
        thread.join()
    assert clock.times["f"].calls == 50
    assert len(os.listdir("/proc/self/fd")) <= before + 1
