"""A project of several files: runs on some of them, editor buffers, baselines, and modules that cannot be read."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

import pytest

from pipelint.lint.since import MOST_BEYOND
from pipelint.project import import_graph
from pipelint.project.module_files import LARGEST_MODULE
from pipelint.source import composed_settings, plain_settings
from pipelint.static.abstract import work
from pipelint.static.abstract.machine import MOST_MODULES
from pipelint.static.facts import gin_bindings
from tests import linting
from tests.workspace import Outcome, Workspace

FINISH = """\
import tensorflow as tf


def finish(ds):
    return ds.prefetch(tf.data.AUTOTUNE)
"""
NO_FINISH = FINISH.replace("ds.prefetch(tf.data.AUTOTUNE)", "ds")
USES_FINISH = """\
import tensorflow as tf
from finish import finish

model.fit(finish(tf.data.TFRecordDataset("a").batch(64)))
"""
LOAD = """\
import tensorflow as tf


def load():
    return tf.data.TFRecordDataset("train").batch(64)
"""
USES_LOAD = "from load import load\n\nmodel.fit(load().prefetch(2))\n"
BARE_LOAD = USES_LOAD.replace(".prefetch(2)", "")
TRAIN = """\
import tensorflow as tf


def train(ds):
    model.fit(ds.batch(64))
"""
USES_TRAIN = """\
import tensorflow as tf
from train import train

