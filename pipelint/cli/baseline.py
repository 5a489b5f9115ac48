"""`pipelint baseline`: its options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pipelint.cli.help_groups import KNOWN, REPORT, GroupedCommand, option
from pipelint.cli.options import files, means, selection, settings, target_tensorflow


@click.command(cls=GroupedCommand, short_help="Write down what is found today.")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@option(
    "--baseline",
    "--output",
    type=click.Path(path_type=Path),
    help="The file to write, instead of the configured one or .pipelint-baseline.json.",
    group=KNOWN,
)
@selection
@target_tensorflow
@files
@option("-q", "--quiet", is_flag=True, help="Only errors.", group=REPORT)
@settings
@means
def baseline(**options: Any) -> int:
    """Write down what is found today, so that `pipelint check` tells only what is new.

    What has been fixed is dropped from the file. Files that are not below PATHS keep their entries.
    """
    from pipelint.cli.actions.baseline import run_baseline
    from pipelint.cli.actions.run_options import RunOptions

    return run_baseline(RunOptions(**options))
