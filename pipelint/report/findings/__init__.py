"""One module per output format of a check.

A format is a function `render(results: Results, options: FormatOptions) -> str` and a constant `MACHINE_READABLE`:
whether the text is for a program, tells the problems too, and must have the standard output for itself.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, cast, runtime_checkable

if TYPE_CHECKING:
    from pipelint.lint.diagnostic import Diagnostic
    from pipelint.lint.results import Results


@dataclass(frozen=True)
class FormatOptions:
    """How to show results."""

    color: bool = False
    quiet: bool = False
    """Only the findings, no summary."""
    width: int | None = None
    """Of the terminal, in columns; None where the text goes elsewhere."""
    line_url: str | None = None
    """Where a line can be read, with {path} and {line}; None where the environment may tell."""
    profiles: tuple[tuple[str, str, str], ...] = ()
    """Of each measured pipeline its name, and the figures of the base and of the head."""
    editor_url: str = ""
    """What opens an editor at a place, with {path}, {line} and {column}; none if empty."""


class Format(Protocol):
    """What a module of this package offers."""

    MACHINE_READABLE: bool

    def render(self, results: Results, options: FormatOptions) -> str:
        """The results as text that ends with a line end."""


@runtime_checkable
class GrowingFormat(Format, Protocol):
    """A format whose text begins with findings in their order, and so can be shown while others are sought."""

    def render_next(self, diagnostics: Sequence[Diagnostic], options: FormatOptions, *, first: bool) -> str:
        """The text of the findings that come next."""


def load_format(name: str) -> Format:
    """The output format of that name."""
    return cast(Format, importlib.import_module(f"{__name__}.{name.replace('-', '_')}"))
