"""Parses source with `ast`, and refuses what is too deep to follow."""

from __future__ import annotations

import ast
import re
import warnings
from functools import lru_cache
from typing import Any

from pipelint.source.garbage import seldom_collected
from pipelint.source.module_text import ModuleText
from pipelint.source.tree_walk import children

DEEPEST_NESTING = 400
"""How deeply expressions and blocks may nest; the links of a chain are counted apart."""
LONGEST_CHAIN = 900
"""How many calls, attributes or operators may hang together in one expression."""

_LONGEST_NUMBER = 10_000
"""Bits of a number that Python still writes out (4,300 digits are 14,000 bits); a larger one stands as infinite."""

_PYTHON_2 = re.compile(r"^[ \t]*print[ \t]+[\"'\w]|^[ \t]*except \w+, \w+:", re.MULTILINE)


class CannotParse(Exception):  # noqa: N818 - it says what happened
    """Source that is no Python, or that nests too deeply."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


def parse(text: str, first_line: int = 1) -> ast.Module:
    """The syntax tree of a program, the lines of which are counted from another one than 1 where that is asked for."""
    try:
        with warnings.catch_warnings(), seldom_collected():
            # Invalid escapes in the user's strings are not our business.
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except SyntaxError as error:
        raise CannotParse(_reason(error, text), error.lineno) from None
    except ValueError as error:
        raise CannotParse(str(error)) from None
    except (RecursionError, MemoryError):
        raise CannotParse(_too_deep()) from None
    _prepare(tree, first_line - 1)
    return tree


def parse_module(module: ModuleText) -> ast.Module | None:
    """The tree of a module around a program, with lines that no other module has; None where it is no Python."""
    return _tree(module.text, module.first_line)


@lru_cache(256)  # trees are large, and a program has seldom more modules
def _tree(text: str, first_line: int) -> ast.Module | None:
    try:
        return parse(text, first_line)
    except CannotParse:
        return None


def _reason(error: SyntaxError, text: str) -> str:
    if "too many nested" in error.msg or "nested too" in error.msg:
        return _too_deep()
    hint = " (Python 2 is not supported)" if _PYTHON_2.search(text) else ""
    return f"syntax error: {error.msg}{hint}"


def _too_deep() -> str:
    limits = f"{DEEPEST_NESTING} levels, {LONGEST_CHAIN} links in one chain"
    return f"nested too deeply to analyse (limit: {limits}); split it up"


def _prepare(tree: ast.Module, lines_before: int) -> None:
    """Refuse what the interpreter could not follow, tame what nobody can write out, and move the lines, in one walk."""
    pending: list[tuple[ast.AST, int, int]] = [(tree, 0, 0)]
    while pending:
        node, depth, links = pending.pop()
        if depth > DEEPEST_NESTING or links > LONGEST_CHAIN:
            raise CannotParse(_too_deep(), getattr(node, "lineno", None))
        kind = type(node)
        if kind is ast.Constant:
            _tame(node)
        if lines_before and "lineno" in kind._attributes:
            _move(node, lines_before)
        link = _LINKS.get(kind)
        inner = getattr(node, link) if link else None
        for child in children(node):
            if child is inner:
                pending.append((child, depth, links + 1))
            else:
                pending.append((child, depth + 1, 0))


_LINKS: dict[type[ast.AST], str] = {ast.Call: "func", ast.Attribute: "value", ast.Subscript: "value", ast.BinOp: "left"}
"""The part of an expression that the interpreter follows in a loop rather than by recursion."""


def _tame(node: Any) -> None:
    if isinstance(node.value, int) and node.value.bit_length() > _LONGEST_NUMBER:
        node.value = float("inf")


def _move(node: Any, lines: int) -> None:
    node.lineno += lines
    if node.end_lineno is not None:
        node.end_lineno += lines
