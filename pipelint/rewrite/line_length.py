"""Keeps what edits make of a statement to the line length of the file, with lines as Black breaks and joins them."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from bisect import bisect_right
from functools import cached_property

from pipelint.model.edit import Edit, Edits
from pipelint.model.locations import Region
from pipelint.rewrite.differences import smallest_edits
from pipelint.rewrite.syntax import Syntax
from pipelint.source.edits import apply

LIMITS = (80, 88, 100, 120)
"""The line lengths in use: of PEP 8 and Google, of Black, and the two that projects like to set."""
TELLING_LINES = 20
"""So many lines of code tell whether a file keeps a limit, and which; fewer may just have nothing long to say."""
_MOST_BREAKS = 6
"""A statement that still does not fit then is left as the edits make it."""
_FLUENT = 3
"""A chain of so many calls is broken at its dots, a shorter one inside of the last brackets."""
_ENDS_LINE = re.compile(r"|,|\.\w+\(")
"""What may follow behind a call in its line, so that its closing bracket can begin the next."""
_STEP = "    "
_OPENS = re.compile(r"[ \t]*\w(.*[\w)\]])?\(")
"""A line that ends in the bracket of a call, and does not begin with the end of another one."""
_TEXT = {tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_START", tokenize.STRING)}
_BLANK = {tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


class LineLength:
    """The line length of one program, and edits that keep to it."""

    def __init__(self, syntax: Syntax) -> None:
        self._syntax = syntax

    def fitted(self, edits: Edits) -> Edits:
        """The edits, with other ones for statements that they make too long, or short enough for what was broken."""
        inside: dict[int, list[Edit]] = {}
        for edit in edits:
            inside.setdefault(self._statement_at(edit), []).append(edit)
        kept: list[Edit] = list(inside.pop(-1, ()))
        for index, group in inside.items():
            kept += self._fitted(self._regions[index], group) or group
        return tuple(sorted(kept))

    def _fitted(self, region: Region, edits: list[Edit]) -> Edits | None:
        text, positions = self._syntax.text, self._syntax.positions
        start = positions.line_start(region.start)
        margin = text[start : region.start]
        if margin.strip() or any(not region.holds(edit.region) for edit in edits):
            return None
        written = text[start : region.end]
        changed = apply(written, [edit.moved(-start) for edit in edits])
        old, new = (part.replace(positions.newline, "\n") for part in (written, changed))
        try:
            fitted = self._with_breaks(new, old) or self._with_joins(new, old, behind=self._behind(region))
        except RecursionError:
            return None
        return tuple(smallest_edits(start, written, fitted.replace("\n", positions.newline))) if fitted else None

    def _with_breaks(self, new: str, old: str) -> str | None:
        longest = _longest(new, but=old)
        # What was too long before is the user's own choice.
        if longest <= LIMITS[0] or self.limit is None or longest <= self.limit or _longest(old) > self.limit:
            return None
        return _broken(new, old, self.limit)

    def _with_joins(self, new: str, old: str, behind: str) -> str | None:
        may_be = len(new) < len(old) and new.count("\n") == old.count("\n") > 1 and behind in ("", ":")
        return _joined(new, old, self.limit, len(behind)) if may_be and self.limit is not None else None

    def _behind(self, region: Region) -> str:
        """What follows on a statement in its last line."""
        text, newline = self._syntax.text, self._syntax.positions.newline
        end = text.find(newline, region.end)
        return text[region.end : end if end >= 0 else len(text)].strip()

    def _statement_at(self, edit: Edit) -> int:
        """The number of the simple statement that an edit is in, -1 for none."""
        index = bisect_right(self._regions, edit.region.start, key=lambda region: region.start) - 1
        return index if index >= 0 and edit.region.start <= self._regions[index].end else -1

    @cached_property
    def _regions(self) -> list[Region]:
        """Where simple statements stand, and loops up to their colons."""
        place, regions = self._syntax.positions.region, []
        for node in ast.walk(self._syntax.tree):
            if isinstance(node, (ast.For, ast.AsyncFor)):
                regions.append(Region(place(node).start, place(node.iter).end))
            elif isinstance(node, ast.stmt) and not hasattr(node, "body"):
                regions.append(place(node))
        return sorted(regions, key=lambda region: region.start)

    @cached_property
    def limit(self) -> int | None:
        """The limit that the file keeps, or its longest line; lines with strings, hard to break, tell nothing.

        Where too few lines tell, the widest in use; None for a text that has no tokens.
        """
        lengths: dict[int, int] = {}
        wordy: set[int] = set()
        try:
            for token in tokenize.generate_tokens(io.StringIO(self._syntax.text).readline):
                lines = range(token.start[0], token.end[0] + 1)
                if token.type in _TEXT:
                    wordy.update(lines)
                elif token.type not in _BLANK:
                    lengths[token.end[0]] = max(lengths.get(token.end[0], 0), token.end[1])
        except (tokenize.TokenError, SyntaxError):
            return None
        telling = [length for line, length in lengths.items() if line not in wordy]
        if len(telling) < TELLING_LINES:
            return LIMITS[-1]
        return next((limit for limit in LIMITS if max(telling) <= limit), max(telling))


def _longest(text: str, but: str = "") -> int:
    """The length of the longest line that another text does not have."""
    known = set(but.split("\n"))
    return max((len(line) for line in text.split("\n") if line not in known), default=0)


def _broken(text: str, old: str, limit: int) -> str | None:
    """A statement with its new lines broken until they fit, None if they never do."""
    meaning, known = _parsed(text), set(old.split("\n"))
    for _ in range(_MOST_BREAKS):
        if _longest(text, but=old) <= limit:
            same = meaning is not None and ast.dump(meaning) == ast.dump(_parsed(text) or ast.Pass())
            return text if same else None
        number = next(n for n, line in enumerate(text.split("\n")) if len(line) > limit and line not in known)
        statement = _parsed(text)
        broken = _Line(text, number, statement, limit).broken() if statement is not None else None
        if broken is None:
            return None
        text = broken
    return None


def _joined(text: str, old: str, limit: int, more: int) -> str | None:
    """A statement with brackets closed again whose contents have lines of their own as they did not fit before.

    So many columns more stand behind it in its last line. None where there is no such bracket.
    """
    lines, before = text.split("\n"), old.split("\n")
    for number in range(len(lines) - 3, -1, -1):
        three, earlier = lines[number : number + 3], before[number : number + 3]
        if three != earlier and _holds_one_line(*three, is_all=len(lines) == 3):
            whole, was = (first + body.strip() + last.strip() for first, body, last in (three, earlier))
            behind = more if number + 3 == len(lines) else 0
            if len(whole) + behind <= limit < len(was) + behind:
                lines[number : number + 3], before[number : number + 3] = [whole], [was]
    joined, meaning = "\n".join(lines), _parsed(text)
    if joined == text or meaning is None:
        return None
    return joined if ast.dump(meaning) == ast.dump(_parsed(joined) or ast.Pass()) else None


def _holds_one_line(first: str, body: str, last: str, *, is_all: bool) -> bool:
    """Whether three lines are a bracket, one line in it without a comma at its end, and the other bracket."""
    margin = first[: len(first) - len(first.lstrip())]
    content = body.removeprefix(margin + _STEP)
    if "#" in first + body + last or content == body or content[:1].isspace() or content.endswith(","):
        return False
    closes = last.startswith(f"{margin})") and (is_all or last.strip() in (")", "),"))
    return closes and _OPENS.fullmatch(first) is not None


def _parsed(text: str) -> ast.stmt | None:
    """A statement that may be indented; line 1 of the text is line 2 of the tree. None if it is not one alone."""
    head = "if 1:\n" if text[:1].isspace() else "\n"
    suite = ": pass" if text.lstrip().startswith(("for ", "async for ")) else ""
    try:
        tree = ast.parse(head + text + suite)
    except SyntaxError:
        return None
    outer = tree.body[0]
    body = outer.body if text[:1].isspace() and isinstance(outer, ast.If) else tree.body
    return body[0] if len(body) == 1 else None


class _Line:
    """One line of a statement, and the ways to break it."""

    def __init__(self, text: str, number: int, statement: ast.stmt, limit: int) -> None:
        self._lines = text.split("\n")
        self._number = number
        self._line = self._lines[number]
        self._margin = self._line[: len(self._line) - len(self._line.lstrip())]
        self._statement = statement
        self._limit = limit

    def broken(self) -> str | None:
        """The text with this line broken once, None where there is no simple way."""
        if "#" in self._line:
            return None
        value = getattr(self._statement, "value", None) or getattr(self._statement, "iter", None)
        if isinstance(value, ast.Tuple) and self._number == 0 and self._holds(value):
            return self._in_brackets(value, *value.elts)
        if isinstance(value, ast.expr) and self._holds(value) and len(_calls(value)) >= _FLUENT:
            return self._in_brackets(value) if self._number == 0 else self._at_dots(value)
        expressions = [node for node in ast.walk(self._statement) if isinstance(node, ast.expr)]
        calls = [node for node in expressions if isinstance(node, ast.Call) and (node.args or node.keywords)]
        for call in calls:
            arguments: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
            if len(arguments) > 1 and all(map(self._holds, arguments)) and self._is_body_of(call):
                return self._one_each(arguments)
        for node in expressions:
            if self._holds(node) and self._is_alone(node) and len(_calls(node)) >= _FLUENT:
                return self._at_dots(node)
        return next(filter(None, map(self._inside, filter(self._may_open, calls))), None)

    def _in_brackets(self, value: ast.expr, *elements: ast.expr) -> str:
        """The value on a line of its own, or each of its elements, in brackets that it may have already."""
        start, end = _columns(self._line, value)
        inner = [f"{self._margin}{_STEP}{self._part(element)}," for element in elements]
        has_brackets = bool(elements) and _columns(self._line, elements[0])[0] > start
        last = f"{self._margin}){self._line[end:]}"
        if has_brackets:
            return self._with(self._line[: start + 1], *inner, last)
        return self._with(f"{self._line[:start]}(", *(inner or [self._margin + _STEP + self._part(value)]), last)

    def _at_dots(self, value: ast.expr) -> str:
        """A line for each call of a chain but the first, which stays with what it is called on."""
        cuts = [_columns(self._line, call)[1] for call in _calls(value)][::-1]
        end = cuts.pop()
        parts = [self._line[: cuts[0]]]
        parts += [self._margin + self._line[a:b].lstrip() for a, b in zip(cuts, [*cuts[1:], end], strict=True)]
        return self._with(*parts[:-1], parts[-1] + self._line[end:])

    def _one_each(self, arguments: list[ast.expr | ast.keyword]) -> str:
        ordered = sorted(arguments, key=lambda argument: argument.col_offset)
        return self._with(*(f"{self._margin}{self._part(argument)}," for argument in ordered))

    def _inside(self, call: ast.Call) -> str | None:
        """The arguments of a call on a line of their own, if what comes before them fits."""
        _, end = _columns(self._line, call)
        opening = _columns(self._line, call.func)[1]
        if self._line[opening : opening + 1] != "(" or opening >= self._limit:
            return None
        inner = self._line[opening + 1 : end - 1].strip().removesuffix(",")
        last = self._margin + self._line[end - 1 :]
        rest = self._lines[self._number + 1 :]
        # Brackets that were open behind it may close again: `).shuffle(` and what follows fit into one line now.
        body, closing, *_ = [*(line.strip() for line in rest[:2]), "", ""]
        together = last + body + closing
        closes = last.endswith("(") and closing.startswith(")") and not body.endswith(",")
        if closes and len(together) <= self._limit:
            last, rest = together, rest[2:]
        inside = self._margin + _STEP + inner
        return "\n".join([*self._lines[: self._number], self._line[: opening + 1], inside, last, *rest])

    def _part(self, node: ast.AST) -> str:
        """A part of the line as it is written, the stars of an argument included."""
        start, end = _columns(self._line, node)
        while self._line[start - 1 : start] == "*":
            start -= 1
        return self._line[start:end]

    def _with(self, *lines: str) -> str:
        return "\n".join([*self._lines[: self._number], *lines, *self._lines[self._number + 1 :]])

    def _holds(self, node: ast.AST) -> bool:
        """Whether a node begins and ends in this line."""
        return getattr(node, "lineno", 0) == getattr(node, "end_lineno", 0) == self._number + 2

    def _may_open(self, call: ast.Call) -> bool:
        """Whether the brackets of a call, both in this line, may be opened: where lines hang, they go on hanging."""
        if not call.func.end_lineno == call.end_lineno == self._number + 2:
            return False
        if len(self._lines) == 1:
            return True
        behind = self._line[_columns(self._line, call)[1] :]
        if not _ENDS_LINE.fullmatch(behind):
            return False
        if self._number == 0:
            return behind != ","
        if call.lineno < self._number + 2:
            return self._line.lstrip().startswith(".")
        before = self._line[: _columns(self._line, call)[0]].strip()
        return not before or before.removesuffix("=").isidentifier()

    def _is_body_of(self, call: ast.Call) -> bool:
        """Whether the line is all that stands between the brackets of a call, which are on other lines."""
        before, behind = self._lines[self._number - 1].rstrip(), self._lines[self._number + 1 :][:1]
        opens = (call.func.end_lineno or 0) < self._number + 2 and before.endswith("(")
        return self._number > 0 and opens and bool(behind) and behind[0].lstrip().startswith(")")

    def _is_alone(self, node: ast.AST) -> bool:
        """Whether an expression has the line for itself, but for a keyword and a comma, in brackets that are open."""
        start, end = _columns(self._line, node)
        before, behind = self._line[:start].strip(), self._line[end:].strip()
        return self._number > 0 and behind in ("", ",") and (not before or before.removesuffix("=").isidentifier())


def _calls(node: ast.AST) -> list[ast.Call]:
    """The calls of a chain, the last one first."""
    found: list[ast.Call] = []
    while isinstance(node, ast.Call):
        found.append(node)
        node = node.func.value if isinstance(node.func, ast.Attribute) else ast.Pass()
    return found


def _columns(line: str, node: ast.AST) -> tuple[int, int]:
    """Where a node of one line begins and ends in it; `ast` counts bytes."""
    raw = line.encode()
    first, last = getattr(node, "col_offset", 0), getattr(node, "end_col_offset", 0)
    return len(raw[:first].decode(errors="ignore")), len(raw[:last].decode(errors="ignore"))
