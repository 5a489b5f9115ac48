"""Each dataset that the engine runs is told the stage that the user wrote."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("tensorflow", reason="the engine is TensorFlow's")

import tensorflow as tf

from pipelint.dynamic.capture import lineage
from pipelint.dynamic.capture.stages import CapturedPipeline, describe
from pipelint.dynamic.measure.engine import EngineNode, Snapshot, Tally, assign, snapshot
from pipelint.dynamic.measure.serialized_graph import Branch, DatasetGraph
from pipelint.dynamic.measure.stages_of_nodes import stages_of_nodes
from pipelint.knowledge.graph_ops import dataset_family
from tests.dynamic.measure.test_serialized_graph import KINDS, Data, folder, more, numbers, plain, three, twice

__all__ = ["folder"]

FAMILIES = {
    "map": ["MapDataset", "ParallelMapDataset", "ParallelMapDatasetV2", "Map", "ParallelMapV2"],
    "batch": ["BatchDataset", "BatchDatasetV2", "ParallelBatchDataset", "BatchV2", "ParallelBatch"],
    "paddedbatch": ["PaddedBatchDatasetV2", "PaddedBatchV2"],
    "interleave": [
        "InterleaveDataset",
        "ParallelInterleaveDatasetV4",
        "ParallelInterleaveV4",
        "LegacyParallelInterleaveDatasetV2",
        "LegacyParallelInterleaveV2",
    ],
    "flatmap": ["FlatMapDataset", "FlatMap"],
    "cache": ["CacheDataset", "CacheDatasetV2", "MemoryCache", "FileCache", "MemoryCacheImpl", "FileCacheImpl"],
    "repeat": ["RepeatDataset", "FiniteRepeat", "ForeverRepeat", "EmptyRepeat"],
    "take": ["TakeDataset", "FiniteTake", "EmptyTake"],
    "skip": ["SkipDataset", "FiniteSkip", "EmptySkip"],
    "shuffle": ["ShuffleDataset", "ShuffleDatasetV3", "Shuffle", "ShuffleV3"],
    "tensor": ["TensorDataset", "FromTensor"],
    "tensorslice": ["TensorSliceDataset", "TensorSlice"],
    "tfrecord": ["TFRecordDataset", "TFRecordDatasetV2", "TFRecord"],
    "prefetch": ["PrefetchDataset", "Prefetch"],
    "filter": ["FilterDataset", "ParallelFilterDataset", "Filter"],
    "mapandbatch": ["MapAndBatchDataset", "MapAndBatch"],
    "window": ["WindowDataset", "Window"],
    "unbatch": ["UnbatchDataset", "Unbatch"],
}
OWN = {"Root", "Prefetch", "MemoryCacheImpl", "FileCacheImpl", "MemoryCacheWriter", "Window"}
"""What the engine adds: its root, a prefetch, the inside of a cache, the datasets that a window holds."""
MADE_OF_SEVERAL = {"ragged_batch", "from_generator", "TFRecordDataset", "list_files", "enumerate", "unbatch"}


class Running:
    """A dataset that runs, with the stages of what the engine has shown so far."""

    def __init__(self, dataset: Any, captured: CapturedPipeline, tree: Branch) -> None:
        self._iterator = iter(dataset)
        self._tree = tree
        self._numbers = captured.pipeline.numbers
        self._ops = [stage.op for stage in captured.pipeline.every_stage]
        self.parts: list[tuple[str, tuple[int | None, ...]]] = []
        """The name of each node, and its stages."""
        self.left_over: set[str] = set()

    def take(self, most: int) -> Running:
        for _, _ in zip(range(most), self._iterator, strict=False):
            seen = snapshot(self._iterator)
            assigned = assign(seen, self._tree)
            for key, node in seen.nodes.items():
                if key in assigned:
                    stages = [part.stage for part in assigned[key]]
                    numbers = (None if stage is None else self._numbers[stage] for stage in stages)
                    self.parts.append((node.name, tuple(numbers)))
                else:
                    self.left_over.add(node.name)
        return self

    @property
    def stages(self) -> set[int | None]:
        return {stage for _, stages in self.parts for stage in stages}

    @property
    def named(self) -> set[tuple[str, ...]]:
        """The names of the nodes, each with the operations of its stages."""
        return {(name, *(self._ops[stage] for stage in stages if stage is not None)) for name, stages in self.parts}


def in_sequence(dataset: Any) -> Running:
    """As the stages are measured: in sequence, endless, and without TensorFlow's own rewrites."""
    captured = describe(dataset)
    graph = DatasetGraph.of(dataset)
    stages = stages_of_nodes(graph, dataset, captured)
    sequential = graph.without_caches().with_small_shuffles(4).in_sequence().without_end()
    options = tf.data.Options()
    options.experimental_optimization.apply_default_optimizations = False
    return Running(sequential.dataset().with_options(options), captured, sequential.branches(stages))


def as_the_user_runs_it(dataset: Any) -> Running:
    captured = describe(dataset)
    graph = DatasetGraph.of(dataset)
    return Running(dataset, captured, graph.branches(stages_of_nodes(graph, dataset, captured)))


@pytest.fixture(autouse=True)
def remembered() -> None:
    lineage.install()


@pytest.mark.parametrize(("expected", "name"), [(kind, name) for kind, names in FAMILIES.items() for name in names])
def test_the_names_of_a_graph_and_of_the_engine_mean_the_same_dataset_family(expected: str, name: str) -> None:
    assert dataset_family(name) == expected


