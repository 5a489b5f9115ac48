"""`pipelint clean`: removes what earlier runs have kept."""

from __future__ import annotations

import sys
from pathlib import Path

from pipelint.cli.actions.output import emit, readable
from pipelint.cli.actions.status import OK
from pipelint.display.terminal import one_line
from pipelint.project.cache import Cache, cache_directory
from pipelint.source.errors import UserError


def run_clean(directory: Path | None) -> int:
    """Remove the cache, say what was there, and give the exit status."""
    where = directory or cache_directory()
    try:
        size = Cache(where).clean() if where else 0
    except OSError as error:
        raise UserError(f"{where}: cannot be removed: {error.strerror or error}") from error
    removed = f"Removed {size / 1e6:.1f} MB from {one_line(str(where))}." if size else "Nothing to remove."
    emit(readable(f"{removed}\n"), sys.stdout)
    return OK
