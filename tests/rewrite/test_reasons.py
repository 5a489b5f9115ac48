"""Where a rule has a fix in mind that the source cannot take, the finding says why."""

from __future__ import annotations

import pytest

from pipelint.lint.task import Mode
from pipelint.project.projects import Overrides
from pipelint.rewrite.concrete import DEEPEST
from tests import linting
from tests.rewrite.fixing import TF
from tests.workspace import Workspace

REASONS = {
    "a chain beyond the limit": (
        "PIPE101",
        f"model.fit(tf.data.TFRecordDataset(f){'.filter(g)' * (DEEPEST // 2)}.batch(2), epochs=9)\n",
        "the expression is nested too deeply, or its chain is longer than a hundred calls",
    ),
    "a stage that others share": (
        "PIPE302",
        "ds = R(f).shuffle(9)\ntrain = ds.cache()\nmodel.fit(train.batch(2), epochs=9)\nmodel.fit(ds.batch(4), epochs=9)\n",
        "other pipelines share `cache`, or the stages beside its new place, and would change too",
    ),
    "a stage of one branch": (
        "PIPE302",
        "ds = R(f).shuffle(9)\npath = place()\nds = ds.cache(path)\nmodel.fit(ds.batch(2), epochs=9)\n",
        "`cache` and its new place stand in different blocks, or its arguments change in between",
    ),
    "a comment between a dot and a name": (
        "PIPE302",
        "ds = (R(f).shuffle(9).  # keep\n      cache())\nmodel.fit(ds.batch(2), epochs=9)\n",
        "a comment stands between the dot and the method, about neither of the two stages",
    ),
    "a name that is not the function's own": (
        "PIPE110",
        "ds = R(f)\ndef mix():\n    ds.shuffle(9)\n",
        "an assignment would make `ds` a local variable of the function",
    ),
}


@pytest.mark.parametrize("mode", [Mode.REPORT, Mode.DIFF, Mode.FIX])
@pytest.mark.parametrize(("code", "source", "why"), REASONS.values(), ids=REASONS)
def test_a_fix_that_does_not_fit_says_why(code: str, source: str, why: str, mode: Mode) -> None:
    source = f"{TF}R = tf.data.TFRecordDataset\n{source}"
    result = linting.check(source, Overrides(select=(code,), target_tensorflow=(2, 8)), mode)
    assert [(found.code, found.fix, found.unfixed) for found in result.diagnostics] == [(code, None, why)]
    assert result.change is None


def test_the_reason_is_shown_below_the_source(workspace: Workspace) -> None:
    workspace.configure(select="PIPE110")
    workspace.write("train.py", f"{TF}ds = tf.data.Dataset.range(9)\ndef mix():\n    ds.shuffle(9)\n")
    lines = workspace.check().stdout.splitlines()
    assert "  = no fix: an assignment would make `ds` a local variable of the function" in lines
    assert lines[-1] == "Found 1 error in 1 file."


def test_a_finding_without_any_fix_in_mind_gives_no_reason(workspace: Workspace) -> None:
    workspace.rule("TEST201", "no-shape", "shape")
    workspace.write("train.py", f"{TF}x = tf.shape(1)\n")
    assert "no fix" not in workspace.check().stdout
