"""Runs the user's program with other contents of some files, which stay as they are."""

from __future__ import annotations

import linecache
import os
from collections.abc import Mapping
from importlib.machinery import SourceFileLoader
from importlib.util import decode_source
from pathlib import Path
from typing import Any


class EditedFiles:
    """Copies that stand in for files of the program: it finds them under the paths and names of its own files."""

    def __init__(self, copies: Mapping[str, str]) -> None:
        """`copies` tells the path of the copy by that of the file, both absolute."""
        self._contents = {os.path.realpath(path): Path(copy).read_bytes() for path, copy in copies.items()}

    def install(self) -> None:
        """Have Python import the copies, and show their lines."""
        if not self._contents:
            return
        original = SourceFileLoader.get_data

        def get_data(loader: SourceFileLoader, path: str) -> bytes:
            edited = self._contents.get(os.path.realpath(path))
            if edited is None:
                return original(loader, path)
            self.show(path, edited)
            return edited

        def path_stats(loader: SourceFileLoader, path: str) -> Mapping[str, float]:
            if os.path.realpath(path) in self._contents:
                # Compiled code of the file itself would be taken otherwise.
                raise OSError
            return stats(loader, path)

        def updated(path: str, module_globals: dict[str, Any] | None = None) -> list[str]:
            lines = update(path, module_globals)
            edited = self._contents.get(os.path.realpath(path))
            # AutoGraph has the lines of a script read again before it converts a function of it.
            return lines if edited is None else self.show(path, edited)

        stats, update = SourceFileLoader.path_stats, linecache.updatecache
        SourceFileLoader.get_data = get_data  # type: ignore[method-assign, assignment]
        SourceFileLoader.path_stats = path_stats  # type: ignore[method-assign, assignment]
        linecache.updatecache = updated  # type: ignore[assignment]

    def read(self, path: Path) -> bytes:
        """The content of a file as the program shall have it."""
        edited = self._contents.get(os.path.realpath(path))
        if edited is None:
            return path.read_bytes()
        self.show(str(path), edited)
        return edited

    @staticmethod
    def show(path: str, content: bytes) -> list[str]:
        """Let those find the lines of the copy who ask for the source of the file: tracebacks and AutoGraph."""
        lines = decode_source(content).splitlines(keepends=True)
        # Without a time, nobody looks whether the file has changed.
        linecache.cache[path] = (len(content), None, lines, path)
        return lines
