"""The stages of a live pipeline are those that the program wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipelint.dynamic.capture import lineage
from pipelint.dynamic.capture.stages import describe
from pipelint.model.pipeline import Stage
from pipelint.model.values import Literal
from tests.dynamic.programs import Run, run, tf

__all__ = ["run"]


def graph(stages: tuple[Stage, ...]) -> list[tuple[Any, ...]]:
    """The stages with the places of their inputs, and those of the pipelines inside them, in the list of all."""
    at = {stage: number for number, stage in enumerate(stages)}
    return [
        (stage.op, tuple(at[part] for part in stage.inputs), tuple(at[inner.end] for inner in stage.inner))
        for stage in stages
    ]


def constants(stage: Stage) -> dict[str, object]:
    return {name: argument.constant for name, argument in stage.arguments.items()}


def options(stage: Stage) -> dict[str, object]:
    return {name: value.value for name, value in stage.options.items() if isinstance(value, Literal)}


RANGE = "tf.data.Dataset.range(8)"
SOURCES: dict[str, str] = {
    "tf.data.Dataset.from_tensors([1, 2])": "from_tensors",
    "tf.data.Dataset.from_tensor_slices([1, 2])": "from_tensor_slices",
    "tf.data.Dataset.from_generator(lambda: iter([1]), output_types=tf.int32)": "from_generator",
    "tf.data.Dataset.from_generator(lambda: iter([1]), output_signature=tf.TensorSpec([], tf.int32))": "from_generator",
    "tf.data.Dataset.random(seed=1)": "random",
    "tf.data.Dataset.counter()": "counter",
    "tf.data.Dataset.list_files(FILES)": "list_files",
    "tf.data.Dataset.list_files(FILES, shuffle=False)": "list_files",
    "tf.data.TFRecordDataset([FILES])": "TFRecordDataset",
    "tf.data.TFRecordDataset([FILES], num_parallel_reads=2)": "TFRecordDataset",
    "tf.data.TextLineDataset([FILES], num_parallel_reads=tf.data.AUTOTUNE)": "TextLineDataset",
    "tf.data.FixedLengthRecordDataset([FILES], 4)": "FixedLengthRecordDataset",
    "tf.data.experimental.CsvDataset([FILES], [tf.int32])": "CsvDataset",
    "tf.data.experimental.make_csv_dataset(CSV, 2)": "make_csv_dataset",
    "tf.compat.v1.data.Dataset.range(3)": "range",
    "tf.compat.v1.data.TFRecordDataset([FILES])": "TFRecordDataset",
}
TRANSFORMATIONS: dict[str, str] = {
    "map(abs)": "map",
    "map(abs, num_parallel_calls=2)": "map",
    "batch(2)": "batch",
    "batch(2, num_parallel_calls=2)": "batch",
    "padded_batch(2)": "padded_batch",
    "ragged_batch(2)": "ragged_batch",
    "shuffle(4)": "shuffle",
    "repeat()": "repeat",
    "cache()": "cache",
    "prefetch(1)": "prefetch",
    "filter(lambda x: x > 1)": "filter",
    "take(2)": "take",
    "skip(2)": "skip",
    "window(2)": "window",
    "enumerate()": "enumerate",
    "shard(2, 0)": "shard",
    "unique()": "unique",
    "snapshot('x')": "snapshot",
    "scan(tf.constant(0, tf.int64), lambda s, x: (s, x))": "scan",
    "take_while(lambda x: x < 3)": "take_while",
    "with_options(tf.data.Options())": "with_options",
    "group_by_window(lambda x: x, lambda k, w: w, window_size=2)": "group_by_window",
    "bucket_by_sequence_length(lambda x: 1, [2], [2, 2])": "bucket_by_sequence_length",
    "ignore_errors()": "ignore_errors",
    "apply(tf.data.experimental.assert_cardinality(8))": "assert_cardinality",
    "apply(tf.data.experimental.map_and_batch(abs, 2))": "map_and_batch",
    "rejection_resample(lambda x: 0, [1.0])": "rejection_resample",
}


@pytest.mark.parametrize(("expression", "op"), SOURCES.items(), ids=SOURCES)
def test_a_source_is_one_stage(run: Run, tmp_path: Path, expression: str, op: str) -> None:
    (tmp_path / "a.txt").write_text("some text\n")
    (tmp_path / "a.csv").write_text("x,y\n1,2\n")
    program = run(f"FILES, CSV = {str(tmp_path / 'a.txt')!r}, {str(tmp_path / 'a.csv')!r}\nds = {expression}")
    assert graph(program.stages()) == [(op, (), ())]


@pytest.mark.parametrize(("expression", "op"), TRANSFORMATIONS.items(), ids=TRANSFORMATIONS)
def test_a_transformation_is_one_stage_on_its_input(run: Run, expression: str, op: str) -> None:
    pipeline = run(f"ds = {RANGE}.{expression}").captured().pipeline
    source, transformation = pipeline.stages
    assert (source.op, transformation.op) == ("range", op)
    assert transformation.inputs == (source,)


def test_unbatch_and_rebatch(run: Run) -> None:
    assert run(f"ds = {RANGE}.batch(4).rebatch(2).unbatch()").ops() == ["range", "batch", "rebatch", "unbatch"]


def test_saved_and_loaded(run: Run, tmp_path: Path) -> None:
    path = str(tmp_path / "saved")
    assert run(f"{RANGE}.save({path!r})\nds = tf.data.Dataset.load({path!r})").ops() == ["load"]


class TestGraphs:
    def test_stages_come_behind_their_inputs(self, run: Run) -> None:
        program = run(
            f"""
            a, b = {RANGE}, {RANGE}.map(abs)
            ds = tf.data.Dataset.zip((a, b.concatenate(a)))
            """
        )
        assert graph(program.stages()) == [
            ("range", (), ()),
            ("range", (), ()),
            ("map", (1,), ()),
            ("concatenate", (2, 0), ()),
            ("zip", (0, 3), ()),
        ]

    def test_a_dataset_used_twice_is_one_stage(self, run: Run) -> None:
        program = run(f"a = {RANGE}\nds = tf.data.Dataset.zip((a, a))")
        assert graph(program.stages()) == [("range", (), ()), ("zip", (0, 0), ())]

    def test_a_dataset_that_two_take_has_two_outputs(self, run: Run) -> None:
        source, *_ = run(f"a = {RANGE}\nds = tf.data.Dataset.zip((a.map(abs), a.skip(1))).batch(2)").stages()
        assert [stage.op for stage in source.outputs] == ["map", "skip"]
        assert [stage.op for stage in source.downstream()] == ["map", "skip", "zip", "batch"]

    @pytest.mark.parametrize("name", ["sample_from_datasets", "choose_from_datasets"])
    def test_merged_datasets_are_inputs_and_what_chooses_among_them_is_none(self, run: Run, name: str) -> None:
        choice = ", tf.data.Dataset.range(2)" if name == "choose_from_datasets" else ""
        program = run(f"ds = tf.data.Dataset.{name}([{RANGE}, {RANGE}]{choice})")
        assert graph(program.stages()) == [("range", (), ()), ("range", (), ()), (name, (0, 1), ())]

    def test_a_long_chain(self, run: Run) -> None:
        assert len(run(f"ds = {RANGE}\nfor _ in range(600):\n    ds = ds.skip(0)").stages()) == 601

    def test_files_listed_by_the_user_are_the_input_of_a_reader(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "a.txt").write_text("a\n")
        program = run(f"ds = tf.data.TextLineDataset(tf.data.Dataset.list_files({str(tmp_path / '*.txt')!r}))")
        assert graph(program.stages()) == [("list_files", (), ()), ("TextLineDataset", (0,), ())]
        assert [stage.several for stage in program.stages()] == [False, False]

    def test_the_pipeline_that_a_function_returns_stands_before_its_stage(self, run: Run) -> None:
        program = run("ds = tf.data.Dataset.range(2).interleave(lambda i: tf.data.Dataset.range(i).map(abs)).batch(2)")
        stages = program.stages()
        assert graph(stages) == [
            ("range", (), ()),
            ("range", (), ()),
            ("map", (1,), ()),
            ("interleave", (0,), (2,)),
            ("batch", (3,), ()),
        ]
        assert [stage.nested_in for stage in stages] == [None, stages[3], stages[3], None, None]

    def test_windows_have_no_stage_inside_the_function(self, run: Run) -> None:
        program = run(f"ds = {RANGE}.window(2).flat_map(lambda w: w.batch(2))")
        assert graph(program.stages()) == [
            ("range", (), ()),
            ("window", (0,), ()),
            ("batch", (), ()),
            ("flat_map", (1,), (2,)),
        ]

    def test_a_function_may_return_a_dataset_from_outside(self, run: Run) -> None:
        program = run(f"other = {RANGE}.batch(2)\nds = tf.data.Dataset.range(2).flat_map(lambda i: other)")
        assert [(op, inner) for op, _, inner in graph(program.stages())][1:] == [
            ("range", ()),
            ("batch", ()),
            ("flat_map", (2,)),
        ]

    def test_a_dataset_given_to_a_traced_function_has_no_past_there(self, run: Run) -> None:
        program = run(
            f"""
            inside = []

            @tf.function
            def consume(ds):
                inside.append(ds.take(1))

            consume({RANGE})
            ds, = inside
            """
        )
        assert [(stage.op, stage.inputs, stage.cardinality) for stage in program.stages()] == [("take", (), None)]

    def test_what_a_call_made_on_the_way_is_kept(self, run: Run) -> None:
        captured = run("ds = tf.data.Dataset.from_generator(lambda: iter([1]), output_types=tf.int32)").captured()
        parts = captured.parts[captured.pipeline.end]
        assert sorted(type(part).__name__ for part in parts) == [
            "_FlatMapDataset",
            "_GeneratorDataset",
            "_TensorDataset",
        ]
        assert type(parts[0]).__name__ == "_FlatMapDataset", "what the stage gives comes first"

    def test_a_generator_of_scalars_has_its_place(self, run: Run) -> None:
        scalars = "output_signature=tf.TensorSpec((), tf.int32)"
        (stage,) = run(f"ds = tf.data.Dataset.from_generator(lambda: iter([1]), {scalars})").stages()
        assert (stage.op, constants(stage)) == ("from_generator", {})
        assert stage.place is not None


class TestArguments:
    @pytest.mark.parametrize(
        ("expression", "arguments"),
        {
            "map(abs)": {},
            "map(abs, tf.data.AUTOTUNE, deterministic=False)": {"num_parallel_calls": -1, "deterministic": False},
            "batch(tf.constant(4, tf.int64), True)": {"batch_size": 4, "drop_remainder": True},
            "shuffle(buffer_size=2 + 2, seed=1)": {"buffer_size": 4, "seed": 1},
            "shuffle(4, reshuffle_each_iteration=False)": {"buffer_size": 4, "reshuffle_each_iteration": False},
            "repeat()": {},
            "repeat(3)": {"count": 3},
            "cache()": {},
            "cache('x')": {"filename": "x"},
            "window(3, shift=1)": {"size": 3, "shift": 1},
            "interleave(lambda i: tf.data.Dataset.range(i), 2, num_parallel_calls=2)": {
                "cycle_length": 2,
                "num_parallel_calls": 2,
            },
            "prefetch(tf.data.AUTOTUNE)": {"buffer_size": -1},
        }.items(),
    )
    def test_those_given(self, run: Run, expression: str, arguments: dict[str, object]) -> None:
        assert constants(run(f"ds = {RANGE}.{expression}").last()) == arguments

    def test_of_readers_and_ranges(self, run: Run) -> None:
        reader = run("ds = tf.data.TFRecordDataset(['a', 'b'], num_parallel_reads=4)").last()
        assert (constants(reader), reader.several) == ({"num_parallel_reads": 4}, True)
        assert constants(run("ds = tf.data.Dataset.range(2, 9)").last()) == {"start": 2, "stop": 9}

    def test_of_a_transformation_given_to_apply(self, run: Run) -> None:
        stage = run(f"ds = {RANGE}.apply(tf.data.experimental.map_and_batch(abs, 2, num_parallel_calls=3))").last()
        assert constants(stage)["batch_size"] == 2
        assert constants(stage)["num_parallel_calls"] == 3

    def test_options_are_those_set(self, run: Run) -> None:
        program = run(
            f"""
            options = tf.data.Options()
            options.autotune.enabled = False
            options.threading.private_threadpool_size = 4
            options.experimental_distribute.auto_shard_policy
            ds = {RANGE}.with_options(options)
            options.deterministic = True
            """
        )
        assert options(program.last()) == {"autotune.enabled": False, "threading.private_threadpool_size": 4}


def test_sizes_and_counts(run: Run) -> None:
    program = run(
        """
        ds = tf.data.Dataset.from_tensors(tf.zeros([4, 3], tf.float32)).repeat(10).batch(2, drop_remainder=True)
        unknown = tf.data.Dataset.from_tensors('text').filter(lambda x: True)
        endless = tf.data.Dataset.range(3).repeat()
        """
    )
    assert [(stage.element_bytes, stage.cardinality) for stage in program.stages()] == [(48, 1), (48, 10), (96, 5)]
    assert (program.last("unknown").element_bytes, program.last("unknown").cardinality) == (None, None)
    assert program.last("endless").cardinality == -1


class TestMadeBeforeAnybodyLooked:
    @pytest.fixture(autouse=True)
    def unseen(self) -> None:
        lineage.uninstall()

    def described(self, dataset: Any) -> list[tuple[str, dict[str, object]]]:
        return [(stage.op, constants(stage)) for stage in describe(dataset).pipeline.every_stage]

    def test_ops_and_arguments_come_from_the_datasets(self) -> None:
        dataset = tf.data.Dataset.from_tensor_slices([1, 2]).map(abs, 2).shuffle(4).repeat().batch(2).prefetch(-1)
        assert self.described(dataset) == [
            ("from_tensor_slices", {}),
            ("map", {"num_parallel_calls": 2}),
            ("shuffle", {"buffer_size": 4}),
            ("repeat", {}),
            ("batch", {"batch_size": 2}),
            ("prefetch", {"buffer_size": -1}),
        ]

    def test_readers_and_generators_are_one_stage(self) -> None:
        generator = tf.data.Dataset.from_generator(lambda: iter([1]), output_types=tf.int32)
        reader = tf.data.TFRecordDataset(["a"], num_parallel_reads=2)
        assert self.described(generator) == [("from_generator", {})]
        assert [op for op, _ in self.described(reader)] == ["TFRecordDataset"]

    def test_options(self) -> None:
        given = tf.data.Options()
        given.deterministic = False
        stage = describe(tf.data.Dataset.range(3).with_options(given)).pipeline.end
        assert (stage.op, options(stage)) == ("with_options", {"deterministic": False})


def test_what_a_librarys_helper_makes_names_the_helper(run: Run) -> None:
    program = run(
        """
        import keras
        ds = keras.utils.timeseries_dataset_from_array(tf.range(20), None, sequence_length=3)
        ds = ds.map(abs)
        """
    )
    *made, own = program.stages()
    assert {stage.helper for stage in made} == {"timeseries_dataset_from_array"}
    assert own.helper == ""
