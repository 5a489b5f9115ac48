"""`pipelint check`: its options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pipelint.cli.help_groups import (
    FILES,
    FIXES,
    KNOWN,
    REPORT,
    SETTINGS,
    STATUS,
    GroupedCommand,
    given_order,
    option,
)
from pipelint.cli.options import SEVERITIES, color, files, means, rules, selection, settings, target_tensorflow
from pipelint.project.setting_keys import OUTPUT_FORMATS


@click.command(cls=GroupedCommand, short_help="Check scripts, packages and notebooks.")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path, allow_dash=True))
@option("--fix", is_flag=True, help="Apply the safe fixes.", group=FIXES)
@option("--unsafe-fixes", is_flag=True, help="With --fix or --diff, the unsafe fixes too.", group=FIXES)
@option("--fix-only", is_flag=True, help="Apply the safe fixes, and report nothing of what is left.", group=FIXES)
@option("--diff", is_flag=True, help="Show what --fix would change, and write nothing.", group=FIXES)
@option("--show-fixes", is_flag=True, help="Also show what was fixed, by file and rule.", group=FIXES)
@option("--add-noqa", is_flag=True, help="Add `# noqa` comments that silence what is found today.", group=FIXES)
@selection
@rules("--fixable", "The rules whose fixes may be applied, instead of the configured ones.")
@rules("--unfixable", "Rules whose findings are shown without a fix.")
@target_tensorflow
@files
@option(
    "--stdin-filename",
    type=click.Path(path_type=Path),
    help="The name of the file that comes from stdin.",
    group=FILES,
)
@option("--show-files", is_flag=True, help="Show which files would be checked, and stop.", group=FILES)
@option("-w", "--watch", is_flag=True, help="Check again whenever a file of the project changes.", group=FILES)
@option(
    "--output-format",
    type=click.Choice(OUTPUT_FORMATS),
    multiple=True,
    metavar="FORMAT",
    help=f"How to report: {', '.join(OUTPUT_FORMATS)}. By default the configured one, or full.",
    group=REPORT,
)
@option(
    "-o",
    "--output-file",
    type=click.Path(path_type=Path),
    multiple=True,
    help="Write the report there instead of to stdout. Each may follow a format of its own.",
    group=REPORT,
)
@option("--statistics", is_flag=True, help="Show how often each rule found something.", group=REPORT)
@option(
    "--line-url",
    metavar="URL",
    help="Where the lines in Markdown and HTML lead: an address with {path} and {line}. "
    "In a GitHub workflow by default those of the head commit.",
    group=REPORT,
)
@option(
    "--profiles",
    type=(click.Path(path_type=Path), click.Path(path_type=Path)),
    metavar="BASE HEAD",
    help="Show in Markdown how these profiles, written by `pipelint profile --output-format json`, differ.",
    group=REPORT,
)
@option("-q", "--quiet", is_flag=True, help="Only findings and errors.", group=REPORT)
@option("-s", "--silent", is_flag=True, help="Nothing at all: only the exit status, and --output-file.", group=REPORT)
@option("-v", "--verbose", is_flag=True, help="Also what could not be followed and counts as unknown.", group=REPORT)
@color
@option(
    "--since",
    metavar="REV",
    help="Only what is new since the merge base of HEAD and REV, a branch or commit.",
    group=KNOWN,
)
@option(
    "--baseline",
    type=click.Path(path_type=Path),
    help="Leave out the findings in this file of `pipelint baseline`. "
    "By default the configured one or, if it is there, .pipelint-baseline.json.",
    group=KNOWN,
)
@option("--no-baseline", is_flag=True, help="Leave out nothing that a baseline lists.", group=KNOWN)
@option("-e", "--exit-zero", is_flag=True, help="Exit 0 even if something was found.", group=STATUS)
@option("--exit-non-zero-on-fix", is_flag=True, help="Exit 1 if anything was fixed.", group=STATUS)
@option("--fail-on", type=SEVERITIES, help="Least severity that makes the run fail; warning by default.", group=STATUS)
@settings
@option(
    "--show-settings",
    is_flag=True,
    help="Show the settings in force and where they come from, and stop.",
    group=SETTINGS,
)
@means
def check(**options: Any) -> int:
    """Check files, directories and notebooks; the current directory by default, standard input with `-`.

    Exit status: 0 when nothing is found at or above --fail-on, 1 when something is, 2 when the run itself failed.
    """
    from pipelint.cli.actions.check import run_check
    from pipelint.cli.actions.check_options import CheckOptions
    from pipelint.cli.actions.report_outputs import paired

    order = given_order("output_format", "output_file")
    outputs = paired(order, options.pop("output_format"), options.pop("output_file"))
    return run_check(CheckOptions(outputs=outputs, **options))
