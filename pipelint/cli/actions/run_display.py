"""What is seen of a run while it goes on: how far it is, and those findings whose place in the report is certain."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from pipelint.lint.results import FileResult
from pipelint.source.paths import shown_path

if TYPE_CHECKING:
    from pipelint.lint.diagnostic import Diagnostic

_PATIENCE = 0.5
"""In seconds, after which a run that shows nothing begins to worry."""
_REFRESH = 0.1
_ERASE = "\r\x1b[K"


class RunDisplay:
    """Watches a run: a line on a terminal that is erased in the end, and the beginning of the report."""

    def __init__(
        self,
        *,
        progress: bool,
        render: Callable[[Sequence[Diagnostic], bool], str] | None = None,
        write: Callable[[str], None] = print,
    ) -> None:
        """`render` gives the text of findings that come next in the report, told whether they are its first."""
        self._progress = progress
        self._render = render
        self._write = write
        self._shown_at = time.monotonic() + _PATIENCE - _REFRESH
        self._is_shown = False
        self._files = self._done = 0
        self._order: list[str] = []
        self._next = 0
        self._found: dict[str, Sequence[Diagnostic]] = {}
        self.length = 0
        """Of the report, as far as it is written."""

    def begin(self, files: Sequence[Path]) -> None:
        """These are going to be checked."""
        self._files = len(files)
        if self._render:
            self._order = sorted(map(shown_path, files))

    def pulse(self) -> None:
        """Something was done that is no file."""
        now = time.monotonic()
        if self._progress and now - self._shown_at >= _REFRESH:
            self._shown_at = now
            self._is_shown = True
            sys.stderr.write(f"{_ERASE}pipelint: {self._done} of {self._files} files")
            sys.stderr.flush()

    def done(self, files: Sequence[Path], results: Sequence[FileResult]) -> None:
        """These are."""
        self._done += len(files)
        if self._render:
            self._found.update(
                (shown_path(file), result.diagnostics) for file, result in zip(files, results, strict=True)
            )
            self._show_next(self._render)
        self.pulse()

    def _show_next(self, render: Callable[[Sequence[Diagnostic], bool], str]) -> None:
        """Show the findings that no file still to be checked can have others before."""
        ready: list[Diagnostic] = []
        while self._next < len(self._order) and self._order[self._next] in self._found:
            ready += self._found.pop(self._order[self._next])
            self._next += 1
        if ready and (text := render(ready, self.length == 0)):
            self.end()
            self._write(text)
            self.length += len(text)

    def end(self) -> None:
        """Erase the line."""
        if self._is_shown:
            self._is_shown = False
            sys.stderr.write(_ERASE)
            sys.stderr.flush()


def can_erase(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether a line on a stream can be shown for a while."""
    return stream.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"
