"""A fix that makes other findings appear is not applied, and its finding says why."""

from __future__ import annotations

import textwrap

from pipelint.lint.results import FileResult
from pipelint.lint.task import Mode
from pipelint.project.projects import Overrides
from tests import linting
from tests.workspace import Workspace, tf

QUIET = ("--output-format=concise", "-q")


def told(result: FileResult) -> list[tuple[str, int, str]]:
    """Code, line and why there is no fix of each finding."""
    return [(found.code, found.span.start.line, found.unfixed) for found in result.diagnostics]


def treated(source: str, mode: Mode, *codes: str) -> tuple[str, FileResult]:
    """A source after all fixes of these rules, and what is left."""
    source = textwrap.dedent(source).lstrip()
    result = linting.check(source, Overrides(select=codes, target_tensorflow=(2, 16)), mode)
    return (result.change.after.decode() if result.change else source), result


class TestWhatAFixUncovers:
    def test_is_left_covered(self, workspace: Workspace) -> None:
        workspace.rule("TEST101", "no-size", "size", "shape")
        workspace.rule("TEST201", "no-shape", "shape", severity="ERROR")
        workspace.write("train.py", tf("tf.size(1)"))
        outcome = workspace.check("--fix", *QUIET)
        assert workspace.read("train.py") == tf("tf.size(1)")
        assert outcome.stdout == (
            "train.py:2:1: warning TEST101 no-size: tf.size is slow "
            "[no fix: it would make TEST201 (no-shape) appear, in line 2]\n"
        )

    def test_does_not_count_as_advice_of_what_could_be_done_next(self, workspace: Workspace) -> None:
        workspace.rule("TEST101", "no-size", "size", "shape", severity="ERROR")
        workspace.rule("TEST201", "no-shape", "shape", severity="ADVICE")
        workspace.write("train.py", tf("tf.size(1)"))
        workspace.check("--fix")
        assert workspace.read("train.py") == tf("tf.shape(1)")

    def test_does_not_keep_other_fixes_back(self, workspace: Workspace) -> None:
        workspace.rule("TEST101", "no-size", "size", "shape")
        workspace.rule("TEST102", "no-rank", "rank", "ndim")
        workspace.rule("TEST201", "no-shape", "shape")
        lines = ["tf.rank(1)", "tf.size(1)", "tf.rank(2), tf.size(2)", "tf.rank(3)"]
        workspace.write("train.py", tf(*lines))
        outcome = workspace.check("--fix", *QUIET)
        assert workspace.read("train.py") == tf(*(line.replace("rank", "ndim") for line in lines))
        assert outcome.stdout.count("[no fix: it would make TEST201") == 2

    def test_is_no_objection_if_it_was_there_before(self, workspace: Workspace) -> None:
        workspace.rule("TEST101", "no-size", "size", "rank")
        workspace.rule("TEST201", "no-shape", "shape")
        workspace.write("train.py", tf("tf.size(tf.shape(1))", "tf.shape(2)"))
        workspace.check("--fix")
        assert workspace.read("train.py") == tf("tf.rank(tf.shape(1))", "tf.shape(2)")

    def test_is_no_objection_if_its_own_fix_mends_it(self, workspace: Workspace) -> None:
        workspace.rule("TEST101", "no-size", "size", "shape")
        workspace.rule("TEST201", "no-shape", "shape", "rank")
        workspace.write("train.py", tf("tf.size(1)"))
        assert workspace.check("--fix").status == 0
        assert workspace.read("train.py") == tf("tf.rank(1)")

    def test_is_one_if_its_own_fix_is_not_wanted(self, workspace: Workspace) -> None:
        workspace.rule("TEST101", "no-size", "size", "shape")
        workspace.rule("TEST201", "no-shape", "shape", "rank", safety="unsafe")
        workspace.write("train.py", tf("tf.size(1)"))
        workspace.check("--fix")
        assert workspace.read("train.py") == tf("tf.size(1)")

    def test_is_one_if_the_chain_of_fixes_ends_badly(self, workspace: Workspace) -> None:
        workspace.rule("TEST101", "no-size", "size", "shape")
        workspace.rule("TEST102", "no-shape", "shape", "rank")
        workspace.rule("TEST201", "no-rank", "rank", severity="ERROR")
        workspace.write("train.py", tf("tf.size(1)"))
        outcome = workspace.check("--fix", *QUIET)
        assert workspace.read("train.py") == tf("tf.size(1)")
        assert "[no fix: it would make TEST102 (no-shape) appear, in line 2]" in outcome.stdout

    def test_is_told_where_it_is_known_in_a_notebook(self, workspace: Workspace) -> None:
        workspace.rule("TEST101", "no-size", "size", "shape")
        workspace.rule("TEST201", "no-shape", "shape")
        workspace.notebook("train.ipynb", "import tensorflow as tf", "x = tf.size(1)")
        outcome = workspace.check("--fix", *QUIET)
        assert "[no fix: it would make TEST201 (no-shape) appear, in line 1 of cell 3]" in outcome.stdout

    def test_what_is_refused_is_not_fixable_any_more(self, workspace: Workspace) -> None:
        workspace.rule("TEST101", "no-size", "size", "shape")
        workspace.rule("TEST201", "no-shape", "shape")
        workspace.write("train.py", tf("tf.size(1)"))
        report = workspace.check("--fix", "--output-format=json").json
        assert report["summary"]["fixable"] == 0
        assert report["findings"][0]["fix"] is None
        assert report["findings"][0]["message"] == "tf.size is slow"

    def test_a_diff_agrees_with_the_fix(self, workspace: Workspace) -> None:
        workspace.rule("TEST101", "no-size", "size", "shape")
        workspace.rule("TEST102", "no-rank", "rank", "ndim")
        workspace.rule("TEST201", "no-shape", "shape")
        workspace.write("train.py", tf("tf.size(1)", "tf.rank(1)"))
        outcome = workspace.check("--diff", "--output-format=json")
        size, rank = outcome.json["findings"]
        assert (size["fix"], rank["fix"]["safety"]) == (None, "safe"), "the first would make TEST201 appear"
        assert "+tf.ndim(1)\n" in outcome.stderr
        assert "+tf.shape(1)\n" not in outcome.stderr


