"""One page that stands by itself: findings by file and by rule, to filter and search, with their source and diffs.

Everything is in the page before its script runs, escaped here; the script only hides, moves and shows what is there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from pipelint.display.figures import counted
from pipelint.lint.diagnostic import Diagnostic, Problem, Span, shown_position
from pipelint.lint.results import Results
from pipelint.model.grades import Safety, Severity
from pipelint.report.findings import FormatOptions
from pipelint.report.findings._advice import pressing, what_advice_is
from pipelint.report.findings._patches import Patch, SourceText, by_file
from pipelint.report.page.assets import asset, breakable, filled, message, shown
from pipelint.report.page.foreign_text import shortened
from pipelint.report.summary import PLURALS, fix_place
from pipelint.version import __version__

MACHINE_READABLE = True

_CONTEXT = 3
_MOST_LINES = 12
_LONGEST_LINE = 400


def render(results: Results, options: FormatOptions) -> str:
    """The page."""
    files = by_file(results, results.diagnostics)
    places = _places_elsewhere(results)
    values = {
        "title": escape(_title(results)),
        "version": escape(__version__),
        "headline": escape(_title(results)),
        "notes": escape(_notes(results)),
        "about_advice": escape(f"Advice: {what_advice_is(results)}." if results.count(Severity.ADVICE) else ""),
        "severities": "".join(_severities(results)),
        "without_script": _without_script(results),
        "rules": "".join(_rules(results)),
        "paths": "".join(_paths(files)),
        "problems": _problems(results.problems),
        "files": "".join(_file(number, source, found, places) for number, (source, found) in enumerate(files)),
        "elsewhere": _elsewhere(results, places),
    }
    style = asset("page/colors.css", "page/frame.css", "findings/page.css")
    return filled(asset("findings/page.html"), values, style=style, script=asset("page/theme.js", "findings/page.js"))


def _title(results: Results) -> str:
    if not results.diagnostics:
        return "Not everything could be checked" if results.problems else "All clean"
    files = counted(len({diagnostic.span.path for diagnostic in results.diagnostics}), "file", "files")
    if results.count(Severity.ADVICE) == len(results.diagnostics):
        return f"No errors or warnings, {len(results.diagnostics)} advice in {files}"
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
    """Whether advice is not shown at first: where it fails no run, and there is something else to see."""
    return 0 < results.count(Severity.ADVICE) < len(results.diagnostics) and not results.advice_fails


def _severities(results: Results) -> Iterator[str]:
    for severity, plural in PLURALS.items():
        if number := results.count(severity):
            word = severity.value if number == 1 else plural
            folded = severity is Severity.ADVICE and _folds_advice(results)
            state = '<span class="state"> hidden, show</span>' if folded else ""
            yield (
                f'<button type="button" class="toggle {severity.value}" data-severity="{severity.value}" '
                f'aria-pressed="{"false" if folded else "true"}"><b>{number}</b> {word}{state}</button>'
            )


def _without_script(results: Results) -> str:
    """A way to the advice that needs no script."""
    if not _folds_advice(results):
        return ""
    number = results.count(Severity.ADVICE)
    return f'<p class="plain"><label><input type="checkbox" id="advice"> Show {number} advice</label></p>'


def _rules(results: Results) -> Iterator[str]:
    shown_first = {diagnostic.code for diagnostic in pressing(results.diagnostics)}
    for code, name, number in sorted(results.per_rule(), key=lambda rule: rule[0] not in shown_first):
        yield _facet("rule", code, f"<b>{escape(code)}</b> {escape(name)}", number)


def _paths(files: Sequence[tuple[SourceText, Sequence[Diagnostic]]]) -> Iterator[str]:
    for number, (source, found) in enumerate(files):
        yield _facet("file", str(number), f"<bdi>{_path(source.path)}</bdi>", len(found))


def _facet(kind: str, value: str, label: str, number: int) -> str:
    return (
        f'<li><button type="button" class="facet" data-{kind}="{escape(value)}" aria-pressed="false">'
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


def _file(number: int, source: SourceText, found: Sequence[Diagnostic], places: Mapping[Span, str]) -> str:
    """A file: its findings, and the diff of all their fixes."""
    counts = Counter(diagnostic.severity for diagnostic in found)
    tally = "".join(
        f'<span class="tally {severity.value}" title="{counted(counts[severity], severity.value, plural)}">'
        f"{counts[severity]}</span>"
        for severity, plural in PLURALS.items()
        if counts[severity]
    )
    findings = "".join(_finding(number, source, diagnostic, places) for diagnostic in found)
    return (
        f'<details class="group" data-file="{number}" open>'
        f"<summary><h2><bdi>{_path(source.path)}</bdi></h2>{tally}</summary>"
        f'<div class="items">{findings}</div>{_patch(source.patch(found))}</details>\n'
    )


def _finding(file: int, source: SourceText, diagnostic: Diagnostic, places: Mapping[Span, str]) -> str:
    start, severity = diagnostic.span.start, diagnostic.severity.value
    place = f"cell {start.cell}, line {start.line}" if start.cell else f"line {start.line}"
    rule = f"{escape(diagnostic.code)} <span>{escape(diagnostic.name)}</span>"
    if diagnostic.url and diagnostic.url.startswith(("https://", "http://")):
        rule = f'<a href="{escape(diagnostic.url)}" rel="noreferrer">{rule}</a>'
    return (
        f'<article class="finding {severity}" data-severity="{severity}" data-rule="{escape(diagnostic.code)}" '
        f'data-file="{file}">'
        f'<p class="meta"><span class="badge">{severity}</span> <span class="rule">{rule}</span> '
        f'<span class="place"><bdi class="path">{_path(source.path)}</bdi> {place}</span></p>'
        f"<h3>{message(diagnostic.message)}</h3>"
        f"{_excerpt(source, diagnostic.span, start.line + len(diagnostic.source) - 1)}"
        f"{_related(diagnostic, places)}{_fix(source, diagnostic)}</article>\n"
    )


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
        text = lines.text[lines.start(number) : lines.end(number)]
        if not start.line <= number <= last:
            rows.append(shown(shortened(text, _LONGEST_LINE)))
            continue
        begin = start.column - 1 if number == start.line else len(text) - len(text.lstrip())
        stop = end.column - 1 if number == end.line else len(text)
        rows.append(f'<span class="hit">{_marked(text, begin, stop)}</span>')
    gutter = "\n".join(map(str, numbers))
    code = "\n".join(rows)
    return (
        f'<div class="code"><pre class="gutter" aria-hidden="true">{gutter}</pre>'
        f'<pre class="source"><code>{code}</code></pre></div>'
    )


def _marked(text: str, begin: int, stop: int) -> str:
    """A line with a stretch of it marked; of a very long line, what is near."""
    stop = min(max(stop, begin), begin + _LONGEST_LINE)
    before, after = text[:begin], text[stop:]
    if len(before) > _LONGEST_LINE:
        before = "…" + before[-_LONGEST_LINE // 2 :]
    return f"{shown(before)}<mark>{shown(text[begin:stop])}</mark>{shown(shortened(after, _LONGEST_LINE))}"


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
