"""`pipelint baseline`: its options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pipelint.cli.options import allow_local_rules, config, force_exclude, means, selection, target_tensorflow


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--baseline",
    "--output",
    type=click.Path(path_type=Path),
    help="The file to write, instead of the configured one or .pipelint-baseline.json.",
)
@selection
@target_tensorflow
@config
@allow_local_rules
@force_exclude
@means
@click.option("-q", "--quiet", is_flag=True, help="Only errors.")
def baseline(**options: Any) -> int:
    """Write down what is found today, so that `pipelint check --baseline` tells only what is new.

    What has been fixed is dropped from the file. Files that are not below PATHS keep their entries.
    """
    from pipelint.cli.actions.baseline import run_baseline
    from pipelint.cli.actions.run_options import RunOptions

    return run_baseline(RunOptions(**options))
