"""What is seen of a run before it is over: how far it is, and findings that nothing can come before any more."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pipelint.cli.actions.run_display import RunDisplay, can_erase
from pipelint.lint.diagnostic import Diagnostic, Span
from pipelint.lint.results import FileResult
from pipelint.model.grades import Severity
from pipelint.source.lines import Position
from tests.workspace import Workspace, tf

FILES = [Path("a.py"), Path("b.py"), Path("c.py")]


class Terminal(io.StringIO):
    """A stream that a person reads along."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which the test sets."""
    now = [0.0]
    monkeypatch.setattr("pipelint.cli.actions.run_display.time.monotonic", lambda: now[0])
    return now


def _result(path: str) -> FileResult:
    start = Position(1, 1)
    found = Diagnostic("T1", "t", Severity.WARNING, path, Span(path, start, start), None, (), None, ())
    return FileResult(files=1, diagnostics=(found,))


class TestProgress:
    def test_nothing_is_shown_of_a_short_run(self, clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
        display = RunDisplay(progress=True)
        display.begin(FILES)
        clock[0] = 0.4
        display.done(FILES, [FileResult()] * 3)
        display.end()
        assert capsys.readouterr().err == ""

    def test_a_line_is_kept_up_to_date_and_erased(self, clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
        display = RunDisplay(progress=True)
        display.begin(FILES)
        clock[0] = 0.6
        display.pulse()
        clock[0] = 0.65
        display.done(FILES[:1], [FileResult()])
        clock[0] = 0.9
        display.done(FILES[1:], [FileResult()] * 2)
        display.end()
        lines = re.split(r"\r\x1b\[K", capsys.readouterr().err)
        assert lines == ["", "pipelint: 0 of 3 files", "pipelint: 3 of 3 files", ""]

    @pytest.mark.parametrize("variable", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
    def test_only_where_it_can_be_erased(self, variable: dict[str, str]) -> None:
        assert can_erase(Terminal(), {"TERM": "xterm"})
        assert not can_erase(Terminal(), {"TERM": "xterm", **variable})
        assert not can_erase(io.StringIO(), {"TERM": "xterm"})


class TestFindings:
    @pytest.fixture
    def display(self) -> tuple[RunDisplay, list[str]]:
        written: list[str] = []
        render: Callable[..., str] = lambda found, first: "".join(item.message for item in found) + "!" * first  # noqa: E731
        return RunDisplay(progress=False, render=render, write=written.append), written

    def test_they_wait_for_what_comes_before_them(self, display: tuple[RunDisplay, list[str]]) -> None:
        watch, written = display
        watch.begin(FILES)
        watch.done([FILES[2]], [_result("c.py")])
        assert written == []
        watch.done([FILES[0]], [_result("a.py")])
        assert written == ["a.py!"]
        watch.done([FILES[1]], [_result("b.py")])
        assert written == ["a.py!", "b.pyc.py"]
        assert watch.length == len("".join(written))


@pytest.mark.parametrize("format_", ["full", "concise"])
@pytest.mark.parametrize(
    "files", [("a.py",), ("a.py", "b.py"), ("b.py",), ("c.py",), ("a.py", "c.py"), ()], ids=" ".join
)
def test_a_report_in_parts_is_the_report(slow: Workspace, tmp_path: Path, format_: str, files: tuple[str, ...]) -> None:
    texts = {"a.py": tf("tf.size(1)", "tf.size(2)"), "b.py": tf("tf.shape(1)", "tf.rank(1)"), "c.py": tf("tf.rank(1)")}
    for name, text in texts.items():
        slow.write(name, text if name in files else tf("1"))
    shown = slow.check(f"--output-format={format_}").stdout
    slow.check(f"--output-format={format_}", f"--output-file={tmp_path / 'report'}")
    assert (tmp_path / "report").read_text() == shown


def test_nothing_of_it_is_in_a_pipe(slow: Workspace) -> None:
    slow.write("a.py", tf("tf.size(1)"))
    command = [sys.executable, "-m", "pipelint", "check", "--allow-local-rules"]
    completed = subprocess.run(command, cwd=slow.root, capture_output=True, text=True, check=False, timeout=60)
    assert completed.stderr == ""
    assert "\x1b" not in completed.stdout
