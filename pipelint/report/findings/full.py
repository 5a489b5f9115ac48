"""Errors, then warnings, with their source, carets under the span, and what can be done; then advice, a line each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from pipelint.display.terminal import Palette, columns, one_line, visible, wrapped
from pipelint.model.grades import Safety, Severity
from pipelint.report.findings import FormatOptions
from pipelint.report.findings._advice import advice_by_rule, what_advice_is
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
_AROUND_SPAN = 10
"""What is shown of a line before and after its span, at the least, where there is room."""
_CUT = "..."
_HANGING = 4
_NOTE_MARGIN = " " * 8


def render(results: Results, options: FormatOptions) -> str:
    """A block of lines for each error, then for each warning, one for all advice, then the summary."""
    paint = Palette(options.color)
    found = render_next(results.diagnostics, options, first=True)
    warnings = (diagnostic for diagnostic in results.diagnostics if diagnostic.severity is Severity.WARNING)
    blocks = [*([found] if found else []), *(_block(diagnostic, paint, options.width) for diagnostic in warnings)]
    if advice := advice_by_rule(results):
        lines = _advice(advice, what_advice_is(results), paint)
        blocks.append("".join(f"{wrapped(line, options.width, _HANGING)}\n" for line in lines))
    if not options.quiet:
        blocks.append(wrapped(summary(results, paint), options.width, 0) + "\n")
    return "\n".join(blocks)


def render_next(diagnostics: Sequence[Diagnostic], options: FormatOptions, *, first: bool) -> str:
    """The blocks of those that are errors, which come first, an empty line between each and what is before."""
    paint = Palette(options.color)
    errors = (diagnostic for diagnostic in diagnostics if diagnostic.severity is Severity.ERROR)
    blocks = [_block(diagnostic, paint, options.width) for diagnostic in errors]
    return "\n".join(blocks if first or not blocks else ["", *blocks])


def _advice(rules: Iterable[Sequence[Diagnostic]], explanation: str, paint: Palette) -> Iterator[str]:
    yield f"{paint('Advice', severity_color(Severity.ADVICE), bold=True)}: {explanation}"
    for found in rules:
        yield f"{paint(found[0].code, severity_color(Severity.ADVICE), bold=True)} {found[0].name} ({len(found)})"
        for diagnostic in found:
            place = paint(one_line(str(diagnostic.span)), bold=True)
            yield f"  {place}: {one_line(diagnostic.message)}{elsewhere(diagnostic)}{fix_mark(diagnostic, paint)}"


def _block(diagnostic: Diagnostic, paint: Palette, width: int | None) -> str:
    return "".join(f"{line}\n" for line in _lines(diagnostic, paint, width))


def _lines(diagnostic: Diagnostic, paint: Palette, width: int | None) -> Iterator[str]:
    yield wrapped(heading(diagnostic, paint), width, _HANGING)
    start = diagnostic.span.start
    shown = diagnostic.source[:_MOST_LINES]
    gutter = len(str(start.line + len(shown) - 1))
    margin = paint(f"{'':{gutter}} |", "cyan")
    room = None if width is None else max(width - gutter - len(" | "), _AROUND_SPAN)
    fitted = partial(wrapped, width=width, indent=gutter + len(" = "))
    yield margin
    for number, (text, begin, end) in enumerate(_spans(diagnostic, shown), start.line):
        line, indent, carets = _underline(text, begin, end, room)
        yield f"{paint(f'{number:>{gutter}} |', 'cyan')} {line}".rstrip()
        if carets:
            yield f"{margin} {' ' * indent}{paint('^' * carets, severity_color(diagnostic.severity), bold=True)}"
    if len(diagnostic.source) > _MOST_LINES:
        yield paint(_CUT, "cyan")
    yield margin
    bullet = paint(f"{'':{gutter}} =", "cyan")
    for note in diagnostic.related:
        yield fitted(f"{bullet} {paint('note', bold=True)}: {one_line(str(note.span))}: {one_line(note.message)}")
        yield from _second_excerpt(note, paint, width)
    if diagnostic.fix:
        safe = diagnostic.fix.safety is Safety.SAFE
        words, color = ("fix (safe)", "green") if safe else ("fix (unsafe, --unsafe-fixes)", "magenta")
        label = paint(words, color, bold=True)
        yield fitted(f"{bullet} {label}: {one_line(diagnostic.fix.title)}{fix_place(diagnostic)}")
    elif diagnostic.unfixed:
        yield fitted(f"{bullet} {paint('no fix', bold=True)}: {one_line(diagnostic.unfixed)}")


def _second_excerpt(note: Note, paint: Palette, width: int | None) -> Iterator[str]:
    """The line of another file that a note is about."""
    if not note.source:
        return
    start, end = note.span.start, note.span.end
    last = end.column - 1 if end.line == start.line else len(note.source)
    room = None if width is None else max(width - len(_NOTE_MARGIN) - len(" | "), _AROUND_SPAN)
    line, indent, carets = _underline(note.source, start.column - 1, last, room)
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


def _underline(line: str, begin: int, end: int, room: int | None) -> tuple[str, int, int]:
    """The line as shown, and how far in and how wide its carets are in columns of the terminal."""
    end = min(end, begin + _WIDEST_SPAN)
    head = "" if begin <= _BEFORE_SPAN else _CUT
    tail = "" if len(line) - end <= _AFTER_SPAN else _CUT
    before = head + _shown(line[begin - _BEFORE_SPAN : begin] if head else line[:begin])
    marked = _shown(line[begin:end])
    after = _shown(line[end : end + _AFTER_SPAN] if tail else line[end:]) + tail
    if room is not None:
        before, marked, after = _fitted(before, marked, after, room)
    # An empty span still needs one caret, to show where.
    carets = max(columns(marked), 1) if begin < end or line else 0
    return before + marked + after, columns(before), carets


def _fitted(before: str, marked: str, after: str, room: int) -> tuple[str, str, str]:
    """A line that is cut to so many columns around what is marked, of which the beginning is seen in any case."""
    if columns(before + marked + after) <= room:
        return before, marked, after
    marked = _cut_end(marked, room)
    left = room - columns(marked)
    behind = min(columns(after), max(left - columns(before), min(_AROUND_SPAN, left // 2)))
    before = _cut_start(before, left - behind)
    return before, marked, _cut_end(after, left - columns(before))


def _cut_end(text: str, room: int) -> str:
    if columns(text) <= room:
        return text
    while text and columns(text) > max(room - len(_CUT), 0):
        text = text[:-1]
    return text + _CUT[:room]


def _cut_start(text: str, room: int) -> str:
    if columns(text) <= room:
        return text
    while text and columns(text) > max(room - len(_CUT), 0):
        text = text[1:]
    return _CUT[:room] + text


def _shown(text: str) -> str:
    return visible(text.replace("\t", _TAB))
