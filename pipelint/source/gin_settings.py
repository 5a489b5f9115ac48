"""Reads the plainest part of gin's files: constants for the parameters of functions, macros, and files in files."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

from pipelint.source.plain_settings import LONGEST

_KEY = re.compile(r"(\w+/)*(\w+\.)*\w+")
_MACRO = re.compile(r"%([\w/]+)")
_BESIDE_STATEMENTS = (tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER)


@dataclass(frozen=True)
class MacroUse:
    """A value that is said elsewhere under a name."""

    name: str


@dataclass(frozen=True)
class Binding:
    """What a line says of `scope/module.function.parameter`, or of a macro; the value is None if it is no constant."""

    key: str
    value: bool | float | str | MacroUse | None


@dataclass(frozen=True)
class Include:
    """A line that stands for all that another file says."""

    path: str


def read_statements(text: str) -> list[Binding | Include] | None:
    """What a file of gin says, in order; None where it is none, or too long for one that people write."""
    if len(text) > LONGEST:
        return None
    found: list[Binding | Include] = []
    try:
        for block, written in _lines(text):
            match written:
                case ["import" | "from", _, *_] if "=" not in written[:2]:
                    pass
                case ["include", path]:
                    found.append(Include(str(_constant(path))))
                case [*_, ":"]:
                    pass
                case _:
                    found.append(_binding(block, written))
    except (tokenize.TokenError, SyntaxError):
        return None
    return found


def _lines(text: str) -> Iterator[tuple[str, list[str]]]:
    """The words of each statement, with the function before a colon under which it stands indented."""
    written: list[str] = []
    block = opened = ""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NEWLINE:
            yield block, written
            opened = "".join(written[:-1]) + "." if written[-1:] == [":"] else ""
            written = []
        elif token.type in (tokenize.INDENT, tokenize.DEDENT):
            block = opened
        elif token.type not in _BESIDE_STATEMENTS:
            written.append(token.string)


def _binding(block: str, written: list[str]) -> Binding:
    at = written.index("=") if "=" in written else len(written)
    key = block + "".join(written[:at])
    if not written[at + 1 :] or not _KEY.fullmatch(key):
        raise SyntaxError
    macro = _MACRO.fullmatch("".join(written[at + 1 :]))
    return Binding(key, MacroUse(macro[1]) if macro is not None else _constant(" ".join(written[at + 1 :])))


def _constant(written: str) -> bool | float | str | None:
    with warnings.catch_warnings():
        # Python warns of backslashes in strings, which is no business of ours.
        warnings.simplefilter("ignore")
        try:
            value = ast.literal_eval(written)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            return None
    return value if isinstance(value, (bool, int, float, str)) else None
