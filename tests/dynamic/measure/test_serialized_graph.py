"""Other datasets made of a serialized one give the same elements, and leave the user's own alone."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
pytest.importorskip("tensorflow", reason="datasets need TensorFlow")

import numpy as np
import tensorflow as tf

from pipelint.dynamic.measure.serialized_graph import DatasetGraph

Data: Any = tf.data.Dataset
Reader: Any = tf.data.TFRecordDataset
AUTOTUNE = tf.data.AUTOTUNE
MOST = 60
TABLE = tf.lookup.StaticHashTable(
    tf.lookup.KeyValueTensorInitializer(tf.range(12, dtype=tf.int64), tf.range(12, 24, dtype=tf.int64)), -1
)
VARIABLE = tf.Variable(5, dtype=tf.int64)

plain = tf.autograph.experimental.do_not_convert
more = plain(lambda x: x + 1)
twice = plain(lambda x: 2 * x)
even = plain(lambda x: x % 2 == 0)
in_python = plain(lambda x: tf.numpy_function(lambda y: 2 * y, [x], tf.int64))
growing = plain(tf.range)


def looping(x: Any) -> Any:
    return tf.while_loop(lambda i: i < x, lambda i: [i + 3], [tf.constant(0, tf.int64)])[0]


@plain  # type: ignore[untyped-decorator]
def three(x: Any) -> Any:
    return Data.range(3).map(plain(lambda y: 10 * x + y))


@plain  # type: ignore[untyped-decorator]
def three_ahead(x: Any) -> Any:
    return three(x).map(more, num_parallel_calls=2).prefetch(AUTOTUNE)


@plain  # type: ignore[untyped-decorator]
def six(x: Any) -> Any:
    return Data.range(2).interleave(three, cycle_length=2, num_parallel_calls=2).map(plain(lambda y: 100 * x + y))


def generated() -> Any:
    return Data.from_generator(lambda: iter(range(6)), output_signature=tf.TensorSpec([], tf.int64))


def numbers(count: int = 12) -> Any:
    return Data.range(count)


def autotuning(enabled: bool) -> Any:
    options = tf.data.Options()
    options.autotune.enabled = enabled
    return options


def repeated_for_each(dataset: Any) -> Any:
    return numbers(4).flat_map(lambda _: dataset)


def zipped_with_itself(dataset: Any) -> Any:
    return Data.zip((dataset, dataset))


KINDS: dict[str, Callable[[Path], Any]] = {
    "map": lambda _: numbers().map(twice),
    "map with a loop": lambda _: numbers().map(looping),
    "map, AUTOTUNE": lambda _: numbers().map(twice, num_parallel_calls=AUTOTUNE),
    "map, 3 calls": lambda _: numbers().map(twice, num_parallel_calls=3),
    "map, any order": lambda _: numbers().map(twice, num_parallel_calls=3, deterministic=False),
    "map, synchronous": lambda _: numbers().map(twice, synchronous=True),
    "interleave": lambda _: numbers(4).interleave(three, cycle_length=2, block_length=2),
    "interleave, 2 calls": lambda _: numbers(4).interleave(three, cycle_length=2, num_parallel_calls=2),
    "interleave, AUTOTUNE": lambda _: numbers(4).interleave(three, cycle_length=2, num_parallel_calls=AUTOTUNE),
    "interleave, AUTOTUNE at once": lambda _: numbers(9).interleave(
        three, cycle_length=AUTOTUNE, num_parallel_calls=AUTOTUNE
    ),
    "interleave, prefetch inside": lambda _: numbers(4).interleave(three_ahead, cycle_length=2),
    "interleave in interleave": lambda _: numbers(3).interleave(six, cycle_length=2),
    "flat_map": lambda _: numbers(4).flat_map(three),
    "flat_map of a dataset outside": lambda _: repeated_for_each(numbers(3).map(more)),
    "batch": lambda _: numbers().map(twice).batch(5),
    "batch, 2 calls": lambda _: numbers().batch(5, num_parallel_calls=2),
    "batch, AUTOTUNE": lambda _: numbers().batch(5, drop_remainder=True, num_parallel_calls=AUTOTUNE),
    "padded_batch": lambda _: numbers(6).map(growing).padded_batch(3),
    "ragged_batch": lambda _: numbers(6).map(growing).ragged_batch(3),
    "prefetch in the middle": lambda _: numbers().map(more).prefetch(2).map(twice).batch(2).prefetch(AUTOTUNE),
    "zip": lambda _: Data.zip((numbers().map(more), numbers(8).map(twice, num_parallel_calls=2).prefetch(1))),
    "zip with itself": lambda _: zipped_with_itself(numbers().map(more)),
    "concatenate": lambda _: numbers(4).concatenate(numbers(3).map(twice)).concatenate(numbers(2)).map(more),
    "shuffle": lambda _: numbers().map(more).shuffle(5, seed=1),
    "shuffle, large buffer": lambda _: numbers().shuffle(1000, seed=1).repeat(2),
    "cache": lambda _: numbers().map(more).cache().map(twice),
    "cache, then repeat": lambda _: numbers().map(more).cache().repeat(2).map(twice),
    "cache in a file": lambda folder: numbers().map(more).cache(str(folder / "cache")),
    "repeat": lambda _: numbers().map(more).repeat(2),
    "take": lambda _: numbers().take(5),
    "take of an endless one": lambda _: numbers(3).repeat().take(5).map(more),
    "filter": lambda _: numbers().filter(even).map(more),
    "window and flat_map": lambda _: numbers().window(3, shift=2).flat_map(plain(lambda window: window.batch(3))),
    "from_generator": lambda _: generated().map(more),
    "numpy_function": lambda _: numbers().map(in_python),
    "numpy_function, 2 calls": lambda _: numbers().map(in_python, num_parallel_calls=2),
    "lookup table": lambda _: numbers().map(TABLE.lookup),
    "variable": lambda _: numbers().map(plain(lambda x: x + VARIABLE)),
    "records": lambda folder: Reader(shards(folder)),
    "records, parallel": lambda folder: Reader(shards(folder), num_parallel_reads=2),
    "records, AUTOTUNE": lambda folder: Reader(shards(folder), num_parallel_reads=AUTOTUNE).map(tf.strings.length),
    "list_files": lambda folder: Data.list_files(str(folder / "*.records"), shuffle=False).interleave(Reader),
    "list_files in a reader": lambda folder: Reader(Data.list_files(str(folder / "*.records"), seed=1)),
    "enumerate": lambda _: numbers().map(twice).enumerate(),
    "unbatch": lambda _: numbers().batch(4).map(more).unbatch(),
    "options": lambda _: numbers().map(more, num_parallel_calls=2).with_options(autotuning(True)).batch(2),
    "structures": lambda _: Data.from_tensor_slices({"a": [1, 2, 3], "b": (["x", "y", "z"],)}),
}
ANY_ORDER = {
    "map, any order",
    "interleave, AUTOTUNE at once",
    "shuffle",
    "shuffle, large buffer",
    "list_files in a reader",
    "records, parallel",
    "records, AUTOTUNE",
}
OF_NO_FIXED_BEGINNING = {*ANY_ORDER, "interleave in interleave"}


def shards(folder: Path) -> list[str]:
    return [str(path) for path in sorted(folder.glob("*.records"))]


@dataclass(frozen=True)
class Subject:
    """A dataset of one kind, with what it gives."""

    kind: str
    dataset: Any
    graph: DatasetGraph
    elements: list[str]

    def assert_gives(self, found: list[str]) -> None:
        if self.kind in ANY_ORDER:
            assert Counter(found) == Counter(self.elements)
        else:
            assert found == self.elements


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with files of records."""
    path = tmp_path_factory.mktemp("records")
    for shard in range(3):
        with tf.io.TFRecordWriter(str(path / f"{shard}.records")) as writer:
            for number in range(4):
                writer.write(f"{shard}-{number}".encode() * (number + 1))
    return path


