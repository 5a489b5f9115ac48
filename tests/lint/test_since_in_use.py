"""`--since REV` wherever it runs: in worktrees, hooks and shallow clones, with fixes, and after mistakes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.lint.repository import BAD, GOOD, MORE_TROUBLE, OLD_TROUBLE, GitProject, branch_at_main, git, told


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitProject:
    return branch_at_main(tmp_path, monkeypatch)


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
        pipeline = "train = tf.data.TFRecordDataset('a').map(tf.io.decode_jpeg).padded_batch(64)"
        project.write("a.py", f"import tensorflow as tf\n\n{pipeline}\ntrain = train.prefetch(2)\nmodel.fit(train)\n")
        project.commit()
        rules = "--select=PIPE101,PIPE201", "--target-tensorflow=2.5"
        assert told(project.check("a.py", *rules, "--output-format=json").json) == ["a.py:3 unparallelized-map"]
        project.replace("a.py", "train = train.prefetch(2)\n", "")
        assert project.new(*rules, since="HEAD") == ["a.py:3 missing-prefetch"]
        outcome = project.check(*rules, "--since=HEAD", "--fix", "--unsafe-fixes", "--output-format=json")
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
    command = [
        sys.executable,
        "-m",
        "pipelint",
        "check",
        "--since",
        "main",
        "--output-format=concise",
        "--quiet",
        "--fail-on=advice",
    ]
    completed = subprocess.run(command, cwd=project.root, capture_output=True, text=True, check=False)
    assert completed.returncode == 1, completed.stderr
    assert [line.split(": ")[0] for line in completed.stdout.splitlines()] == ["train.py:3:42"]
