"""`pipelint baseline` and `--baseline`: what is there today stays quiet, what comes tomorrow fails."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.lint.repository import GitProject
from tests.workspace import Workspace, tf

NAME = ".pipelint-baseline.json"
ONE = tf("a = tf.size(1)")


@pytest.fixture
def quiet(slow: Workspace) -> Workspace:
    """A project whose one finding is in its baseline, which the configuration names."""
    slow.configure(f'baseline = "{NAME}"\n')
    slow.write("train.py", ONE)
    assert slow.run("baseline").status == 0
    assert slow.check().status == 0
    return slow


def lines(workspace: Workspace, *arguments: str) -> list[str]:
    """Where something is found, as `train.py:2`."""
    outcome = workspace.check(*arguments, "--output-format=concise", "--quiet")
    return [":".join(line.split(":")[:2]) for line in outcome.stdout.splitlines()]


def entries(workspace: Workspace, name: str = NAME) -> list[dict[str, Any]]:
    document = json.loads(workspace.read(name))
    assert document["version"] == 1
    found: list[dict[str, Any]] = document["findings"]
    return found


class TestOldFindingsStayQuiet:
    def test_when_their_lines_move(self, quiet: Workspace) -> None:
        quiet.write("train.py", ONE.replace("a = ", "\n\nb = 1\n\na = "))
        assert lines(quiet) == []

    def test_when_their_indentation_and_line_ends_change(self, quiet: Workspace) -> None:
        quiet.write("train.py", ONE.replace("a = ", "if True:\n    a  = ").replace("\n", "\r\n"))
        assert lines(quiet) == []

    def test_when_pipelint_runs_elsewhere(self, quiet: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
        (quiet.root / "deep").mkdir()
        monkeypatch.chdir(quiet.root / "deep")
        assert quiet.check("..").status == 0
        monkeypatch.chdir(quiet.root.parent)
        assert quiet.check("project").status == 0
        assert quiet.check("project", f"--baseline=project/{NAME}").status == 0

    def test_when_pipelint_comes_through_a_link(self, quiet: Workspace) -> None:
        link = quiet.root.parent / "link"
        link.symlink_to(quiet.root)
        assert quiet.check(link, f"--baseline={link / NAME}").status == 0

    def test_in_a_notebook_whose_cells_move(self, quiet: Workspace) -> None:
        quiet.notebook("a.ipynb", "import tensorflow as tf", "tf.size(1)")
        quiet.run("baseline")
        quiet.notebook("a.ipynb", "import tensorflow as tf", "x = 1", "y = 1\ntf.size(1)")
        assert lines(quiet) == []

    def test_on_standard_input(self, quiet: Workspace) -> None:
        outcome = quiet.check("-", "--stdin-filename=train.py", stdin=ONE + "b = tf.size(2)\n")
        assert outcome.status == 1
        assert "train.py:3:5" in outcome.stdout
        assert "train.py:2:5" not in outcome.stdout


class TestNewFindingsFail:
    def test_on_a_line_of_their_own(self, quiet: Workspace) -> None:
        quiet.write("train.py", ONE + "b = tf.size(2)\n")
        assert quiet.check().status == 1
        assert lines(quiet) == ["train.py:3"]

    def test_on_a_line_that_changed(self, quiet: Workspace) -> None:
        quiet.write("train.py", tf("a = tf.size(3)"))
        assert lines(quiet) == ["train.py:2"]

    def test_by_another_rule_on_the_same_line(self, quiet: Workspace) -> None:
        quiet.raw_rule(
            "no-import", quiet.read("own_rules/no_size.py").replace("TEST101", "TEST301").replace("no-size", "no-i")
        )
        assert [line.split()[2] for line in quiet.check("--output-format=concise", "-q").stdout.splitlines()] == [
            "TEST301"
        ]

    def test_in_another_file(self, quiet: Workspace) -> None:
        quiet.write("other.py", ONE)
        assert lines(quiet) == ["other.py:2"]

    def test_as_the_third_of_two_equal_ones(self, quiet: Workspace) -> None:
        quiet.write("train.py", tf("a = tf.size(1)", "a = tf.size(1)"))
        quiet.run("baseline")
        assert lines(quiet) == []
        quiet.write("train.py", tf("a = tf.size(1)", "a = tf.size(1)", "a = tf.size(1)"))
        assert lines(quiet) == ["train.py:4"]


class TestCheck:
    def test_says_how_much_is_hidden(self, quiet: Workspace) -> None:
        for style in ("full", "concise"):
            outcome = quiet.check(f"--output-format={style}")
            assert outcome.stdout == "Nothing new: 1 file checked, the baseline hides 1 finding (see --no-baseline).\n"
        quiet.write("train.py", ONE + "b = tf.size(2)\n")
        assert quiet.check().stdout.endswith(
            "Found 1 warning in 1 file; 1 fixable with --fix; the baseline hides 1 more (see --no-baseline).\n"
        )

    def test_says_nothing_of_it_in_json(self, quiet: Workspace) -> None:
        report = quiet.check("--output-format=json").json
        assert report["findings"] == []
        assert set(report["summary"]) == {"files", "errors", "warnings", "advice", "fixable", "fixed"}

    def test_never_writes_the_file(self, quiet: Workspace) -> None:
        before = quiet.read(NAME)
        quiet.write("train.py", tf("b = tf.size(2)"))
        for options in ([], ["--fix"], ["--add-noqa"]):
            quiet.check(*options)
            assert quiet.read(NAME) == before

    def test_fixes_only_what_is_new(self, quiet: Workspace) -> None:
        quiet.write("train.py", ONE + "b = tf.size(2)\n")
        outcome = quiet.check("--fix")
        assert outcome.status == 0
        assert (
            outcome.stdout
            == "Fixed 1 finding. Nothing new: 1 file checked, the baseline hides 1 finding (see --no-baseline).\n"
        )
        assert quiet.read("train.py") == ONE + "b = tf.shape_n(2)\n"

    def test_leaves_an_old_finding_alone_on_the_line_of_a_new_one(self, quiet: Workspace) -> None:
        quiet.write("train.py", tf("a = tf.size(1); b = tf.rank(1)"))
        quiet.run("baseline", "--ignore=no-rank")
        outcome = quiet.check("--fix", "--unsafe-fixes", "--quiet")
        assert outcome.stdout == ""
        assert quiet.read("train.py") == tf("a = tf.size(1); b = tf.ndim(1)")

    def test_silences_only_what_is_new(self, quiet: Workspace) -> None:
        quiet.write("train.py", ONE + "b = tf.size(2)\n")
        assert quiet.check("--add-noqa").stdout == "Silenced 1 finding in 1 file.\n"
        assert quiet.read("train.py") == ONE + "b = tf.size(2)  # noqa: TEST101\n"

    def test_shows_the_file_among_the_settings(self, quiet: Workspace) -> None:
        assert f'baseline = "{quiet.root / NAME}"' in quiet.check("--show-settings").stdout
        assert 'baseline = "other.json"' in quiet.check("--show-settings", "--baseline=other.json").stdout

    def test_takes_the_file_from_the_command_line_first(self, quiet: Workspace) -> None:
        quiet.run("baseline", "--output=other.json")
        quiet.write(NAME, '{"version": 1, "findings": []}')
        assert quiet.check().status == 1
        assert quiet.check("--baseline=other.json").status == 0


class TestTheCommand:
    def test_says_what_became_of_the_file(self, slow: Workspace) -> None:
        slow.write("train.py", tf("a = tf.size(1)", "b = tf.rank(1)"))
        assert slow.run("baseline").stdout.splitlines()[0] == f"Wrote {NAME}: 2 findings (2 added, 0 dropped, 0 kept)."
        slow.write("train.py", tf("b = tf.rank(1)", "c = tf.shape(1)"))
        assert slow.run("baseline").stdout.splitlines()[0] == f"Wrote {NAME}: 2 findings (1 added, 1 dropped, 1 kept)."
        assert slow.run("baseline", "--quiet").stdout == ""

    def test_writes_a_line_for_each_finding_in_an_order_that_does_not_move(self, slow: Workspace) -> None:
        slow.write("b.py", ONE)
        slow.write("a.py", tf("b = tf.rank(1)", "a = tf.size(1)"))
        slow.run("baseline")
        text = slow.read(NAME)
        assert [(entry["path"], entry["code"], entry["message"]) for entry in entries(slow)] == [
            ("a.py", "TEST101", "tf.size is slow"),
            ("a.py", "TEST102", "tf.rank is slow"),
            ("b.py", "TEST101", "tf.size is slow"),
        ]
        assert len([line for line in text.splitlines() if "fingerprint" in line]) == 3
        slow.write("a.py", tf("", "a = tf.size(1)", "", "b = tf.rank(1)"))
        slow.run("baseline")
        assert slow.read(NAME) == text

    def test_drops_what_is_fixed_and_what_is_deleted(self, quiet: Workspace) -> None:
        quiet.write("gone.py", ONE)
        quiet.run("baseline")
        quiet.write("train.py", tf("a = 1"))
        (quiet.root / "gone.py").unlink()
        assert quiet.run("baseline").stdout.splitlines()[0] == f"Wrote {NAME}: 0 findings (0 added, 2 dropped, 0 kept)."
        assert quiet.read(NAME) == '{\n  "version": 1,\n  "findings": []\n}\n'

    def test_keeps_the_entries_of_files_that_it_was_not_asked_about(self, quiet: Workspace) -> None:
        quiet.write("lib/a.py", ONE)
        assert (
            quiet.run("baseline", "lib").stdout.splitlines()[0]
            == f"Wrote {NAME}: 2 findings (1 added, 0 dropped, 1 kept)."
        )
        assert [entry["path"] for entry in entries(quiet)] == ["lib/a.py", "train.py"]

    def test_keeps_the_entries_of_a_file_that_failed(self, quiet: Workspace) -> None:
        quiet.write("train.py", "def (  # keras")
        outcome = quiet.run("baseline")
        assert outcome.status == 2
        assert outcome.errors == ["pipelint: train.py:1: syntax error: invalid syntax"]
        assert [entry["path"] for entry in entries(quiet)] == ["train.py"]

    def test_keeps_the_entries_of_a_folder_whose_configuration_failed(self, quiet: Workspace) -> None:
        quiet.write("lib/deep/a.py", ONE)
        quiet.run("baseline")
        quiet.write("lib/pyproject.toml", "[tool.pipelint]\nselect = [")
        assert quiet.run("baseline").status == 2
        assert [entry["path"] for entry in entries(quiet)] == ["lib/deep/a.py", "train.py"]

    def test_drops_the_entries_of_a_file_that_is_excluded_now(self, quiet: Workspace) -> None:
        quiet.configure(f'baseline = "{NAME}"\n')
        config = quiet.read("pyproject.toml").replace('exclude = ["own_rules"', 'exclude = ["own_rules", "train.py"')
        quiet.write("pyproject.toml", config)
        quiet.run("baseline")
        assert entries(quiet) == []

    def test_takes_the_rules_of_the_command_line(self, slow: Workspace) -> None:
        slow.write("train.py", tf("a = tf.size(1)", "b = tf.rank(1)"))
        slow.run("baseline", "--select=no-rank")
        assert [entry["code"] for entry in entries(slow)] == ["TEST102"]
        slow.run("baseline", "--ignore=no-rank")
        assert [entry["code"] for entry in entries(slow)] == ["TEST101"]

    def test_writes_where_it_is_told(self, slow: Workspace) -> None:
        slow.write("train.py", ONE)
        (slow.root / "lint").mkdir()
        for option in ("--baseline", "--output"):
            slow.run("baseline", option, "lint/base.json")
            assert [entry["path"] for entry in entries(slow, "lint/base.json")] == ["../train.py"]
            (slow.root / "lint/base.json").unlink()
        assert not (slow.root / NAME).exists()

    def test_writes_beside_the_configuration_from_anywhere(
        self, slow: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        slow.write("deep/train.py", ONE)
        monkeypatch.chdir(slow.root / "deep")
        assert slow.run("baseline").status == 0
        assert [entry["path"] for entry in entries(slow)] == ["deep/train.py"]

    def test_lists_what_the_baseline_of_today_hides(self, quiet: Workspace) -> None:
        assert quiet.run("baseline").stdout.splitlines()[0] == f"Wrote {NAME}: 1 finding (0 added, 0 dropped, 1 kept)."

    def test_lists_names_that_are_not_utf_8(self, quiet: Workspace) -> None:
        quiet.write(os.fsdecode(b"caf\xe9.py"), ONE)
        assert quiet.run("baseline").status == 0
        assert quiet.check().status == 0

    def test_leaves_suppressed_findings_out(self, slow: Workspace) -> None:
        slow.write("train.py", tf("a = tf.size(1)  # noqa: TEST101"))
        slow.run("baseline")
        assert entries(slow) == []


class TestMistakesAreOneLine:
    def test_a_missing_file(self, slow: Workspace) -> None:
        slow.write("train.py", ONE)
        outcome = slow.check("--baseline=missing.json", "--fix")
        assert (outcome.status, outcome.stdout) == (2, "")
        assert outcome.errors == ["pipelint: baseline missing.json does not exist; run `pipelint baseline` to write it"]
        assert slow.read("train.py") == ONE

    @pytest.mark.parametrize(
        "content",
        [
            *(b"", b"{", b"[]", b"3", b"\xff", b"[" * 100_000, b'{"version": 1}', b'{"version": 1, "findings": 3}'),
            b'{"version": 1, "findings": [{"path": "a", "code": "b", "message": "c", "fingerprint": 3}]}',
            b'<<<<<<< HEAD\n{"version": 1, "findings": []}\n',
        ],
    )
    def test_a_broken_file(self, quiet: Workspace, content: bytes) -> None:
        quiet.write(NAME, content)
        for command in ("check", "baseline"):
            outcome = quiet.run(command)
            assert (outcome.status, outcome.stdout) == (2, "")
            assert outcome.errors == [
                f"pipelint: {NAME} is not a baseline; delete it and run `pipelint baseline` to write it anew"
            ]
        assert (quiet.root / NAME).read_bytes() == content

    def test_a_file_of_a_later_version(self, quiet: Workspace) -> None:
        quiet.write(NAME, '{"version": 2, "findings": []}')
        outcome = quiet.check()
        assert outcome.status == 2
        assert outcome.errors == [
            f"pipelint: baseline {NAME} has version 2, which this pipelint cannot read; update pipelint"
        ]

    def test_a_directory(self, slow: Workspace) -> None:
        slow.write("train.py", ONE)
        (slow.root / "lint").mkdir()
        assert slow.check("--baseline=lint").errors == ["pipelint: baseline lint cannot be read: Is a directory"]

    def test_a_place_that_cannot_be_written(self, slow: Workspace) -> None:
        slow.write("train.py", ONE)
        outcome = slow.run("baseline", "--output=no/where.json")
        assert outcome.status == 2
        assert outcome.errors == ["pipelint: baseline no/where.json cannot be written: No such file or directory"]

    def test_a_missing_path(self, slow: Workspace) -> None:
        outcome = slow.run("baseline", "missing.py")
        assert outcome.status == 2
        assert outcome.errors == ["pipelint: missing.py: does not exist"]


def test_since_and_baseline_hide_together(quiet: Workspace) -> None:
    """Old by the revision, old by the baseline, and new by both."""
    repository = GitProject.create(quiet.root)
    quiet.write("train.py", tf("committed = tf.size(1)"))
    repository.commit()
    quiet.write("train.py", tf("committed = tf.size(1)", "listed = tf.size(2)"))
    quiet.run("baseline")
    assert len(entries(quiet)) == 2
    quiet.write("train.py", tf("committed = tf.size(1)", "listed = tf.size(2)", "new = tf.size(3)"))
    outcome = quiet.check("--since=HEAD", "--output-format=concise")
    assert outcome.stdout.splitlines()[0].startswith("train.py:4:7")
    assert outcome.stdout.splitlines()[1].endswith("the baseline hides 1 more (see --no-baseline).")


def test_a_project_without_configuration_has_its_baseline_in_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    project = GitProject(tmp_path)
    project.write(
        "a/train.py",
        tf(
            "ds = tf.data.TFRecordDataset('a').map(f, tf.data.experimental.AUTOTUNE)",
            "model.fit(ds.prefetch(tf.data.AUTOTUNE))",
        ),
    )
    assert len(project.check("--output-format=json").json["findings"]) == 1
    assert project.run("baseline").status == 0
    assert (
        project.check(f"--baseline={NAME}").stdout
        == "Nothing new: 1 file checked, the baseline hides 1 finding (see --no-baseline).\n"
    )


class TestTheUsualFile:
    @pytest.fixture
    def written(self, slow: Workspace) -> Workspace:
        """A project with a baseline that nothing names."""
        slow.write("deep/train.py", ONE)
        outcome = slow.run("baseline")
        assert outcome.stdout.splitlines()[1] == (
            "`pipelint check` leaves these out from now on; --no-baseline shows them."
        )
        return slow

    def test_is_taken_up_by_itself_and_can_be_left_alone(self, written: Workspace) -> None:
        assert written.check().status == 0
        assert written.check("--no-baseline").status == 1
        (written.root / NAME).unlink()
        assert written.check().status == 1

    def test_is_found_from_further_down(self, written: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(written.root / "deep")
        assert written.check().status == 0

    def test_that_leads_out_of_the_project_is_refused(self, written: Workspace) -> None:
        (written.root / NAME).rename(written.root.parent / "elsewhere.json")
        (written.root / NAME).symlink_to(written.root.parent / "elsewhere.json")
        outcome = written.check()
        assert outcome.status == 2
        assert "is a link that leads out of the project; use --baseline for its target" in outcome.stderr

    def test_of_another_name_has_to_be_named(self, slow: Workspace) -> None:
        slow.write("train.py", ONE)
        told = slow.run("baseline", "--baseline=old.json").stdout
        assert "`pipelint check --baseline old.json` leaves these out." in told
        assert slow.check().status == 1
