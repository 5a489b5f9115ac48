"""`pipelint check`: its options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pipelint.cli.options import allow_local_rules, color, config, force_exclude, means, selection, target_tensorflow
from pipelint.report.findings import FORMATS


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path, allow_dash=True))
@click.option("--fix", is_flag=True, help="Apply the safe fixes.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff, the unsafe fixes too.")
@click.option("--diff", is_flag=True, help="Show what --fix would change and write nothing; exit 1 if there is a diff.")
@selection
@click.option("--output-format", type=click.Choice(FORMATS), default="full", show_default=True, help="How to report.")
@click.option("--output-file", type=click.Path(path_type=Path), help="Write the report there instead of to stdout.")
@click.option(
    "--since", metavar="REV", help="Only what is new since the merge base of HEAD and REV, a branch or commit."
)
@click.option(
    "--baseline", type=click.Path(path_type=Path), help="Leave out the findings in this file of `pipelint baseline`."
)
@click.option("--statistics", is_flag=True, help="Show how often each rule found something.")
@click.option("--exit-zero", is_flag=True, help="Exit 0 even if something was found.")
@click.option(
    "--fail-on", type=click.Choice(["advice", "warning", "error"]), help="Least severity that makes the run fail."
)
@target_tensorflow
@click.option("--add-noqa", is_flag=True, help="Add `# noqa` comments that silence what is found today.")
@click.option("--show-settings", is_flag=True, help="Show the settings that would be used, and stop.")
@config
@allow_local_rules
@force_exclude
@means
@click.option("--stdin-filename", type=click.Path(path_type=Path), help="The name of the file that comes from stdin.")
@click.option("-q", "--quiet", is_flag=True, help="Only findings and errors.")
@click.option("-v", "--verbose", is_flag=True, help="Also what could not be followed and counts as unknown.")
@color
def check(**options: Any) -> int:
    """Check files, directories and notebooks; the current directory by default, standard input with `-`.

    Exit status: 0 when nothing is found at or above --fail-on, 1 when something is, 2 when the run itself failed.
    """
    from pipelint.cli.actions.check import CheckOptions, run_check

    return run_check(CheckOptions(**options))
