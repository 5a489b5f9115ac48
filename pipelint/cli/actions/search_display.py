"""How far `pipelint tune` is: a line that moves on a terminal, and a line for each thing that was found elsewhere."""

from __future__ import annotations

import time
from types import TracebackType
from typing import IO, Any

from pipelint.display.terminal import one_line
from pipelint.dynamic.process.channel import Progress

_RESULTS = ("kept:", "left out:")


class SearchDisplay:
    """Tells what is tried, what it gave and what is left."""

    def __init__(self, stream: IO[str], seconds: float) -> None:
        self._stream = stream
        self._seconds = seconds
        self._begun = time.monotonic()
        self._status: Any = None
        self._doing = ""

    def __enter__(self) -> SearchDisplay:
        if self._stream.isatty():
            from rich.console import Console
            from rich.status import Status

            self._status = Status("", console=Console(file=self._stream))
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._status is not None:
            self._status.stop()

    def tell(self, line: str) -> None:
        """Say what is going on; what was found stays."""
        line = one_line(line)
        self._doing = line
        if self._status is None or line.startswith(_RESULTS):
            self._print(f"pipelint: [{self._clock}] {line}")
        self._move(line)

    def show(self, progress: Progress) -> None:
        """Say what a child process is at."""
        if progress.measuring:
            self._move(f"{self._doing} · {one_line(progress.text)}")

    @property
    def _clock(self) -> str:
        spent, given = divmod(int(time.monotonic() - self._begun), 60), divmod(int(self._seconds), 60)
        return f"{spent[0]}:{spent[1]:02} of {given[0]}:{given[1]:02}"

    def _move(self, line: str) -> None:
        if self._status is not None:
            from rich.markup import escape

            self._status.update(escape(f"[{self._clock}] {line}"))

    def _print(self, line: str) -> None:
        if self._status is not None:
            self._status.console.print(line, markup=False, highlight=False, soft_wrap=True)
        else:
            self._stream.write(f"{line}\n")
            self._stream.flush()
