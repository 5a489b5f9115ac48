"""Errors and warnings with their source, carets under the span, and what can be done; then advice, a line each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from pipelint.display.terminal import Palette, one_line, visible
from pipelint.model.grades import Safety, Severity
from pipelint.report.findings import FormatOptions
from pipelint.report.findings._advice import advice_by_rule, pressing, what_advice_is
from pipelint.report.summary import elsewhere, fix_mark, fix_place, heading, severity_color, summary

if TYPE_CHECKING:
    from pipelint.lint.diagnostic import Diagnostic, Note  # a clean run has none
    from pipelint.lint.results import Results

MACHINE_READABLE = False

_TAB = " " * 4
_MOST_LINES = 4
_BEFORE_SPAN = 140
_WIDEST_SPAN = 200
_AFTER_SPAN = 60
_CUT = "..."
_NOTE_MARGIN = " " * 8


def render(results: Results, options: FormatOptions) -> str:
    """A block of lines for each error and warning, one for all advice, then the summary."""
    paint = Palette(options.color)
    found = render_next(results.diagnostics, options, first=True)
    blocks = [found] if found else []
    if advice := advice_by_rule(results):
        blocks.append("\n".join(_advice(advice, what_advice_is(results), paint)) + "\n")
    if not options.quiet:
        blocks.append(summary(results, paint) + "\n")
    return "\n".join(blocks)


def render_next(diagnostics: Sequence[Diagnostic], options: FormatOptions, *, first: bool) -> str:
    """The blocks of those that are errors or warnings, an empty line between each and what stands before it."""
    paint = Palette(options.color)
    blocks = ["\n".join(_block(diagnostic, paint)) + "\n" for diagnostic in pressing(diagnostics)]
    return "\n".join(blocks if first or not blocks else ["", *blocks])


def _advice(rules: Iterable[Sequence[Diagnostic]], explanation: str, paint: Palette) -> Iterator[str]:
    yield f"{paint('Advice', severity_color(Severity.ADVICE), bold=True)}: {explanation}"
    for found in rules:
        yield f"{paint(found[0].code, severity_color(Severity.ADVICE), bold=True)} {found[0].name} ({len(found)})"
        for diagnostic in found:
            place = paint(one_line(str(diagnostic.span)), bold=True)
            yield f"  {place}: {one_line(diagnostic.message)}{elsewhere(diagnostic)}{fix_mark(diagnostic, paint)}"


def _block(diagnostic: Diagnostic, paint: Palette) -> Iterator[str]:
    yield heading(diagnostic, paint)
    start = diagnostic.span.start
    shown = diagnostic.source[:_MOST_LINES]
    gutter = len(str(start.line + len(shown) - 1))
    margin = paint(f"{'':{gutter}} |", "cyan")
    yield margin
    for number, (text, begin, end) in enumerate(_spans(diagnostic, shown), start.line):
        line, indent, carets = _underline(text, begin, end)
        yield f"{paint(f'{number:>{gutter}} |', 'cyan')} {line}".rstrip()
        if carets:
            yield f"{margin} {' ' * indent}{paint('^' * carets, severity_color(diagnostic.severity), bold=True)}"
    if len(diagnostic.source) > _MOST_LINES:
        yield paint(_CUT, "cyan")
    yield margin
    bullet = paint(f"{'':{gutter}} =", "cyan")
    for note in diagnostic.related:
        yield f"{bullet} {paint('note', bold=True)}: {one_line(str(note.span))}: {one_line(note.message)}"
        yield from _second_excerpt(note, paint)
    if diagnostic.fix:
        safe = diagnostic.fix.safety is Safety.SAFE
        words, color = ("fix (safe)", "green") if safe else ("fix (unsafe, --unsafe-fixes)", "magenta")
        label = paint(words, color, bold=True)
        yield f"{bullet} {label}: {one_line(diagnostic.fix.title)}{fix_place(diagnostic)}"
    elif diagnostic.unfixed:
        yield f"{bullet} {paint('no fix', bold=True)}: {one_line(diagnostic.unfixed)}"


def _second_excerpt(note: Note, paint: Palette) -> Iterator[str]:
    """The line of another file that a note is about."""
    if not note.source:
        return
    start, end = note.span.start, note.span.end
    last = end.column - 1 if end.line == start.line else len(note.source)
    line, indent, carets = _underline(note.source, start.column - 1, last)
    margin = " " * (len(_NOTE_MARGIN) - len(str(start.line)))
    yield f"{paint(f'{margin}{start.line} |', 'cyan')} {line}".rstrip()
    yield f"{paint(f'{_NOTE_MARGIN} |', 'cyan')} {' ' * indent}{paint('^' * carets, 'cyan', bold=True)}"


def _spans(diagnostic: Diagnostic, lines: tuple[str, ...]) -> Iterator[tuple[str, int, int]]:
    """Each line with the part of it that the finding is about, as 0-based columns."""
    start, end = diagnostic.span.start, diagnostic.span.end
    for number, line in enumerate(lines, start.line):
        first = start.column - 1 if number == start.line else len(line) - len(line.lstrip())
        last = end.column - 1 if number == end.line else len(line)
        yield line, first, max(last, first)


def _underline(line: str, begin: int, end: int) -> tuple[str, int, int]:
    """The line as shown, and how far in and how wide its carets are in columns of the terminal."""
    end = min(end, begin + _WIDEST_SPAN)
    head = "" if begin <= _BEFORE_SPAN else _CUT
    tail = "" if len(line) - end <= _AFTER_SPAN else _CUT
    before = head + _shown(line[begin - _BEFORE_SPAN : begin] if head else line[:begin])
    marked = _shown(line[begin:end])
    after = _shown(line[end : end + _AFTER_SPAN] if tail else line[end:]) + tail
    # An empty span still needs one caret, to show where.
    carets = max(_columns(marked), 1) if begin < end or line else 0
    return before + marked + after, _columns(before), carets


def _columns(text: str) -> int:
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # slow to load, and plain text takes a column each

    return cell_len(text)


def _shown(text: str) -> str:
    return visible(text.replace("\t", _TAB))
