"""Writes `# noqa` comments for findings: only such as silence what they are for, and leave the program as it is."""

from __future__ import annotations

import io
import tokenize
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pipelint.lint.apply_rules import DocumentFindings, UnitFinding, apply_rules
from pipelint.lint.fix import Fixed
from pipelint.lint.known_findings import still_hidden
from pipelint.lint.results import RuleName
from pipelint.model.edit import Edit
from pipelint.project.projects import Project
from pipelint.source.document import Document
from pipelint.source.errors import FileError
from pipelint.source.files import load
from pipelint.source.lines import NEWLINE, Position
from pipelint.source.suppressions import noqa_edits

_NO_CODE = (tokenize.COMMENT, tokenize.NL)


def silence(project: Project, found: DocumentFindings) -> Fixed:
    """Add a `# noqa` comment for every finding about code; what no comment can silence is a problem of the file."""
    about_code = [item for item in found.findings if not project.registry[item.finding.code].is_about_suppressions]
    try:
        wanted = _harmless(found.document, about_code)
        after = _silenced(project, found, wanted)
        while len(silenced := _gone(found, after, wanted)) < len(wanted):
            wanted = silenced
            after = _silenced(project, found, wanted)
    except FileError as error:
        return Fixed(replace(found, problems=(*found.problems, error)))
    left = sorted({_key(found, item) for item in about_code} - {_key(found, item) for item in wanted})
    problems = (*after.problems, *([_cannot_be_silenced(found.document.path, left)] if left else []))
    silenced_rules = Counter(map(_rule, found.findings)) - Counter(map(_rule, after.findings))
    return Fixed(replace(after, problems=problems), tuple(silenced_rules.elements()))


def _rule(item: UnitFinding) -> RuleName:
    return RuleName(item.finding.code, item.finding.name)


def _harmless(document: Document, items: Sequence[UnitFinding]) -> Sequence[UnitFinding]:
    """The findings whose comments change nothing but comments; raises FileError where the encoding has none."""
    if _is_same_program(document, _commented(document, items)):
        return items
    return [item for item in items if _is_same_program(document, _commented(document, [item]))]


def _silenced(project: Project, found: DocumentFindings, items: Sequence[UnitFinding]) -> DocumentFindings:
    """What is found with comments for these findings."""
    return still_hidden(found, apply_rules(project, _commented(found.document, items)))


def _commented(document: Document, items: Sequence[UnitFinding]) -> Document:
    edits: dict[int, list[Edit]] = {}
    for index, unit in enumerate(document.units):
        added = noqa_edits(unit, [item.finding for item in items if item.unit == index])
        edits[index] = [edit for edit in added if unit.accepts([edit])]
    return load(document.path, document.with_edits(edits))


def _is_same_program(before: Document, after: Document) -> bool:
    return [_code(unit.text) for unit in before.units] == [_code(unit.text) for unit in after.units]


def _code(text: str) -> list[tuple[int, str]]:
    """The tokens of a program without comments, as far as they can be told."""
    tokens: list[tuple[int, str]] = []
    source = io.StringIO(NEWLINE.sub("\n", text), newline="\n")
    try:
        read = tokenize.generate_tokens(source.readline)
        tokens.extend((token.type, token.string) for token in read if token.type not in _NO_CODE)
    except (tokenize.TokenError, SyntaxError):
        tokens.append((tokenize.ERRORTOKEN, ""))
    return tokens


def _gone(before: DocumentFindings, after: DocumentFindings, items: Sequence[UnitFinding]) -> Sequence[UnitFinding]:
    left = {_key(after, item) for item in after.findings}
    return [item for item in items if _key(before, item) not in left]


def _key(found: DocumentFindings, item: UnitFinding) -> tuple[Position, str]:
    """A finding by its place, which comments at the ends of lines do not move, and its rule."""
    return found.document.units[item.unit].place(item.finding.region.start), item.finding.code


def _cannot_be_silenced(path: Path, left: Sequence[tuple[Position, str]]) -> FileError:
    (place, code), *more = left
    others = f", and {len(more)} more" if more else ""
    message = f"no comment can stand here that silences {code}{others}"
    return FileError(message, line=place.line, cell=place.cell, path=path)
