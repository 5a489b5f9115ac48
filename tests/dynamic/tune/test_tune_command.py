"""`pipelint tune` from the command line, on a program of two files that it may not touch."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from pipelint.dynamic.process import supervisor, target
from pipelint.dynamic.process.channel import TrialTerms
from pipelint.dynamic.tune.verification import compared
from pipelint.dynamic.tuning import Sameness
from tests.workspace import PIPELINT

pytest.importorskip("tensorflow", reason="programs are run on TensorFlow")
pytestmark = pytest.mark.network

TRAIN = """
    import os
    from data import batches
    import keras

    assert os.path.exists("numbers.txt"), "runs where the user ran it"
    assert os.path.exists(os.path.join(os.path.dirname(__file__), "data.py")), "has its own place"
    model = keras.Sequential([keras.Input([1]), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(batches(), epochs=4, verbose=0)
"""
DATA = """
    import time
    import numpy as np
    import tensorflow as tf

    def read(number):
        time.sleep(0.004)
        return np.float32([number])

    def load(number):
        value = tf.ensure_shape(tf.numpy_function(read, [number], tf.float32), [1])
        return value, value

    def batches():
        numbers = tf.data.TextLineDataset("numbers.txt").map(lambda line: tf.strings.to_number(line, tf.int64))
        return numbers.map(load).batch(8)
"""
SCRIPT_WITH_A_LOOP = """\
import tensorflow as tf

@tf.function
def step(total, batch):
    if tf.reduce_sum(batch) > 3.0:
        total += 1.0
    return total

total = tf.constant(0.0)
for batch in tf.data.Dataset.range(64).map(lambda x: tf.cast(x, tf.float32)).batch(4):
    total = step(total, batch)
assert float(total) == 16.0
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "train.py").write_text(textwrap.dedent(TRAIN))
    (tmp_path / "src" / "data.py").write_text(textwrap.dedent(DATA))
    (tmp_path / "numbers.txt").write_text("".join(f"{number}\n" for number in range(160)))
    return tmp_path


def _files(directory: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(path.relative_to(directory)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(directory.rglob("*"))
        if path.is_file()
    }


def test_a_project_is_tuned_where_its_stages_are_and_nothing_of_it_is_touched(project: Path) -> None:
    before = _files(project)
    completed = subprocess.run(
        [*PIPELINT, "tune", "src/train.py", "--minutes=0.5", "--output-format=json"],
        cwd=project,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert completed.returncode == 0, completed.stderr
    assert _files(project) == before
    document = json.loads(completed.stdout)
    assert (document["version"], document["target"], document["error"]) == (1, "src/train.py", None)
    assert document["before"] > 0
    assert document["rewrites"]
    for rewrite in document["rewrites"]:
        assert {"code", "path", "line", "ratio", "low", "high", "verified", "accepted", "reason"} <= set(rewrite)
    tried = [rewrite for rewrite in document["rewrites"] if rewrite["ratio"] is not None]
    assert {rewrite["path"] for rewrite in tried} == {"src/data.py"}
    assert {rewrite["verified"] for rewrite in tried} <= {"identical", "same elements"}
    accepted = [rewrite for rewrite in document["rewrites"] if rewrite["accepted"]]
    assert bool(accepted) == ("+++ src/data.py" in document["diff"])


def test_what_was_kept_is_written_and_nothing_else(project: Path) -> None:
    before = _files(project)
    completed = subprocess.run(
        [*PIPELINT, "tune", "src/train.py", "--minutes=0.5", "--write", "--unsafe-fixes", "--output-format=json"],
        cwd=project,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert completed.returncode == 0, completed.stderr
    after = _files(project)
    changed = {name for name in before if after[name] != before[name]}
    document = json.loads(completed.stdout)
    accepted = [rewrite for rewrite in document["rewrites"] if rewrite["accepted"]]
    assert changed == {rewrite["path"] for rewrite in accepted}
    assert ("src/data.py is rewritten" in completed.stderr) == bool(accepted)
    assert set(after) == set(before)
    added = [line[1:] for line in document["diff"].splitlines() if line.startswith("+") and line[:3] != "+++"]
    assert all(line in (project / "src" / "data.py").read_text().splitlines() for line in added)
    subprocess.run([sys.executable, "src/train.py"], cwd=project, check=True, capture_output=True, timeout=120)


def test_a_copy_runs_in_place_of_a_file_and_data_that_changes_is_noticed(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    before = _files(project)
    data = project / "src" / "data.py"
    changed = data.read_text().replace("np.float32([number])", "np.float32([number + (number == 7)])").encode()

    def run(files: dict[Path, bytes]) -> supervisor.Outcome:
        terms = TrialTerms(reads_data=True)
        wanted = target.parse("src/train.py")
        return supervisor.run_once(wanted, 1.0, lambda progress: None, edited=files, trial=terms, quiet=True)

    written, edited = run({}).run, run({data: changed}).run
    assert (written.error, edited.error) == (None, None)
    assert written.contents is not None
    assert edited.contents is not None
    verdict = compared(written.contents, edited.contents)
    assert (verdict.sameness, verdict.reason) == (
        Sameness.CHANGED,
        "1 of 160 examples differ, the first is number 8",
    )
    assert _files(project) == before


def test_autograph_converts_what_stands_in_the_copy(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(f"SKIPPED = 1\n\n{SCRIPT_WITH_A_LOOP}")
    shorter = {script: SCRIPT_WITH_A_LOOP.encode()}
    terms = TrialTerms(reads_data=True)
    wanted = target.parse(str(script))
    run = supervisor.run_once(wanted, 1.0, lambda progress: None, edited=shorter, trial=terms, quiet=True).run
    assert run.error is None
    assert run.contents is not None


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_one_that_is_killed_leaves_the_files_as_they_were(project: Path) -> None:
    before = _files(project)
    command = [*PIPELINT, "tune", "src/train.py", "--write", "--unsafe-fixes"]
    with subprocess.Popen(command, cwd=project, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as running:
        time.sleep(4)
        os.kill(running.pid, signal.SIGKILL)
    assert _files(project) == before


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal interrupts in another way there")
def test_one_that_is_interrupted_tells_the_best_so_far(project: Path) -> None:
    before = _files(project)
    command = [*PIPELINT, "tune", "src/train.py"]
    with subprocess.Popen(
        command, cwd=project, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as running:
        assert running.stderr is not None
        next(line for line in running.stderr if "reading the data" in line)
        # A terminal tells the whole group, the child that runs the program included.
        os.killpg(running.pid, signal.SIGINT)
        told, _ = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "ended: interrupted; this is the best so far" in told
    assert "Traceback" not in told
    assert _files(project) == before


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["train.py"], "train.py: no such file"),
        (["src/train.py", "--output-file=nowhere/x"], "--output-file: cannot write"),
        (["src/train.py", "--minutes=0"], "--minutes"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_runs(project: Path, arguments: list[str], complaint: str) -> None:
    completed = subprocess.run(
        [*PIPELINT, "tune", *arguments], cwd=project, capture_output=True, text=True, timeout=60, check=False
    )
    assert completed.returncode == 2
    assert complaint in completed.stderr
    assert len(completed.stderr.splitlines()) == 1
