"""Options that several commands have."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from pipelint.model.tensorflow_version import Version  # `--help` needs no model

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


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


def _duration(ctx: click.Context, param: click.Parameter, value: str | None) -> float | None:
    """`50ms`, `0.05s` or `300us`, in seconds."""
    if value is None:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?|\.\d+) ?(s|ms|us|µs)", value)
    if found is None or float(found[1]) <= 0:
        raise click.BadParameter(f"{value!r} is not a time; give 50ms, 0.05s or 300us")
    return float(found[1]) * {"s": 1.0, "ms": 1e-3}.get(found[2], 1e-6)


def rules(flag: str, text: str) -> Decorator:
    """An option that takes codes, names and families."""
    text = f"{text} Comma-separated, repeatable."
    return click.option(flag, multiple=True, callback=_split, metavar="CODE|name|family", help=text)


color: Decorator = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="When to use colour.",
)

step_time: Decorator = click.option(
    "--step-time",
    callback=_duration,
    metavar="TIME",
    help="What a step takes where it will be trained, as 50ms on its accelerator, instead of what it takes here.",
)

target_tensorflow: Decorator = click.option(
    "--target-tensorflow", callback=_version, metavar="X.Y", help="The TensorFlow to check for."
)
config: Decorator = click.option(
    "--config", type=click.Path(path_type=Path), help="The pyproject.toml to read instead of the nearest one."
)
allow_local_rules: Decorator = click.option(
    "--allow-local-rules",
    is_flag=True,
    help="Run the rules that the configuration names by rule-paths, which are code, without `pipelint trust`.",
)
force_exclude: Decorator = click.option(
    "--force-exclude", is_flag=True, help="Leave excluded files out even when they are named."
)


def _jobs(ctx: click.Context, param: click.Parameter, value: int | None) -> int | None:
    return value or None


def means(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say what a run may use."""
    command = click.option(
        "--no-cache", is_flag=True, envvar="PIPELINT_NO_CACHE", help="Check all files, whatever earlier runs found."
    )(command)
    command = cache_directory("Where to keep what is found.")(command)
    return click.option(
        "--jobs",
        type=click.IntRange(min=0),
        callback=_jobs,
        metavar="N",
        help="How many processes check files; by default as many as their number is worth, up to that of the cores.",
    )(command)


def cache_directory(text: str) -> Decorator:
    """The option that names the directory of the cache."""
    text = f"{text} By default, a directory in the user's own cache directory."
    path = click.Path(path_type=Path)
    return click.option("--cache-dir", type=path, envvar="PIPELINT_CACHE_DIR", show_envvar=True, help=text)


def selection(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that choose rules."""
    command = rules("--ignore", "Rules to leave out.")(command)
    command = rules("--extend-select", "Rules to use besides.")(command)
    return rules("--select", "The rules to use, instead of the default and the configured ones.")(command)
