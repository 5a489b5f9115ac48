"""Options that several commands have."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipelint.cli.help_groups import FILES, MEASURING, REPORT, RULES, RUN, SETTINGS, Decorator, option

if TYPE_CHECKING:
    from pipelint.model.tensorflow_version import Version  # `--help` needs no model

SEVERITIES = click.Choice(["advice", "warning", "error"])


def _split(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...] | None:
    entries = tuple(entry.strip() for value in values for entry in value.split(",") if entry.strip())
    return entries if values else None


def _version(ctx: click.Context, param: click.Parameter, value: str | None) -> Version | None:
    if value is None:
        return None
    from pipelint.project.settings import parse_target
    from pipelint.source.errors import UserError

    try:
        return parse_target(value)
    except ValueError as error:
        raise UserError(f"--target-tensorflow: {error}") from error


def _by_pattern(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> dict[str, tuple[str, ...]] | None:
    entries = _split(ctx, param, values)
    if entries is None:
        return None
    ignored: dict[str, tuple[str, ...]] = {}
    pattern = ""
    for entry in entries:
        given, colon, rule = entry.rpartition(":")
        pattern = given if colon else pattern  # `a.py:PIPE1,PIPE2`: both are left out there
        if not (pattern and rule):
            raise click.BadParameter(f"{entry!r} is not PATTERN:RULE, such as scripts/*.py:PIPE801")
        ignored[pattern] = (*ignored.get(pattern, ()), rule)
    return ignored


def _duration(ctx: click.Context, param: click.Parameter, value: str | None) -> float | None:
    """`50ms`, `0.05s` or `300us`, in seconds."""
    if value is None:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?|\.\d+) ?(s|ms|us|µs)", value)
    if found is None or float(found[1]) <= 0:
        raise click.BadParameter(f"{value!r} is not a time; give 50ms, 0.05s or 300us")
    return float(found[1]) * {"s": 1.0, "ms": 1e-3}.get(found[2], 1e-6)


def known_rules(ctx: click.Context, param: click.Parameter, typed: str) -> list[str]:
    """The codes and names of rules that go on as what was typed after the last comma, for the shell."""
    from pipelint.project.projects import Overrides, Projects  # `--help` needs none

    before, comma, begun = typed.rpartition(",")
    registry = Projects(Overrides(), tell=lambda line: None).known_rules()
    words = sorted(word for rule in registry for word in (rule.code, rule.name))
    return [f"{before}{comma}{word}" for word in words if word.startswith(begun)]


def rules(flag: str, text: str) -> Decorator:
    """An option that takes codes, names and families."""
    return option(
        flag,
        multiple=True,
        callback=_split,
        metavar="RULE,...",
        help=text,
        group=RULES,
        shell_complete=known_rules,
    )


color: Decorator = option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="When to use colour.",
    group=REPORT,
)
format_of_measurement: Decorator = option(
    "--output-format",
    type=click.Choice(["text", "json", "html", "markdown"]),
    default="text",
    show_default=True,
    help="How to report.",
    group=REPORT,
)
report_file: Decorator = option(
    "-o",
    "--output-file",
    type=click.Path(path_type=Path),
    help="Write the report there instead of to stdout.",
    group=REPORT,
)
step_time: Decorator = option(
    "--step-time",
    callback=_duration,
    metavar="TIME",
    help="What a step takes where it will be trained, as 50ms on its accelerator, instead of what it takes here.",
    group=MEASURING,
)
full_errors: Decorator = option(
    "--traceback", is_flag=True, help="Show errors of the program in full, not only their last lines.", group=REPORT
)
target_tensorflow: Decorator = option(
    "--target-tensorflow", callback=_version, metavar="X.Y", help="The TensorFlow to check for.", group=RULES
)
config_file: Decorator = option(
    "--config",
    type=click.Path(path_type=Path),
    help="The pyproject.toml to read instead of the nearest one.",
    group=SETTINGS,
)
allow_local_rules: Decorator = option(
    "--allow-local-rules",
    is_flag=True,
    help="Run the rules that the configuration names by rule-paths, which are code, without `pipelint trust`.",
    group=SETTINGS,
)


def settings(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say where settings come from."""
    command = allow_local_rules(command)
    command = option("--isolated", is_flag=True, help="Read no configuration file.", group=SETTINGS)(command)
    return option(
        "--config",
        multiple=True,
        metavar="FILE|KEY=VALUE",
        help="A pyproject.toml to read instead of the nearest one, or a setting, such as fail-on=error. Repeatable; "
        "`pipelint config` lists the settings.",
        group=SETTINGS,
    )(command)


def files(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that choose files."""
    command = option(
        "--force-exclude", is_flag=True, help="Leave excluded files out even when they are named.", group=FILES
    )(command)
    for flag, text in (
        ("--extend-exclude", "Files and directories to leave out besides."),
        ("--exclude", "Files and directories to leave out, instead of the configured ones: patterns as in .gitignore."),
    ):
        command = option(flag, multiple=True, callback=_split, metavar="PATTERN,...", help=text, group=FILES)(command)
    return command


def _jobs(ctx: click.Context, param: click.Parameter, value: int | None) -> int | None:
    return value or None


def means(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say what a run may use."""
    command = option(
        "-n",
        "--no-cache",
        is_flag=True,
        envvar="PIPELINT_NO_CACHE",
        help="Check all files, whatever earlier runs found.",
        group=RUN,
    )(command)
    command = cache_directory("Where to keep what is found.")(command)
    return option(
        "--jobs",
        type=click.IntRange(min=0),
        callback=_jobs,
        metavar="N",
        help="How many processes check files; by default as many as their number is worth, up to that of the cores.",
        group=RUN,
    )(command)


def cache_directory(text: str) -> Decorator:
    """The option that names the directory of the cache."""
    text = f"{text} By default, a directory in the user's own cache directory."
    path = click.Path(path_type=Path)
    return option("--cache-dir", type=path, envvar="PIPELINT_CACHE_DIR", show_envvar=True, help=text, group=RUN)


def selection(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that choose rules."""
    command = option(
        "--min-severity", type=SEVERITIES, help="Least severity that is reported, fixed and counted.", group=RULES
    )(command)
    command = option(
        "--ignore-noqa", is_flag=True, help="Also what comments silence; unused ones are not reported.", group=RULES
    )(command)
    command = option(
        "--per-file-ignores",
        multiple=True,
        callback=_by_pattern,
        metavar="PATTERN:RULE,...",
        help="Rules to leave out in some files, instead of the configured ones.",
        group=RULES,
    )(command)
    command = rules("--ignore", "Rules to leave out.")(command)
    command = rules("--extend-select", "Rules to use besides.")(command)
    text = "Codes, names or families to use, instead of the default and the configured ones. Repeatable."
    return rules("--select", text)(command)
