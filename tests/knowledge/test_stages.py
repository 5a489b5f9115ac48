"""Each fact about a stage of tf.data, seen on a small dataset."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pipelint.knowledge import names, signatures, stages
from tests.knowledge.installed import keras, np, tf

D = tf.data.Dataset
experimental = tf.data.experimental
Build = Callable[[Any], Any]

COUNT = 6
BUILT: dict[str, Build] = {
    "map": lambda ds: ds.map(lambda x: x),
    "interleave": lambda ds: ds.interleave(D.from_tensors, cycle_length=2),
    "flat_map": lambda ds: ds.flat_map(D.from_tensors),
    "filter": lambda ds: ds.filter(lambda x: x < 3),
    "take_while": lambda ds: ds.take_while(lambda x: x < 3),
    "batch": lambda ds: ds.batch(2),
    "padded_batch": lambda ds: ds.padded_batch(2),
    "ragged_batch": lambda ds: ds.ragged_batch(2),
    "sparse_batch": lambda ds: ds.map(lambda x: x[None]).sparse_batch(2, [1]),
    "rebatch": lambda ds: ds.batch(3).rebatch(2),
    "unbatch": lambda ds: ds.batch(2).unbatch(),
    "window": lambda ds: ds.window(2),
    "group_by_window": lambda ds: ds.group_by_window(lambda x: x % 2, lambda _, part: part.batch(2), 2),
    "bucket_by_sequence_length": lambda ds: ds.map(lambda x: x[None]).bucket_by_sequence_length(tf.size, [9], [2, 2]),
    "shuffle": lambda ds: ds.shuffle(COUNT, seed=1),
    "repeat": lambda ds: ds.repeat(2),
    "take": lambda ds: ds.take(4),
    "skip": lambda ds: ds.skip(2),
    "shard": lambda ds: ds.shard(2, 0),
    "prefetch": lambda ds: ds.prefetch(1),
    "cache": lambda ds: ds.cache(),
    "with_options": lambda ds: ds.with_options(tf.data.Options()),
    "assert_cardinality": lambda ds: ds.apply(experimental.assert_cardinality(COUNT)),
    "ignore_errors": lambda ds: ds.ignore_errors(),
    "apply": lambda ds: ds.apply(lambda same: same),
    "enumerate": lambda ds: ds.enumerate(),
    "concatenate": lambda ds: ds.concatenate(ds),
    "scan": lambda ds: ds.scan(np.int64(0), lambda state, x: (state, x)),
    "unique": lambda ds: ds.unique(),
    "rejection_resample": lambda ds: ds.rejection_resample(lambda x: tf.cast(x % 2, tf.int32), [0.5, 0.5], [0.5, 0.5]),
    "map_and_batch": lambda ds: ds.apply(experimental.map_and_batch(lambda x: x, 2)),
    "parallel_interleave": lambda ds: ds.apply(experimental.parallel_interleave(D.from_tensors, 2)),
    "shuffle_and_repeat": lambda ds: ds.apply(experimental.shuffle_and_repeat(COUNT, 2, seed=1)),
    "dense_to_ragged_batch": lambda ds: ds.apply(experimental.dense_to_ragged_batch(2)),
    "dense_to_sparse_batch": lambda ds: ds.map(lambda x: x[None]).apply(experimental.dense_to_sparse_batch(2, [1])),
    "prefetch_to_device": lambda ds: ds.apply(experimental.prefetch_to_device("/cpu:0")),
    "copy_to_device": lambda ds: ds.apply(experimental.copy_to_device("/cpu:0")),
}
"""How each stage is put behind the numbers from 0 to 5; snapshot needs a folder."""

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def built(tmp_path: Path) -> Callable[[str], Any]:
    def build(op: str) -> Any:
        return D.range(COUNT).snapshot(str(tmp_path)) if op == "snapshot" else BUILT[op](D.range(COUNT))

    return build


def rank(dataset: Any) -> int | None:
    spec = dataset.element_spec
    return None if isinstance(spec, tf.data.DatasetSpec) else int(spec.shape.rank)


def numbers(dataset: Any) -> list[int]:
    return [int(element) for element in dataset]


def test_each_stage_is_tried() -> None:
    assert {*BUILT, "snapshot"} == stages.TRANSFORMATIONS.keys()


@pytest.mark.parametrize("op", sorted(stages.BATCHING))
def test_a_stage_that_batches_adds_an_axis_of_the_given_size(built: Callable[[str], Any], op: str) -> None:
    sizes = {
        int(element.dense_shape[0] if hasattr(element, "dense_shape") else element.shape[0]) for element in built(op)
    }
    assert sizes == {2}


def test_sequences_in_buckets_come_in_batches_whatever_the_buckets() -> None:
    sequences = D.range(COUNT).map(tf.range)
    for batch in sequences.bucket_by_sequence_length(tf.size, [2, 4], [1, 2, 3]):
        assert batch.shape.rank == 2
    assert stages.BUCKETS <= stages.OWN_BATCHES


@pytest.mark.parametrize("op", sorted(stages.OWN_BATCHES))
def test_a_stage_with_sizes_of_its_own_batches(built: Callable[[str], Any], op: str) -> None:
    assert rank(built(op)) in (1, 2)


@pytest.mark.parametrize(
    "op", sorted(stages.TRANSFORMATIONS.keys() - stages.BATCHING - stages.OWN_BATCHES - {"enumerate"})
)
def test_any_other_stage_does_not(built: Callable[[str], Any], op: str) -> None:
    if op == "rejection_resample":
        assert built(op).element_spec[1].shape.rank == 0
    else:
        assert rank(built(op)) in (0, None)


def test_stages_that_take_batches_apart() -> None:
    assert rank(D.range(COUNT).batch(2).unbatch()) == 0
    assert rank(D.range(COUNT).batch(2).window(2)) is None
    assert {"unbatch", "window"} == stages.TAKES_APART


@pytest.mark.parametrize("op", sorted(stages.ONE_TO_ONE))
def test_a_stage_that_is_one_to_one_gives_as_many_elements(built: Callable[[str], Any], op: str) -> None:
    assert len(list(built(op))) == COUNT


@pytest.mark.parametrize("op", sorted(stages.FREE))
def test_a_stage_that_passes_on_changes_no_element(built: Callable[[str], Any], op: str) -> None:
    given = numbers(built(op))
    assert set(given) <= set(range(COUNT))
    assert all(later in (earlier + 1, earlier + 2, 0) for earlier, later in pairwise(given))


@pytest.mark.parametrize("op", sorted(stages.SPLITS))
def test_a_stage_that_splits_takes_a_part(built: Callable[[str], Any], op: str) -> None:
    assert 0 < len(numbers(built(op))) < COUNT


@pytest.mark.parametrize("op", sorted(stages.SHUFFLES))
def test_a_stage_that_shuffles_changes_the_order(built: Callable[[str], Any], op: str) -> None:
    first = numbers(built(op))[:COUNT]
    assert sorted(first) == list(range(COUNT)) != first


@pytest.mark.parametrize("op", sorted(stages.KEEPS))
def test_a_stage_that_keeps_asks_its_input_once(tmp_path: Path, op: str) -> None:
    drawn = D.range(COUNT).map(lambda x: tf.random.uniform([]))
    kept = drawn.cache() if op == "cache" else drawn.snapshot(str(tmp_path))
    assert [float(x) for x in kept] == [float(x) for x in kept]
    assert [float(x) for x in drawn] != [float(x) for x in drawn]


@pytest.mark.parametrize("op", sorted(stages.PREFETCHES))
def test_a_stage_that_prefetches_ends_in_a_prefetch(built: Callable[[str], Any], op: str) -> None:
    assert "Prefetch" in type(built(op)).__name__


def asked_ahead(taken: Callable[[Any], Any]) -> bool:
    """Whether more than the elements of the first result are asked for while nobody asks for the next."""
    asked: list[int] = []

    def noted(element: Any) -> Any:
        asked.append(int(element))
        return element

    options = tf.data.Options()
    # Copies are made of a dataset with a tail of its own.
    options.experimental_optimization.inject_prefetch = False
    options.experimental_optimization.map_and_batch_fusion = False
    numbers_noted = D.range(100).map(lambda x: tf.ensure_shape(tf.py_function(noted, [x], tf.int64), []))
    iterator = iter(taken(numbers_noted.with_options(options)))
    used = int(tf.size(next(iterator)))
    deadline = time.monotonic() + 1
    while len(asked) <= used and time.monotonic() < deadline:
        time.sleep(0.01)
    return len(asked) > used


@pytest.mark.parametrize("op", ["prefetch", "copy_to_device", "batch", *sorted(stages.RUNS_AHEAD)])
def test_only_a_stage_that_prefetches_or_runs_ahead_asks_for_elements_ahead(op: str) -> None:
    assert asked_ahead(BUILT[op]) == (op in stages.PREFETCHES | stages.RUNS_AHEAD)


def test_a_strategy_asks_for_elements_ahead_of_what_it_distributes() -> None:
    strategy = tf.distribute.MirroredStrategy(["/cpu:0"])
    assert asked_ahead(lambda dataset: strategy.experimental_distribute_dataset(dataset.batch(4)))
    assert not asked_ahead(lambda dataset: dataset.batch(4))


@pytest.mark.parametrize("op", sorted(stages.RETURNS_DATASETS))
def test_a_function_that_returns_a_dataset_is_flattened(built: Callable[[str], Any], op: str) -> None:
    assert sorted(numbers(built(op))) == list(range(COUNT))


@pytest.mark.parametrize("op", sorted(stages.COMMUTES_WITH_CACHE))
def test_a_cache_before_a_stage_that_commutes_with_it_gives_the_same(op: str) -> None:
    assert numbers(BUILT[op](D.range(COUNT).cache())) == numbers(BUILT[op](D.range(COUNT)).cache())


@pytest.mark.parametrize("op", sorted(stages.ENDS_EARLY))
def test_a_stage_that_ends_early_ends_even_behind_an_endless_input(op: str) -> None:
    assert numbers(BUILT[op](D.counter())) == numbers(BUILT[op](D.range(COUNT)))


GROWN: dict[str, Any] = {
    "repeat": D.range(1).repeat(3),
    "unbatch": D.range(3).batch(3).unbatch(),
    "flat_map": D.range(1).flat_map(lambda x: D.range(3)),
    "interleave": D.range(1).interleave(lambda x: D.range(3)),
    "parallel_interleave": D.range(1).apply(experimental.parallel_interleave(lambda x: D.range(3), 2)),
    "shuffle_and_repeat": D.range(1).apply(experimental.shuffle_and_repeat(1, 3)),
}


@pytest.mark.parametrize("op", sorted(stages.MULTIPLIES))
def test_a_stage_that_multiplies_gives_many_elements_for_one(op: str) -> None:
    assert len(numbers(GROWN[op])) == 3


def test_an_argument_makes_the_calls_of_a_stage_parallel() -> None:
    known = {**signatures.EXPERIMENTAL_TRANSFORMATIONS, **signatures.TRANSFORMATIONS}
    by_argument = {op for op, parameters in known.items() if "num_parallel_calls" in parameters}
    # Its argument is the length of the cycle.
    assert by_argument | {"parallel_interleave"} == stages.PARALLEL_CALLS


def test_an_argument_makes_the_reads_of_a_source_parallel() -> None:
    by_argument = {names.last(name) for name, known in signatures.SOURCES.items() if "num_parallel_reads" in known}
    assert by_argument & stages.FILE_READERS == stages.PARALLEL_READERS


def test_a_stage_without_work_has_neither_a_function_nor_files_to_read() -> None:
    assert stages.NO_WORK.isdisjoint(stages.FUNCTION_PARAMETER.keys() | stages.FILE_READERS)


VARYING: dict[str, Any] = {
    "from_generator": D.from_generator(lambda: [time.monotonic_ns()], output_signature=tf.TensorSpec([], tf.int64)),
    "random": D.random(rerandomize_each_iteration=True).take(2),
    "sample_from_datasets": D.sample_from_datasets([D.range(40), D.range(40, 80)], rerandomize_each_iteration=True),
    "choose_from_datasets": D.choose_from_datasets(
        [D.range(40), D.range(40, 80)], D.range(80).shuffle(80).map(lambda x: x % 2)
    ),
}


@pytest.mark.parametrize("op", sorted(stages.VARIES - {"rejection_resample"}))
def test_a_stage_that_varies_may_give_others_in_the_next_epoch(op: str) -> None:
    epochs = [numbers(VARYING[op]) for _ in range(4)]
    assert any(epoch != epochs[0] for epoch in epochs)


SOURCES: dict[str, Callable[[Path], Any]] = {
    "image_dataset_from_directory": lambda path: keras.utils.image_dataset_from_directory(
        path / "images", verbose=False
    ),
    "text_dataset_from_directory": lambda path: keras.utils.text_dataset_from_directory(path / "texts", verbose=False),
    "timeseries_dataset_from_array": lambda path: keras.utils.timeseries_dataset_from_array(np.zeros((9, 2)), None, 3),
    "make_csv_dataset": lambda path: experimental.make_csv_dataset(str(path / "rows.csv"), 2),
    "make_batched_features_dataset": lambda path: experimental.make_batched_features_dataset(
        str(path / "rows.csv"), 2, {"a": tf.io.FixedLenFeature([], tf.int64)}, reader_num_threads=1
    ),
    "from_tensors": lambda path: D.from_tensors(1),
    "from_generator": lambda path: D.from_generator(lambda: [1], output_signature=tf.TensorSpec([], tf.int64)),
    "from_tensor_slices": lambda path: D.from_tensor_slices([1, 2]),
    "list_files": lambda path: D.list_files(str(path / "*")),
    "TFRecordDataset": lambda path: tf.data.TFRecordDataset(str(path / "rows.csv")),
    "TextLineDataset": lambda path: tf.data.TextLineDataset(str(path / "rows.csv")),
    "FixedLengthRecordDataset": lambda path: tf.data.FixedLengthRecordDataset(str(path / "rows.csv"), 1),
    "CsvDataset": lambda path: experimental.CsvDataset(str(path / "rows.csv"), [tf.int32]),
    "zip": lambda path: D.zip((D.range(2),)),
    "sample_from_datasets": lambda path: D.sample_from_datasets([D.range(2), D.range(2)]),
    "choose_from_datasets": lambda path: D.choose_from_datasets([D.range(2)], D.range(1)),
    "range": lambda path: D.range(2),
    "counter": lambda path: D.counter(),
    "Counter": lambda path: experimental.Counter(),
    "random": lambda path: D.random(),
    "RandomDataset": lambda path: experimental.RandomDataset(),
}
"""How each source is made; sound needs tensorflow-io, and tensorflow_datasets is a package of its own."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("sources")
    picture = tf.io.encode_png(tf.zeros((8, 8, 3), tf.uint8)).numpy()
    for kind, name, content in (("images", "0.png", picture), ("texts", "0.txt", b"words")):
        for label in ("a", "b"):
            (root / kind / label).mkdir(parents=True)
            (root / kind / label / name).write_bytes(content)
    (root / "rows.csv").write_text("a,b\n1,2\n3,4\n")
    return root


def test_each_source_is_tried() -> None:
    assert {*SOURCES, "audio_dataset_from_directory", "load"} == stages.SOURCES.keys()


@pytest.mark.parametrize("op", SOURCES)
def test_a_source_batches_and_prefetches_as_its_row_says(files: Path, op: str) -> None:
    dataset, row = SOURCES[op](files), stages.SOURCES[op]
    first = tf.nest.flatten(dataset.element_spec)[0]
    assert ("Prefetch" in type(dataset).__name__) == row.prefetches
    assert (first.shape.rank > 0) == row.batches
    assert bool(dataset._inputs()) >= row.merges
