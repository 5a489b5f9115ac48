"""`pipelint tune`: its options."""

from __future__ import annotations

from typing import Any

import click

from pipelint.cli.help_groups import MEASURING, REWRITES, GroupedCommand, option
from pipelint.cli.options import allow_local_rules, color, format_of_measurement, full_errors, report_file, step_time


@click.command(cls=GroupedCommand, short_help="Try rewrites of the source, and print the patch that pays.")
@click.argument("target")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@option("--write", is_flag=True, help="Write what was kept to the files.", group=REWRITES)
@option(
    "--unsafe-fixes",
    is_flag=True,
    help="With --write, try and write also what may change order, random values or memory; else all is tried anyway.",
    group=REWRITES,
)
@option(
    "--call",
    metavar="EXPR",
    help="Tune what this gives in the target's module: 'make(batch_size=64)'.",
    group=MEASURING,
)
@option(
    "--minutes",
    type=click.FloatRange(min=0.5),
    metavar="N",
    default=10.0,
    show_default=True,
    help="How long to search.",
    group=MEASURING,
)
@option(
    "--service",
    type=click.IntRange(min=1),
    metavar="N",
    help="Then run the pipeline in a tf.data service on this machine, with 1 to N workers, and kill one.",
    group=MEASURING,
)
@step_time
@format_of_measurement
@report_file
@full_errors
@color
@allow_local_rules
def tune(**options: Any) -> int:
    """Rewrite copies of TARGET's source, keep what makes its input faster with the same data, and print the diff.

    TARGET is as for `pipelint profile`: a script or a notebook, train.py; or a dataset or a function that returns one,
    train.py:make_dataset, package.module:variable. ARGUMENTS after `--` are the script's own. The program runs many
    times, each time to its first pipeline.

    Exit status: 0, 2 when the run itself failed.
    """
    from pipelint.cli.actions.tune import TuneOptions, run_tune

    return run_tune(TuneOptions(**options))
