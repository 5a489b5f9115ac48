"""`--since REV`: a reviewer sees what a change brings, and nothing of what was there before."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository import GitProject, git, notebook, told

GOOD = """\
import tensorflow as tf

train = tf.data.TFRecordDataset("train").batch(64)
train = train.prefetch(tf.data.AUTOTUNE)
model.fit(train)
"""
BAD = GOOD.replace("train = train.prefetch(tf.data.AUTOTUNE)\n", "")
OLD_TROUBLE = """\
import tensorflow as tf

old = tf.data.TFRecordDataset("old").batch(64)
model.fit(old)
"""
MORE_TROUBLE = """
new = tf.data.TFRecordDataset("new").batch(64)
model.fit(new)
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitProject:
    """A branch `work`, still at the commit of main, in which an old file has a finding and a good one has none."""
    for variable in ("NO_COLOR", "FORCE_COLOR", *(name for name in os.environ if name.startswith("GIT_"))):
        monkeypatch.delenv(variable, raising=False)
    project = GitProject.create(tmp_path / "project")
    monkeypatch.chdir(project.root)
    project.write("pyproject.toml", '[tool.pipelint]\nselect = ["PIPE101", "PIPE001"]\ntarget-tensorflow = "2.8"\n')
    project.write("old.py", OLD_TROUBLE)
    project.write("train.py", GOOD)
    project.commit()
    project.git("checkout", "-q", "-b", "work")
    return project


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
        project.write("load.py", f"{source}\n\nmodel.fit(load())\n")
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


