"""Commands with many options: help shows those in groups, and the order in which some were given is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

FIXES, RULES, FILES, REPORT = "Fixes", "Rules", "Files", "Report"
KNOWN, STATUS, SETTINGS, RUN = "Known findings", "Exit status", "Settings", "Run"
MEASURING, REWRITES = "Measuring", "Rewrites"
_OTHER = "Other"
_ORDER = "pipelint.order"
_WIDTH = 26
"""Of the column of options, in all groups the same."""

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class _GroupedOption(click.Option):
    def __init__(self, *args: Any, group: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.group = group


def option(*names: str, group: str, **kwargs: Any) -> Decorator:
    """An option that help shows in a group."""
    return click.option(*names, cls=_GroupedOption, group=group, **kwargs)


class GroupedCommand(click.Command):
    """A command whose help has its options in groups."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, each group under its name, in the order in which the groups first appear."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                groups.setdefault(getattr(parameter, "group", _OTHER), []).append(record)
        for name, records in sorted(groups.items(), key=lambda group: group[0] == _OTHER):
            with formatter.section(name):
                formatter.write_dl([(f"{flags:<{_WIDTH}}", text) for flags, text in records], col_max=_WIDTH)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As any command, and note the order."""
        _, _, order = self.make_parser(ctx).parse_args(list(args))
        ctx.meta[_ORDER] = [parameter.name for parameter in order]
        return super().parse_args(ctx, args)


def given_order(*names: str) -> list[str]:
    """The names of those of some options that were given, each time, in their order."""
    return [name for name in click.get_current_context().meta[_ORDER] if name in names]