class TestEagerExecutionThatIsNeeded:
    SOURCE = """
    import numpy as np
    import tensorflow as tf

    class Net(tf.keras.Model):
        def train_step(self, data):
            x, y = data
            return {"loss": np.mean(x)}

    model = Net()
    model.compile("adam", "mse", run_eagerly=True)
    model.fit(x, y)
    """

    def test_is_not_offered_to_be_removed(self) -> None:
        _, result = treated(self.SOURCE, Mode.REPORT, "PIPE9", "PIPE6")
        ((code, line, _),) = told(result)
        assert (code, line) == ("PIPE901", 10)
        assert result.diagnostics[0].message.endswith("; first `Net.train_step` has to do without `np.mean`")
        assert result.diagnostics[0].fix is None

    def test_is_not_removed(self) -> None:
        after, _ = treated(self.SOURCE, Mode.FIX, "PIPE9", "PIPE6")
        assert "run_eagerly=True" in after

    def test_is_removed_where_nothing_needs_it(self) -> None:
        after, result = treated(self.SOURCE.replace("np.mean", "tf.reduce_mean"), Mode.FIX, "PIPE9", "PIPE6")
        assert "run_eagerly" not in after
        assert told(result) == []

    def test_is_offered_beside_a_cell_that_cannot_be_read(self, workspace: Workspace) -> None:
        workspace.configure(select="PIPE901")
        call = "tf.debugging.enable_check_numerics()"
        workspace.notebook("train.ipynb", "import tensorflow as tf", "tf.constant(1) 2", f"{call}\nmodel.fit(x)")
        outcome = workspace.check("--output-format=json")
        assert (outcome.status, len(outcome.json["errors"])) == (2, 1)
        assert outcome.json["findings"][0]["fix"]["title"] == f"remove {call}"


def test_a_stage_that_was_dropped_is_not_added_a_second_time() -> None:
    """Once the dropped prefetch is assigned, nothing is missing."""
    source = """
    import tensorflow as tf
    ds = tf.data.Dataset.range(9000).batch(3)
    ds.prefetch(1)
    model.fit(ds)
    """
    after, result = treated(source, Mode.FIX, "PIPE101", "PIPE110")
    assert after.count("prefetch") == 1
    assert "ds = ds.prefetch(1)\n" in after
    assert told(result) == []
