"""Each stage of a live pipeline points at the name in the user's source that made it."""

from __future__ import annotations

import gc
import linecache
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pipelint.dynamic.capture import lineage, places
from pipelint.dynamic.capture.stages import describe
from tests.dynamic.programs import Run, run, tf

__all__ = ["run"]

dataset_ops: Any = pytest.importorskip("tensorflow.python.data.ops.dataset_ops")


def test_several_stages_of_one_line_are_told_apart(run: Run) -> None:
    program = run("ds = tf.data.Dataset.range(8).map(abs).map(abs).batch(2)")
    assert [program.text(stage.place) for stage in program.stages()] == [
        "ds = tf.data.Dataset.<range>",
        "ds = tf.data.Dataset.range(8).<map>",
        "ds = tf.data.Dataset.range(8).map(abs).<map>",
        "ds = tf.data.Dataset.range(8).map(abs).map(abs).<batch>",
    ]


def test_a_chain_over_several_lines_points_at_each_method(run: Run) -> None:
    program = run(
        """
        ds = (
            tf.data.Dataset
            .range(
                8,
            ).batch(2)
            .  prefetch(1)
        )
        """
    )
    assert [program.text(stage.place) for stage in program.stages()] == [".<range>", ").<batch>", ".  <prefetch>"]


def test_columns_count_characters(run: Run) -> None:
    program = run("é = '🙂'; ds = tf.data.Dataset.range(8).batch(2)")
    assert program.text(program.last().place) == "é = '🙂'; ds = tf.data.Dataset.range(8).<batch>"


def test_functions_classes_and_comprehensions(run: Run) -> None:
    program = run(
        """
        class Data:
            def build(self, n):
                return [tf.data.Dataset.range(i).batch(2) for i in range(n)]

        def twice(ds):
            for _ in range(2):
                ds = ds.repeat(2)
            return ds

        ds = tf.data.Dataset.zip(tuple(Data().build(2)))
        ds = twice(ds)
        """
    )
    stages = program.stages()
    assert [(stage.op, stage.place.line, stage.place.function) for stage in stages if stage.place] == [
        ("range", 3, "build"),
        ("batch", 3, "build"),
        ("range", 3, "build"),
        ("batch", 3, "build"),
        ("zip", 10, ""),
        ("repeat", 7, "twice"),
        ("repeat", 7, "twice"),
    ]


def test_a_transformation_given_to_apply_is_a_call_of_the_user(run: Run) -> None:
    program = run(
        """
        def batched(ds):
            return ds.batch(2)

        ds = tf.data.Dataset.range(8).apply(batched)
        """
    )
    assert program.text(program.last().place) == "return ds.<batch>"


class TestInsideFunctions:
    def test_a_lambda(self, run: Run) -> None:
        program = run(
            "ds = tf.data.Dataset.range(2).interleave(lambda i: tf.data.Dataset.range(i).take(3).take(2)).take(9)"
        )
        inner = [program.text(stage.place) for stage in program.stages() if stage.nested_in is not None]
        start = "ds = tf.data.Dataset.range(2).interleave(lambda i: tf.data.Dataset."
        assert inner == [f"{start}<range>", f"{start}range(i).<take>", f"{start}range(i).take(3).<take>"]

    def test_a_function_of_several_statements(self, run: Run) -> None:
        program = run(
            """
            def load(i):
                é = 1; first = tf.data.Dataset.range(i).skip(1); second = first.skip(é)
                if i > 100:
                    tf.print("large")
                return (
                    second
                    .skip(2).skip(3)
                    .prefetch(1)
                )

            ds = tf.data.Dataset.range(2).flat_map(load)
            """
        )
        inner = [stage for stage in program.stages() if stage.nested_in is not None]
        assert [program.text(stage.place) for stage in inner] == [
            "é = 1; first = tf.data.Dataset.<range>",
            "é = 1; first = tf.data.Dataset.range(i).<skip>",
            "é = 1; first = tf.data.Dataset.range(i).skip(1); second = first.<skip>",
            ".<skip>",
            ".skip(2).<skip>",
            ".<prefetch>",
        ]
        assert {stage.place.function for stage in inner if stage.place} == {"load"}

    def test_a_class_of_tensorflow_handed_over(self, run: Run) -> None:
        program = run("ds = tf.data.Dataset.from_tensors('x').interleave(tf.data.TFRecordDataset, cycle_length=1)")
        (reader,) = [stage for stage in program.stages() if stage.nested_in is not None]
        assert reader.op == "TFRecordDataset"
        assert program.text(reader.place).endswith(".interleave(tf.data.<TFRecordDataset>")

    def test_code_that_autograph_leaves_alone(self, run: Run) -> None:
        program = run(
            """
            @tf.autograph.experimental.do_not_convert
            def load(i):
                return tf.data.Dataset.range(i).take(1)

            ds = tf.data.Dataset.range(2).flat_map(load)
            """
        )
        inner = [program.text(stage.place) for stage in program.stages() if stage.nested_in is not None]
        assert inner == ["return tf.data.Dataset.<range>", "return tf.data.Dataset.range(i).<take>"]


