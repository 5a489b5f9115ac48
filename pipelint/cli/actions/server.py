"""`pipelint server`: starts the language server, if what it needs is installed."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from pipelint.cli.actions.status import OK
from pipelint.project.cache import Cache, cache_directory
from pipelint.source.errors import UserError


def run_server(cache_dir: Path | None) -> int:
    """Answer an editor until it leaves, and give the exit status."""
    if importlib.util.find_spec("pygls") is None:
        raise UserError("server needs pygls, which is not installed; run `pip install 'pipelint[server]'`")
    from pipelint.server.serve import serve  # pygls may be missing

    directory = cache_dir or cache_directory()
    serve(Cache(directory) if directory else None)
    return OK