class TestWhereItRuns:
    def test_in_a_subdirectory(self, project: GitProject, monkeypatch: pytest.MonkeyPatch) -> None:
        project.write("deep/er/a.py", OLD_TROUBLE)
        project.write("train.py", BAD)
        monkeypatch.chdir(project.root / "deep")
        assert project.new() == ["er/a.py:3 missing-prefetch"]

    def test_with_paths(self, project: GitProject, monkeypatch: pytest.MonkeyPatch) -> None:
        project.write("deep/a.py", OLD_TROUBLE)
        project.write("train.py", BAD)
        project.write("script", BAD)
        assert project.new("deep") == ["deep/a.py:3 missing-prefetch"]
        assert project.new("train.py", "old.py") == ["train.py:3 missing-prefetch"]
        assert project.new("script") == ["script:3 missing-prefetch"]

    def test_from_outside_of_the_repository(self, project: GitProject, monkeypatch: pytest.MonkeyPatch) -> None:
        project.write("train.py", BAD)
        monkeypatch.chdir(project.root.parent)
        assert project.new("project") == ["project/train.py:3 missing-prefetch"]

    def test_through_a_link(self, project: GitProject, tmp_path: Path) -> None:
        project.write("train.py", BAD)
        (tmp_path / "link").symlink_to(project.root)
        found = project.check(tmp_path / "link", "--since=main", "--output-format=json").json["findings"]
        assert len(found) == 1

    def test_in_a_linked_worktree(self, project: GitProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        project.git("worktree", "add", "-q", tmp_path / "tree", "-b", "other")
        (tmp_path / "tree/train.py").write_text(BAD)
        (tmp_path / "tree/more.py").write_text(BAD)
        monkeypatch.chdir(tmp_path / "tree")
        assert project.new() == ["more.py:3 missing-prefetch", "train.py:3 missing-prefetch"]

    def test_in_a_hook_that_binds_git_to_another_index(
        self, project: GitProject, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        project.write("deep/a.py", OLD_TROUBLE)
        monkeypatch.setenv("GIT_DIR", ".git")
        monkeypatch.setenv("GIT_INDEX_FILE", ".git/other")
        assert project.new("deep") == ["deep/a.py:3 missing-prefetch"]

    def test_submodules_are_left_out(self, project: GitProject, tmp_path: Path) -> None:
        library = GitProject.create(tmp_path / "library")
        library.write("lib.py", GOOD)
        library.commit()
        project.git("submodule", "--quiet", "add", library.root, "library")
        project.commit()
        project.write("library/lib.py", BAD)
        project.write("library/more.py", BAD)
        assert project.new(since="HEAD") == []

    def test_a_clone_inside_of_the_repository_is_left_out(self, project: GitProject) -> None:
        inner = GitProject.create(project.root / "inner")
        inner.write("lib.py", BAD)
        inner.commit()
        assert project.new() == []

    def test_on_source_from_standard_input(self, project: GitProject) -> None:
        options = ["--since=main", "--stdin-filename=old.py", "--output-format=json", "-"]
        outcome = project.check(*options, stdin=OLD_TROUBLE + MORE_TROUBLE)
        assert told(outcome.json) == ["old.py:6 missing-prefetch"]
        outcome = project.check(*options, "--stdin-filename=unknown.py", stdin=OLD_TROUBLE)
        assert told(outcome.json) == ["unknown.py:3 missing-prefetch"]

    def test_settings_of_the_user_do_not_matter(self, project: GitProject) -> None:
        for setting in ("diff.relative=true", "diff.noprefix=true", "diff.renames=false", "color.ui=always"):
            project.git("config", *setting.split("="))
        project.git("mv", "old.py", "renamed.py")
        project.write("deep/a.py", OLD_TROUBLE + MORE_TROUBLE)
        assert project.new("deep", "renamed.py") == ["deep/a.py:3 missing-prefetch", "deep/a.py:6 missing-prefetch"]


class TestFixes:
    def test_mend_what_is_new_and_nothing_else(self, project: GitProject) -> None:
        project.write("old.py", OLD_TROUBLE + MORE_TROUBLE)
        outcome = project.check("--since=main", "--fix", "--output-format=json")
        assert outcome.status == 0
        assert outcome.json["summary"]["fixed"] == 1
        assert project.read("old.py") == (OLD_TROUBLE + MORE_TROUBLE).replace(
            'TFRecordDataset("new").batch(64)', 'TFRecordDataset("new").batch(64).prefetch(tf.data.AUTOTUNE)'
        )

    def test_leave_an_old_finding_on_a_line_that_they_rewrite(self, project: GitProject) -> None:
        pipeline = "train = tf.data.TFRecordDataset('a').map(tf.io.decode_jpeg).batch(64)"
        project.write("a.py", f"import tensorflow as tf\n\n{pipeline}\ntrain = train.prefetch(2)\nmodel.fit(train)\n")
        project.commit()
        rules = "--select=PIPE101,PIPE201"
        assert told(project.check("a.py", rules, "--output-format=json").json) == ["a.py:3 unparallelized-map"]
        project.replace("a.py", "train = train.prefetch(2)\n", "")
        assert project.new(rules, since="HEAD") == ["a.py:3 missing-prefetch"]
        outcome = project.check(rules, "--since=HEAD", "--fix", "--unsafe-fixes", "--output-format=json")
        assert told(outcome.json) == []
        assert project.read("a.py").splitlines()[2] == f"{pipeline}.prefetch(tf.data.AUTOTUNE)"

    def test_the_diff_shows_them(self, project: GitProject) -> None:
        project.write("old.py", OLD_TROUBLE + MORE_TROUBLE)
        outcome = project.check("--since=main", "--diff", "--quiet")
        assert outcome.stdout.count("\n+") == 1 + len(["+++"])

    def test_add_noqa_silences_only_what_is_new(self, project: GitProject) -> None:
        project.write("old.py", OLD_TROUBLE + MORE_TROUBLE)
        assert project.check("--since=main", "--add-noqa").stdout == "Silenced 1 finding in 1 file.\n"
        assert project.read("old.py").count("noqa") == 1
        assert project.new() == []


class TestMistakesAreOneLine:
    def test_outside_of_git(self, project: GitProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
        outcome = project.check("--since=main")
        assert (outcome.status, outcome.stdout) == (2, "")
        assert outcome.errors == ["pipelint: --since: . is not in a git repository"]

    @pytest.mark.parametrize("revision", ["nonsense", "HEAD~99", "", "--all", "main..work", "HEAD:train.py"])
    def test_an_unknown_revision(self, project: GitProject, revision: str) -> None:
        outcome = project.check(f"--since={revision}")
        assert (outcome.status, outcome.stdout) == (2, "")
        assert outcome.errors == [f"pipelint: --since: {revision!r} is no commit of {project.root}"]

    def test_a_repository_without_commits(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        empty = GitProject.create(tmp_path / "empty")
        monkeypatch.chdir(empty.root)
        outcome = empty.check("--since=HEAD")
        assert outcome.status == 2
        assert outcome.errors == [f"pipelint: --since: 'HEAD' is no commit of {empty.root}"]

    def test_histories_that_have_nothing_in_common(self, project: GitProject) -> None:
        project.git("checkout", "-q", "--orphan", "island")
        project.write("other.py", GOOD)
        project.commit()
        outcome = project.check("--since=main")
        assert outcome.status == 2
        assert outcome.errors == ["pipelint: --since: 'main' and HEAD have no commit in common; name another revision"]

    def test_a_shallow_clone_without_the_merge_base(
        self, project: GitProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        project.write("train.py", BAD)
        project.commit()
        project.git("checkout", "-q", "main")
        project.write("other.py", GOOD)
        project.commit()
        git(tmp_path, "clone", "-q", "--depth=1", "--no-single-branch", f"file://{project.root}", "clone")
        monkeypatch.chdir(tmp_path / "clone")
        hint = "fetch more history, with `git fetch --unshallow` or `fetch-depth: 0` for actions/checkout"
        outcome = project.check("--since=origin/work")
        assert outcome.status == 2
        assert outcome.errors == [
            f"pipelint: --since: this clone is shallow and lacks the merge base with 'origin/work': {hint}"
        ]
        outcome = project.check("--since=HEAD~1")
        assert outcome.errors == [
            f"pipelint: --since: 'HEAD~1' is no commit of {tmp_path / 'clone'}; this clone is shallow: {hint}"
        ]

    def test_standard_input_without_a_name(self, project: GitProject) -> None:
        outcome = project.check("--since=main", "-", stdin=BAD)
        assert outcome.status == 2
        assert "--stdin-filename" in outcome.stderr

    def test_no_git(self, project: GitProject, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", "")
        outcome = project.check("--since=main")
        assert outcome.status == 2
        assert outcome.errors == ["pipelint: --since: git is not installed"]

    def test_content_that_the_clone_lacks(self, project: GitProject) -> None:
        project.write("train.py", BAD)
        blob = project.git("rev-parse", "HEAD:train.py").strip()
        (project.root / ".git/objects" / blob[:2] / blob[2:]).unlink()
        outcome = project.check("--since=main")
        assert outcome.status == 2
        assert outcome.errors == [f"pipelint: --since: unable to read {blob}"]


def test_the_real_program_says_it(project: GitProject) -> None:
    project.write("train.py", BAD)
    command = [sys.executable, "-m", "pipelint", "check", "--since", "main", "--output-format=concise", "--quiet"]
    completed = subprocess.run(command, cwd=project.root, capture_output=True, text=True, check=False)
    assert completed.returncode == 1, completed.stderr
    assert [line.split(": ")[0] for line in completed.stdout.splitlines()] == ["train.py:3:42"]
