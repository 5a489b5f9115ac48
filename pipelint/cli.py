"""The command line: commands and options, nothing else. What they do is imported when it is done."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import click

from pipelint import __version__
from pipelint.errors import UserError
from pipelint.report import formats
from pipelint.terminal import one_line

INTERRUPTED = 130
FAILED = 2
ISSUES = "https://github.com/pipelint/pipelint/issues"


class _Program(click.Group):
    """A group whose every failure is one line on stderr and exit status 2."""

    def main(self, *args: Any, **kwargs: Any) -> NoReturn:
        for stream in (sys.stdout, sys.stderr):
            # Names of files and source may hold what the terminal's encoding cannot say.
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        sys.exit(self._run(*args, **kwargs))

    def _run(self, *args: Any, **kwargs: Any) -> int:
        try:
            return int(super().main(*args, **{**kwargs, "standalone_mode": False}) or 0)
        except UserError as error:
            message = str(error)
        except click.UsageError as error:
            usage = f"{error.ctx.command_path} --help" if error.ctx else "pipelint --help"
            message = f"{error.format_message().rstrip('.')}; see `{usage}`"
        except click.ClickException as error:
            message = error.format_message()
        except click.Abort:
            return INTERRUPTED
        except Exception:  # noqa: BLE001 - Python would exit with 1, which means findings
            traceback.print_exc()
            message = f"internal error; please report it with the lines above at {ISSUES}"
        click.echo(f"pipelint: {one_line(message)}", err=True)
        return FAILED


_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def _split(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...] | None:
    entries = tuple(entry.strip() for value in values for entry in value.split(",") if entry.strip())
    return entries if values else None


def _rules(flag: str, text: str) -> _Decorator:
    """An option that takes codes, names and families."""
    text = f"{text} Comma-separated, repeatable."
    return click.option(flag, multiple=True, callback=_split, metavar="CODE|name|family", help=text)


_color: _Decorator = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="When to use colour.",
)


@click.group(cls=_Program, context_settings={"help_option_names": ["-h", "--help"]}, no_args_is_help=False)
@click.version_option(__version__, "-V", "--version", prog_name="pipelint", message="%(prog)s %(version)s")
def main() -> None:
    """Find what makes TensorFlow and Keras input pipelines slow or wrong, and repair the source."""


@main.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path, allow_dash=True))
@click.option("--fix", is_flag=True, help="Apply the safe fixes.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff, the unsafe fixes too.")
@click.option("--diff", is_flag=True, help="Show what --fix would change and write nothing; exit 1 if there is a diff.")
@_rules("--select", "The rules to use, instead of the default and the configured ones.")
@_rules("--extend-select", "Rules to use besides.")
@_rules("--ignore", "Rules to leave out.")
@click.option("--output-format", type=click.Choice(formats()), default="full", show_default=True, help="How to report.")
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
@click.option("--target-tensorflow", metavar="X.Y", help="The TensorFlow to check for.")
@click.option("--add-noqa", is_flag=True, help="Add `# noqa` comments that silence what is found today.")
@click.option("--show-settings", is_flag=True, help="Show the settings that would be used, and stop.")
@click.option(
    "--config", type=click.Path(path_type=Path), help="The pyproject.toml to read instead of the nearest one."
)
@click.option("--force-exclude", is_flag=True, help="Leave excluded files out even when they are named.")
@click.option("--stdin-filename", type=click.Path(path_type=Path), help="The name of the file that comes from stdin.")
@click.option("-q", "--quiet", is_flag=True, help="Only findings and errors.")
@_color
def check(**options: Any) -> int:
    """Check files, directories and notebooks; the current directory by default, standard input with `-`.

    Exit status: 0 when nothing is found at or above --fail-on, 1 when something is, 2 when the run itself failed.
    """
    from pipelint.commands import CheckOptions, run_check

    return run_check(CheckOptions(**options))


@main.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--baseline",
    "--output",
    type=click.Path(path_type=Path),
    help="The file to write, instead of the configured one or .pipelint-baseline.json.",
)
@_rules("--select", "The rules to use, instead of the default and the configured ones.")
@_rules("--extend-select", "Rules to use besides.")
@_rules("--ignore", "Rules to leave out.")
@click.option("--target-tensorflow", metavar="X.Y", help="The TensorFlow to check for.")
@click.option(
    "--config", type=click.Path(path_type=Path), help="The pyproject.toml to read instead of the nearest one."
)
@click.option("--force-exclude", is_flag=True, help="Leave excluded files out even when they are named.")
@click.option("-q", "--quiet", is_flag=True, help="Only errors.")
def baseline(**options: Any) -> int:
    """Write down what is found today, so that `pipelint check --baseline` tells only what is new.

    What has been fixed is dropped from the file. Files that are not below PATHS keep their entries.
    """
    from pipelint.commands import BaselineOptions, run_baseline

    return run_baseline(BaselineOptions(**options))


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


@main.command()
@click.argument("target")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option("--call", metavar="EXPR", help="Measure what this gives in the target's module: 'make(batch_size=64)'.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=1),
    default=20.0,
    show_default=True,
    help="How long to measure each pipeline.",
)
@click.option(
    "--output-format",
    type=click.Choice(["text", "json", "html", "markdown"]),
    default="text",
    show_default=True,
    help="How to report.",
)
@click.option("--output-file", type=click.Path(path_type=Path), help="Write the report there instead of to stdout.")
@click.option("--graph", type=click.Path(path_type=Path), metavar="F.svg|F.dot", help="Draw the pipelines there too.")
@click.option(
    "--max-input-bound",
    callback=_share,
    metavar="P",
    help="Fail where training waits for input for more than this share of its time: 10% or 0.1.",
)
@click.option("--min-batches-per-second", type=click.FloatRange(min=0), metavar="N", help="Fail below this rate.")
@click.option(
    "--compare",
    type=click.Path(path_type=Path),
    metavar="OLD.json",
    help="Fail where it is slower than in this JSON of an earlier run, beyond noise.",
)
@_color
def profile(**options: Any) -> int:
    """Run TARGET in a child process, measure its input pipelines and name the bottleneck.

    TARGET is a script, train.py, measured where it consumes a dataset; or a dataset or a function that returns one:
    train.py:make_dataset, package.module:variable. ARGUMENTS behind `--` are the script's own.

    Exit status: 0, 1 when a limit or the comparison fails, 2 when the run itself failed.
    """
    from pipelint.profiling import ProfileOptions, run_profile

    return run_profile(ProfileOptions(**options))


@main.command()
@click.argument("rule", required=False)
@click.option("--all", "everything", is_flag=True, help="All rules.")
@click.option(
    "--output-format",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="How to show them.",
)
@_color
def rule(rule: str | None, everything: bool, output_format: str, color: str) -> int:
    """Explain a rule, given by its code or its name."""
    from pipelint.commands import run_rule

    if (rule is None) is not everything:
        raise click.UsageError("give either a rule or --all")
    return run_rule(rule, output_format, color)
