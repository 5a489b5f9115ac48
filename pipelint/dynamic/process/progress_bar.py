"""A progress bar where a person looks on, and nothing elsewhere."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import IO, Any

from pipelint.display.terminal import one_line
from pipelint.dynamic.process.channel import Progress


class ProgressBar:
    """Shows what is measured; while the user's program has the terminal, there is no bar."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def show(self, progress: Progress) -> None:
        """Move the bar."""
        if not progress.measuring or not self._has_watcher():
            return
        if self._bar is None:
            from rich.console import Console
            from rich.progress import Progress as Bar

            # In a notebook rich finds the place by itself.
            console = Console(file=self._stream) if self._stream.isatty() else Console()
            self._bar = Bar(console=console, transient=True)
            self._task = self._bar.add_task("", total=1.0)
            self._bar.start()
        self._bar.update(self._task, description=one_line(progress.text), completed=progress.fraction)

    def _has_watcher(self) -> bool:
        return self._stream.isatty() or "ipykernel" in sys.modules
