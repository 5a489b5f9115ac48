"""Patterns as in .gitignore."""

from __future__ import annotations

from collections.abc import Iterable


class IgnorePatterns:
    """Patterns that are relative to a directory, which is given as an absolute path with slashes."""

    def __init__(self, directory: str, lines: Iterable[str]) -> None:
        from pathspec import GitIgnoreSpec  # slow to load, and a check of one file often meets no pattern

        self._prefix = f"{directory.rstrip('/')}/"
        self._spec = GitIgnoreSpec.from_lines(lines)

    def verdict(self, path: str, is_directory: bool = False) -> bool | None:
        """Whether they match a path, refuse it with `!`, or say nothing about it."""
        if not path.startswith(self._prefix):
            return None
        below = path[len(self._prefix) :]
        return self._spec.check_file(f"{below}/" if is_directory else below).include
