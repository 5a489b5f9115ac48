"""When open files are checked: at once after a change, one at a time, and once for changes that come together."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from pipelint.lint.examination import Patience
from pipelint.source.garbage import collect

_Result = TypeVar("_Result")

_PAUSE = 0.4
"""In seconds without a keystroke, after which the other open files are checked, which may import the changed one."""
_STACK = 64 * 2**20
"""In bytes, for the thread that follows programs: some systems give half a megabyte, and calls nest deeply there."""


class Schedule:
    """Does work in one thread. A file that is asked for again before its turn, or while it is checked, waits once."""

    def __init__(self, check: Callable[[str], Callable[[], Callable[[], None]] | None]) -> None:
        """`check` takes the URI of a file and gives work for the thread, which gives what to do with its result."""
        self._check = check
        self._pending: OrderedDict[str, None] = OrderedDict()
        self._is_running = False
        self._patience: dict[str, Patience] = {}
        self._others: asyncio.TimerHandle | None = None
        threading.stack_size(_STACK)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pipelint")

    def changed(self, uri: str, others: Callable[[], list[str]]) -> None:
        """Check a file at once, and after a pause the others, as they are open then."""
        self.patience(uri).over = True
        del self._patience[uri]
        self.check(uri, first=True)
        if self._others is not None:
            self._others.cancel()
        self._others = asyncio.get_running_loop().call_later(_PAUSE, self._check_others, uri, others)

    def patience(self, uri: str) -> Patience:
        """What ends when a file changes: nobody needs any more what is found, or was asked, about its text of now."""
        return self._patience.setdefault(uri, Patience())

    def forget(self, uri: str) -> None:
        """Let go of a file that is closed."""
        self._patience.pop(uri, None)

    def check(self, uri: str, *, first: bool = False) -> None:
        """Check a file when those before it are done."""
        self._pending[uri] = None
        if first:
            self._pending.move_to_end(uri, last=False)
        if not self._is_running:
            self._is_running = True
            self._task = asyncio.get_running_loop().create_task(self._run())

    def _check_others(self, uri: str, others: Callable[[], list[str]]) -> None:
        for other in others():
            if other != uri:
                self.check(other)
        self.later(collect)

    async def do(self, work: Callable[[], _Result]) -> _Result:
        """Do something else in the same thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def later(self, work: Callable[[], None]) -> None:
        """Do something in the same thread that nobody waits for."""
        self._thread.submit(work)

    async def _run(self) -> None:
        try:
            while self._pending:
                uri, _ = self._pending.popitem(last=False)
                work = self._check(uri)
                if work is not None:
                    finish = await self.do(work)
                    finish()
        finally:
            self._is_running = False