@pytest.fixture(scope="module", params=KINDS)
def subject(request: pytest.FixtureRequest, folder: Path) -> Subject:
    dataset = KINDS[request.param](folder)
    return Subject(request.param, dataset, DatasetGraph.of(dataset), elements(dataset))


def elements(dataset: Any, most: int = MOST) -> list[str]:
    """The first elements of a dataset, as texts that can be compared."""
    return [
        repr([np.asarray(part).tolist() for part in tf.nest.flatten(element, expand_composites=True)])
        for element in dataset.take(most)
    ]


def ops(graph: DatasetGraph) -> list[str]:
    return [branch.op for branch in graph.branches({}).walk()]


class TestEveryKind:
    def test_in_sequence(self, subject: Subject) -> None:
        sequential = subject.graph.in_sequence()
        subject.assert_gives(elements(sequential.dataset()))
        assert not [op for op in ops(sequential) if op.startswith(("Parallel", "Prefetch"))]
        assert sequential.dataset().element_spec == subject.dataset.element_spec

    def test_in_parallel(self, subject: Subject) -> None:
        parallel = subject.graph.in_parallel(set())
        subject.assert_gives(elements(parallel.dataset()))
        outside = [branch.op for branch in parallel.branches({}).walk(inside=False)]
        assert outside[0] == "PrefetchDataset"
        assert not {"MapDataset", "InterleaveDataset"} & set(outside)

    def test_endless(self, subject: Subject) -> None:
        expected = subject.elements
        found = elements(subject.graph.without_caches().without_end().dataset(), 2 * len(expected) + 3)
        assert len(found) == 2 * len(expected) + 3
        if subject.kind not in OF_NO_FIXED_BEGINNING:
            beginning = len(expected) // 2
            assert found[:beginning] == expected[:beginning]

    def test_without_caches_and_with_small_shuffles(self, subject: Subject) -> None:
        changed = subject.graph.without_caches().with_small_shuffles(3)
        subject.assert_gives(elements(changed.dataset()))
        assert not [op for op in ops(changed) if "Cache" in op]

    def test_cut_at_a_function_into_groups(self, subject: Subject) -> None:
        graph = subject.graph.without_caches().in_sequence().without_end()
        for branch in graph.branches({}).walk(inside=False):
            if branch.functions:
                group = next(iter(graph.cut_at(branch.node, 3).dataset()))
                sizes = {int(tf.raw_ops.DatasetCardinality(input_dataset=part)) for part in tf.nest.flatten(group)}
                assert sizes == {3}, branch.op

    def test_the_users_own_is_untouched(self, subject: Subject) -> None:
        assert ops(DatasetGraph.of(subject.dataset)) == ops(subject.graph)
        subject.assert_gives(elements(subject.dataset))


