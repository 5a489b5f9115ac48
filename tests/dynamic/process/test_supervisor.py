"""A child process that hangs, dies or grows: one line, and what it had measured."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pipelint.dynamic.process import supervisor
from pipelint.dynamic.process.target import Target

pytestmark = pytest.mark.network
ROOT = Path(__file__).parents[3]
TARGET = Target("train.py", script=Path("train.py"))


@pytest.fixture
def pretend(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(supervisor, "WORKER", "tests.dynamic.pretend_worker")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return monkeypatch


def run() -> supervisor.Outcome:
    return supervisor.run(TARGET, 0.1, io.StringIO())


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals to die by")
@pytest.mark.parametrize(("how", "pipelines"), [("dies", 1), ("dies early", 0)])
def test_a_crash_is_one_line_with_what_was_measured(pretend: pytest.MonkeyPatch, how: str, pipelines: int) -> None:
    pretend.setenv("PRETEND", how)
    measured = run().run
    assert measured.error == "train.py: the child process ended by SIGSEGV while measuring each stage"
    assert len(measured.pipelines) == pipelines


def test_a_child_that_never_speaks_is_one_line(pretend: pytest.MonkeyPatch) -> None:
    pretend.setenv("PRETEND", "dies unseen")
    assert run().run.error == ("train.py: the child process ended with status 3 while starting TensorFlow for train.py")


def test_silence_while_measuring_has_an_end(pretend: pytest.MonkeyPatch) -> None:
    pretend.setenv("PRETEND", "hangs")
    pretend.setattr(supervisor, "PATIENCE", 0.5)
    measured = run().run
    assert measured.error is not None
    assert "nothing came for 1 s while measuring each stage, so it was ended" in measured.error
    assert len(measured.pipelines) == 1


def test_a_step_that_takes_too_long_costs_nothing_of_what_was_measured(pretend: pytest.MonkeyPatch) -> None:
    pretend.setenv("PRETEND", "hangs in the step")
    pretend.setattr(supervisor, "PATIENCE", 0.5)
    measured = run().run
    assert measured.error is None
    (pipeline,) = measured.pipelines
    assert pipeline.measurement is not None
    assert pipeline.measurement.note == "the step was not timed (1 s)"


def test_memory_has_a_ceiling(pretend: pytest.MonkeyPatch) -> None:
    pretend.setenv("PRETEND", "hangs")
    pretend.setattr(supervisor, "machine_bytes", lambda: 4 << 20)
    pretend.setattr(supervisor, "resident_bytes", lambda process: 15 << 18)
    error = run().run.error
    assert error is not None
    assert "it held 3.8 MiB of the machine's 4 MiB while" in error
    assert "look at shuffle buffers and caches" in error


@pytest.mark.parametrize(
    "nonsense",
    [
        "",
        "[]",
        "{}",
        '{"progress": 3}',
        '{"progress": {"text": "a", "fraction": "b", "measuring": true}}',
        '{"run": {"pipelines": [{}]}, "complete": true}',
        '{"run": {"target": "x", "pipelines": [{"functions": [{"class": "os.system"}]}]}, "complete": true}',
        "[" * 100_000,
        "\x80\x04.",
    ],
)
def test_what_is_no_message_ends_the_run(pretend: pytest.MonkeyPatch, nonsense: str) -> None:
    """The program may find the line and say what it likes: nothing is made of it, and nothing waits for ever."""
    pretend.setenv("PRETEND", "speaks nonsense")
    pretend.setenv("NONSENSE", nonsense)
    measured = run().run
    assert measured.error == "train.py: the child process spoke nonsense while measuring each stage, so it was ended"
    assert len(measured.pipelines) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands over orphans")
def test_what_the_program_started_ends_with_it_and_nothing_else(pretend: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pretend.setenv("PRETEND", "leaves processes")
    pretend.setenv("NUMBERS", str(tmp_path / "numbers"))
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as bystander:
        assert run().run.error is None
        numbers = json.loads((tmp_path / "numbers").read_text())
        assert len(numbers) == 3
        assert [number for number in numbers if Path(f"/proc/{number}").exists()] == []
        assert bystander.poll() is None
        bystander.communicate(b"\n")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_parent_that_is_killed_leaves_neither_processes_nor_files(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("")
    (tmp_path / "tmp").mkdir()
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.replace("tests.dynamic.pretend_worker", "tests.dynamic.loyal_worker")],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path / "tmp")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    process.stderr.readline()
    number = int(process.stderr.readline())
    assert list((tmp_path / "tmp").iterdir()) != []
    process.kill()
    process.communicate(timeout=30)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and (_is_alive(number) or any((tmp_path / "tmp").iterdir())):
        time.sleep(0.1)
    assert not _is_alive(number)
    assert list((tmp_path / "tmp").iterdir()) == []


def _is_alive(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return "zombie" not in Path(f"/proc/{number}/status").read_text() if Path("/proc/self").exists() else True


PROGRAM = """
import io, sys
from pathlib import Path
from pipelint.dynamic.process import supervisor
from pipelint.cli import main

supervisor.WORKER = "tests.dynamic.pretend_worker"
main(["profile", "train.py"])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send")
def test_an_interrupt_shows_what_there_is_and_leaves_nobody_behind(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("")
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PRETEND": "hangs"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    first = process.stderr.readline()
    assert first == (
        "pipelint: running train.py in a child process; what it does before its first pipeline happens, "
        "files and downloads included\n"
    )
    told = {process.stderr.readline(), process.stderr.readline()}
    assert told == {"the child waits\n", "pipelint: measuring each stage\n"}, "the report is kept apart"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "fit" in stdout
    assert "interrupted" not in stdout, "an error is told once"
    assert stderr == "pipelint: interrupted while measuring each stage\n"
