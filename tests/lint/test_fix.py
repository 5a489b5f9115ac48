"""Fixes: what is written, what is shown, and what is left alone."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.workspace import IMPORT, Workspace, tf

TAKING_TURNS = """
from pipelint.rule import Edit, Fix, Region, ReplaceText, Rule, Safety, Severity


class Turns(Rule):
    '''Each fix rewrites all that comes behind as well.'''

    code, name, severity, fix = "TEST101", "turns", Severity.WARNING, "safe"

    def check(self, program):
        found = [reference.region for reference in program.references if reference.name == "tensorflow.size"]
        for index, region in enumerate(found):
            text = "tf.rank" + ", tf.size" * (len(found) - index - 1)
            fix = Fix("turn", Safety.SAFE, ReplaceText((Edit(Region(region.start, found[-1].end), text),)))
            yield self.finding(region, "slow", fix=fix)
"""
POINTS = """
from pipelint.rule import Edit, Fix, Region, ReplaceText, Rule, Safety, Severity


class Points(Rule):
    '''Of `[tf.size, 100, tf.size]`, each fix puts a point into the number.'''

    code, name, severity, fix = "TEST101", "points", Severity.WARNING, "safe"

    def check(self, program):
        found = [reference.region for reference in program.references if reference.name == "tensorflow.size"]
        for index, region in enumerate(found):
            point = found[0].end + len(", 1") + index
            edits = (Edit(region, "tf.rank"), *([Edit(Region(point, point), ".")] if len(found) == 2 else []))
            yield self.finding(region, "slow", fix=Fix("point", Safety.SAFE, ReplaceText(edits)))
