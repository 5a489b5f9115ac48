"""Logging commands of Azure Pipelines, which it shows as the issues of a run."""

from __future__ import annotations

import re

from pipelint.display.terminal import one_line
from pipelint.lint.results import Results
from pipelint.model.grades import Severity
from pipelint.report.findings import FormatOptions
from pipelint.report.findings._advice import pressing
from pipelint.report.findings._exchange import failure, in_checkout, told, well_formed
from pipelint.report.summary import elsewhere

MACHINE_READABLE = True

_ESCAPED = {"%": "%AZP25", ";": "%3B", "]": "%5D", "\r": "%0D", "\n": "%0A"}
_SPECIAL = re.compile("[%;\\]\r\n]")


def render(results: Results, options: FormatOptions) -> str:
    """A command for each failed file, error and warning; Azure has no issues that are only advice."""
    commands = [
        _command("error", problem.path, problem.file_line or 1, 1, "pipelint", failure(problem))
        for problem in results.problems
    ]
    found = results.diagnostics if results.advice_fails else pressing(results.diagnostics)
    for diagnostic in sorted(found, key=lambda diagnostic: -diagnostic.severity.weight):
        kind = "error" if diagnostic.severity is Severity.ERROR else "warning"
        start = diagnostic.span.file_start
        message = f"{diagnostic.name}: {told(diagnostic)}{elsewhere(diagnostic)}"
        commands.append(_command(kind, diagnostic.span.path, start.line, start.column, diagnostic.code, message))
    return "".join(f"{command}\n" for command in commands)


def _command(kind: str, path: str, line: int, column: int, code: str, message: str) -> str:
    place = in_checkout(path, "BUILD_SOURCESDIRECTORY")
    properties = {"type": kind, "sourcepath": place, "linenumber": line, "columnnumber": column, "code": code}
    told = "".join(f"{name}={_property(str(value))};" for name, value in properties.items())
    return f"##vso[task.logissue {told}]{_message(message)}"


def _property(text: str) -> str:
    return _SPECIAL.sub(lambda found: _ESCAPED[found.group()], one_line(well_formed(text)))


def _message(text: str) -> str:
    # `##[` and `##vso[` in a line of somebody's source would be a command of theirs.
    return well_formed(one_line(text)).replace("%", "%AZP25").replace("##", "# #")
