"""`--since REV` sees what a change in one file does in others that imports connect with it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from pipelint.lint import since
from pipelint.project import import_graph
from tests.lint.repository import BAD, OLD_TROUBLE, GitProject, branch_at_main, notebook, told

FINISH = """\
import tensorflow as tf


def finish(ds):
    return ds.prefetch(tf.data.AUTOTUNE)
"""
NO_FINISH = FINISH.replace("ds.prefetch(tf.data.AUTOTUNE)", "ds")
LOAD = """\
import tensorflow as tf


def load():
    return tf.data.TFRecordDataset("train").batch(64)
"""
USES_FINISH = """\
import tensorflow as tf
from finish import finish

model.fit(finish(tf.data.TFRecordDataset("a").batch(64)))
"""
USES_LOAD = "from load import load\n\nmodel.fit(load().prefetch(2))\n"
BARE_LOAD = USES_LOAD.replace(".prefetch(2)", "")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitProject:
    """A branch where a module prefetches for another, and a third for one that builds."""
    project = branch_at_main(tmp_path, monkeypatch)
    for name, text in (("finish", FINISH), ("uses_finish", USES_FINISH), ("load", LOAD), ("uses_load", USES_LOAD)):
        project.write(f"{name}.py", text)
    project.commit()
    project.git("branch", "-f", "main")
    return project


class TestWhatAChangeDoesElsewhere:
    def test_nothing_without_a_change(self, project: GitProject) -> None:
        assert project.new() == []
        assert told(project.check("--output-format=json").json) == ["old.py:3 missing-prefetch"]

    def test_a_deleted_prefetch_is_new_where_it_is_missed(self, project: GitProject) -> None:
        project.write("finish.py", NO_FINISH)
        assert project.new() == ["uses_finish.py:4 missing-prefetch"]

    def test_a_builder_that_prefetches_no_more_is_new_at_its_consumer(self, project: GitProject) -> None:
        project.write("uses_load.py", BARE_LOAD)
        project.write("load.py", LOAD.replace("batch(64)", "batch(64).prefetch(2)"))
        project.commit()
        project.write("load.py", LOAD)
        assert project.new(since="HEAD") == ["uses_load.py:3 missing-prefetch"]

    def test_through_modules_between_that_did_not_change(self, project: GitProject) -> None:
        project.write("pkg/__init__.py", "from .tail import finish as end\n")
        project.write("pkg/tail.py", "from finish import finish\n")
        project.write("far.py", USES_FINISH.replace("from finish import finish", "from pkg import end as finish"))
        project.commit()
        project.write("finish.py", NO_FINISH)
        assert project.new(since="HEAD") == ["far.py:4 missing-prefetch", "uses_finish.py:4 missing-prefetch"]

    def test_a_constant_of_another_module(self, project: GitProject) -> None:
        project.write("config.py", "BUFFER = 10_000\n")
        project.write(
            "sized.py",
            "import tensorflow as tf\nimport config\n\n"
            "model.fit(tf.data.TFRecordDataset('a').shuffle(config.BUFFER).batch(64).prefetch(2))\n",
        )
        project.commit()
        project.write("config.py", "BUFFER = 2\n")
        assert project.new("--select=PIPE402", since="HEAD") == ["sized.py:4 shuffle-buffer-too-small"]

    def test_a_comment_that_became_useless(self, project: GitProject) -> None:
        project.write("finish.py", NO_FINISH)
        project.replace("uses_finish.py", "batch(64)))", "batch(64)))  # noqa: PIPE101")
        project.commit()
        project.write("finish.py", FINISH)
        assert project.new(since="HEAD") == ["uses_finish.py:4 unused-suppression"]

    def test_fixes_mend_it(self, project: GitProject) -> None:
        project.write("uses_load.py", BARE_LOAD)
        outcome = project.check("--since=main", "--fix", "--output-format=json")
        assert (outcome.status, outcome.json["summary"]["fixed"]) == (0, 1)
        assert project.read("load.py") == LOAD.replace("batch(64)", "batch(64).prefetch(tf.data.AUTOTUNE)")
        assert project.read("old.py") == OLD_TROUBLE


class TestWhateverChanges:
    VARIANTS = (
        ("finish.py", FINISH, NO_FINISH),
        ("load.py", LOAD, LOAD.replace("batch(64)", "batch(64).prefetch(2)")),
        ("uses_load.py", USES_LOAD, BARE_LOAD),
        ("uses_both.py", "from load import load\nfrom finish import finish\n\nmodel.fit(finish(load()))\n", "\n\n\n\n"),
    )

    @pytest.mark.parametrize("seed", range(12))
    def test_what_is_new_is_what_two_whole_runs_differ_by(self, project: GitProject, seed: int) -> None:
        choose = Random(seed)
        before = {name: choose.choice(texts) for name, *texts in self.VARIANTS}
        after = {name: choose.choice(texts) for name, *texts in self.VARIANTS}
        found = []
        for texts in (before, after):
            for name, text in texts.items():
                project.write(name, text)
            report = project.check("--output-format=json").json
            found.append({(item["path"], item["line"]): item["severity"] for item in report["findings"]})
            if texts is before:
                project.commit()
        old, now = found
        weight = {None: 0, "advice": 1, "warning": 2}
        changed = {
            (name, line)
            for name, text in before.items()
            for line, pair in enumerate(zip(text.splitlines(), after[name].splitlines(), strict=True), 1)
            if pair[0] != pair[1]
        }
        new = sorted(at for at, grade in now.items() if weight[old.get(at)] < weight[grade] or at in changed)
        assert project.new(since="HEAD") == [f"{path}:{line} missing-prefetch" for path, line in new]


class TestWhatIsOldStaysOld:
    def test_in_a_file_that_is_looked_at_because_of_another(self, project: GitProject) -> None:
        project.write("uses_finish.py", USES_FINISH + OLD_TROUBLE)
        project.commit()
        project.write("finish.py", NO_FINISH)
        assert project.new(since="HEAD") == ["uses_finish.py:4 missing-prefetch"]

    def test_on_lines_that_moved(self, project: GitProject) -> None:
        project.write("finish.py", NO_FINISH)
        project.write("uses_load.py", BARE_LOAD)
        project.commit()
        project.write("finish.py", "# moved\n" + NO_FINISH)
        project.replace("uses_finish.py", "\n\n", "\n# moved\n\n")
        project.write("load.py", "# moved\n" + LOAD)
        assert project.new(since="HEAD") == []

    def test_in_a_module_that_was_renamed_with_those_that_import_it(self, project: GitProject) -> None:
        project.write("uses_load.py", BARE_LOAD)
        project.commit()
        project.write("pkg/__init__.py", "")
        project.git("mv", "load.py", "pkg/records.py")
        project.replace("uses_load.py", "from load import", "from pkg.records import")
        assert told(project.check("--output-format=json").json)[1:] == ["uses_load.py:3 missing-prefetch"]
        assert project.new(since="HEAD") == []

    def test_in_files_that_nothing_connects_with_the_change(self, project: GitProject) -> None:
        project.write("finish.py", NO_FINISH)
        outcome = project.check("--since=main", "--output-format=json")
        assert outcome.json["summary"]["files"] == 2

    def test_where_comments_and_layout_changed_alone(self, project: GitProject) -> None:
        project.write("finish.py", "# moved\n" + FINISH.replace("(ds)", "( ds )"))
        assert project.check("--since=main", "--output-format=json").json["summary"]["files"] == 1

    def test_in_files_that_only_share_a_name_with_it(self, project: GitProject) -> None:
        project.write("deep/finish.py", FINISH)
        project.write("deep/a.py", USES_FINISH)
        project.commit()
        project.write("deep/finish.py", NO_FINISH)
        assert project.new(since="HEAD") == ["deep/a.py:4 missing-prefetch"]


class TestFilesThatCameOrWent:
    def test_a_caller_that_was_deleted(self, project: GitProject) -> None:
        (project.root / "uses_load.py").unlink()
        outcome = project.check("--since=main", "--output-format=json")
        (found,) = outcome.json["findings"]
        assert (found["path"], found["line"], found["severity"]) == ("load.py", 5, "advice")

    def test_a_module_that_was_deleted_is_unknown(self, project: GitProject) -> None:
        (project.root / "finish.py").unlink()
        assert "uses_finish.py:4 missing-prefetch" in project.new()
        (found,) = project.check("--since=main", "--output-format=json").json["findings"]
        assert found["severity"] == "advice"

    def test_a_caller_that_git_does_not_track(self, project: GitProject) -> None:
        project.write("more.py", BARE_LOAD)
        assert project.new() == ["more.py:3 missing-prefetch"]

    def test_an_import_that_is_gone(self, project: GitProject) -> None:
        project.write("uses_load.py", "print()\n")
        assert project.new() == ["load.py:5 missing-prefetch"]

    def test_a_module_that_becomes_a_package(self, project: GitProject) -> None:
        project.write("uses_load.py", BARE_LOAD)
        project.commit()
        (project.root / "load").mkdir()
        project.git("mv", "load.py", "load/__init__.py")
        assert project.new(since="HEAD") == []

    def test_a_module_that_was_no_python(self, project: GitProject) -> None:
        project.write("finish.py", FINISH + "def (\n")
        project.commit()
        project.write("finish.py", FINISH)
        assert project.new(since="HEAD") == []

    def test_a_module_that_is_no_python_now(self, project: GitProject) -> None:
        project.write("finish.py", FINISH + "def (\n")
        outcome = project.check("--since=main", "--output-format=json")
        assert [error["path"] for error in outcome.json["errors"]] == ["finish.py"]
        assert {found["severity"] for found in outcome.json["findings"]} == {"advice"}


class TestNotebooks:
    CELLS = ("import tensorflow as tf\nfrom finish import finish", USES_FINISH.splitlines()[-1])

    def test_see_what_happens_in_the_modules_that_they_import(self, project: GitProject) -> None:
        project.write("a.ipynb", notebook(*self.CELLS, outputs="1\n"))
        project.write(
            "other.ipynb", notebook("import tensorflow as tf", "model.fit(tf.data.Dataset.range(9000).batch(3))")
        )
        project.commit()
        project.write("finish.py", NO_FINISH)
        assert project.new(since="HEAD") == ["a.ipynb:2:1 missing-prefetch", "uses_finish.py:4 missing-prefetch"]

    def test_that_take_a_dataset_no_more_leave_it_to_its_builder(self, project: GitProject) -> None:
        (project.root / "uses_load.py").unlink()
        project.write("a.ipynb", notebook("from load import load", "model.fit(load().prefetch(2))"))
        project.commit()
        project.write("a.ipynb", notebook("print()"))
        assert project.new(since="HEAD") == ["load.py:5 missing-prefetch"]
        (project.root / "a.ipynb").unlink()
        assert project.new(since="HEAD") == ["load.py:5 missing-prefetch"]

    def test_change_nothing_elsewhere_by_their_outputs(self, project: GitProject) -> None:
        cells = ("from load import load", "model.fit(load().prefetch(2))")
        project.write("a.ipynb", notebook(*cells))
        project.commit()
        project.write("a.ipynb", notebook(*cells, outputs="1\n"))
        assert project.check("--since=HEAD", "--output-format=json").json["summary"]["files"] == 1


class TestOnlyWhatIsAskedFor:
    def test_the_files_that_are_given(self, project: GitProject) -> None:
        project.write("finish.py", NO_FINISH)
        project.write("uses_load.py", BARE_LOAD)
        assert project.new("uses_finish.py", "old.py") == ["uses_finish.py:4 missing-prefetch"]
        assert project.new("uses_load.py") == ["uses_load.py:3 missing-prefetch"]
        assert project.new("finish.py", "load.py") == []

    def test_tests_neither_count_nor_are_counted(self, project: GitProject) -> None:
        project.write("test_it.py", USES_FINISH)
        project.commit()
        project.write("finish.py", NO_FINISH)
        assert project.new(since="HEAD") == ["uses_finish.py:4 missing-prefetch"]

    def test_through_a_link(self, project: GitProject, tmp_path: Path) -> None:
        project.write("finish.py", NO_FINISH)
        project.write("uses_load.py", BARE_LOAD)
        (tmp_path / "link").symlink_to(project.root)
        outcome = project.check(tmp_path / "link", "--since=main", "--output-format=json")
        assert [Path(found["path"]).name for found in outcome.json["findings"]] == ["uses_finish.py", "uses_load.py"]

    def test_source_from_standard_input(self, project: GitProject) -> None:
        project.write("finish.py", NO_FINISH)
        options = ["--since=main", "--stdin-filename=uses_finish.py", "--output-format=json", "-"]
        outcome = project.check(*options, stdin=USES_FINISH)
        assert told(outcome.json) == ["uses_finish.py:4 missing-prefetch"]
        project.write("finish.py", FINISH)
        assert told(project.check(*options, stdin="\n" + USES_FINISH).json) == []

    def test_the_nearest_files_where_many_are_connected(
        self, project: GitProject, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        project.write("between.py", "from finish import finish\n")
        project.write("far.py", USES_FINISH.replace("from finish", "from between"))
        project.commit()
        project.write("finish.py", NO_FINISH)
        monkeypatch.setattr(import_graph, "MOST_TOGETHER", 1)
        monkeypatch.setattr(since, "MOST_BEYOND", 2)
        assert project.new(since="HEAD") == ["uses_finish.py:4 missing-prefetch"]
        monkeypatch.setattr(since, "MOST_BEYOND", 3)
        assert project.new(since="HEAD") == ["far.py:4 missing-prefetch", "uses_finish.py:4 missing-prefetch"]

    def test_everything_is_new_in_a_first_commit(self, project: GitProject) -> None:
        project.write("pkg/finish.py", NO_FINISH)
        project.write("pkg/train.py", BAD)
        project.write("pkg/uses_finish.py", USES_FINISH)
        assert project.new("pkg") == ["pkg/train.py:3 missing-prefetch", "pkg/uses_finish.py:4 missing-prefetch"]
