"""Files are checked by several processes: the same is said, whatever becomes of one of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pipelint.lint.workers import Death, in_workers, usual_jobs
from tests.workspace import PIPELINT

BUILD = """\
import tensorflow as tf


def build():
    return tf.data.TFRecordDataset("a").map(lambda x: tf.image.random_hue(tf.io.decode_jpeg(x), 0.1)).batch({})
"""
USE = "from build_{0} import build\n\nmodel.fit(build().shuffle(99))\n"
DRIVER = """\
import os, signal, sys

if __name__ == "__main__":
    sys.path.pop(0)

from pipelint.lint import workers


def main():
    workers.SHARES_MEMORY = {fork}
    from pipelint.cli import main
    main(sys.argv[1:])


{extra}

if __name__ == "__main__":
    main()
"""
DEADLY = """\
from pipelint.lint import unit_program

program_of = unit_program.program_of


def deadly(project, path, unit):
    if path.name == "build_1.py":
        os.kill(os.getpid(), signal.SIGKILL)
    return program_of(project, path, unit)


unit_program.program_of = deadly
"""


def _answers(item: int) -> int:
    if item < 0:
        os.kill(os.getpid(), signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
    return item * item


def _prepare() -> Callable[[int], int]:
    return _answers


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Four programs of two files each, and a trap for whoever imports from the working directory."""
    root = tmp_path / "project"
    root.mkdir()
    (root / "pyproject.toml").touch()
    for number in range(4):
        (root / f"build_{number}.py").write_text(BUILD.format(number + 2))
        (root / f"use_{number}.py").write_text(USE.format(number))
    return root


def _run(project: Path, *arguments: str, driver: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(driver), "check"] if driver else [*PIPELINT, "check"]
    return subprocess.run([*command, *arguments], cwd=project, capture_output=True, text=True, check=False, timeout=300)


def _driver(tmp_path: Path, *, fork: bool = True, extra: str = "") -> Path:
    path = tmp_path / "driver.py"
    path.write_text(DRIVER.format(fork=fork, extra=extra))
    return path


METHODS = [
    pytest.param(True, marks=pytest.mark.skipif(sys.platform != "linux", reason="elsewhere processes begin anew")),
    False,
]


@pytest.mark.parametrize("fork", METHODS)
class TestProcesses:
    def test_all_answers_come(self, fork: bool) -> None:
        answers = dict(in_workers(_prepare, range(20), 3, fork=fork))
        assert answers == {number: number * number for number in range(20)}

    def test_one_that_dies_costs_what_it_had(self, fork: bool) -> None:
        items = [1, -1, 2, -1, 3, 4]
        answers = dict(in_workers(_prepare, items, 2, fork=fork))
        assert {index for index, answer in answers.items() if isinstance(answer, Death)} == {1, 3}
        assert [answers[index] for index in (0, 2, 4, 5)] == [1, 4, 9, 16]

    def test_who_stops_listening_ends_them(self, fork: bool) -> None:
        answers = in_workers(_prepare, range(20), 2, fork=fork)
        next(answers)
        answers.close()


def test_few_files_are_worth_no_process() -> None:
    assert usual_jobs(10_000) == 1
    assert 1 <= usual_jobs(10**12) <= (os.cpu_count() or 1)


@pytest.mark.parametrize("arguments", [(), ("--fix",), ("--diff", "--unsafe-fixes"), ("--add-noqa",)], ids=" ".join)
@pytest.mark.parametrize("format_", ["json", "full", "concise"])
def test_the_same_is_said_by_any_number(project: Path, arguments: tuple[str, ...], format_: str) -> None:
    before = {file: file.read_text() for file in project.glob("*.py")}
    outcomes = []
    for jobs in (1, 3):
        for file, text in before.items():
            file.write_text(text)
        run = _run(project, f"--jobs={jobs}", f"--output-format={format_}", *arguments)
        outcomes.append((run.returncode, run.stdout, run.stderr, {file: file.read_text() for file in before}))
    assert outcomes[0] == outcomes[1]


def test_processes_that_begin_anew_say_the_same(project: Path, tmp_path: Path) -> None:
    for name in ("pickle.py", "multiprocessing.py", "signal.py", "click.py"):
        (project / name).write_text("raise SystemExit('the trap was run')\n")
    told = _run(project, "--jobs=2", "--output-format=json", driver=_driver(tmp_path, fork=False))
    assert told.stderr == ""
    assert told.stdout == _run(project, "--jobs=1", "--output-format=json").stdout


@pytest.mark.skipif(sys.platform != "linux", reason="the process that dies is a copy of its parent")
class TestADeath:
    def test_is_one_line_and_the_others_go_on(self, project: Path, tmp_path: Path) -> None:
        told = _run(project, "--jobs=2", "--output-format=concise", driver=_driver(tmp_path, extra=DEADLY))
        assert told.returncode == 2
        (line,) = told.stderr.splitlines()
        assert line.startswith("pipelint: build_1.py: is not checked, and with it use_1.py: the process that had it")
        assert "signal 9" in line
        checked = {line.partition(":")[0] for line in told.stdout.splitlines() if ".py:" in line}
        assert checked == {f"use_{number}.py" for number in (0, 2, 3)} | {f"build_{number}.py" for number in (0, 2, 3)}

    def test_an_interruption_ends_all_at_once(self, project: Path, tmp_path: Path) -> None:
        slow = DEADLY.replace("os.kill(os.getpid(), signal.SIGKILL)", "import time; time.sleep(100)")
        command = [sys.executable, str(_driver(tmp_path, extra=slow)), "check", "--jobs=2"]
        with subprocess.Popen(
            command, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        ) as run:
            assert run.stdout is not None
            while not _children(run.pid):
                time.sleep(0.05)
            time.sleep(1)
            children = _children(run.pid)
            os.killpg(run.pid, signal.SIGINT)
            _, errors = run.communicate(timeout=30)
        assert run.returncode == 130
        assert "Traceback" not in errors
        assert not any(Path(f"/proc/{child}").exists() for child in children)


def _children(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
