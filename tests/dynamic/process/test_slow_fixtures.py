"""`pipelint profile` on the slow training scripts: the stage that slows each one is named at its line."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.linting import ROOT
from tests.tree.test_fixtures import culprits

pytestmark = [pytest.mark.timing, pytest.mark.network]
SLOW = ROOT / "fixtures" / "slow"


def profiled(script: str) -> dict[str, Any]:
    """The training pipeline of a script."""
    command = [sys.executable, "-m", "pipelint", "profile", script, "--seconds", "6", "--output-format", "json"]
    completed = subprocess.run(command, cwd=SLOW, capture_output=True, text=True, timeout=300, check=False)
    assert completed.returncode == 0, completed.stderr
    profile = json.loads(completed.stdout)
    assert profile["error"] is None
    return dict(profile["pipelines"][0])


@pytest.mark.parametrize(("script", "line", "stage", "code"), culprits())
def test_the_stage_that_slows_a_script_is_named_at_its_line(script: str, line: int, stage: str, code: str) -> None:
    pipeline = profiled(script)
    stages = {stage["id"]: stage for stage in pipeline["stages"]}
    bottleneck = stages[pipeline["bottleneck"]]
    if bottleneck["line"] != line and "the figures are rough" in pipeline["note"]:
        pytest.skip("other programs took the processors")
    assert (bottleneck["path"], bottleneck["line"]) == (script, line)
    assert sum(stage["share"] for stage in stages.values() if stage["line"] == line) > 0.5
    assert (code, line) in [(suggestion["code"], suggestion["line"]) for suggestion in pipeline["suggestions"]]
    assert pipeline["input_bound"] > 0.05