"""


class TestFix:
    def test_safe_fixes_are_written_and_the_rest_is_reported(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = tf.size(1), tf.rank(1)"))
        outcome = slow.check("--fix")
        assert slow.read("train.py") == tf("x = tf.shape_n(1), tf.rank(1)")
        assert "no-size" not in outcome.stdout
        assert "no-rank" in outcome.stdout
        last = outcome.stdout.splitlines()[-1]
        assert (
            last
            == "Fixed 1 finding. Found no errors or warnings, 1 piece of advice in 1 file; 1 fixable with --fix --unsafe-fixes."
        )
        assert outcome.status == 0, "advice is left"

    def test_unsafe_fixes_only_when_asked(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = tf.size(1), tf.rank(1)"))
        slow.check("--fix", "--unsafe-fixes")
        assert slow.read("train.py") == tf("x = tf.shape_n(1), tf.ndim(1)")

    @pytest.mark.parametrize("options", [[], ["--unsafe-fixes"], ["--diff"], ["--diff", "--fix", "--unsafe-fixes"]])
    def test_nothing_else_writes(self, slow: Workspace, options: list[str]) -> None:
        source = tf("x = tf.size(1), tf.rank(1)")
        slow.write("train.py", source)
        slow.check(*options)
        assert slow.read("train.py") == source

    def test_passes_repeat_until_nothing_changes(self, workspace: Workspace) -> None:
        for number in range(5):
            workspace.rule(f"TEST10{number}", f"step-{number}", f"op{number}", f"op{number + 1}")
        workspace.write("train.py", tf("tf.op0()"))
        outcome = workspace.check("--fix")
        assert workspace.read("train.py") == tf("tf.op5()")
        assert outcome.status == 0
        assert outcome.stdout == "Fixed 5 findings. All clean: 1 file checked.\n"

    def test_a_second_run_changes_nothing(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = tf.size(tf.size(1)), tf.rank(1)"))
        slow.check("--fix", "--unsafe-fixes")
        once = slow.read("train.py")
        assert slow.check("--diff", "--unsafe-fixes").status == 0
        slow.check("--fix", "--unsafe-fixes")
        assert slow.read("train.py") == once

    def test_overlapping_fixes_take_turns(self, slow: Workspace) -> None:
        slow.rule("TEST103", "no-size-either", "size", "length")
        slow.write("train.py", tf("tf.size(1)"))
        outcome = slow.check("--fix")
        assert slow.read("train.py") in (tf("tf.shape_n(1)"), tf("tf.length(1)"))
        assert outcome.status == 0

    def test_fixes_that_undo_each_other_are_left_out(self, workspace: Workspace) -> None:
        workspace.rule("TEST101", "no-size", "size", "rank")
        workspace.rule("TEST102", "no-rank", "rank", "size")
        workspace.write("train.py", tf("tf.size(1)"))
        outcome = workspace.check("--fix", "--output-format=concise", "-q")
        assert (outcome.status, workspace.read("train.py")) == (1, tf("tf.size(1)"))
        assert "[no fix: it would make TEST102 (no-rank) appear, in line 2]" in outcome.stdout

    @pytest.mark.parametrize("new", ["size.size", "size(1) + tf.size"], ids=["the same", "once more"])
    def test_a_fix_that_leaves_its_finding_changes_nothing(self, workspace: Workspace, new: str) -> None:
        workspace.rule("TEST101", "no-size", "size", new)
        workspace.rule("TEST102", "no-rank", "rank", "ndim")
        workspace.write("train.py", tf("tf.size(1)", "tf.rank(1)"))
        outcome = workspace.check("--fix", "--output-format=concise", "-q")
        assert (outcome.status, outcome.errors) == (1, [])
        assert outcome.stdout.endswith("[no fix: it would leave TEST101 as it is]\n")
        assert workspace.read("train.py") == tf("tf.size(1)", "tf.ndim(1)")

    def test_fixes_that_wake_each_other_without_end_change_nothing(self, workspace: Workspace) -> None:
        for number in range(25):
            workspace.rule(f"TEST1{number:02}", f"step-{number}", f"op{number}", f"op{number + 1}")
        workspace.write("train.py", tf("tf.op0()"))
        outcome = workspace.check("--fix", "--output-format=concise", "-q")
        assert (outcome.status, workspace.read("train.py")) == (1, tf("tf.op0()"))
        assert "[no fix: it would make TEST101 (step-1) appear, in line 2]" in outcome.stdout

    def test_fixes_that_can_only_take_turns_take_as_many_as_they_need(self, workspace: Workspace) -> None:
        workspace.raw_rule("turns", TAKING_TURNS)
        workspace.write("train.py", tf(f"x = [{'tf.size, ' * 25}]"))
        assert workspace.check("--fix").stdout == "Fixed 25 findings. All clean: 1 file checked.\n"
        assert workspace.read("train.py") == tf(f"x = [{'tf.rank, ' * 25}]")

    def test_fixes_that_only_together_break_the_source_take_turns(self, workspace: Workspace) -> None:
        workspace.raw_rule("points", POINTS)
        workspace.write("train.py", tf("x = [tf.size, 100, tf.size]"))
        outcome = workspace.check("--fix")
        assert (outcome.status, outcome.errors) == (0, [])
        assert workspace.read("train.py") == tf("x = [tf.rank, 1.00, tf.rank]")

    def test_a_fix_that_breaks_the_source_is_named_and_never_written(self, slow: Workspace) -> None:
        slow.rule("TEST666", "breaks", "cast", "cast(")
        source = tf("tf.size(1)", "tf.cast(1)")
        slow.write("train.py", source)
        slow.write("other.py", tf("tf.size(1)"))
        outcome = slow.check("--fix")
        assert outcome.status == 2
        assert len(outcome.errors) == 1
        assert "train.py: the fix of TEST666 (breaks) in line 3, from own_rules/breaks.py, fails" in outcome.stderr
        assert slow.read("train.py") == source
        assert slow.read("other.py") == tf("tf.shape_n(1)")

    def test_a_fix_that_crashes_costs_only_itself(self, slow: Workspace) -> None:
        slow.raw_rule(
            "crash",
            """
            from pipelint.rule import Fix, Region, ReplaceText, Rule, Safety, Severity

            class Crash(Rule):
                '''Its fix crashes.'''
                code, name, severity, fix = "TEST666", "crash", Severity.WARNING, "safe"

                def check(self, program):
                    yield self.finding(Region(0, 6), "here", fix=Fix("crash", Safety.SAFE, ReplaceText(1)))
            """,
        )
        slow.write("train.py", tf("tf.size(1)"))
        outcome = slow.check("--output-format=concise")
        assert "the fix of TEST666 (crash), from own_rules/crash.py, fails: TypeError" in outcome.stderr
        assert "train.py:1:1: warning TEST666 crash: here\n" in outcome.stdout
        assert "TEST101 no-size" in outcome.stdout

    def test_what_is_suppressed_is_not_fixed(self, slow: Workspace) -> None:
        source = tf("tf.size(1)  # noqa: TEST101", "tf.size(2)  # pipelint: ignore[no-size]")
        slow.write("train.py", source)
        assert slow.check("--fix").status == 0
        assert slow.read("train.py") == source

    def test_a_file_that_cannot_be_written_is_an_error_and_the_others_are_fixed(
        self, slow: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        slow.write("full_disk.py", tf("tf.size(1)"))
        slow.write("train.py", tf("tf.size(1)"))
        replace = os.replace

        def refuse(source: str, target: Path) -> None:
            if target.name == "full_disk.py":
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            replace(source, target)

        monkeypatch.setattr(os, "replace", refuse)
        outcome = slow.check("--fix")
        assert outcome.status == 2
        assert outcome.errors == ["pipelint: full_disk.py: cannot be written: No space left on device"]
        assert "full_disk.py:2:1: warning TEST101" in outcome.stdout
        assert slow.read("full_disk.py") == tf("tf.size(1)")
        assert slow.read("train.py") == tf("tf.shape_n(1)")
        assert sorted(path.name for path in slow.root.glob("*full_disk*")) == ["full_disk.py"]

    def test_every_other_byte_stays(self, slow: Workspace) -> None:
        before = f"\ufeff{IMPORT}\r\n\x0c\r\nx = tf.size( 1 ) ;  y = 'é'\t# end".encode()
        slow.write("train.py", before)
        slow.check("--fix")
        assert (slow.root / "train.py").read_bytes() == before.replace(b"tf.size", b"tf.shape_n")

    def test_a_notebook_keeps_all_but_the_source(self, slow: Workspace) -> None:
        path = slow.notebook("train.ipynb", f"%time\n{IMPORT}\n", "x = tf.size(1)\n!ls", "y = tf.size(2)")
        before = path.read_bytes()
        slow.check("--fix")
        assert path.read_bytes() == before.replace(b"tf.size", b"tf.shape_n")

    def test_a_notebook_with_a_broken_cell_is_reported_and_left_alone(self, slow: Workspace) -> None:
        path = slow.notebook("train.ipynb", IMPORT, "print tf.zeros", "x = tf.size(1)")
        before = path.read_bytes()
        outcome = slow.check("--fix", "--output-format=concise")
        assert path.read_bytes() == before
        assert outcome.status == 2
        assert outcome.stdout.startswith("train.ipynb:cell 4:1:5: warning TEST101")
        assert outcome.stderr.startswith("pipelint: train.ipynb:cell 3:1: ")


class TestDiff:
    def test_shows_what_fix_would_change_and_beside_it_what_was_found(self, slow: Workspace) -> None:
        slow.write("src/train.py", tf("x = tf.size(1), tf.rank(1)"))
        outcome = slow.check("--diff", "--output-format=concise")
        assert outcome.status == 1
        assert outcome.stderr == (
            "Found 1 warning and 1 piece of advice in 1 file; 1 fixable with --fix, 1 more with --unsafe-fixes.\n"
        )
        assert outcome.stdout == (
            "--- src/train.py\n"
            "+++ src/train.py\n"
            "@@ -1,2 +1,2 @@\n"
            f" {IMPORT}\n"
            "-x = tf.size(1), tf.rank(1)\n"
            "+x = tf.shape_n(1), tf.rank(1)\n"
        )

    def test_unsafe_fixes_show_more(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = tf.rank(1)"))
        assert slow.check("--diff").status == 0
        outcome = slow.check("--diff", "--unsafe-fixes")
        assert "+x = tf.ndim(1)\n" in outcome.stdout
        assert outcome.status == 1, "there is a diff, though only of advice"
        assert slow.check("--diff", "--unsafe-fixes", "--exit-zero").status == 0

    def test_a_notebook_is_shown_cell_by_cell_as_source(self, slow: Workspace) -> None:
        slow.notebook("train.ipynb", IMPORT, "%time\nx = tf.size(1)")
        assert slow.check("--diff", "--quiet").stdout.endswith(
            "--- train.ipynb:cell 3\n"
            "+++ train.ipynb:cell 3\n"
            "@@ -1,2 +1,2 @@\n"
            " %time\n"
            "-x = tf.size(1)\n"
            "+x = tf.shape_n(1)\n"
        )

    @pytest.mark.skipif(shutil.which("patch") is None, reason="needs patch")
    @pytest.mark.parametrize("end", ["\n", "\r\n", ""])
    def test_patch_applies_it(self, slow: Workspace, end: str) -> None:
        slow.write("train.py", f"{IMPORT}\n\x0c\nx = tf.size(1){end}")
        command = [sys.executable, "-m", "pipelint", "check", "--diff", "--exit-zero"]
        diff = subprocess.run(command, check=True, capture_output=True).stdout
        subprocess.run(["patch", "-p0", "--binary"], input=diff, check=True, capture_output=True)
        assert slow.read("train.py") == f"{IMPORT}\n\x0c\nx = tf.shape_n(1){end}"

    def test_has_stdout_for_itself_beside_an_output_file(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = tf.size(1)"))
        assert slow.check("--diff", "--output-file=report.txt").stdout.startswith("--- train.py\n")

    def test_goes_to_stderr_beside_json(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = tf.size(1)"))
        outcome = slow.check("--diff", "--output-format=json")
        assert len(outcome.json["findings"]) == 1
        assert "+x = tf.shape_n(1)\n" in outcome.stderr

    def test_of_standard_input(self, slow: Workspace) -> None:
        outcome = slow.check("-", "--diff", "--stdin-filename=a.py", "--quiet", stdin=tf("x = tf.size(1)"))
        assert "--- a.py\n" in outcome.stdout

    def test_has_colours_when_asked(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = tf.size(1)"))
        assert "\x1b[32m+x = tf.shape_n(1)\x1b[0m\n" in slow.check("--diff", "--color=always").stdout


class TestAddNoqa:
    def test_silences_what_is_found_today(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = tf.size(1), tf.rank(1)", "y = tf.size(2)  # why not"))
        outcome = slow.check("--add-noqa")
        assert outcome.status == 0
        assert outcome.stdout == "Silenced 3 findings in 1 file.\n"
        assert slow.read("train.py") == tf(
            "x = tf.size(1), tf.rank(1)  # noqa: TEST101, TEST102", "y = tf.size(2)  # why not  # noqa: TEST101"
        )
        assert slow.check().stdout == "All clean: 1 file checked.\n"

    def test_works_in_notebooks(self, slow: Workspace) -> None:
        path = slow.notebook("train.ipynb", IMPORT, "%time\nx = tf.size(1)")
        slow.check("--add-noqa")
        assert json.loads(path.read_bytes())["cells"][2]["source"] == ["%time\n", "x = tf.size(1)  # noqa: TEST101"]

    def test_says_when_there_is_nothing_to_do(self, slow: Workspace) -> None:
        slow.write("train.py", tf())
        assert slow.check("--add-noqa").stdout == "Silenced 0 findings in 0 files.\n"


class TestUnusedSuppressions:
    @pytest.fixture
    def project(self, slow: Workspace) -> Workspace:
        slow.configure('extend-select = ["PIPE001"]')
        return slow

    def test_are_found_and_removed(self, project: Workspace) -> None:
        project.write("train.py", tf("x = 1  # noqa: TEST101", "y = tf.size(1)  # noqa: TEST101"))
        outcome = project.check("--output-format=concise", "--quiet")
        assert outcome.stdout.startswith("train.py:2:")
        assert "PIPE001 unused-suppression" in outcome.stdout
        assert len(outcome.stdout.splitlines()) == 1
        project.check("--fix")
        assert project.read("train.py") == tf("x = 1", "y = tf.size(1)  # noqa: TEST101")

    def test_are_found_in_files_that_have_nothing_to_do_with_tensorflow(self, project: Workspace) -> None:
        project.write("plain.py", "x = 1  # noqa: PIPE201\n")
        assert "plain.py:1:16" in project.check("--select=PIPE", "--output-format=concise").stdout

    def test_of_rules_that_did_not_run_are_left_alone(self, project: Workspace) -> None:
        project.write("train.py", tf("x = 1  # noqa: TEST101, PIPE201"))
        assert project.check("--ignore=TEST101").status == 0

    def test_are_not_silenced_by_the_comment_itself(self, project: Workspace) -> None:
        project.write("train.py", tf("x = 1  # noqa: TEST101, PIPE001"))
        assert project.check().status == 0, "PIPE001 is named"

    def test_are_not_judged_in_a_file_that_failed(self, project: Workspace) -> None:
        project.write("train.py", tf("def (:  # noqa: TEST101"))
        assert project.check("--output-format=json").json["findings"] == []