def test_stages_that_a_library_makes_point_at_the_call_of_the_library(run: Run, tmp_path: Path) -> None:
    keras: Any = pytest.importorskip("keras")
    for name in ("a", "b"):
        (tmp_path / "images" / name).mkdir(parents=True)
        keras.utils.save_img(str(tmp_path / "images" / name / "x.png"), [[[0, 0, 0]] * 4] * 4)
    program = run(
        f"""
        import keras

        ds = keras.utils.image_dataset_from_directory({str(tmp_path / "images")!r}, image_size=(4, 4), verbose=False)
        """
    )
    assert len(program.stages()) > 3
    texts = {program.text(stage.place) for stage in program.stages()}
    assert texts == {"ds = keras.utils.<image_dataset_from_directory>"}


def test_a_cell_of_a_notebook(run: Run) -> None:
    source, name = "ds = tf.data.Dataset.range(8).batch(2)\n", "/tmp/ipykernel_1/42.py"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    names: dict[str, Any] = {"tf": tf}
    exec(compile(source, name, "exec"), names)
    place = describe(names["ds"]).pipeline.end.place
    assert place is not None
    assert (place.path, place.line, place.column) == (name, 1, 31)


def test_without_positions_a_stage_has_its_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> Iterator[Any]:
        return iter(())

    monkeypatch.setattr(places, "_positions", none)
    program = run("ds = (tf.data.Dataset.range(8)\n    .batch(2))")
    assert [(stage.place.line, stage.place.column) for stage in program.stages() if stage.place] == [
        (1, None),
        (2, None),
    ]


def test_code_without_source_has_a_line_at_most(run: Run) -> None:
    names: dict[str, Any] = {"tf": tf}
    exec("ds = tf.data.Dataset.range(8)", names)
    (stage,) = describe(names["ds"]).pipeline.stages
    assert stage.place is not None
    assert stage.place.path == __file__


def test_nothing_is_kept_alive(run: Run) -> None:
    program = run("ds = tf.data.Dataset.range(8).flat_map(lambda i: tf.data.Dataset.range(i).take(2)).batch(2)")
    seen = [weakref.ref(dataset) for parts in program.captured().parts.values() for dataset in parts]
    program.names.clear()
    gc.collect()
    assert [reference() for reference in seen] == [None] * 5


def test_installing_twice_and_removing_leaves_tensorflow_as_it_was() -> None:
    lineage.uninstall()
    original = dataset_ops.DatasetV2.__init__
    lineage.install()
    once = dataset_ops.DatasetV2.__init__
    lineage.install()
    assert dataset_ops.DatasetV2.__init__ is once is not original
    lineage.uninstall()
    lineage.uninstall()
    assert dataset_ops.DatasetV2.__init__ is original


def test_a_dataset_made_before_anybody_looked_has_no_place() -> None:
    lineage.uninstall()
    dataset = tf.data.Dataset.range(8).batch(2)
    assert [(stage.op, stage.place) for stage in describe(dataset).pipeline.stages] == [
        ("range", None),
        ("batch", None),
    ]
