"""The text of a rule, where a finding stands or a comment names one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsprotocol import types as lsp
from pygls.workspace import PositionCodec

from pipelint.project.registry import RegisteredRule, Registry
from pipelint.report.rule_pages import as_markdown
from pipelint.server.client_ranges import Ruler
from pipelint.server.open_files import OpenPart
from pipelint.source.lines import Position

_HEADING = re.compile(r"^#+ ", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z][\w-]*")


def hover_on_name(
    part: OpenPart, place: lsp.Position, registry: Registry, codec: PositionCodec
) -> tuple[RegisteredRule, lsp.Range] | None:
    """The rule that the comment at a place names by its code or its name."""
    if place.line >= len(part.lines):
        return None
    text, ruler = part.lines[place.line], Ruler(part.lines, codec)
    by_word = {word: rule for rule in registry for word in (rule.code, rule.name)}
    for found in _WORD.finditer(text, max(text.find("#"), 0)):
        rule = by_word.get(found.group()) or by_word.get(found.group().upper())
        if rule is not None and "#" in text:
            start, end = (ruler.position(Position(place.line + 1, at + 1)) for at in found.span())
            if start.character <= place.character <= end.character:
                return rule, lsp.Range(start, end)
    return None


def page_of(*rules: RegisteredRule) -> lsp.MarkupContent:
    """The documentation of rules, as `pipelint rule` tells it."""
    return lsp.MarkupContent(lsp.MarkupKind.Markdown, "\n\n---\n\n".join(_pages(rules)))


def _pages(rules: tuple[RegisteredRule, ...]) -> Iterator[str]:
    for rule in rules:
        link = f"\n[{rule.code} on the web]({rule.url})\n" if rule.url else ""
        yield _with_small_headings(as_markdown([rule], index=False)) + link


def _with_small_headings(markdown: str) -> str:
    """The headings of a page would be larger than the code beside which editors show it."""
    blocks = markdown.split("```")
    blocks[::2] = [_HEADING.sub("#### ", text) for text in blocks[::2]]
    return "```".join(blocks)