train(tf.data.TFRecordDataset("a"))
"""
FILES = {"finish.py": NO_FINISH, "uses_finish.py": USES_FINISH, "load.py": LOAD, "uses_load.py": BARE_LOAD}


@dataclass
class Project(Workspace):
    """A project for an old TensorFlow, which inserts no prefetch by itself."""

    def __post_init__(self) -> None:
        self.write("pyproject.toml", '[tool.pipelint]\nselect = ["PIPE101"]\ntarget-tensorflow = "2.8"\n')

    def told(self, *arguments: str | Path, stdin: str | bytes = "") -> list[str]:
        """The findings, as `train.py:3 advice`."""
        return told(self.check("--output-format=json", *arguments, stdin=stdin))


def told(outcome: Outcome) -> list[str]:
    assert outcome.json["errors"] == []
    return [f"{found['path']}:{found['line']} {found['severity']}" for found in outcome.json["findings"]]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    root = tmp_path / "project"
    root.mkdir()
    monkeypatch.chdir(root)
    return Project(root)


class TestSomeFilesOfAProject:
    def test_the_rest_is_read_and_not_reported(self, project: Project) -> None:
        project.write("finish.py", FINISH)
        project.write("uses_finish.py", USES_FINISH)
        project.write("load.py", LOAD)
        project.write("uses_load.py", BARE_LOAD)
        assert project.told() == ["uses_load.py:3 advice"]
        assert project.told("uses_finish.py") == project.told("load.py") == project.told("finish.py") == []
        assert project.told("uses_load.py") == ["uses_load.py:3 advice"]
        assert project.check("uses_load.py", "--output-format=json").json["summary"]["files"] == 1

    def test_a_dataset_is_judged_by_those_that_take_it(self, project: Project) -> None:
        project.write("load.py", LOAD)
        assert project.told("load.py") == ["load.py:5 advice"]
        project.write("uses_load.py", USES_LOAD)
        assert project.told("load.py") == []
        project.write("also.py", BARE_LOAD)
        assert project.told("load.py") == []
        assert project.told("also.py") == ["also.py:3 advice"]

    def test_no_more_than_twelve_that_import_a_file_are_followed_for_it(self, project: Project) -> None:
        project.write("load.py", LOAD)
        for number in range(12):
            project.write(f"a{number:02}.py", "from load import load\n")
        project.write("last.py", USES_LOAD)
        assert project.told("load.py") == ["load.py:5 advice"]
        project.write("first.py", "")
        (project.root / "a00.py").unlink()
        assert project.told("load.py") == []

    def test_no_more_than_64_modules_are_followed_from_a_file(self, project: Project) -> None:
        project.write("finish.py", NO_FINISH)
        project.write("m0.py", "from finish import finish\n")
        for number in range(1, 70):
            project.write(f"m{number}.py", f"from m{number - 1} import finish\n")
        near, far = (USES_FINISH.replace("from finish", f"from m{number}") for number in (50, 69))
        project.write("near.py", near)
        project.write("far.py", far)
        assert project.told("near.py") == ["near.py:4 advice"]
        assert project.told("far.py") == ["far.py:4 advice"]

    def test_a_module_of_more_than_a_megabyte_is_unknown_to_others(self, project: Project) -> None:
        project.write("finish.py", NO_FINISH)
        project.write("uses_finish.py", USES_FINISH)
        assert project.told("uses_finish.py") == ["uses_finish.py:4 advice"]
        project.write("finish.py", NO_FINISH + "# " + 1_000_000 * "x" + "\n")
        assert project.told("uses_finish.py") == ["uses_finish.py:4 advice"]
        assert project.told() == ["uses_finish.py:4 advice"]

    def test_in_too_many_files_nobody_looks_for_importers(
        self, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        project.write("load.py", LOAD)
        project.write("uses_load.py", USES_LOAD)
        assert project.told("load.py") == []
        monkeypatch.setattr(import_graph, "MOST_FILES", 1)
        assert project.told("load.py") == ["load.py:5 advice"]

    def test_too_many_files_are_followed_by_directories(
        self, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        project.write("a/load.py", LOAD)
        project.write("a/uses_load.py", BARE_LOAD.replace("from load", "from a.load"))
        project.write("b/uses_load.py", USES_LOAD.replace("from load", "from a.load"))
        project.write("b/finish.py", NO_FINISH)
        project.write("b/uses_finish.py", USES_FINISH.replace("from finish", "from b.finish"))
        expected = ["a/uses_load.py:3 advice", "b/uses_finish.py:4 advice"]
        assert project.told() == expected
        monkeypatch.setattr(import_graph, "MOST_TOGETHER", 3)
        assert project.told() == expected

    def test_the_bounds_stand_where_users_look(self) -> None:
        text = (linting.ROOT / "docs/configuration.md").read_text("utf-8")
        _, _, section = text.partition("## One project, many files\n")
        told = re.findall(r"^\|[^|]+\| ([\d,]+)", section.partition("\n## ")[0], re.MULTILINE)
        bounds = [MOST_MODULES, work.MOST_IMPORTERS, import_graph.MOST_FILES, import_graph.MOST_TOGETHER]
        of_settings = [plain_settings.LONGEST, composed_settings.MOST_FILES]
        assert [int(figure.replace(",", "")) for figure in told] == [
            *bounds[:3],
            LARGEST_MODULE // 10**6,
            bounds[3],
            *of_settings,
        ]
        assert f"{composed_settings.MOST_FILES}, or {gin_bindings.MOST_FILES} for gin" in text
        assert f"the {MOST_BEYOND} nearest beyond" in (linting.ROOT / "docs/teams.md").read_text("utf-8")


class TestEditorBuffers:
    def stdin(self, project: Project, name: str, text: str) -> list[str]:
        return project.told(f"--stdin-filename={name}", "-", stdin=text)

    def test_read_the_project_around_them(self, project: Project) -> None:
        project.write("finish.py", FINISH)
        assert self.stdin(project, "uses_finish.py", USES_FINISH) == []
        project.write("finish.py", NO_FINISH)
        assert self.stdin(project, "uses_finish.py", USES_FINISH) == ["uses_finish.py:4 advice"]

    def test_are_what_their_importers_see(self, project: Project) -> None:
        project.write("train.py", TRAIN.replace("batch(64)", "batch(64).prefetch(2)"))
        project.write("uses_train.py", USES_TRAIN)
        assert project.told("train.py") == []
        assert self.stdin(project, "train.py", TRAIN) == ["train.py:5 advice"]
        assert self.stdin(project, "train.py", "\n" + TRAIN) == ["train.py:6 advice"]
        assert self.stdin(project, "train.py", TRAIN.replace("train(", "other(")) == []

    def test_are_so_before_they_are_saved_for_the_first_time(self, project: Project) -> None:
        assert self.stdin(project, "train.py", TRAIN) == []
        project.write("uses_train.py", USES_TRAIN)
        assert self.stdin(project, "train.py", TRAIN) == ["train.py:5 advice"]

    def test_are_so_in_a_package_and_through_a_link(self, project: Project, tmp_path: Path) -> None:
        project.write("pkg/__init__.py", "from .train import train\n")
        project.write("pkg/train.py", TRAIN.replace("batch(64)", "batch(64).prefetch(2)"))
        project.write("uses_train.py", USES_TRAIN.replace("from train", "from pkg"))
        assert self.stdin(project, "pkg/train.py", TRAIN) == ["pkg/train.py:5 advice"]
        (tmp_path / "link").symlink_to(project.root)
        name = str(tmp_path / "link/pkg/train.py")
        assert self.stdin(project, name, TRAIN) == [f"{name}:5 advice"]

    def test_are_fixed_and_nothing_is_written(self, project: Project) -> None:
        project.write("train.py", "")
        project.write("uses_train.py", USES_TRAIN)
        outcome = project.check("--stdin-filename=train.py", "--fix", "-", stdin=TRAIN)
        assert outcome.stdout == TRAIN.replace("batch(64)", "batch(64).prefetch(tf.data.AUTOTUNE)")
        assert project.read("train.py") == ""
        assert project.read("uses_train.py") == USES_TRAIN

    def test_stay_as_they_are_where_the_fix_is_in_another_file(self, project: Project) -> None:
        project.write("load.py", LOAD)
        outcome = project.check("--stdin-filename=uses_load.py", "--fix", "-", stdin=BARE_LOAD)
        assert outcome.stdout == BARE_LOAD
        assert project.read("load.py") == LOAD


class TestBaselines:
    def test_hold_for_the_whole_and_for_some_files(self, project: Project) -> None:
        project.write("load.py", LOAD)
        project.write("uses_load.py", BARE_LOAD)
        assert "1 finding" in project.run("baseline").stdout
        baseline = "--baseline=.pipelint-baseline.json"
        assert project.told(baseline) == project.told("uses_load.py", baseline) == []
        assert project.told("--stdin-filename=uses_load.py", baseline, "-", stdin="\n" + BARE_LOAD) == []

    def test_written_for_some_files_they_hold_for_the_whole(self, project: Project) -> None:
        project.write("load.py", LOAD)
        project.write("uses_load.py", BARE_LOAD)
        assert "0 findings" in project.run("baseline", "load.py").stdout
        assert "1 finding" in project.run("baseline", "uses_load.py").stdout
        assert project.told("--baseline=.pipelint-baseline.json") == []

    def test_do_not_hide_what_a_change_elsewhere_brings(self, project: Project) -> None:
        project.write("finish.py", FINISH)
        project.write(
            "uses_finish.py", USES_FINISH + "\nother = tf.data.TFRecordDataset('b').batch(64)\nmodel.fit(other)\n"
        )
        assert "1 finding" in project.run("baseline").stdout
        project.write("finish.py", NO_FINISH)
        assert project.told("--baseline=.pipelint-baseline.json") == ["uses_finish.py:4 advice"]


class TestTheOrderOfFiles:
    def test_does_not_matter_on_the_command_line(self, project: Project) -> None:
        for name, text in FILES.items():
            project.write(name, text)
        found = {project.check("--output-format=json", *order).stdout for order in permutations(FILES)}
        assert len(found) == 1
        assert told(project.check("--output-format=json")) == ["uses_finish.py:4 advice", "uses_load.py:3 advice"]

    def test_does_not_matter_for_two_of_many(self, project: Project) -> None:
        for name, text in FILES.items():
            project.write(name, text)
        for number in range(5):
            project.write(f"other{number}.py", "")
        for pair in permutations(FILES, 2):
            alone = [line for name in sorted(pair) for line in project.told(name)]
            assert project.told(*pair) == alone

    def test_does_not_matter_among_projects(self, project: Project) -> None:
        for folder in ("a", "b"):
            project.write(f"{folder}/pyproject.toml", '[tool.pipelint]\nselect = ["PIPE101"]\n')
            for name, text in FILES.items():
                project.write(f"{folder}/{name}", text)
        found = {
            project.check("--output-format=json", *order).stdout for order in permutations(("a", "b", "a/load.py"))
        }
        assert len(found) == 1

    def test_does_not_follow_from_their_names(self, project: Project) -> None:
        """The same program under other names of its modules has the same findings."""
        texts = {
            "build": LOAD,
            "end": NO_FINISH,
            "script": "from BUILD import load\nfrom END import finish\n\nmodel.fit(finish(load()))\n",
            "other": "from BUILD import load\n\nmodel.fit(load().prefetch(2))\n",
        }
        for names in permutations(("a", "b", "c", "d")):
            called = dict(zip(texts, names, strict=True))
            for part, text in texts.items():
                named = text.replace("BUILD", called["build"]).replace("END", called["end"])
                project.write(f"{called[part]}.py", named)
            assert project.told() == [f"{called['script']}.py:4 advice"], called
            assert project.told(f"{called['script']}.py") == [f"{called['script']}.py:4 advice"], called
            assert project.told(f"{called['build']}.py") == [], called


class TestModulesThatCannotBeRead:
    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (NO_FINISH + "def (\n", "finish.py:6: syntax error: invalid syntax"),
            (NO_FINISH + "x = " + 500 * "(" + 500 * ")" + "\n", "finish.py"),
            (NO_FINISH.encode() + b"# \xff\n", "finish.py"),
            (NO_FINISH + "# " + 5_000_000 * "x", "finish.py: is larger than 5 MB, which is not read"),
        ],
    )
    @pytest.mark.parametrize(
        "names", [(), ("finish.py", "uses_finish.py"), ("uses_finish.py", "finish.py", "other.py")]
    )
    def test_are_one_line_and_unknown_to_the_others(
        self, project: Project, content: str | bytes, message: str, names: tuple[str, ...]
    ) -> None:
        project.write("finish.py", content)
        project.write("uses_finish.py", USES_FINISH)
        project.write("other.py", USES_LOAD.replace("load", "uses_finish"))
        outcome = project.check(*names, "--output-format=concise", "-q")
        assert outcome.status == 2
        assert len(outcome.errors) == 1
        assert outcome.errors[0].startswith(f"pipelint: {message}")
        # As for any function that nobody knows.
        assert [line.split(": ")[1].split(" ")[0] for line in outcome.stdout.splitlines()] == ["advice"]

    def test_are_no_errors_of_those_that_import_them(self, project: Project) -> None:
        project.write("finish.py", FINISH + "def (\n")
        project.write("uses_finish.py", USES_FINISH)
        assert project.told("uses_finish.py") == ["uses_finish.py:4 advice"]

    def test_without_a_word_of_tensorflow_they_are_no_errors_at_all(self, project: Project) -> None:
        project.write("finish.py", "def finish(ds:\n    return ds\n")
        project.write("uses_finish.py", USES_FINISH)
        assert project.told() == ["uses_finish.py:4 advice"]

    def test_do_not_tell_what_becomes_of_a_dataset(self, project: Project) -> None:
        project.write("load.py", LOAD)
        project.write("uses_load.py", "import tensorflow\n" + BARE_LOAD + "def (\n")
        assert [found["severity"] for found in project.check("--output-format=json").json["findings"]] == ["advice"]

    def test_leave_the_rest_of_their_group_as_it_is(self, project: Project) -> None:
        project.write("load.py", LOAD)
        project.write("uses_load.py", "from broken import anything\n" + BARE_LOAD)
        project.write("broken.py", "import tensorflow\ndef (\n")
        report = project.check("--output-format=json").json
        assert [(found["path"], found["severity"]) for found in report["findings"]] == [("uses_load.py", "advice")]
        assert [error["path"] for error in report["errors"]] == ["broken.py"]

    def test_a_notebook_that_imports_one(self, project: Project) -> None:
        project.write("finish.py", FINISH + "def (\n")
        cells = [
            {"cell_type": "code", "metadata": {}, "execution_count": 1, "outputs": [], "source": source}
            for source in USES_FINISH.split("\n\n")
        ]
        document = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        project.write("a.ipynb", json.dumps(document))
        assert project.told("a.ipynb") == ["a.ipynb:1 advice"]
