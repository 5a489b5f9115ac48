"""Progress where a person looks on, in a terminal or below a notebook's cell; elsewhere a line for each thing done."""

from __future__ import annotations

import importlib
import sys
from types import TracebackType
from typing import IO, Any

from pipelint.display.figures import percent
from pipelint.display.terminal import one_line
from pipelint.dynamic.process.channel import Progress


class ProgressBar:
    """Shows what is measured; while the user's program has the terminal, there is no bar."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._display: _Bar | _Line | _Log | None = None

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._display is not None:
            self._display.end()

    def show(self, progress: Progress) -> None:
        """Move the bar."""
        if not progress.measuring:
            return
        if self._display is None:
            if self._stream.isatty():
                self._display = _Bar(self._stream)
            elif "ipykernel" in sys.modules:
                self._display = _Line()
            else:
                self._display = _Log(self._stream)
        if self._display is not None:
            self._display.show(one_line(progress.text), progress.fraction)

    def tell(self, text: str) -> None:
        """A line where there are lines, as what a bar says is gone with it."""
        if isinstance(self._display, _Log) and text:
            self._display.show(one_line(text), 0.0)


class _Bar:
    """A bar in a terminal."""

    def __init__(self, stream: IO[str]) -> None:
        from rich.console import Console
        from rich.progress import Progress as Bar

        self._bar = Bar(console=Console(file=stream), transient=True)
        self._task = self._bar.add_task("", total=1.0)
        self._bar.start()

    def show(self, text: str, fraction: float) -> None:
        self._bar.update(self._task, description=text, completed=fraction)

    def end(self) -> None:
        self._bar.stop()


class _Line:
    """A line below a notebook's cell: rich would ask for ipywidgets, which few have."""

    def __init__(self) -> None:
        self._display: Any = importlib.import_module("IPython.display")
        self._handle = self._display.display(self._display.Pretty(""), display_id=True)

    def show(self, text: str, fraction: float) -> None:
        self._handle.update(self._display.Pretty(f"{text} {percent(fraction)}"))

    def end(self) -> None:
        self._handle.update(self._display.HTML(""))


class _Log:
    """Lines in a file or a pipe: what is done now, once."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._told: set[str] = set()

    def show(self, text: str, fraction: float) -> None:
        if text not in self._told:
            self._told.add(text)
            self._stream.write(f"pipelint: {text}\n")
            self._stream.flush()

    def end(self) -> None:
        """Nothing has to go."""