def test_a_long_chain_is_no_deep_one() -> None:
    dataset = numbers()
    for _ in range(600):
        dataset = dataset.skip(0)
    assert len(ops(DatasetGraph.of(dataset))) == 601


class TestSequence:
    def test_a_function_runs_in_the_thread_that_calls_it(self) -> None:
        tree = DatasetGraph.of(KINDS["map, 3 calls"](Path())).in_sequence().branches({})
        assert tree.in_line

    def test_a_function_with_a_loop_cannot(self) -> None:
        tree = DatasetGraph.of(KINDS["map with a loop"](Path())).in_sequence().branches({})
        assert not tree.in_line


class TestParallel:
    def test_files_are_read_at_once_where_there_are_several(self, folder: Path) -> None:
        graph = DatasetGraph.of(Reader(shards(folder)))
        assert "ParallelInterleaveDatasetV4" not in ops(graph.in_parallel(set()))
        parallel = graph.in_parallel({graph.end})
        assert "ParallelInterleaveDatasetV4" in ops(parallel)
        assert Counter(elements(parallel.dataset())) == Counter(elements(graph.dataset()))

    def test_numbers_of_calls_are_left_to_tensorflow(self) -> None:
        running = iter(DatasetGraph.of(numbers().map(twice, num_parallel_calls=1)).in_parallel(set()).dataset())
        next(running)
        tuned = [
            parameter.tunable
            for node in tf.data.experimental.get_model_proto(running).nodes.values()
            for parameter in node.parameters
            if parameter.name == "parallelism"
        ]
        assert tuned == [True]


