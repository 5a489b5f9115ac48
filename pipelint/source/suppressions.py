"""Comments that silence findings: reading them, using them, taking the useless ones away, adding new ones."""

from __future__ import annotations

import io
import re
import tokenize
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

from pipelint.model.edit import Edit
from pipelint.model.finding import Finding, UnusedSuppression
from pipelint.model.locations import Region
from pipelint.source.lines import NEWLINE
from pipelint.source.unit import Unit

_CODE = r"[A-Z]+[0-9]+(?![\w-])"
_DIRECTIVE = re.compile(
    rf"""
    \#[ \t]*noqa\b (?:[ \t]*:[ \t]*(?P<codes>{_CODE}(?:[\s,]+{_CODE})*))?
    | \#[ \t]*pipelint[ \t]*:[ \t]*(?P<ignore>ignore(?P<file>-file)?)(?![\w-]) (?P<bracket>[ \t]*\[)?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ENTRY = re.compile(r"[^\s,]+")
_OWN_CODE = re.compile(r"PIPE[0-9]+", re.IGNORECASE)


class _Kind(Enum):
    NOQA = "noqa"
    IGNORE = "ignore"
    IGNORE_FILE = "ignore-file"


@dataclass
class _Entry:
    """One code or name in a directive."""

    text: str
    region: Region
    used: bool = False


@dataclass
class _Directive:
    """One directive in a comment; without entries it silences everything."""

    kind: _Kind
    region: Region
    comment: Region
    entries: list[_Entry] = field(default_factory=list)
    blanket: bool = False
    used: bool = False


class _Directives:
    """The directives of one line, or of the file, by what they say: there may be as many as there are findings."""

    def __init__(self) -> None:
        self.all: list[_Directive] = []
        self._blanket: list[_Directive] = []
        self._by_entry: dict[str, list[tuple[_Directive, _Entry]]] = {}

    def add(self, directive: _Directive) -> None:
        self.all.append(directive)
        if directive.blanket:
            self._blanket.append(directive)
        for entry in directive.entries:
            self._by_entry.setdefault(entry.text.upper(), []).append((directive, entry))

    def silence(self, finding: Finding, named: bool) -> bool:
        """Whether one silences a finding; all that do are remembered as used."""
        code = finding.code
        families = {
            code.rstrip("0123456789"),
            *(code[:end] for end in range(1, len(code) + 1) if code[end - 1].isdigit()),
        }
        silencing = [self._use(said) for said in (*families, finding.name.upper())]
        return any(silencing) or (not named and self._use_blanket())

    def _use(self, said: str) -> bool:
        entries = self._by_entry.get(said, [])
        if entries and not entries[0][1].used:
            for directive, entry in entries:
                directive.used = entry.used = True
        return bool(entries)

    def _use_blanket(self) -> bool:
        if self._blanket and not self._blanket[0].used:
            for directive in self._blanket:
                directive.used = True
        return bool(self._blanket)


class Suppressions:
    """The suppression comments of one unit."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._layout: _Layout | None = None
        self._by_line: dict[int, _Directives] = {}
        self._of_file = _Directives()
        folded = unit.text.lower()
        if "noqa" in folded or "pipelint" in folded:
            self._layout = _Layout(unit)
            for line, comment in self._layout.comments.items():
                for directive in _directives(unit.text, comment):
                    in_file = directive.kind is _Kind.IGNORE_FILE
                    (self._of_file if in_file else self._by_line.setdefault(line, _Directives())).add(directive)

    def suppresses(self, finding: Finding, *, named: bool = False) -> bool:
        """Whether a comment silences a finding; the comment then counts as used.

        A comment counts on the finding's line and on the first and last line of its statement. With `named` only
        comments that name the rule count, as for findings about these comments themselves.
        """
        if self._layout is None:
            return False
        line = self._unit.lines.number(finding.region.start)
        lines = {line, *self._layout.statement(line)} & self._by_line.keys()
        silencing = [said.silence(finding, named) for said in (self._of_file, *map(self._by_line.__getitem__, lines))]
        return any(silencing)

    def unused(
        self, known: Mapping[str, str], ran: Collection[str], usual: Collection[str] | None = None
    ) -> Iterator[UnusedSuppression]:
        """The comments that silenced nothing, with the edits that take them away.

        `known` gives the name of each rule by its code. An entry is judged only if all rules that it stands for are
        among those that `ran`, and a comment without entries only if all of `usual` (by default all known) are.
        An entry that stands for no rule is always reported; foreign codes and a bare noqa never are.
        """
        everything_ran = set(known if usual is None else usual) <= set(ran)
        directives = [*self._of_file.all, *(directive for line in self._by_line.values() for directive in line.all)]
        for directive in sorted(directives, key=lambda directive: directive.region):
            name = f"pipelint: {directive.kind.value}"
            if directive.blanket:
                if directive.kind is not _Kind.NOQA and not directive.used and everything_ran:
                    yield UnusedSuppression(directive.region, f"`{name}` suppresses nothing", self._removal(directive))
            elif not directive.entries:
                yield UnusedSuppression(directive.region, f"`{name}[]` names no rule", self._removal(directive))
            else:
                reasons = [
                    None if entry.used else _uselessness(directive, entry, known, ran) for entry in directive.entries
                ]
                useless = [entry for entry, reason in zip(directive.entries, reasons, strict=True) if reason]
                if useless:
                    region = Region(useless[0].region.start, useless[-1].region.end)
                    whole = len(useless) == len(directive.entries)
                    edits = self._removal(directive) if whole else tuple(_entry_removals(directive, useless))
                    yield UnusedSuppression(region, "; ".join(filter(None, reasons)), edits)

    def _removal(self, directive: _Directive) -> tuple[Edit, ...]:
        """Takes a directive away, with its comment and its line if nothing else is left there."""
        text, lines, comment = self._unit.text, self._unit.lines, directive.comment
        # Step by step: a comment may be long, and hold many directives.
        before, rest = directive.region.start, directive.region.end
        while before > comment.start and text[before - 1].isspace():
            before -= 1
        while rest < comment.end and text[rest].isspace():
            rest += 1
        if rest < comment.end:
            # What follows stays a comment of its own.
            return (Edit(Region(directive.region.start, rest), "" if text[rest] == "#" else "# "),)
        if before > comment.start:
            return (Edit(Region(before, comment.end), ""),)
        line = lines.number(comment.start)
        code = text[lines.start(line) : comment.start].rstrip(" \t\f")
        if code:
            return (Edit(Region(lines.start(line) + len(code), comment.end), ""),)
        end = lines.start(line + 1) if line < len(lines) else comment.end
        return (Edit(Region(lines.start(line), end), ""),)


def noqa_edits(unit: Unit, findings: Iterable[Finding]) -> list[Edit]:
    """The edits that silence findings with `# noqa: CODE` comments, merged into those that are there."""
    layout = _Layout(unit)
    codes: dict[int, set[str]] = {}
    for finding in findings:
        line = unit.lines.number(finding.region.start)
        if not layout.takes_comment(line):
            line = layout.statement(line)[1]
        codes.setdefault(line, set()).add(finding.code)
    edits = []
    for line, wanted in sorted(codes.items()):
        comment = layout.comments.get(line)
        directives = list(_directives(unit.text, comment)) if comment else []
        existing = [directive for directive in directives if directive.kind is _Kind.NOQA]
        if any(directive.blanket for directive in existing):
            continue
        present = {entry.text.upper() for directive in existing for entry in directive.entries}
        missing = ", ".join(sorted(wanted - present))
        if missing and existing:
            end = existing[-1].entries[-1].region.end
            edits.append(Edit(Region(end, end), f", {missing}"))
        elif missing:
            end = unit.lines.end(line)
            code = unit.text[unit.lines.start(line) : end].rstrip()
            edits.append(Edit(Region(unit.lines.start(line) + len(code), end), f"  # noqa: {missing}"))
    return edits


def _directives(text: str, comment: Region) -> Iterator[_Directive]:
    at = comment.start
    last_bracket = text.rfind("]", comment.start, comment.end)
    while found := _DIRECTIVE.search(text, at, comment.end):
        at = found.end()
        if found["ignore"]:
            kind = _Kind.IGNORE_FILE if found["file"] else _Kind.IGNORE
            start, end = at, -1
            if found["bracket"] and last_bracket >= at:
                end = text.index("]", at)
                at = end + 1
            elif found["bracket"]:
                at = found.start("bracket")
        else:
            kind = _Kind.NOQA
            start, end = found.span("codes")
        entries = [_Entry(e.group(), Region(*e.span())) for e in _ENTRY.finditer(text, start, end)] if end >= 0 else []
        yield _Directive(kind, Region(found.start(), at), comment, entries, blanket=end < 0)


def _stands_for(entry: str, code: str, name: str) -> bool:
    """Whether an entry names a rule: its code, a family of codes, or its name."""
    folded = entry.upper()
    is_family = folded == code.rstrip("0123456789") or folded[-1].isdigit()
    return entry.lower() == name or (is_family and code.startswith(folded))


def _uselessness(directive: _Directive, entry: _Entry, known: Mapping[str, str], ran: Collection[str]) -> str | None:
    """Why an entry that silenced nothing is useless; None if that cannot be said."""
    meant = {code for code, name in known.items() if _stands_for(entry.text, code, name)}
    if meant:
        return f"`{entry.text}` suppresses nothing" if meant <= set(ran) else None
    if directive.kind is _Kind.NOQA and not _OWN_CODE.fullmatch(entry.text):
        return None
    return f"`{entry.text}` is no rule of pipelint"


def _entry_removals(directive: _Directive, useless: Collection[_Entry]) -> Iterator[Edit]:
    """Takes entries out of a list of which some stay, each with the separator towards one that stays."""
    kept_before = False
    leaving = set(map(id, useless))
    for index, entry in enumerate(directive.entries):
        if id(entry) not in leaving:
            kept_before = True
        elif kept_before:
            yield Edit(Region(directive.entries[index - 1].region.end, entry.region.end), "")
        else:
            yield Edit(Region(entry.region.start, directive.entries[index + 1].region.start), "")


class _Layout:
    """What the tokens of a unit tell: its comments, its statements, and the lines that end inside a string."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self.comments: dict[int, Region] = {}
        self._in_string: set[int] = set()
        self._statements: list[tuple[int, int]] = []  # first and last line of each logical line
        self._read()

    def statement(self, line: int) -> tuple[int, int]:
        """The first and last line of the simple statement, or of the header of the compound one, around a line."""
        index = bisect_right(self._statements, (line, len(self._unit.lines))) - 1
        if index >= 0 and line <= self._statements[index][1]:
            return self._statements[index]
        return line, line

    def takes_comment(self, line: int) -> bool:
        """Whether a comment can stand at the end of a line."""
        ends_in_comment = line in self.comments
        text = self._unit.text[self._unit.lines.start(line) : self._unit.lines.end(line)]
        return line not in self._in_string and (ends_in_comment or not text.endswith("\\"))

    def _read(self) -> None:
        first: int | None = None
        string_starts: list[int] = []
        for token in self._tokens():
            line, last = token.start[0], token.end[0]
            if token.type == tokenize.COMMENT:
                start = self._unit.lines.start(line) + token.start[1]
                self.comments[line] = Region(start, start + len(token.string))
                continue
            if token.type in (tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER):
                continue
            if token.type == tokenize.NEWLINE:
                if first is not None:
                    self._statements.append((first, line))
                first = None
                continue
            first = line if first is None else first
            # From Python 3.12 on an f-string is several tokens between a start and an end.
            kind = tokenize.tok_name[token.type]
            if kind.endswith("STRING_START"):
                string_starts.append(line)
            elif kind.endswith("STRING_END"):
                self._in_string.update(range(string_starts.pop(), last))
            elif kind == "STRING":
                self._in_string.update(range(line, last))

    def _tokens(self) -> Iterator[tokenize.TokenInfo]:
        # One kind of newline keeps the tokenizer's lines the same as the compiler's.
        source = io.StringIO(NEWLINE.sub("\n", self._unit.text), newline="\n")
        try:
            yield from tokenize.generate_tokens(source.readline)
        except (tokenize.TokenError, SyntaxError):
            return  # what was read until here is all that can be told
