"""The user's files with edits that are written nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelint.lint.source_variant import CannotEdit, SourceVariant, line_before
from pipelint.model.locations import Place
from pipelint.model.pipeline import Stage
from pipelint.model.repair import InsertAfter, NewCall, SetArgument
from pipelint.model.values import AUTOTUNE, Literal
from pipelint.project.load_rules import load_registry
from pipelint.project.projects import Overrides, Project
from pipelint.project.settings import Settings

TRAIN = "from data import batches\nmodel.fit(batches(paths), epochs=9)\n"
DATA = (
    "import tensorflow as tf\n\n\ndef load(path):\n    return tf.image.random_flip_left_right(tf.io.read_file(path))\n\n\n"
    "def batches(paths):\n    ds = tf.data.Dataset.from_tensor_slices(paths)\n    return ds.map(load).batch(8)\n"
)


@pytest.fixture
def source(tmp_path: Path) -> SourceVariant:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "train.py").write_text(TRAIN)
    (tmp_path / "data.py").write_text(DATA)
    project = Project(Settings(root=tmp_path), load_registry(), Overrides(extend_select=("PIPE",)))
    return SourceVariant(project, [tmp_path / "train.py", tmp_path / "data.py"])


def _live(tmp_path: Path, op: str, column: int) -> Stage:
    at = Place(str(tmp_path / "data.py"), 10, column)
    return Stage(op, at, at)


def test_a_repair_of_a_running_stage_changes_the_file_where_it_stands(source: SourceVariant, tmp_path: Path) -> None:
    live = _live(tmp_path, "map", 15)
    found = source.dataset_of([live])
    assert found is not None
    dataset, *home = found
    stage = source.counterpart_in(dataset.variants[0], live)
    assert stage is not None
    edited = source.with_repair(InsertAfter(stage, (NewCall("cache"),)), (home[0], home[1]))
    assert edited == {tmp_path / "data.py": DATA.replace(".map(load)", ".map(load).cache()").encode()}
    assert (tmp_path / "data.py").read_text() == DATA

    after = source.with_contents(edited)
    (change,) = after.changes()
    assert change.path.endswith("data.py")
    again = after.dataset_of([live])
    assert again is not None
    other = after.counterpart_in(again[0].variants[0], live)
    assert other is not None
    both = after.with_repair(SetArgument(other, "num_parallel_calls", AUTOTUNE), (again[1], again[2]))
    text = both[tmp_path / "data.py"].decode()
    assert "ds.map(load, num_parallel_calls=tf.data.AUTOTUNE).cache().batch(8)" in text


def test_fixes_of_rules_are_versions_of_the_files(source: SourceVariant, tmp_path: Path) -> None:
    found = {each.finding.code: each for each in source.fixes()}
    parallel = found["PIPE201"]
    assert parallel.contents[tmp_path / "data.py"].decode().count("num_parallel_calls=tf.data.AUTOTUNE") == 1
    assert list(parallel.contents) == [tmp_path / "data.py"]


def test_what_the_source_cannot_take_is_refused(source: SourceVariant, tmp_path: Path) -> None:
    found = source.dataset_of([_live(tmp_path, "map", 15)])
    assert found is not None
    assert source.counterpart_in(found[0].variants[0], _live(tmp_path, "shuffle", 15)) is None
    (files,) = [stage for stage in found[0].variants[0].stages if stage.op == "from_tensor_slices"]
    with pytest.raises(CannotEdit, match="parameter"):
        source.with_repair(SetArgument(files, "tensors", Literal(3)), (found[1], found[2]))


def test_lines_are_those_of_the_file_as_written() -> None:
    old, new = b"a\nb\nc\nd\n", b"a\nx\ny\nc2\nd\n"
    assert [line_before(old, new, line) for line in (1, 2, 5)] == [1, 2, 4]
