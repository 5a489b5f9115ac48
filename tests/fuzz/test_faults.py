"""A few accidents in every run of the tests; `python -m tests.fuzz.faults` takes any number."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(sys.platform == "win32", reason="forks, and kills by signal")
@pytest.mark.parametrize("kind", ["clock", "write", "disk", "saved", "two"])
def test_whatever_happens_to_a_run_files_stay_whole(kind: str) -> None:
    # In a process of its own, since that of the tests has threads, which do not survive a fork.
    command = [sys.executable, "-m", "tests.fuzz.faults", "--kind", kind, "--kills", "16", "--others", "3"]
    completed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert completed.returncode == 0, completed.stdout + completed.stderr
