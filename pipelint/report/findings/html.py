"""One page that stands by itself: findings by file and by rule, to filter and search, with their source and diffs.

Everything is in the page before its script runs, escaped here; the script only hides, moves and shows what is there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from pipelint.display.figures import counted
from pipelint.lint.diagnostic import Diagnostic, Problem, Span, shown_position
from pipelint.lint.results import Results
from pipelint.model.grades import Safety, Severity
from pipelint.report.findings import FormatOptions
from pipelint.report.findings._advice import pressing, what_advice_is
from pipelint.report.findings._links import Link, to_commit, to_editor
from pipelint.report.findings._patches import Patch, SourceText, by_file
from pipelint.report.page.assets import asset, breakable, filled, message, shown
from pipelint.report.page.foreign_text import escaped, shortened
from pipelint.report.page.python_colors import colored
from pipelint.report.summary import PLURALS, counted_severities, fix_place, what_was_found
from pipelint.version import __version__

MACHINE_READABLE = True

_CONTEXT = 3
_MOST_LINES = 12
_LONGEST_LINE = 400


def render(results: Results, options: FormatOptions) -> str:
    """The page."""
    files = sorted(by_file(results, results.diagnostics), key=lambda file: -max(map(_weight, file[1])))
    places = _places_elsewhere(results)
    # Whoever reads a page that a workflow has made has no such file, but the commit.
    link = to_commit(options) or to_editor(options) or (lambda span: "")
    shown_files = (
        _File(number, source, link, places, folds=_folds_advice(results)).html(found)
        for number, (source, found) in enumerate(files)
    )
    values = {
        "title": escape(_title(results)),
        "version": escape(__version__),
        "headline": escape(_title(results)),
        "notes": escape(_notes(results)),
        "about_advice": escape(f"Advice: {what_advice_is(results)}." if results.count(Severity.ADVICE) else ""),
        "severities": "".join(_severities(results)),
        "rules": "".join(_rules(results)),
        "paths": "".join(_paths(files)),
        "problems": _problems(results.problems),
        "files": "".join(shown_files),
        "elsewhere": _elsewhere(results, places),
    }
    style = asset("page/colors.css", "page/frame.css", "findings/page.css")
    return filled(asset("findings/page.html"), values, style=style, script=asset("page/theme.js", "findings/page.js"))


def _title(results: Results) -> str:
    if not results.diagnostics:
        return "Not everything could be checked" if results.problems else "All clean"
    files = counted(len({diagnostic.span.path for diagnostic in results.diagnostics}), "file", "files")
    if results.count(Severity.ADVICE) == len(results.diagnostics):
        told = what_was_found(results)
        return f"{told[0].upper()}{told[1:]} in {files}"
    return f"{counted(len(results.diagnostics), 'finding', 'findings')} in {files}"


def _notes(results: Results) -> str:
    notes = [f"{counted(results.files, 'file', 'files')} checked"]
    if results.fixed:
        notes.append(f"{results.fixed} fixed")
    if safe := results.fixable(Safety.SAFE):
        notes.append(f"{safe} with a safe fix")
    if unsafe := results.fixable(Safety.UNSAFE):
        notes.append(f"{unsafe} with an unsafe fix")
    return " · ".join(notes)


def _folds_advice(results: Results) -> bool:
    """Whether advice is folded at first: where it fails no run, and there is something else to see."""
    return 0 < results.count(Severity.ADVICE) < len(results.diagnostics) and not results.advice_fails


def _severities(results: Results) -> Iterator[str]:
    for severity, plural in PLURALS.items():
        if number := results.count(severity):
            word = severity.value if number == 1 else plural
            yield (
                f'<button type="button" class="toggle {severity.value}" data-severity="{severity.value}" '
                f'aria-pressed="false" title="Show only these"><b>{number}</b> {word}</button>'
            )


def _weight(diagnostic: Diagnostic) -> int:
    return diagnostic.severity.weight


def _rules(results: Results) -> Iterator[str]:
    shown_first = {diagnostic.code for diagnostic in pressing(results.diagnostics)}
    for code, name, number in sorted(results.per_rule(), key=lambda rule: rule[0] not in shown_first):
        yield _facet("rule", code, code, f"<b>{escape(code)}</b> {escape(name)}", number)


def _paths(files: Sequence[tuple[SourceText, Sequence[Diagnostic]]]) -> Iterator[str]:
    for number, (source, found) in enumerate(files):
        yield _facet("file", str(number), source.path, f"<bdi>{_path(source.path)}</bdi>", len(found))


def _facet(kind: str, value: str, name: str, label: str, number: int) -> str:
    """A filter; the name stands for it in the address of the page."""
    return (
        f'<li><button type="button" class="facet" data-{kind}="{escape(value)}" '
        f'data-name="{escape(escaped(name))}" aria-pressed="false">'
        f'<span class="label">{label}</span> <span class="count">{number}</span></button></li>'
    )


def _problems(problems: Sequence[Problem]) -> str:
    if not problems:
        return ""
    places = (shown_position(problem.path, problem.cell, problem.line) for problem in problems)
    items = "".join(
        f"<li><code>{shown(place)}</code> {message(problem.message)}</li>"
        for place, problem in zip(places, problems, strict=True)
    )
    heading = '<h2 id="problems">Not checked</h2>'
    return f'<section class="problems" aria-labelledby="problems">{heading}<ul>{items}</ul></section>'


def _places_elsewhere(results: Results) -> dict[Span, str]:
    """The places in other files that findings rest on, each with its anchor on the page."""
    notes = (
        note.span
        for diagnostic in results.diagnostics
        for note in diagnostic.related
        if note.span.path != diagnostic.span.path
    )
    return {span: f"place-{number}" for number, span in enumerate(dict.fromkeys(notes))}


def _elsewhere(results: Results, places: Mapping[Span, str]) -> str:
    """The source at these places."""
    if not places:
        return ""
    texts = {text.path: SourceText(text) for text in results.texts}
    items = "".join(
        f'<article class="other" id="{anchor}"><h3><code>{shown(str(span))}</code></h3>'
        f"{_excerpt(texts[span.path], span, span.start.line) if span.path in texts else ''}</article>"
        for span, anchor in places.items()
    )
    heading = '<h2 id="elsewhere">What findings rest on in other files</h2>'
    return f'<section class="elsewhere" aria-labelledby="elsewhere">{heading}{items}</section>'


@dataclass(frozen=True)
class _File:
    """How a file is shown, with what its findings need to know of the page."""

    number: int
    source: SourceText
    link: Link
    places: Mapping[Span, str]
    folds: bool
    """Whether advice is folded."""

    def html(self, found: Sequence[Diagnostic]) -> str:
        """A file: its findings, the most severe first and advice by itself, and the diff of all their fixes."""
        counts = Counter(diagnostic.severity for diagnostic in found)
        tally = "".join(
            f'<span class="tally {severity.value}" title="{counted_severities({severity: counts[severity]})}">'
            f"{counts[severity]}</span>"
            for severity in PLURALS
            if counts[severity]
        )
        findings = "".join(map(self._finding, sorted(pressing(found), key=_weight, reverse=True)))
        advice = [diagnostic for diagnostic in found if diagnostic.severity is Severity.ADVICE]
        return (
            f'<details class="group" data-file="{self.number}" open>'
            f"<summary><h2><bdi>{_path(self.source.path)}</bdi></h2>{tally}</summary>"
            f'<div class="items">{findings}</div>{self._folded(advice)}{_patch(self.source.patch(found))}</details>\n'
        )

    def _folded(self, advice: Sequence[Diagnostic]) -> str:
        if not advice:
            return ""
        return (
            f'<details class="fold"{"" if self.folds else " open"}>'
            f"<summary>{counted_severities({Severity.ADVICE: len(advice)})}</summary>"
            f'<div class="items">{"".join(map(self._finding, advice))}</div></details>'
        )

    def _finding(self, diagnostic: Diagnostic) -> str:
        start, severity, source = diagnostic.span.start, diagnostic.severity.value, self.source
        place = self._place(diagnostic.span)
        rule = f"{escape(diagnostic.code)} <span>{escape(diagnostic.name)}</span>"
        if diagnostic.url and diagnostic.url.startswith(("https://", "http://")):
            rule = f'<a href="{escape(diagnostic.url)}" rel="noreferrer">{rule}</a>'
        return (
            f'<article class="finding {severity}" data-severity="{severity}" data-rule="{escape(diagnostic.code)}" '
            f'data-file="{self.number}">'
            f'<p class="meta"><span class="badge">{severity}</span> <span class="rule">{rule}</span> '
            f'<span class="place"><bdi class="path">{_path(source.path)}</bdi> {place}</span></p>'
            f"<h3>{message(diagnostic.message)}</h3>"
            f"{_excerpt(source, diagnostic.span, start.line + len(diagnostic.source) - 1)}"
            f"{_related(diagnostic, self.places)}{_fix(source, diagnostic)}</article>\n"
        )

    def _place(self, span: Span) -> str:
        """The line, which leads to the editor or to the commit."""
        start = span.start
        place = f"cell {start.cell}, line {start.line}" if start.cell else f"line {start.line}"
        address = self.link(span)
        return f'<a class="open" href="{escape(address)}" rel="noreferrer">{place}</a>' if address else place


def _excerpt(source: SourceText, span: Span, last: int) -> str:
    """The lines around a span, with its own up to the last one marked."""
    start, end = span.start, span.end
    lines = source.lines(start.cell)
    if lines is None:
        return ""
    last = max(start.line, last)
    first, final = max(start.line - _CONTEXT, 1), min(last + _CONTEXT, len(lines))
    numbers = range(first, min(final, first + _CONTEXT + _MOST_LINES) + 1)
    rows = []
    for number in numbers:
        first, final = lines.start(number), lines.end(number)
        text = lines.text[first:final]
        if not start.line <= number <= last:
            rows.append(_colored(lines.text, first, final))
            continue
        begin = start.column - 1 if number == start.line else len(text) - len(text.lstrip())
        stop = end.column - 1 if number == end.line else len(text)
        rows.append(f'<span class="hit">{_marked(lines.text, first, final, first + begin, first + stop)}</span>')
    gutter = "\n".join(map(str, numbers))
    code = "\n".join(rows)
    return (
        f'<div class="code"><pre class="gutter" aria-hidden="true">{gutter}</pre>'
        f'<pre class="source"><code>{code}</code></pre></div>'
    )


def _marked(text: str, first: int, final: int, begin: int, stop: int) -> str:
    """A line of a text with a stretch of it marked; of a very long line, what is near."""
    stop = min(max(stop, begin), begin + _LONGEST_LINE)
    cut = "…" if begin - first > _LONGEST_LINE else ""
    first = begin - _LONGEST_LINE // 2 if cut else first
    before, marked = colored(text, first, begin), colored(text, begin, stop)
    return f"{cut}{before}<mark>{marked}</mark>{_colored(text, stop, final)}"


def _colored(text: str, first: int, final: int) -> str:
    cut = final - first > _LONGEST_LINE
    return colored(text, first, first + _LONGEST_LINE - 1) + "…" if cut else colored(text, first, final)


def _related(diagnostic: Diagnostic, places: Mapping[Span, str]) -> str:
    notes = []
    for note in diagnostic.related:
        place = f"<code>{shown(str(note.span))}</code>"
        place = f'<a href="#{places[note.span]}">{place}</a>' if note.span in places else place
        notes.append(f'<p class="note">{message(note.message)} {place}</p>')
    return "".join(notes)


def _fix(source: SourceText, diagnostic: Diagnostic) -> str:
    if diagnostic.fix is None:
        return ""
    safety = diagnostic.fix.safety
    title = f'<span class="safety {safety.value}">{safety.value} fix</span> {message(diagnostic.fix.title)}'
    title += shown(fix_place(diagnostic))
    hunks = source.excerpts(diagnostic)
    diff = '<span class="gap">⋯</span>'.join(_diff_lines(hunk) for hunk in hunks)
    return f'<details class="fix"><summary>{title}</summary><pre class="diff"><code>{diff}</code></pre></details>'


def _patch(patch: Patch) -> str:
    """The diffs of a file as a whole, to be copied."""
    parts = []
    if patch.safe:
        parts.append(f'<h3>Safe fixes</h3><pre class="diff"><code>{_diff_lines(patch.safe)}</code></pre>')
    if patch.unsafe:
        title = "Unsafe fixes, on top of the safe ones" if patch.safe else "Unsafe fixes"
        parts.append(f'<h3>{title}</h3><pre class="diff"><code>{_diff_lines(patch.unsafe)}</code></pre>')
    if not parts:
        return ""
    if patch.postponed:
        fixes = counted(patch.postponed, "more fix", "more fixes")
        parts.append(f"<p>{fixes} on the same lines can follow in a second pass.</p>")
    return f'<details class="patch"><summary>The whole diff of this file</summary>{"".join(parts)}</details>'


_KINDS = {"+": "ins", "-": "del", "@": "at"}


def _diff_lines(lines: Iterable[str]) -> str:
    return "".join(_diff_line(line) for line in lines)


def _diff_line(line: str) -> str:
    kind = "head" if line.startswith(("--- ", "+++ ")) else _KINDS.get(line[:1])
    text = shown(shortened(line.rstrip("\r"), 10 * _LONGEST_LINE))
    return f'<span class="{kind}">{text}\n</span>' if kind else f"{text}\n"


def _path(path: str) -> str:
    """A path with its last part standing out, and with places where it may break."""
    directory, slash, name = path.rpartition("/")
    return (f'<span class="directory">{breakable(directory + slash)}</span>' if slash else "") + breakable(name)
