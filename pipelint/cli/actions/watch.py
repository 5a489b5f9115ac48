"""`pipelint check --watch`: checks again whenever a file of the project changes."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from pipelint.cli.actions.check_options import CheckOptions
from pipelint.cli.actions.output import complain, emit
from pipelint.cli.actions.run_display import can_erase
from pipelint.source.discovery import project_root, walked_files
from pipelint.source.errors import UserError

_PAUSE = 0.3
"""In seconds, between two looks at the files: short enough to seem at once."""
_MOST_OF_A_CORE = 0.05
"""What part of its time it may look."""
_MOST_FILES = 20_000
_SETTINGS = (".toml", ".cfg", ".txt", ".yml", ".yaml", ".json", ".gin", ".gitignore", "README.md")
"""How the files end that decide over findings besides programs."""
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"

_State = dict[str, tuple[int, int, int]]


def watch(options: CheckOptions, check: Callable[[CheckOptions], int]) -> int:
    """Check again after each change, until the user interrupts it."""
    while True:
        before = _state(options)
        if can_erase(sys.stdout):
            emit(_CLEAR, sys.stdout)
        try:
            check(options)
        except UserError as error:
            # A configuration that is just being written.
            complain(str(error))
        if options.mode.writes:
            before = _state(options)
        if not (options.quiet or options.silent):
            emit("pipelint: watching for changes; Ctrl-C ends it\n", sys.stderr)
        _wait_for_change(options, before)


def _wait_for_change(options: CheckOptions, before: _State) -> None:
    while True:
        started = time.monotonic()
        changed = _state(options) != before
        if changed:
            return
        time.sleep(max(_PAUSE, (time.monotonic() - started) / _MOST_OF_A_CORE))


def _state(options: CheckOptions) -> _State:
    """Size, time and identity of every file that findings may depend on."""
    state: _State = {}
    for path in {file for given in options.paths or (Path(),) for file in _files(given)}:
        try:
            facts = os.stat(path)
        except OSError:
            continue  # gone, which is a change by itself
        state[str(path)] = (facts.st_mtime_ns, facts.st_size, facts.st_ino)
    return state


def _files(given: Path) -> Iterator[Path]:
    """The programs and notebooks of a path's project, and what stands at its top and beside the path."""
    root = project_root(given)
    yield given
    yield from walked_files(root, _MOST_FILES)
    if given.is_dir():
        yield from walked_files(given, _MOST_FILES)
    for directory in {root, given if given.is_dir() else given.parent}:
        try:
            with os.scandir(directory) as entries:
                yield from (Path(entry.path) for entry in entries if entry.name.endswith(_SETTINGS))
        except OSError:
            continue
