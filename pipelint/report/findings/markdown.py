"""A comment for a pull request: the counts at a glance, each file with the diff that mends it, then advice, folded."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from pipelint.display.figures import counted
from pipelint.lint.diagnostic import Diagnostic, Problem, shown_position
from pipelint.lint.results import Results
from pipelint.model.grades import Safety, Severity
from pipelint.report.findings import FormatOptions
from pipelint.report.findings._advice import advice_by_rule, pressing, what_advice_is
from pipelint.report.findings._links import Link, to_commit
from pipelint.report.findings._patches import Patch, SourceText, by_file
from pipelint.report.page.foreign_text import escaped
from pipelint.report.page.github_comment import MARKS, MOST_CHARACTERS, code, prose, short_path, size
from pipelint.report.summary import counted_severities, elsewhere, what_was_found

MACHINE_READABLE = True

# For the marker by which a bot knows its own comment again.
_SPARE = 512
_LONGEST_DIFF = MOST_CHARACTERS // 4
_MOST_ROWS = 100
_MOST_RULES = 25
_MOST_PROBLEMS = 20
_MOST_ADVICE = 20

_MOST_OPEN = 5
"""Files: more are a wall that nobody reads."""

_URL = re.compile(r"https?://[\w.:/?=&%~+@#-]{1,600}", re.ASCII)


def render(results: Results, options: FormatOptions) -> str:
    """The comment, never longer than GitHub allows; what did not fit is told at its end."""
    measured = _before_and_after(options)
    if not results.diagnostics and not results.problems:
        mended = f"fixed {counted(results.fixed, 'finding', 'findings')}, " if results.fixed else ""
        clean = f"✅ **pipelint**: {mended}all clean in {counted(results.files, 'file', 'files')}.\n"
        return clean + (f"\n{measured}\n" if measured else "")
    link = to_commit(options) or (lambda span: "")
    parts = [_headline(results), measured, _table(results), _links(results), _problems(results.problems)]
    comment = "\n\n".join(filter(None, parts)) + "\n"
    left_out = _LeftOut()
    room = MOST_CHARACTERS - _SPARE - size(comment) - size(_LeftOut(10**9, 10**9, 10**9).note())
    for section in _sections(results, link):
        text = section.fitting(room)
        room -= size(text)
        comment += text
        left_out.count(section, text)
    advice = _advice(results, link, room)
    left_out.findings += 0 if advice else results.count(Severity.ADVICE)
    return comment + advice + left_out.note()


def _headline(results: Results) -> str:
    files = counted(len({diagnostic.span.path for diagnostic in results.diagnostics}), "file", "files")
    found = what_was_found(results)
    title = f"pipelint found {found} in {files}" if found else "pipelint could not check everything"
    lines = [f"### {title}"]
    notes = [f"{counted(results.files, 'file', 'files')} checked."]
    if results.fixed:
        notes.append(f"Fixed {counted(results.fixed, 'finding', 'findings')}.")
    if safe := results.fixable(Safety.SAFE):
        notes.append(f"`pipelint check --fix` mends {safe} of the findings.")
    if unsafe := results.fixable(Safety.UNSAFE):
        notes.append(
            f"{unsafe}{' more' if safe else ''} may be mended with `--fix --unsafe-fixes`: look before you use it."
        )
    return "\n\n".join([*lines, " ".join(notes)])


def _before_and_after(options: FormatOptions) -> str:
    """What the change means for the measured pipelines."""
    rows = [f"| {prose(name)} | {prose(base)} | {prose(head)} |" for name, base, head in options.profiles[:_MOST_ROWS]]
    return "\n".join(["| measured | base | head |", "| --- | --- | --- |", *rows]) if rows else ""


def _counts(diagnostics: Sequence[Diagnostic]) -> str:
    return counted_severities(Counter(diagnostic.severity for diagnostic in diagnostics))


def _table(results: Results) -> str:
    """One row for each severity, with the rules behind it."""
    rows = []
    for severity in MARKS:
        found = [diagnostic for diagnostic in results.diagnostics if diagnostic.severity is severity]
        if found:
            rows.append(f"| {MARKS[severity]} {severity.value} | {len(found)} | {_rules(found)} |")
    return "\n".join(["| severity | findings | rules |", "| --- | ---: | --- |", *rows]) if rows else ""


def _rules(found: Sequence[Diagnostic]) -> str:
    first = {diagnostic.code: diagnostic for diagnostic in reversed(found)}
    counts = Counter(diagnostic.code for diagnostic in found)
    ranked = sorted(counts, key=lambda code: (-counts[code], code))
    named = [f"{_rule(first[code])} {first[code].name} ({counts[code]})" for code in ranked[:_MOST_RULES]]
    if len(ranked) > _MOST_RULES:
        named.append(f"{len(ranked) - _MOST_RULES} more")
    return ", ".join(named)


def _rule(diagnostic: Diagnostic) -> str:
    """The code, linked to the page of the rule."""
    return f"[{diagnostic.code}]" if _is_linkable(diagnostic) else diagnostic.code


def _links(results: Results) -> str:
    """Where the codes lead; said once, since the address is longer than most of the rest of a row."""
    urls = {diagnostic.code: diagnostic.url for diagnostic in results.diagnostics if _is_linkable(diagnostic)}
    return "\n".join(f"[{code}]: {url}" for code, url in sorted(urls.items())[: _MOST_RULES * len(Severity)])


def _is_linkable(diagnostic: Diagnostic) -> bool:
    return bool(_URL.fullmatch(diagnostic.url or ""))


def _problems(problems: Sequence[Problem]) -> str:
    if not problems:
        return ""
    items = [
        f"- {code(short_path(shown_position(problem.path, problem.cell, problem.line)))}: {prose(problem.message)}"
        for problem in problems[:_MOST_PROBLEMS]
    ]
    if len(problems) > _MOST_PROBLEMS:
        items.append(f"- and {len(problems) - _MOST_PROBLEMS} more")
    return "\n".join(["**Not checked**", "", *items])


def _advice(results: Results, link: Link, room: int) -> str:
    """All advice in one table, folded away, by rule; of very many, the first and the number of others."""
    rules = advice_by_rule(results)
    if not rules:
        return ""
    number = counted_severities({Severity.ADVICE: results.count(Severity.ADVICE)})
    heading = f"{MARKS[Severity.ADVICE]} {number}: {what_advice_is(results)}"
    for most in (_MOST_ADVICE, _MOST_ADVICE // 4):
        rows = [row for found in rules for row in _rows_of_rule(found, link, most)]
        table = ["| place | rule | advice |", "| --- | --- | --- |", *rows]
        text = "\n".join(["", "<details>", f"<summary>{heading}</summary>", "", *table, "", "</details>", ""])
        if size(text) <= room:
            return text
    return ""


def _rows_of_rule(found: Sequence[Diagnostic], link: Link, most: int) -> Iterator[str]:
    for diagnostic in found[:most]:
        place = _linked(code(short_path(str(diagnostic.span))), link(diagnostic.span))
        message = prose(diagnostic.message + elsewhere(diagnostic))
        yield f"| {place} | {_rule(diagnostic)} {diagnostic.name} | {message} |"
    if len(found) > most:
        yield f"| {len(found) - most} more | {_rule(found[0])} {found[0].name} | |"


def _linked(text: str, address: str) -> str:
    return f"[{text}]({address})" if _URL.fullmatch(address) else text


def _sections(results: Results, link: Link) -> list[_Section]:
    """The files, those with the worst findings first: what does not fit should be what matters least."""
    files = by_file(results, pressing(results.diagnostics))
    is_open = len(files) <= _MOST_OPEN
    sections = [_Section(source, diagnostics, link, is_open) for source, diagnostics in files]
    return sorted(sections, key=lambda section: -section.weight)


@dataclass
class _Section:
    """One file: its findings as a table and its diffs; of many, folded away."""

    source: SourceText
    diagnostics: list[Diagnostic]
    link: Link
    is_open: bool
    shown: int = 0
    without_diff: bool = False

    @property
    def weight(self) -> int:
        return max(diagnostic.severity.weight for diagnostic in self.diagnostics)

    def fitting(self, room: int) -> str:
        """The section, without its diff or without its last rows where there is no room for them."""
        diffs = _diffs(self.source.patch(self.diagnostics))
        if size(diffs) > min(_LONGEST_DIFF, room):
            diffs, self.without_diff = "", True
        for most in (_MOST_ROWS, _MOST_ROWS // 4):
            rows = [_row(diagnostic, self.link) for diagnostic in self.diagnostics[:most]]
            for diff in dict.fromkeys([diffs, ""]):
                text = self._text(rows, diff)
                if size(text) <= room:
                    self.shown = len(rows)
                    self.without_diff |= diff != diffs
                    return text
        self.without_diff = False
        return ""

    def _text(self, rows: Sequence[str], diffs: str) -> str:
        path = escape(escaped(short_path(self.source.path)))
        missing = len(self.diagnostics) - len(rows)
        lines = [
            "",
            "<details open>" if self.is_open else "<details>",
            f"<summary><code>{path}</code>: {_counts(self.diagnostics)}</summary>",
            "",
            "| line | | rule | finding |",
            "| ---: | --- | --- | --- |",
            *rows,
            *(["", f"{missing} more in this file."] if missing else []),
            *([diffs] if diffs else []),
            "",
            "</details>",
            "",
        ]
        return "\n".join(lines)


def _row(diagnostic: Diagnostic, link: Link) -> str:
    start = diagnostic.span.start
    place = f"cell {start.cell}, {start.line}" if start.cell else f"{start.line}"
    place = _linked(place, link(diagnostic.span))
    mark, message = MARKS[diagnostic.severity], prose(diagnostic.message + elsewhere(diagnostic))
    return f"| {place} | {mark} | {_rule(diagnostic)} {diagnostic.name} | {message} |"


def _diffs(patch: Patch) -> str:
    parts = []
    if patch.safe:
        parts.append(f"\nThe safe fixes:\n\n{_fenced(patch.safe)}")
    if patch.unsafe:
        on_top = ", on top of the safe ones" if patch.safe else ""
        parts.append(f"\n⚠️ The unsafe fixes{on_top}: they may change what the program does.\n\n{_fenced(patch.unsafe)}")
    if parts and patch.postponed:
        fixes = counted(patch.postponed, "more fix", "more fixes")
        parts.append(f"\n{fixes} on the same lines can follow in a second pass.")
    return "\n".join(parts)


def _fenced(lines: Sequence[str]) -> str:
    text = "\n".join(escaped(line) for line in lines)
    fence = "`" * (max([2, *map(len, re.findall("`+", text))]) + 1)
    return f"{fence}diff\n{text}\n{fence}"


@dataclass
class _LeftOut:
    """What there was no room for."""

    findings: int = 0
    files: int = 0
    diffs: int = 0

    def count(self, section: _Section, text: str) -> None:
        """Note what of a section is not in its text."""
        self.findings += len(section.diagnostics) - section.shown
        self.files += not text
        self.diffs += section.without_diff

    def note(self) -> str:
        """A last line that tells what is missing, and where it can be had."""
        parts = []
        if self.findings:
            findings = counted(self.findings, "finding", "findings")
            files = f", among them all of {counted(self.files, 'file', 'files')}" if self.files else ""
            parts.append(f"{findings}{files}")
        if self.diffs:
            parts.append(f"{'and ' if parts else ''}the diff of {counted(self.diffs, 'file', 'files')}")
        if not parts:
            return ""
        return f"\n**Left out**, for want of room: {' '.join(parts)}. `pipelint check` shows everything.\n"