class TestOtherOrders:
    def test_what_leads_to_a_batch_without_its_maps(self) -> None:
        dataset = numbers().map(more).shuffle(1).map(plain(tf.strings.as_string)).batch(5)
        graph = DatasetGraph.of(dataset)
        batch, second, _, first, _ = graph.branches({}).walk()
        before = graph.before(batch.node, [second.node, first.node], tf.TensorSpec([], tf.int64))
        assert elements(before.dataset()) == elements(numbers())

    def test_another_graph_in_place_of_a_node(self) -> None:
        graph = DatasetGraph.of(numbers().map(more).batch(5).map(twice).prefetch(1))
        *_, batch, _, _ = graph.branches({}).walk()
        moved = graph.behind(batch.node, DatasetGraph.of(numbers().batch(5).map(more)))
        assert elements(moved.dataset()) == elements(numbers().map(more).batch(5).map(twice))
        assert ops(moved) == ["PrefetchDataset", "MapDataset", "MapDataset", "BatchDatasetV2", "RangeDataset"]

    def test_a_shard_before_the_maps_gives_the_same(self) -> None:
        dataset = numbers().map(more).prefetch(2).map(plain(tf.strings.as_string)).shard(3, 1).batch(2)
        graph = DatasetGraph.of(dataset)
        _, shard, second, _, first, _ = graph.branches({}).walk()
        earlier = graph.with_earlier(shard.node, [second.node, first.node])
        assert elements(earlier.dataset()) == elements(dataset)
        assert ops(earlier)[-2:] == ["ShardDataset", "RangeDataset"]

    def test_a_skip_of_fewer(self) -> None:
        graph = DatasetGraph.of(numbers().skip(9))
        assert elements(graph.with_fewer_dropped(graph.end, 2).dataset()) == elements(numbers().skip(2))

    @pytest.mark.parametrize("calls", [None, 2])
    def test_a_batch_with_parallel_calls_or_without(self, calls: int | None) -> None:
        dataset = numbers().batch(5, drop_remainder=True, num_parallel_calls=calls)
        graph = DatasetGraph.of(dataset)
        other = graph.with_parallel_batch(graph.end)
        assert elements(other.dataset()) == elements(dataset)
        assert ops(other)[0].startswith("Parallel") is not ops(graph)[0].startswith("Parallel")

    @pytest.mark.parametrize(
        ("function", "changes"),
        [
            (twice, False),
            (looping, False),
            (TABLE.lookup, False),
            (plain(lambda x: x + VARIABLE), False),
            (in_python, True),
            (plain(lambda x: tf.random.uniform([], maxval=x + 1, dtype=tf.int64)), True),
            (plain(VARIABLE.assign), True),
        ],
    )
    def test_what_computes_and_looks_up_changes_nothing(self, function: Any, changes: bool) -> None:
        graph = DatasetGraph.of(numbers().map(function))
        assert graph.changes_state(graph.end) is changes


