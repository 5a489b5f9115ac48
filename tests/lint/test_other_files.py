"""Findings that rest on another file: what they point at, and which file their fixes change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipelint.cli.actions.source_fixes import SourceFixes
from pipelint.dynamic.profile import SourceFix
from pipelint.model.grades import Safety
from pipelint.model.locations import Place
from pipelint.project.projects import Overrides, Projects
from tests.workspace import Workspace, tf

BUILDER = """\
import tensorflow as tf


def make(files):
    return tf.data.TFRecordDataset(files).batch(32)
"""
COUNTED = BUILDER.replace("TFRecordDataset(files)", "Dataset.range(9000)")
"""A builder of which it is known how much it gives."""
MENDED = BUILDER.replace(".batch(32)", ".batch(32).prefetch(tf.data.AUTOTUNE)")
CONSUMER = """\
import tensorflow as tf
from data import make

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(make("a"))
"""


@pytest.fixture
def project(workspace: Workspace) -> Workspace:
    """`data.py` builds a dataset that `train.py` takes as it is."""
    workspace.configure('severity = { PIPE101 = "warning" }\n', select="PIPE101")
    # TensorFlow 2.11 and later insert a prefetch by themselves.
    workspace.write("requirements.txt", "tensorflow>=2.8,<2.11\n")
    workspace.write("data.py", BUILDER)
    workspace.write("train.py", CONSUMER)
    return workspace


def findings(project: Workspace, *arguments: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = project.check("--output-format=json", *arguments).json["findings"]
    return found


def place(found: dict[str, Any]) -> str:
    return f"{found['path']}:{found['line']}:{found['column']}"


class TestMissingPrefetch:
    def test_is_told_where_the_dataset_is_taken_and_mended_where_it_is_built(self, project: Workspace) -> None:
        [found] = findings(project)
        assert (found["code"], place(found)) == ("PIPE101", "train.py:6:7")
        assert [place(note) for note in found["related"]] == ["data.py:5:43"]
        [edit] = found["fix"]["edits"]
        assert (place(edit), edit["text"]) == ("data.py:5:52", ".prefetch(tf.data.AUTOTUNE)")
        outcome = project.check("--fix")
        assert outcome.stdout == "Fixed 1 finding. All clean: 2 files checked.\n"
        assert (project.read("data.py"), project.read("train.py")) == (MENDED, CONSUMER)

    def test_a_fix_outside_of_the_given_files_is_shown_and_not_written(self, project: Workspace) -> None:
        [found] = findings(project, "train.py")
        assert [place(edit) for edit in found["fix"]["edits"]] == ["data.py:5:52"]
        outcome = project.check("--fix", "train.py", "--output-format=concise")
        assert "[safe fix in data.py, not written: data.py is not among the files that are checked]" in outcome.stdout
        assert outcome.stdout.endswith("\nFound 1 warning in 1 file.\n")
        assert (project.read("data.py"), project.read("train.py")) == (BUILDER, CONSUMER)
        assert project.check("--diff", "train.py").stdout.count("+++") == 0

    def test_the_diff_is_that_of_the_other_file(self, project: Workspace) -> None:
        outcome = project.check("--diff")
        assert "--- data.py\n+++ data.py\n" in outcome.stdout
        assert "+    return tf.data.TFRecordDataset(files).batch(32).prefetch(tf.data.AUTOTUNE)\n" in outcome.stdout
        assert project.read("data.py") == BUILDER

    def test_two_files_that_ask_for_the_same_get_it_once(self, project: Workspace) -> None:
        project.write("tune.py", CONSUMER)
        assert [place(found) for found in findings(project)] == ["train.py:6:7", "tune.py:6:7"]
        assert project.check("--fix").stdout == "Fixed 2 findings. All clean: 3 files checked.\n"
        assert project.read("data.py") == MENDED

    def test_where_another_caller_prefetches_the_bare_one_is_mended(self, project: Workspace) -> None:
        kept = CONSUMER.replace('"a")', '"a").prefetch(2)')
        project.write("tune.py", kept)
        project.check("--fix")
        assert project.read("data.py") == BUILDER
        assert project.read("tune.py") == kept
        assert 'model.fit(make("a").prefetch(tf.data.AUTOTUNE))' in project.read("train.py")

    def test_callers_that_are_not_given_count_too(self, project: Workspace) -> None:
        project.write("tune.py", CONSUMER.replace('"a")', '"a").prefetch(2)'))
        for number in range(3):
            project.write(f"other_{number}.py", "x = 1\n")
        outcome = project.check("--fix", "train.py", "data.py", "--output-format=concise")
        assert "[no fix: other files add stages after the one where it would go]" in outcome.stdout
        assert (project.read("data.py"), project.read("train.py")) == (BUILDER, CONSUMER)

    def test_points_at_the_last_stage_that_the_consumer_adds(self, project: Workspace) -> None:
        project.write("train.py", CONSUMER.replace('"a")', '"a").repeat()'))
        [found] = findings(project)
        assert place(found) == "train.py:6:21"
        assert found["related"] == []

    def test_of_a_notebook_is_mended_in_the_module(self, project: Workspace) -> None:
        (project.root / "train.py").unlink()
        project.notebook("train.ipynb", *CONSUMER.split("\n\n"))
        [found] = findings(project)
        assert (found["path"], found["cell"], found["related"][0]["path"]) == ("train.ipynb", 3, "data.py")
        assert project.check("--fix").stdout == "Fixed 1 finding. All clean: 2 files checked.\n"
        assert project.read("data.py") == MENDED

    def test_a_fix_of_two_files_is_shown_and_not_written(self, project: Workspace) -> None:
        project.write("data.py", BUILDER + '\n\ndataset = make("a")\n')
        uses = CONSUMER.replace("import make", "import dataset").replace('make("a")', "dataset")
        both = "import tensorflow as tf\nfrom data import dataset\nfrom shared import model\n\nmodel.{}\n"
        project.write("train.py", uses)
        project.write("shared.py", uses.replace("from data import dataset\n", "").replace("model.fit(dataset)\n", ""))
        project.write("evaluate.py", both.format("evaluate(dataset)"))
        project.write("copy.py", both.format("predict(dataset.prefetch(2))"))
        before = {file: project.read(file) for file in ("data.py", "train.py", "evaluate.py")}
        fixes = [found["fix"] for found in findings(project) if found["code"] == "PIPE101"]
        assert {edit["path"] for edit in fixes[0]["edits"]} == {"train.py", "evaluate.py"}
        outcome = project.check("--fix", "--output-format=concise")
        assert "not written: it changes" in outcome.stdout
        assert {file: project.read(file) for file in before} == before


class TestOtherRules:
    def test_the_function_of_a_map_is_defined_elsewhere(self, project: Workspace) -> None:
        project.configure(select="PIPE201")
        project.write("requirements.txt", "tensorflow==2.5\n")
        project.write(
            "parsing.py", "import tensorflow as tf\n\n\ndef parse(record):\n    return tf.io.decode_jpeg(record)\n"
        )
        project.write("data.py", "from parsing import parse\n" + BUILDER.replace(".batch", ".map(parse).batch"))
        [found] = findings(project)
        assert (place(found), found["fix"]["safety"]) == ("data.py:6:43", "safe")
        assert found["related"] == [
            {"path": "parsing.py", "cell": None, "line": 4, "column": 5, "message": "`parse` is defined here"}
        ]

    def test_what_is_recorded_is_mapped_elsewhere(self, project: Workspace) -> None:
        project.configure(select="PIPE602")
        project.write("parsing.py", "import random\n\n\ndef parse(record):\n    return record, random.random()\n")
        project.write("data.py", "from parsing import parse\n" + BUILDER.replace(".batch", ".map(parse).batch"))
        [found] = findings(project)
        assert place(found) == "parsing.py:5:27"
        assert [place(note) for note in found["related"]] == ["data.py:6:47"]

    def test_the_caller_answers_for_the_size_that_it_gives(self, project: Workspace) -> None:
        project.configure(select="PIPE801")
        project.write("data.py", COUNTED.replace("(files)", "(files, size)", 1).replace("batch(32)", "batch(size)"))
        project.write("config.py", "SIZE = 2\n")
        project.write("train.py", "import config\n" + CONSUMER.replace('"a")', '"a", config.SIZE)'))
        [found] = findings(project)
        assert place(found) == "train.py:7:21"
        notes = [(place(note), note["message"]) for note in found["related"]]
        assert notes == [("data.py:5:40", "the batches are made here"), ("config.py:1:8", "2 is written here")]

    def test_a_constant_is_written_elsewhere(self, project: Workspace) -> None:
        project.configure(select="PIPE801")
        project.write("config.py", "SIZE = 2\n")
        project.write("data.py", "from config import SIZE\n" + COUNTED.replace("batch(32)", "batch(SIZE)"))
        [found] = findings(project)
        assert place(found) == "data.py:6:40"
        assert [place(note) for note in found["related"]] == ["config.py:1:8"]


def test_the_text_of_each_file_is_changed_by_its_own_findings(slow: Workspace) -> None:
    slow.write("one.py", tf("def size(x):", "    return tf.size(x)"))
    slow.write("two.py", "from one import size\n" + tf("print(size(1), tf.size(2))"))
    assert slow.check("--fix").stdout == "Fixed 2 findings. All clean: 2 files checked.\n"
    assert slow.read("one.py") == tf("def size(x):", "    return tf.shape_n(x)")
    assert slow.read("two.py") == "from one import size\n" + tf("print(size(1), tf.shape_n(2))")


def test_a_run_finds_the_fix_beside_the_stage_that_it_measured(project: Workspace) -> None:
    fixes = SourceFixes(Projects(Overrides(), tell=pytest.fail).of(project.root), Path("train.py"))
    assert fixes.find("PIPE101", Place("data.py", 5)) == SourceFix("append .prefetch(AUTOTUNE)", Safety.SAFE)
    assert fixes.find("PIPE101", Place("data.py", 4)) is None


class TestReports:
    @pytest.fixture
    def pressing(self, project: Workspace) -> Workspace:
        project.configure('target-tensorflow = "2.8"\nseverity = { PIPE101 = "warning" }\n', select="PIPE101")
        return project

    def test_the_full_report_has_a_second_excerpt(self, pressing: Workspace) -> None:
        assert (
            "  = note: data.py:5:43: the last stage, where a prefetch is missing\n"
            "       5 |     return tf.data.TFRecordDataset(files).batch(32)\n"
            "         |                                           ^^^^^\n"
            "  = fix (safe): append .prefetch(AUTOTUNE) in data.py\n"
        ) in pressing.check().stdout

    def test_sarif_names_both_files(self, pressing: Workspace) -> None:
        [run] = pressing.check("--output-format=sarif").json["runs"]
        [result] = run["results"]
        assert [artifact["location"]["uri"] for artifact in run["artifacts"]] == ["data.py", "train.py"]
        [note] = result["relatedLocations"]
        assert note["physicalLocation"]["artifactLocation"]["uri"] == "data.py"
        [change] = result["fixes"][0]["artifactChanges"]
        assert change["artifactLocation"]["uri"] == "data.py"

    def test_the_page_leads_to_the_other_place_and_shows_its_diff(self, pressing: Workspace) -> None:
        page = pressing.check("--output-format=html").stdout
        assert '<a href="#place-0"><code>data.py:5:43</code></a>' in page
        assert 'id="place-0"' in page
        assert "+++ data.py" in page

    def test_reviewdog_is_told_of_a_fix_that_it_cannot_suggest(self, pressing: Workspace) -> None:
        [found] = pressing.check("--output-format=rdjson").json["diagnostics"]
        assert "suggestions" not in found
        assert found["message"].endswith("\nSafe fix: append .prefetch(AUTOTUNE) in data.py")

    @pytest.mark.parametrize("report", ["concise", "github", "gitlab", "markdown", "junit"])
    def test_each_report_names_the_other_place(self, pressing: Workspace, report: str) -> None:
        assert "data.py:5:43: the last stage" in pressing.check(f"--output-format={report}").stdout

    def test_the_comment_has_the_diff_of_the_other_file(self, pressing: Workspace) -> None:
        assert "+++ data.py" in pressing.check("--output-format=markdown").stdout