@pytest.mark.parametrize("kind", KINDS)
class TestEveryKind:
    def test_all_stages_run_and_every_node_has_its_own(self, kind: str, folder: Path) -> None:
        dataset = KINDS[kind](folder)
        without_a_node = {"with_options", "cache", "prefetch"}
        numbers = describe(dataset).pipeline.numbers
        expected = {number for stage, number in numbers.items() if stage.op not in without_a_node}
        running = in_sequence(dataset).take(30)
        # A repeat behind the end, which takes that away, belongs to none.
        assert running.stages - {None} == expected
        assert running.left_over <= OWN
        for name, *ops in running.named:
            # The repeats are those that take the end away.
            if ops and not MADE_OF_SEVERAL.intersection(ops) and dataset_family(name) != "repeat":
                assert dataset_family(name) in ("".join(op.split("_")).lower() for op in ops) or name.startswith(
                    "Tensor"
                )

    def test_what_tensorflow_rewrites_still_has_its_stage(self, kind: str, folder: Path) -> None:
        running = as_the_user_runs_it(KINDS[kind](folder)).take(12)
        assert running.left_over <= OWN
        assert None not in running.stages
        for name, *ops in running.named:
            if not MADE_OF_SEVERAL.intersection(ops) and "And" not in name and not name.startswith("Tensor"):
                assert dataset_family(name) == "".join(ops[0].split("_")).lower()


class TestRewrites:
    def test_a_fused_map_and_batch_counts_for_both(self) -> None:
        running = as_the_user_runs_it(numbers().map(twice).batch(2)).take(2)
        assert running.named == {("MapAndBatch", "batch", "map"), ("Range", "range")}

    def test_a_fused_shuffle_and_repeat_counts_for_both(self) -> None:
        running = as_the_user_runs_it(numbers().shuffle(4).repeat()).take(2)
        assert ("ShuffleAndRepeat", "repeat", "shuffle") in running.named

    def test_a_map_made_parallel_is_that_map(self) -> None:
        running = as_the_user_runs_it(numbers().map(twice).shuffle(2).map(more)).take(3)
        assert {("ParallelMapV2", "map"), ("Shuffle", "shuffle"), ("Range", "range")} == running.named
        assert running.stages == {0, 1, 2, 3}

    def test_an_injected_prefetch_belongs_to_no_stage(self) -> None:
        running = as_the_user_runs_it(numbers().filter(plain(lambda x: x > 1))).take(3)
        assert running.left_over == {"Root", "Prefetch"}
        assert running.named == {("Filter", "filter"), ("Range", "range")}

    def test_the_users_own_prefetch_is_theirs(self) -> None:
        running = as_the_user_runs_it(numbers().filter(plain(lambda x: x > 1)).prefetch(2)).take(3)
        assert running.left_over == {"Root"}
        assert ("Prefetch", "prefetch") in running.named

    def test_a_dataset_that_is_dropped_is_passed_over(self) -> None:
        running = as_the_user_runs_it(numbers().skip(0).repeat(1).map(twice)).take(3)
        assert {("ParallelMapV2", "map"), ("Range", "range")} <= running.named

    def test_branches_of_the_same_kinds_are_told_apart(self) -> None:
        dataset = Data.zip((numbers().map(twice), numbers().map(more).map(twice), numbers()))
        running = as_the_user_runs_it(dataset).take(3)
        assert running.stages == set(range(7))

    def test_a_dataset_from_outside_of_the_function_that_returns_it(self) -> None:
        other = numbers(3).map(more).batch(2)
        running = as_the_user_runs_it(numbers(2).flat_map(lambda _: other)).take(2)
        assert {("BatchV2", "batch"), ("FlatMap", "flat_map")} <= running.named

    def test_the_engine_is_silent_without_autotuning(self) -> None:
        options = tf.data.Options()
        options.autotune.enabled = False
        iterator = iter(numbers().with_options(options))
        next(iterator)
        with pytest.raises(tf.errors.NotFoundError):
            snapshot(iterator)


class TestTally:
    def count(self, dataset: Any, elements: int) -> dict[str, float]:
        """How many elements each dataset gave for so many at the end, by its op."""
        graph = DatasetGraph.of(dataset).in_sequence()
        options = tf.data.Options()
        options.experimental_optimization.apply_default_optimizations = False
        tree = graph.branches({})
        tally, iterator = Tally(tree), iter(graph.dataset().with_options(options))
        for _ in range(elements):
            next(iterator)
            tally.add(snapshot(iterator))
        counted = tally.take()
        return {branch.op: counted[branch].elements for branch in tree.walk() if branch in counted}

    def test_elements_are_counted_once(self) -> None:
        assert self.count(numbers().map(twice).batch(3), 4) == {
            "BatchDatasetV2": 4,
            "MapDataset": 12,
            "RangeDataset": 12,
        }

    def test_the_datasets_of_a_function_add_up_as_they_come_and_go(self) -> None:
        counted = self.count(numbers().flat_map(three).batch(1), 30)
        assert counted["MapDataset"] == 30
        assert counted["FlatMapDataset"] == 30

    def test_epochs_of_a_repeat_add_up(self) -> None:
        counted = self.count(numbers(2).map(twice).repeat().batch(1), 20)
        assert counted["MapDataset"] >= 18

    def test_only_what_is_new_counts_after_a_look(self) -> None:
        branch = Branch("end", "MapDataset", None)
        node = EngineNode("Map", (), elements=5, seconds=1.0, bytes_produced=10, buffered_elements=0, buffered_bytes=0, parallelism=None)  # fmt: skip
        tally = Tally(branch)
        tally.add(Snapshot({1: node}, 1, ()))
        assert tally.take()[branch].elements == 5
        tally.add(Snapshot({1: replace(node, elements=7)}, 1, ()))
        assert tally.take()[branch].elements == 2
        tally.restart()
        tally.add(Snapshot({1: node}, 1, ()))
        assert tally.take()[branch].elements == 5
