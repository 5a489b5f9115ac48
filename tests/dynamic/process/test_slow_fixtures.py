"""`pipelint profile` on the slow training scripts: the stage that slows each one is named at its line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.linting import ROOT
from tests.tree.test_fixtures import culprits

pytestmark = [pytest.mark.timing, pytest.mark.network]
SLOW = ROOT / "fixtures" / "slow"


PROJECT = ROOT / "fixtures" / "project" / "slow"


def profiled(target: str, cwd: Path = SLOW) -> dict[str, Any]:
    """The training pipeline of a script, or the dataset that a module of the project has."""
    command = [sys.executable, "-m", "pipelint", "profile", target, "--seconds", "6", "--output-format", "json"]
    environment = os.environ | {"PYTHONPATH": "src", "PYTHONDONTWRITEBYTECODE": "1"}
    completed = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
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


@pytest.mark.parametrize("target", ["shapes.train:training_batches", "src/shapes/train.py"])
def test_stages_of_a_project_are_named_in_the_modules_that_build_them(target: str) -> None:
    pipeline = profiled(target, PROJECT)
    data, train = "src/shapes/pipeline/data.py", "src/shapes/train.py"
    assert [(stage["op"], stage["path"], stage["line"]) for stage in pipeline["stages"]] == [
        ("TFRecordDataset", data, 20),
        ("map", data, 21),
        ("map", data, 26),
        ("map", data, 26),
        ("shuffle", train, 10),
        ("batch", data, 30),
        ("prefetch", train, 11),
    ]
    # Beside a step that takes longer than the input, a parallel map gains nothing and is not suggested.
    if target != train:
        told = [(said["code"], said["path"], said["line"]) for said in pipeline["suggestions"]]
        # What gains too little while others have the processors is explained instead.
        assert ("PIPE201", data, 26) in told or pipeline["remarks"]
