"""`--since REV`: a reviewer sees what a change brings, and nothing of what was there before."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.lint.repository import BAD, GOOD, MORE_TROUBLE, OLD_TROUBLE, GitProject, branch_at_main, notebook, told


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitProject:
    return branch_at_main(tmp_path, monkeypatch)


class TestWhatIsNew:
    def test_nothing_without_a_change(self, project: GitProject) -> None:
        assert project.new() == []
        assert told(project.check("--output-format=json").json) == ["old.py:3 missing-prefetch"]

    def test_a_deleted_prefetch_though_its_line_is_gone(self, project: GitProject) -> None:
        project.write("train.py", BAD)
        project.commit()
        assert project.new() == ["train.py:3 missing-prefetch"]

    def test_an_added_pipeline_but_not_the_one_that_it_moved_down(self, project: GitProject) -> None:
        project.write("old.py", OLD_TROUBLE.replace("\n\n", "\n" + MORE_TROUBLE + "\n", 1))
        assert project.new() == ["old.py:3 missing-prefetch"]

    def test_an_old_finding_on_a_changed_line(self, project: GitProject) -> None:
        project.replace("old.py", "batch(64)", "batch(128)")
        assert project.new() == ["old.py:3 missing-prefetch"]

    def test_a_new_file(self, project: GitProject) -> None:
        project.write("sub/new.py", OLD_TROUBLE)
        project.commit()
        assert project.new() == ["sub/new.py:3 missing-prefetch"]

    def test_a_finding_that_grew_more_severe(self, project: GitProject) -> None:
        source = "import tensorflow as tf\n\n\ndef load():\n    return tf.data.TFRecordDataset('a').batch(64)\n"
        project.write("load.py", source)
        project.commit()
        advice = project.check("load.py", "--output-format=json").json["findings"]
        assert [found["severity"] for found in advice] == ["advice"]
        project.write(
            "load.py",
            f"{source}\n\n@tf.function\ndef train():\n    for rows in load():\n        step(rows)\n\n\ntrain()\n",
        )
        assert project.new(since="HEAD") == ["load.py:5 missing-prefetch"]

    def test_a_comment_that_the_change_made_useless(self, project: GitProject) -> None:
        silenced = BAD.replace("batch(64)", "batch(64)  # noqa: PIPE101")
        project.write("train.py", silenced)
        project.write("other.py", GOOD.replace("batch(64)", "batch(64)  # noqa: PIPE101"))
        project.commit()
        project.write("train.py", silenced.replace("fit(train)", "fit(train.prefetch(2))"))
        project.replace("other.py", "fit(train)", "fit(train, epochs=2)")
        assert project.new(since="HEAD") == ["train.py:3 unused-suppression"]

    def test_only_what_changed_on_this_side_of_the_merge_base(self, project: GitProject) -> None:
        project.git("checkout", "-q", "main")
        project.write("old.py", GOOD)
        project.commit("main mends what is old on the branch")
        project.git("checkout", "-q", "work")
        project.write("train.py", BAD)
        project.commit()
        assert project.new() == ["train.py:3 missing-prefetch"]

    def test_suppressions_and_per_file_ignores_count_as_ever(self, project: GitProject) -> None:
        project.write("a.py", OLD_TROUBLE.replace("batch(64)", "batch(64)  # noqa: PIPE101"))
        project.write("b.py", OLD_TROUBLE)
        project.write(
            "pyproject.toml", '[tool.pipelint]\nselect = ["PIPE101"]\nper-file-ignores = { "b.py" = ["PIPE101"] }\n'
        )
        assert project.new() == []

    def test_a_rule_that_is_turned_on_now_was_on_then(self, project: GitProject) -> None:
        project.write("pyproject.toml", '[tool.pipelint]\nselect = ["PIPE001"]\n')
        project.commit()
        project.replace("old.py", "fit(old)", "fit(old, epochs=2)")
        assert project.new("--select=PIPE101", since="HEAD") == []

    def test_files_that_did_not_change_are_not_even_counted(self, project: GitProject) -> None:
        project.write("train.py", BAD)
        assert project.check("--since=main", "--output-format=json").json["summary"]["files"] == 1


class TestWorkThatIsNotCommitted:
    def test_staged_unstaged_and_untracked_files_count(self, project: GitProject) -> None:
        project.write("staged.py", OLD_TROUBLE)
        project.git("add", "staged.py")
        project.write("untracked.py", OLD_TROUBLE)
        project.write("train.py", BAD)
        expected = [f"{name}.py:3 missing-prefetch" for name in ("staged", "train", "untracked")]
        assert project.new() == expected

    def test_ignored_files_do_not(self, project: GitProject) -> None:
        project.write(".gitignore", "scratch.py\n")
        project.write("scratch.py", OLD_TROUBLE)
        assert project.new() == []

    def test_the_index_and_the_work_tree_stay_as_they_are(self, project: GitProject) -> None:
        project.write("untracked.py", OLD_TROUBLE)
        project.write("train.py", BAD)
        before = (project.root / ".git/index").read_bytes(), project.git("status", "--porcelain")
        objects = project.git("count-objects")
        project.new()
        assert (project.root / ".git/index").read_bytes() == before[0]
        assert project.git("status", "--porcelain") == before[1]
        assert project.git("count-objects") == objects


class TestRenamedFiles:
    def test_keep_their_old_findings(self, project: GitProject) -> None:
        project.git("mv", "old.py", "renamed.py")
        project.commit()
        assert project.new() == []

    def test_show_what_changed_on_the_way(self, project: GitProject) -> None:
        project.git("mv", "old.py", "renamed.py")
        project.write("renamed.py", OLD_TROUBLE + MORE_TROUBLE)
        project.commit()
        assert project.new() == ["renamed.py:6 missing-prefetch"]

    def test_are_known_when_git_was_not_told(self, project: GitProject) -> None:
        (project.root / "old.py").rename(project.root / "renamed.py")
        assert project.new() == []

    def test_a_deleted_file_is_no_error(self, project: GitProject) -> None:
        (project.root / "old.py").unlink()
        assert project.new() == []


class TestNotebooks:
    CELLS = ("import tensorflow as tf", 'ds = tf.data.TFRecordDataset("a").batch(64)\nmodel.fit(ds)')

    def test_outputs_do_not_matter(self, project: GitProject) -> None:
        project.write("a.ipynb", notebook(*self.CELLS))
        project.commit()
        project.write("a.ipynb", notebook(*self.CELLS, outputs="0.1\n"))
        assert project.new(since="HEAD") == []

    def test_inserted_cells_move_the_old_findings(self, project: GitProject) -> None:
        project.write("a.ipynb", notebook(*self.CELLS))
        project.commit()
        added = 'more = tf.data.TFRecordDataset("b").batch(64)\nmodel.fit(more)'
        project.write("a.ipynb", notebook(self.CELLS[0], added, self.CELLS[1]))
        assert project.new(since="HEAD") == ["a.ipynb:2:1 missing-prefetch"]

    def test_a_changed_line_of_a_cell(self, project: GitProject) -> None:
        project.write("a.ipynb", notebook(*self.CELLS))
        project.commit()
        project.write("a.ipynb", notebook(self.CELLS[0], self.CELLS[1].replace("64", "32")))
        assert project.new(since="HEAD") == ["a.ipynb:2:1 missing-prefetch"]

    def test_a_prefetch_deleted_in_another_cell(self, project: GitProject) -> None:
        first, second = self.CELLS[1].split("\n")
        project.write("a.ipynb", notebook(self.CELLS[0], first, "ds = ds.prefetch(2)", second))
        project.commit()
        project.write("a.ipynb", notebook(self.CELLS[0], first, second))
        assert project.new(since="HEAD") == ["a.ipynb:2:1 missing-prefetch"]


class TestWhateverTheBaseLooksLike:
    def test_a_base_that_does_not_parse_knew_nothing(self, project: GitProject) -> None:
        project.write("a.py", OLD_TROUBLE + "def (\n")
        project.commit()
        project.write("a.py", OLD_TROUBLE)
        assert project.new(since="HEAD") == ["a.py:3 missing-prefetch"]

    @pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"x = '\0'\n", b"# coding: nonsense\n"])
    def test_a_base_that_is_no_python(self, project: GitProject, content: bytes) -> None:
        project.write("a.py", content)
        project.commit()
        project.write("a.py", OLD_TROUBLE)
        assert project.new(since="HEAD") == ["a.py:3 missing-prefetch"]

    def test_a_file_that_does_not_parse_now_is_its_usual_error(self, project: GitProject) -> None:
        project.write("train.py", BAD + "def (\n")
        outcome = project.check("--since=main")
        assert outcome.status == 2
        assert outcome.errors == ["pipelint: train.py:5: syntax error: invalid syntax"]

    def test_line_ends_are_no_change(self, project: GitProject) -> None:
        project.write("old.py", OLD_TROUBLE.replace("\n", "\r\n"))
        project.commit()
        assert project.new() == []

    def test_a_link_that_became_a_file(self, project: GitProject) -> None:
        (project.root / "a.py").symlink_to("old.py")
        project.commit()
        (project.root / "a.py").unlink()
        project.write("a.py", OLD_TROUBLE)
        assert project.new(since="HEAD") == ["a.py:3 missing-prefetch"]

    @pytest.mark.parametrize(
        "name", ["with space.py", "tab\there.py", 'quo"te.py', "größe.py", "new\nline.py", "-x.py"]
    )
    def test_odd_names(self, project: GitProject, name: str) -> None:
        project.write(name, GOOD)
        project.commit()
        project.write(name, BAD)
        outcome = project.check("--since=HEAD", "--output-format=json")
        assert [found["path"] for found in outcome.json["findings"]] == [name]

    def test_names_that_are_not_utf_8(self, project: GitProject) -> None:
        name = os.fsdecode(b"caf\xe9.py")
        project.write(name, OLD_TROUBLE)
        project.commit()
        project.replace(name, "fit(old)", "fit(old, epochs=2)")
        project.write(os.fsdecode(b"th\xe9.py"), OLD_TROUBLE)
        outcome = project.check("--since=HEAD", "--output-format=json")
        assert [found["path"] for found in outcome.json["findings"]] == [os.fsdecode(b"th\xe9.py")]

    def test_a_merge_in_conflict(self, project: GitProject) -> None:
        project.replace("train.py", "batch(64)", "batch(32)")
        project.commit()
        project.git("checkout", "-q", "main")
        project.replace("train.py", "batch(64)", "batch(16)")
        project.commit()
        with pytest.raises(subprocess.CalledProcessError):
            project.git("merge", "work")
        project.write("train.py", BAD)
        assert project.new(since="HEAD") == ["train.py:3 missing-prefetch"]