class TestCaches:
    def test_a_small_cache_gives_its_few_elements_again_and_again(self) -> None:
        graph = DatasetGraph.of(numbers().map(more).cache().map(twice)).with_small_caches(3)
        assert elements(graph.dataset(), 7) == [f"[{value}]" for value in (2, 4, 6, 2, 4, 6, 2)]

    def test_a_cached_dataset_that_is_shorter_still_has_no_end(self) -> None:
        graph = DatasetGraph.of(numbers(2).cache().batch(2)).with_small_caches(100)
        assert elements(graph.dataset(), 3) == ["[[0, 1]]"] * 3

    def test_a_cache_at_the_end(self) -> None:
        graph = DatasetGraph.of(numbers().map(more).cache()).with_small_caches(3)
        assert len(elements(graph.dataset(), 10)) == 10

    def test_the_users_cache_stays_empty(self, tmp_path: Path) -> None:
        graph = DatasetGraph.of(numbers().cache(str(tmp_path / "cache")).map(more))
        elements(graph.with_small_caches(3).dataset(), 20)
        elements(graph.without_caches().dataset())
        assert not list(tmp_path.iterdir())

    def test_what_is_cached_is_not_computed_again(self) -> None:
        calls: list[int] = []

        def count(x: int) -> int:
            calls.append(x)
            return x

        counted = plain(lambda x: tf.numpy_function(count, [x], tf.int64))
        graph = DatasetGraph.of(numbers().map(counted).cache().repeat().map(more)).with_small_caches(4)
        elements(graph.dataset(), 30)
        assert len(calls) == 4


def test_a_shuffle_gets_the_small_buffer_and_a_smaller_one_stays() -> None:
    dataset = numbers(1000).shuffle(1000, seed=1).shuffle(2, seed=1)
    first = DatasetGraph.of(dataset).with_small_shuffles(4).dataset().take(20)
    # No element can come out before it has entered a buffer of 4 and one of 2.
    assert all(int(value) < place + 4 + 2 for place, value in enumerate(first))


STAGES: dict[str, Callable[[Any], Any]] = {
    "map": lambda dataset: dataset.map(more),
    "parallel map": lambda dataset: dataset.map(twice, num_parallel_calls=3),
    "tuned map": lambda dataset: dataset.map(twice, num_parallel_calls=AUTOTUNE),
    "Python": lambda dataset: dataset.map(in_python, num_parallel_calls=2),
    "interleave": lambda dataset: dataset.interleave(three, cycle_length=2, num_parallel_calls=2),
    "flat_map": lambda dataset: dataset.flat_map(three_ahead),
    "filter": lambda dataset: dataset.filter(even),
    "batch and unbatch": lambda dataset: dataset.batch(3, num_parallel_calls=2).unbatch(),
    "prefetch": lambda dataset: dataset.prefetch(2),
    "repeat": lambda dataset: dataset.repeat(2),
    "take": lambda dataset: dataset.take(5),
    "skip": lambda dataset: dataset.skip(1),
    "cache": lambda dataset: dataset.cache(),
    "shuffle": lambda dataset: dataset.shuffle(4, seed=1, reshuffle_each_iteration=False),
    "concatenate": lambda dataset: dataset.concatenate(numbers(3)),
    "zip": lambda dataset: Data.zip((dataset, dataset)).map(plain(lambda x, y: x + y)),
    "windows": lambda dataset: dataset.window(2).flat_map(plain(lambda window: window.prefetch(1))),
    "options": lambda dataset: dataset.with_options(autotuning(True)),
}


@settings(max_examples=15, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(sorted(STAGES)), min_size=1, max_size=5))
def test_any_chain_in_sequence_has_the_same_elements(chain: list[str]) -> None:
    dataset = numbers(5)
    for name in chain:
        dataset = STAGES[name](dataset)
    expected = elements(dataset)
    sequential = DatasetGraph.of(dataset).in_sequence()
    assert elements(sequential.dataset()) == expected
    assert elements(sequential.without_end().dataset(), 1) == expected[:1]


def test_of_much_data_in_memory_the_first_rows_are_kept_each_of_them_whole() -> None:
    texts = [bytes([65 + row % 26]) * (40_000 + row) for row in range(600)]
    labels, zeros = np.arange(1200).reshape(600, 2), np.zeros(600)
    data = Data.from_tensor_slices((texts, labels, zeros))
    little = list(DatasetGraph.of(data).with_little_data().dataset().as_numpy_iterator())
    assert 300 < len(little) < 600
    assert [text for text, _, _ in little] == texts[: len(little)]
    assert [label.tolist() for _, label, _ in little] == labels[: len(little)].tolist()
