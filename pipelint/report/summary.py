"""What reports share: words and colours of severities, a finding's first line, the report's last, and statistics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pipelint.display.figures import counted, enumerated
from pipelint.display.terminal import Palette, one_line
from pipelint.model.grades import Safety, Severity

if TYPE_CHECKING:
    from pipelint.lint.diagnostic import Diagnostic  # a clean run has none
    from pipelint.lint.results import Results, RuleName

_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.ADVICE: "blue"}
PLURALS = {Severity.ERROR: "errors", Severity.WARNING: "warnings", Severity.ADVICE: "advice"}
"""What the findings of a severity are called together, the worst first."""
_IN_SENTENCES = {
    Severity.ERROR: ("error", "errors"),
    Severity.WARNING: ("warning", "warnings"),
    Severity.ADVICE: ("piece of advice", "pieces of advice"),
}


def severity_color(severity: Severity) -> str:
    """The colour that stands for a severity."""
    return _COLORS[severity]


def counted_severities(numbers: Mapping[Severity, int]) -> str:
    """`2 errors and 1 warning`."""
    return enumerated([counted(numbers[s], *names) for s, names in _IN_SENTENCES.items() if numbers.get(s)])


def heading(diagnostic: Diagnostic, paint: Palette) -> str:
    """`path:line:column: severity CODE name: message`."""
    place = paint(one_line(str(diagnostic.span)), bold=True)
    severity = paint(f"{diagnostic.severity.value} {diagnostic.code}", severity_color(diagnostic.severity), bold=True)
    return f"{place}: {severity} {paint(diagnostic.name, bold=True)}: {one_line(diagnostic.message)}"


def fix_mark(diagnostic: Diagnostic, paint: Palette) -> str:
    """` [safe fix]` after the first line of a finding that has one, or why it has not the one that its rule offers."""
    if diagnostic.fix:
        return paint(f" [{diagnostic.fix.safety.value} fix{fix_place(diagnostic)}]", "cyan")
    return f" [no fix: {one_line(diagnostic.unfixed)}]" if diagnostic.unfixed else ""


def fix_place(diagnostic: Diagnostic) -> str:
    """` in data.py` where a fix changes other files than that of the finding, and why it is not written, if so."""
    if diagnostic.fix is None or not diagnostic.fixed_elsewhere:
        return ""
    reason = f", not written: {one_line(diagnostic.fix.withheld)}" if diagnostic.fix.withheld else ""
    return f" in {enumerated([one_line(path) for path in diagnostic.fix.paths])}{reason}"


def elsewhere(diagnostic: Diagnostic) -> str:
    """` (data.py:10:15: the batches are made here)` for what a finding rests on in other files."""
    notes = (note for note in diagnostic.related if note.span.path != diagnostic.span.path)
    told = "; ".join(f"{one_line(str(note.span))}: {one_line(note.message)}" for note in notes)
    return f" ({told})" if told else ""


def what_was_found(results: Results) -> str:
    """`2 errors and 1 piece of advice`; of advice alone, that there is nothing else."""
    counts = counted_severities({severity: results.count(severity) for severity in Severity})
    only_advice = 0 < results.count(Severity.ADVICE) == len(results.diagnostics)
    return f"no errors or warnings, {counts}" if only_advice else counts


def summary(results: Results, paint: Palette) -> str:
    """One sentence on what was found, what can be fixed, and what was."""
    fixed = f"Fixed {counted(results.fixed, 'finding', 'findings')}. " if results.fixed else ""
    files = counted(results.files, "file", "files")
    hidden = f"; the baseline hides {results.baselined} more (see --no-baseline)" if results.baselined else ""
    if results.diagnostics:
        return fixed + paint(f"Found {what_was_found(results)} in {files}{_fixes(results)}{hidden}.", bold=True)
    if results.problems:
        unchecked = counted(len({problem.path for problem in results.problems}), "file", "files")
        return fixed + paint(f"No findings in {files}, but {unchecked} could not be checked.", bold=True)
    if results.baselined:
        hides = f"the baseline hides {counted(results.baselined, 'finding', 'findings')} (see --no-baseline)"
        return fixed + paint(f"Nothing new: {files} checked, {hides}.", "green", bold=True)
    if results.remarks and not results.files:
        return paint("No files were checked.", bold=True)
    return fixed + paint(f"All clean: {files} checked.", "green", bold=True)


def statistics(results: Results, paint: Palette) -> str:
    """How often each rule found something."""
    rows = results.per_rule()
    width = max((len(str(count)) for _, _, count in rows), default=0)
    return "".join(f"{count:>{width}}  {paint(code, 'cyan', bold=True)}  {name}\n" for code, name, count in rows)


def fixes_by_rule(results: Results, paint: Palette) -> str:
    """What was fixed: for each file how often each rule."""
    lines = ["What was fixed:"] if results.mended else []
    for path, rules in _by_path(results).items():
        lines.append(f"- {paint(one_line(path), bold=True)}:")
        ranked = sorted(rules.items(), key=lambda item: (-item[1], item[0]))
        lines += [f"    {number} x {paint(rule.code, 'cyan', bold=True)} {rule.name}" for rule, number in ranked]
    return "".join(f"{line}\n" for line in lines)


def _by_path(results: Results) -> dict[str, Counter[RuleName]]:
    counts: dict[str, Counter[RuleName]] = {}
    for path, rule in results.mended:
        counts.setdefault(path, Counter())[rule] += 1
    return counts


def _fixes(results: Results) -> str:
    safe, unsafe = results.fixable(Safety.SAFE), results.fixable(Safety.UNSAFE)
    if safe and unsafe:
        return f"; {safe} fixable with --fix, {unsafe} more with --unsafe-fixes"
    if safe:
        return f"; {safe} fixable with --fix"
    if unsafe:
        return f"; {unsafe} fixable with --fix --unsafe-fixes"
    return ""
