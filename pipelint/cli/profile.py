"""`pipelint profile`: its options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pipelint.cli.help_groups import MEASURING, REPORT, RUN, STATUS, GroupedCommand, option
from pipelint.cli.options import (
    allow_local_rules,
    cache_directory,
    color,
    format_of_measurement,
    full_errors,
    report_file,
    step_time,
)


def _share(ctx: click.Context, param: click.Parameter, value: str | None) -> float | None:
    """`10%` or `0.1`."""
    if value is None:
        return None
    try:
        share = float(value.removesuffix("%")) / (100 if value.endswith("%") else 1)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise click.BadParameter(f"{value!r} is not a share; give 10% or 0.1")
    return share


@click.command(cls=GroupedCommand, short_help="Run a program and measure its input pipelines.")
@click.argument("target")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@option(
    "--call",
    metavar="EXPR",
    help="Measure what this gives in the target's module: 'make(batch_size=64)'.",
    group=MEASURING,
)
@option(
    "--seconds",
    type=click.FloatRange(min=1),
    metavar="N",
    default=12.0,
    show_default=True,
    help="How long to measure each pipeline.",
    group=MEASURING,
)
@step_time
@format_of_measurement
@report_file
@option(
    "--graph",
    type=click.Path(path_type=Path),
    metavar="F.svg|F.dot",
    help="Draw the pipelines there too.",
    group=REPORT,
)
@full_errors
@color
@option(
    "--max-input-bound",
    callback=_share,
    metavar="P",
    help="Fail where training waits for input for more than this share of its time: 10% or 0.1.",
    group=STATUS,
)
@option(
    "--min-batches-per-second",
    type=click.FloatRange(min=0),
    metavar="N",
    help="Fail below this rate.",
    group=STATUS,
)
@option(
    "--compare",
    type=click.Path(path_type=Path),
    metavar="OLD.json",
    help="Fail where it is slower than in this JSON of an earlier run, beyond noise.",
    group=STATUS,
)
@allow_local_rules
@option(
    "--save",
    is_flag=True,
    help="Keep what was measured; `pipelint server` shows it beside the stages.",
    group=RUN,
)
@cache_directory("Where --save keeps it.")
def profile(**options: Any) -> int:
    """Run TARGET in a child process, measure its input pipelines and name the bottleneck.

    TARGET is a script or a notebook, train.py, measured where it consumes a dataset; or a dataset or a function that
    returns one: train.py:make_dataset, package.module:variable. ARGUMENTS after `--` are the script's own.

    Exit status: 0, 1 when a limit or the comparison fails, 2 when the run itself failed.
    """
    from pipelint.cli.actions.profile import ProfileOptions, run_profile

    return run_profile(ProfileOptions(**options))
