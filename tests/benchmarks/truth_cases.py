"""Pipelines whose costs are known: each made of work that is calibrated by itself, in the same run."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow as tf

from pipelint.dynamic.measure.disturbance import least_disturbed
from pipelint.dynamic.measure.drain import Drain

BATCH = 16
POOL = 16
ENDLESS = 1 << 60


@dataclass(frozen=True)
class Setting:
    """How a case is built: as a user might have it, or at its best."""

    calls: dict[str, Any]
    ends: Callable[[Any], Any] = lambda dataset: dataset


AS_WRITTEN = Setting({})


def best(pool: int | None) -> Setting:
    """Everything parallel, prefetched, with so many threads."""
    options = tf.data.Options()
    if pool:
        options.threading.private_threadpool_size = pool
    return Setting(
        {"num_parallel_calls": tf.data.AUTOTUNE},
        lambda dataset: dataset.prefetch(tf.data.AUTOTUNE).with_options(options),
    )


@dataclass(frozen=True)
class Case:
    """A pipeline whose costs are known."""

    build: Callable[[Setting], Any]
    costs: dict[str, float]
    """Seconds for one final batch, by stage: `map 2` is the second map in the order of the source."""
    epoch: str | None = None

    @property
    def bottleneck(self) -> str:
        """The stage that costs most."""
        return max(self.costs, key=lambda stage: self.costs[stage])


def graph_work(rounds: int) -> Callable[[Any], Any]:
    """Work for a processor, in the graph."""

    def compute(x: Any) -> Any:
        matrix = tf.fill([64, 64], 1e-9 * tf.cast(x, tf.float32))
        for _ in range(rounds):
            matrix = 0.01 * tf.linalg.matmul(matrix, matrix)
        return tf.cast(x, tf.float32) + tf.reduce_sum(matrix)

    converted: Callable[[Any], Any] = tf.autograph.experimental.do_not_convert(compute)
    return converted


def python_work(milliseconds: float) -> Callable[[Any], Any]:
    """Work for the Python interpreter."""

    def spin(x: Any) -> Any:
        end = time.thread_time() + milliseconds / 1000
        while time.thread_time() < end:
            pass
        return x

    return lambda x: tf.ensure_shape(tf.numpy_function(spin, [x], x.dtype), x.shape)


def waiting(milliseconds: float) -> Callable[[Any], Any]:
    """No work, only time."""

    def wait(x: Any) -> Any:
        time.sleep(milliseconds / 1000)
        return x

    return lambda x: tf.ensure_shape(tf.numpy_function(wait, [x], x.dtype), x.shape)


def generated(milliseconds: float, *, busy: bool) -> Any:
    """A generator that works or waits for each element."""

    def generate() -> Any:
        number = 0
        while True:
            if busy:
                end = time.thread_time() + milliseconds / 1000
                while time.thread_time() < end:
                    pass
            else:
                time.sleep(milliseconds / 1000)
            yield number
            number += 1

    return tf.data.Dataset.from_generator(generate, output_signature=tf.TensorSpec([], tf.int64))


def numbers() -> Any:
    """A source that costs nothing."""
    return tf.data.Dataset.range(ENDLESS)


def drained(dataset: Any, seconds: float = 1.5) -> float:
    """Elements a second, once it is warm, in the moments in which others disturb least."""
    drain = Drain(dataset, warm_batches=3)
    end = time.perf_counter() + 0.3 * seconds
    while time.perf_counter() < end:
        drain.take(1)
    windows = []
    while time.perf_counter() < end + seconds:
        windows.append(drain.window(seconds=0.1))
    quiet = least_disturbed(windows, lambda window: window.disturbance)
    return sum(window.batches for window in quiet) / sum(window.seconds for window in quiet)


@lru_cache(maxsize=64)
def cost(kind: str, size: float) -> float:
    """What one call of a kind of work takes by itself, in sequence."""
    options = tf.data.Options()
    options.experimental_optimization.apply_default_optimizations = False
    source = generated(size, busy=kind == "generated") if kind.startswith("generated") else numbers()
    if kind in WORK:
        source = source.map(WORK[kind](size))
    return 1 / (BATCH * drained(source.batch(BATCH).with_options(options), 0.7))


WORK: dict[str, Callable[[Any], Any]] = {"graph": graph_work, "python": python_work, "waiting": waiting}


def batch(kind: str, size: float, elements: float = BATCH) -> float:
    """The same for the elements behind a final batch."""
    return elements * cost(kind, size)


def _chain(*works: tuple[str, float]) -> Case:
    def build(setting: Setting) -> Any:
        dataset = numbers()
        for kind, size in works:
            dataset = dataset.map(WORK[kind](size), **setting.calls)
        return setting.ends(dataset.batch(BATCH))

    return Case(build, {f"map {index + 1}": batch(kind, size) for index, (kind, size) in enumerate(works)})


def _generator(milliseconds: float, rounds: int, *, busy: bool) -> Case:
    def build(setting: Setting) -> Any:
        source = generated(milliseconds, busy=busy)
        return setting.ends(source.map(graph_work(rounds), **setting.calls).batch(BATCH))

    kind = "generated" if busy else "generated waiting"
    return Case(build, {"from_generator 1": batch(kind, milliseconds), "map 1": batch("graph", rounds)})


def _zipped(*rounds: int) -> Case:
    def build(setting: Setting) -> Any:
        branches = tuple(numbers().map(graph_work(count), **setting.calls) for count in rounds)
        return setting.ends(tf.data.Dataset.zip(branches).batch(BATCH))

    return Case(build, {f"map {index + 1}": batch("graph", count) for index, count in enumerate(rounds)})


def _interleaved(inner: tuple[str, float], outer: tuple[str, float], *, flat: bool = False) -> Case:
    def opened(_: Any) -> Any:
        return tf.data.Dataset.range(100).map(WORK[inner[0]](inner[1]))

    def build(setting: Setting) -> Any:
        parallel = numbers().interleave(opened, cycle_length=8, **setting.calls)
        dataset = numbers().flat_map(opened) if flat else parallel
        return setting.ends(dataset.map(WORK[outer[0]](outer[1]), **setting.calls).batch(BATCH))

    return Case(build, {"map 1": batch(*inner), "map 2": batch(*outer)})


def _nested() -> Case:
    def shard(_: Any) -> Any:
        return tf.data.Dataset.range(50).map(graph_work(60))

    def group(_: Any) -> Any:
        return tf.data.Dataset.range(4).interleave(shard, cycle_length=2)

    def build(setting: Setting) -> Any:
        dataset = numbers().interleave(group, cycle_length=4, **setting.calls)
        return setting.ends(dataset.map(graph_work(10), **setting.calls).batch(BATCH))

    return Case(build, {"map 1": batch("graph", 60), "map 2": batch("graph", 10)})


def _filtered() -> Case:
    def half(x: Any) -> Any:
        return tf.equal(tf.cast(tf.round(graph_work(40)(x)), tf.int64) % 2, 0)

    def build(setting: Setting) -> Any:
        dataset = numbers().filter(half).map(graph_work(15), **setting.calls)
        return setting.ends(dataset.batch(BATCH))

    return Case(build, {"filter 1": batch("graph", 40, 2 * BATCH), "map 1": batch("graph", 15)})


def _batched_early() -> Case:
    def build(setting: Setting) -> Any:
        dataset = numbers().map(graph_work(10), **setting.calls).batch(BATCH)
        whole = lambda x: x + graph_work(400)(tf.cast(x[0], tf.int64))  # noqa: E731
        return setting.ends(dataset.map(whole, **setting.calls))

    return Case(build, {"map 1": batch("graph", 10), "map 2": batch("graph", 400, 1)})


def _cached(epoch: str) -> Case:
    def build(setting: Setting) -> Any:
        dataset = (
            tf.data.Dataset.range(1000 if epoch == "later" else ENDLESS).map(graph_work(60), **setting.calls).cache()
        )
        return setting.ends(dataset.shuffle(500).map(graph_work(20), **setting.calls).batch(BATCH))

    costs = {"map 1": batch("graph", 60), "map 2": batch("graph", 20)}
    return Case(build, {"map 2": costs["map 2"]} if epoch == "later" else costs, epoch)


def _shuffled() -> Case:
    def build(setting: Setting) -> Any:
        dataset = numbers().map(graph_work(20), **setting.calls).shuffle(2000).map(python_work(1.0), **setting.calls)
        return setting.ends(dataset.batch(BATCH))

    return Case(build, {"map 1": batch("graph", 20), "map 2": batch("python", 1.0)})


def _concatenated() -> Case:
    def build(setting: Setting) -> Any:
        first = tf.data.Dataset.range(400).map(graph_work(15), **setting.calls)
        second = tf.data.Dataset.range(400).map(graph_work(75), **setting.calls)
        return setting.ends(first.concatenate(second).repeat().batch(BATCH))

    return Case(build, {"map 1": batch("graph", 15, BATCH / 2), "map 2": batch("graph", 75, BATCH / 2)})


def _unbatched() -> Case:
    def build(setting: Setting) -> Any:
        dataset = numbers().batch(4).map(graph_batch(30), **setting.calls).unbatch()
        return setting.ends(dataset.map(graph_work(40), **setting.calls).batch(BATCH))

    def graph_batch(rounds: int) -> Callable[[Any], Any]:
        return lambda x: x + tf.cast(graph_work(rounds)(x[0]), tf.int64)

    return Case(build, {"map 1": batch("graph", 30, BATCH / 4), "map 2": batch("graph", 40)})


def _padded() -> Case:
    def lengths(x: Any) -> Any:
        return tf.fill([tf.cast(x % 7 + 1, tf.int32)], graph_work(50)(x))

    def build(setting: Setting) -> Any:
        dataset = numbers().map(waiting(0.5), **setting.calls).map(lengths, **setting.calls)
        return setting.ends(dataset.padded_batch(BATCH))

    return Case(build, {"map 1": batch("waiting", 0.5), "map 2": batch("graph", 50)})


@lru_cache(maxsize=1)
def _records() -> tuple[str, ...]:
    folder = Path(tempfile.mkdtemp(prefix="pipelint-truth-"))
    value = tf.io.serialize_tensor(tf.zeros([250_000])).numpy()
    for shard in range(4):
        with tf.io.TFRecordWriter(str(folder / f"{shard}.tfrecord")) as writer:
            for _ in range(40):
                writer.write(value)
    return tuple(map(str, sorted(folder.iterdir())))


def _read() -> Case:
    def read(x: Any) -> Any:
        return tf.reduce_sum(tf.io.parse_tensor(x, tf.float32)[:10])

    def build(setting: Setting) -> Any:
        parallel = {"num_parallel_reads": tf.data.AUTOTUNE} if setting.calls else {}
        dataset = tf.data.TFRecordDataset(list(_records()), **parallel).repeat()
        dataset = dataset.map(read, **setting.calls).map(graph_work(10), **setting.calls)
        return setting.ends(dataset.batch(BATCH))

    reading = 1 / drained(tf.data.TFRecordDataset(list(_records())).repeat().prefetch(1))
    parsing = 1 / drained(tf.data.TFRecordDataset(list(_records())).repeat().map(read)) - reading
    costs = {"TFRecordDataset 1": BATCH * reading, "map 1": BATCH * max(0.0, parsing)}
    return Case(build, {**costs, "map 2": batch("graph", 10)})


def _parallel_already(kind: str, size: float, calls: int) -> Case:
    def build(setting: Setting) -> Any:
        parallel = setting.calls or {"num_parallel_calls": calls}
        dataset = numbers().map(graph_work(10), **parallel).map(WORK[kind](size), **parallel)
        return setting.ends(dataset.batch(BATCH).prefetch(2))

    return Case(build, {"map 1": batch("graph", 10), "map 2": batch(kind, size)})


def _prefetched_between() -> Case:
    def build(setting: Setting) -> Any:
        dataset = numbers().map(python_work(1.0), **setting.calls).prefetch(32)
        return setting.ends(dataset.map(waiting(3.0), **setting.calls).batch(BATCH).prefetch(1))

    return Case(build, {"map 1": batch("python", 1.0), "map 2": batch("waiting", 3.0)})


CASES: dict[str, Callable[[], Case]] = {
    "two maps, the second heavy": lambda: _chain(("graph", 20), ("graph", 60)),
    "two maps, the first heavy": lambda: _chain(("graph", 60), ("graph", 20)),
    "four maps": lambda: _chain(("graph", 20), ("graph", 30), ("graph", 80), ("graph", 10)),
    "Python in the middle": lambda: _chain(("graph", 20), ("python", 1.5), ("graph", 20)),
    "two Python functions": lambda: _chain(("python", 0.5), ("python", 1.5)),
    "waiting in a map": lambda: _chain(("graph", 20), ("waiting", 4.0)),
    "waiting and Python": lambda: _chain(("waiting", 3.0), ("python", 1.0)),
    "waiting little, computing much": lambda: _chain(("waiting", 0.3), ("graph", 150)),
    "a generator that works": lambda: _generator(1.5, 20, busy=True),
    "a generator that waits": lambda: _generator(2.0, 30, busy=False),
    "a quick generator, a slow map": lambda: _generator(0.3, 120, busy=True),
    "zip of two": lambda: _zipped(20, 60),
    "zip of three": lambda: _zipped(15, 25, 80),
    "interleave, the inside heavy": lambda: _interleaved(("graph", 60), ("graph", 20)),
    "interleave, the outside heavy": lambda: _interleaved(("graph", 15), ("graph", 60)),
    "interleave that waits inside": lambda: _interleaved(("waiting", 3.0), ("graph", 20)),
    "flat_map": lambda: _interleaved(("graph", 60), ("graph", 20), flat=True),
    "interleave in interleave": _nested,
    "filter": _filtered,
    "batched early": _batched_early,
    "cached, first epoch": lambda: _cached("first"),
    "cached, later epochs": lambda: _cached("later"),
    "shuffled, Python behind": _shuffled,
    "concatenated": _concatenated,
    "unbatched": _unbatched,
    "padded": _padded,
    "large records": _read,
    "parallel already, computing": lambda: _parallel_already("graph", 60, tf.data.AUTOTUNE),
    "parallel already, waiting": lambda: _parallel_already("waiting", 4.0, 8),
    "a prefetch between": _prefetched_between,
}
