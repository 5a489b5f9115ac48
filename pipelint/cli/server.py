"""`pipelint server`: its options."""

from __future__ import annotations

from pathlib import Path

import click

from pipelint.cli.options import cache_directory


@click.command(short_help="Check open files in an editor, by the language server protocol.")
@click.option("--stdio", is_flag=True, help="Speak over standard input and output, as it does in any case.")
@cache_directory("Where `pipelint profile --save` keeps profiles.")
def server(stdio: bool, cache_dir: Path | None) -> int:
    """Check open files in an editor, as a language server over standard input and output.

    Editors start it; it needs `pip install 'pipelint[server]'`.
    """
    from pipelint.cli.actions.server import run_server

    return run_server(cache_dir)
