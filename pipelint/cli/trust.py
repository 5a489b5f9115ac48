"""`pipelint trust`: its options."""

from __future__ import annotations

from pathlib import Path

import click

from pipelint.cli.options import config_file


@click.command(short_help="Trust the project's own rules.")
@config_file
@click.option("--revoke", is_flag=True, help="Trust them no longer.")
def trust(config: Path | None, revoke: bool) -> int:
    """Trust the rules that this project's configuration names by rule-paths: they are code, and run on each check.

    What they are now is written down in your own configuration. Rules that change have to be trusted anew.
    """
    from pipelint.cli.actions.trust import run_trust

    return run_trust(config, revoke)
