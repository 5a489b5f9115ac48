"""What the formats for people share: the first line of a finding, and the last one of the report."""

from __future__ import annotations

from pipelint.display.terminal import Palette, one_line
from pipelint.lint.results import Diagnostic, Results
from pipelint.model.grades import Safety, Severity
from pipelint.report.wording import color, counted


def heading(diagnostic: Diagnostic, paint: Palette) -> str:
    """`path:line:column: severity CODE name: message`."""
    place = paint(one_line(str(diagnostic.span)), bold=True)
    severity = paint(f"{diagnostic.severity.value} {diagnostic.code}", color(diagnostic.severity), bold=True)
    return f"{place}: {severity} {paint(diagnostic.name, bold=True)}: {one_line(diagnostic.message)}"


def summary(results: Results, paint: Palette) -> str:
    """One sentence on what was found, what can be fixed, and what was."""
    words = {Severity.ERROR: "errors", Severity.WARNING: "warnings", Severity.ADVICE: "advice"}
    numbers = {severity: results.count(severity) for severity in words}
    counts = [counted(number, severity.value, words[severity]) for severity, number in numbers.items() if number]
    fixed = f"Fixed {counted(results.fixed, 'finding', 'findings')}. " if results.fixed else ""
    files = counted(results.files, "file", "files")
    hidden = f"; the baseline hides {results.baselined} more" if results.baselined else ""
    if results.diagnostics:
        found = f"Found {enumerated(counts)} in {files}{_fixes(results)}{hidden}."
        return fixed + paint(found, bold=True)
    if results.problems:
        unchecked = counted(len({problem.path for problem in results.problems}), "file", "files")
        return fixed + paint(f"No findings in {files}, but {unchecked} could not be checked.", bold=True)
    if results.baselined:
        hides = f"the baseline hides {counted(results.baselined, 'finding', 'findings')}"
        return fixed + paint(f"Nothing new: {files} checked, {hides}.", "green", bold=True)
    return fixed + paint(f"All clean: {files} checked.", "green", bold=True)


def statistics(results: Results, paint: Palette) -> str:
    """How often each rule found something."""
    rows = results.per_rule()
    width = max((len(str(count)) for _, _, count in rows), default=0)
    return "".join(f"{count:>{width}}  {paint(code, 'cyan', bold=True)}  {name}\n" for code, name, count in rows)


def _fixes(results: Results) -> str:
    safe, unsafe = results.fixable(Safety.SAFE), results.fixable(Safety.UNSAFE)
    if safe and unsafe:
        return f"; {safe} fixable with --fix, {unsafe} more with --unsafe-fixes"
    if safe:
        return f"; {safe} fixable with --fix"
    if unsafe:
        return f"; {unsafe} fixable with --fix --unsafe-fixes"
    return ""


def enumerated(parts: list[str]) -> str:
    """`a, b and c`; nothing for nothing."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))
