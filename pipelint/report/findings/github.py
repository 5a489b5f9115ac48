"""Workflow commands, which GitHub Actions shows as annotations on the lines of a pull request."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from pipelint.display.figures import counted
from pipelint.display.terminal import one_line
from pipelint.lint.diagnostic import Diagnostic, Problem
from pipelint.lint.results import Results
from pipelint.model.grades import Severity
from pipelint.report.findings import FormatOptions
from pipelint.report.findings._advice import advice_by_rule, pressing
from pipelint.report.findings._exchange import failure, in_checkout, last_line, told, well_formed
from pipelint.report.summary import elsewhere

MACHINE_READABLE = True

MOST_OF_A_KIND = 10
"""GitHub shows no more errors, warnings and notices of one step, each."""

_MOST_PLACES = 20

_KINDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.ADVICE: "notice"}
_CONTROL = re.compile("[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_ORDER = ("error", "warning", "notice")


@dataclass(frozen=True)
class _Command:
    kind: str
    properties: dict[str, str | int]
    message: str

    def __str__(self) -> str:
        properties = ",".join(f"{name}={_property(str(value))}" for name, value in self.properties.items())
        return f"::{self.kind} {properties}::{_data(self.message)}"


def render(results: Results, options: FormatOptions) -> str:
    """A command for each failed file, error and warning, the worst first, one for the advice of each rule, and one on
    what GitHub would not show.
    """
    commands = [*map(_problem, results.problems), *map(_finding, pressing(results.diagnostics))]
    commands += map(_advice, advice_by_rule(results))
    commands.sort(key=lambda command: _ORDER.index(command.kind))
    by_kind = {kind: list(group) for kind, group in groupby(commands, key=lambda command: command.kind)}
    room = dict.fromkeys(_ORDER, MOST_OF_A_KIND)
    if any(len(group) > MOST_OF_A_KIND for group in by_kind.values()):
        room["notice"] -= 1
    shown = [command for kind, group in by_kind.items() for command in group[: room[kind]]]
    left_out = {kind: len(group) - room[kind] for kind, group in by_kind.items() if len(group) > room[kind]}
    if left_out:
        shown.append(_left_out(left_out))
    return "".join(f"{command}\n" for command in shown)


def _finding(diagnostic: Diagnostic) -> _Command:
    start, end = diagnostic.span.file_start, diagnostic.span.file_end
    properties: dict[str, str | int] = {
        "file": _path(diagnostic.span.path),
        "line": start.line,
        "endLine": last_line(diagnostic.span),
    }
    # GitHub refuses columns for an annotation of several lines.
    if start.line == end.line:
        properties |= {"col": start.column, "endColumn": end.column}
    properties["title"] = f"{diagnostic.code} {diagnostic.name}"
    return _Command(_KINDS[diagnostic.severity], properties, told(diagnostic) + well_formed(elsewhere(diagnostic)))


def _advice(found: Sequence[Diagnostic]) -> _Command:
    """A notice where a rule has its first advice, which tells the other places: one on each line would be noise."""
    first, others = _finding(found[0]), found[1:]
    if not others:
        return first
    places = ", ".join(well_formed(one_line(str(other.span))) for other in others[:_MOST_PLACES])
    more = f" and {len(others) - _MOST_PLACES} more" if len(others) > _MOST_PLACES else ""
    return replace(first, message=f"{first.message}\nThe same rule has advice at {places}{more}.")


def _problem(problem: Problem) -> _Command:
    properties: dict[str, str | int] = {"file": _path(problem.path)}
    if problem.file_line is not None:
        properties["line"] = problem.file_line
    properties["title"] = "pipelint could not check this file"
    return _Command("error", properties, failure(problem))


def _left_out(numbers: dict[str, int]) -> _Command:
    counts = ", ".join(counted(number, kind, f"{kind}s") for kind, number in numbers.items())
    message = (
        f"GitHub shows {MOST_OF_A_KIND} annotations of a kind. Not shown: {counts}. "
        "Run pipelint with another output format to see all."
    )
    return _Command("notice", {"title": "pipelint found more"}, message)


def _path(path: str) -> str:
    # Line ends are escaped; other control characters would reach whoever reads the log on a terminal.
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", well_formed(in_checkout(path, "GITHUB_WORKSPACE")))


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
