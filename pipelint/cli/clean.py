"""`pipelint clean`: its options."""

from __future__ import annotations

from pathlib import Path

import click

from pipelint.cli.options import cache_directory


@click.command(short_help="Remove the cache.")
@cache_directory("The directory of the cache.")
def clean(cache_dir: Path | None) -> int:
    """Remove what earlier runs have kept; the next one checks all files anew."""
    from pipelint.cli.actions.clean import run_clean

    return run_clean(cache_dir)
