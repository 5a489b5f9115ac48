"""IPython syntax in notebook cells, replaced line for line by harmless Python."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipelint.source.lines import NEWLINE

# Cell magics whose body runs as Python of the notebook. The bodies of all others are left alone.
_RUNS_THE_BODY = frozenset(
    {"time", "timeit", "capture", "debug", "prun", "memit", "mprun", "lprun", "scalene", "snakeviz", "pyinstrument"}
    | {"python", "python3", "tpu", "heat", "notify"}
)

_LINE_END = r"(?:\r\n|\r|\n)"
_TOKEN = re.compile(
    rf"""
    (?P<comment>\#[^\r\n]*)
    | (?P<string>
        \"\"\"(?:\\.|[^\\])*?(?:\"\"\"|\Z) | '''(?:\\.|[^\\])*?(?:'''|\Z)
        | "(?:\\(?:\r\n|.)|[^\\"\r\n])*"? | '(?:\\(?:\r\n|.)|[^\\'\r\n])*'?
      )
    | (?P<open>[(\[{{]) | (?P<close>[)\]}}])
    | (?P<continued>\\{_LINE_END}) | (?P<newline>{_LINE_END})
    """,
    re.VERBOSE | re.DOTALL,
)

_INDENT = re.compile(r"[ \t]*")
_ESCAPED = re.compile(r"[ \t]*[%!?]")
_HELP = re.compile(r"[ \t]*%{0,2}[\w.*\[\]-]+\?{1,2}[ \t]*(?:[;#][^\r\n]*)?(?=[\r\n]|\Z)")
_ASSIGNED = re.compile(r"(?P<target>[ \t]*[^\s=!%#][^=!%#\r\n]*?)[ \t]*=[ \t]*[%!](?!=)")
_CONTINUED_LINE = re.compile(rf"(?:[^\r\n]*\\{_LINE_END})*[^\r\n]*(?:{_LINE_END}|\Z)")

_CELL_MAGIC = re.compile(rf"(?:[ \t]*(?:\#[^\r\n]*)?{_LINE_END})*[ \t]*%%(?P<name>[^\s?]+)(?!\S)(?P<rest>[^\r\n]*)")

# IPython runs a cell of one such line as a magic even without the percent sign.
_AUTOMAGIC = re.compile(
    r"\s*(?:#[^\r\n]*\s*)*(?:pip3?|conda|mamba|cd|ls|ll|cat|cp|mv|rm|mkdir|rmdir|pwd|less|more|man|env|run|load|load_ext|reload_ext"
    r"|autoreload|matplotlib|pylab|time|timeit|who|whos|reset|history|tensorflow_version)(?:[ \t][^\r\n]*)?\s*\Z"
)


@dataclass(frozen=True)
class Translation:
    """The Python of one cell, with as many lines as the cell has from `first_line` on."""

    text: str
    indent: str = ""  # what was taken off each line that begins with it, as IPython does
    magics: tuple[tuple[int, int], ...] = ()  # first and last line of what was replaced, counted in the cell
    headers: int = 0  # leading lines that must stay first
    first_line: int = 1
    own_program: bool = False  # %%writefile: a file of its own, no part of the notebook's program


def translate(source: str) -> Translation | None:
    """The Python in a code cell, or None for a cell in another language."""
    indent = NEWLINE.split(source[: len(source) - len(source.lstrip(" \t\r\n"))])[-1]
    if indent:
        source = re.sub(rf"(?:\A|(?<=[\r\n])){indent}", "", source)
    headers = 0
    at = 0
    while found := _CELL_MAGIC.match(source, at):
        name = found["name"]
        if name in ("writefile", "file"):
            return _written_file(source, found, indent)
        if name not in _RUNS_THE_BODY:
            return None
        at = _end_of_continued_line(source, found.end())
        headers = _newlines(source[:at])
        if at == len(source) and not source.endswith(("\n", "\r")):
            headers += 1
            break
    pieces: list[str] = []
    magics: list[tuple[int, int]] = []
    line = 1
    for chunk, stand_in in _logical_lines(source):
        pieces.append(chunk if stand_in is None else stand_in)
        ends = _newlines(chunk)
        if stand_in is not None:
            magics.append((line, line + ends - 1 if chunk.endswith(("\n", "\r")) else line + ends))
        line += ends
    return Translation("".join(pieces), indent, tuple(magics), headers)


def automagic(source: str) -> Translation | None:
    """The stand-in for a cell that is one command without its percent sign, such as `pip install x`."""
    if not _AUTOMAGIC.match(source):
        return None
    lines = _newlines(source) + 1
    return Translation("pass" + "".join(NEWLINE.findall(source)), magics=((1, lines),))


def _logical_lines(source: str) -> Iterator[tuple[str, str | None]]:
    """Each logical line of a cell and, if it is no Python, what stands in for it."""
    at = 0
    while at < len(source):
        statement = _stand_in(source, at)
        if statement is None:
            end = _end_of_logical_line(source, at)
            yield source[at:end], None
        else:
            # A magic's quotes and brackets need not match: it ends with its line whatever they are.
            end = _end_of_continued_line(source, at)
            yield source[at:end], statement + "".join(NEWLINE.findall(source, at, end))
        at = end


def _stand_in(source: str, at: int) -> str | None:
    """The Python statement for the magic that begins at a logical line, indented alike; None for Python."""
    if _ESCAPED.match(source, at) or _HELP.match(source, at):
        indent = _INDENT.match(source, at)
        return f"{indent.group() if indent else ''}pass"
    assigned = _ASSIGNED.match(source, at)
    if assigned and _is_target(assigned["target"].strip()):
        return f"{assigned['target']} = get_ipython()"
    return None


def _is_target(text: str) -> bool:
    try:
        ast.parse(f"{text} = 0")
    except (SyntaxError, ValueError):
        return False
    return True


def _end_of_logical_line(source: str, at: int) -> int:
    depth = 0
    for token in _TOKEN.finditer(source, at):
        if token.lastgroup == "open":
            depth += 1
        elif token.lastgroup == "close":
            depth = max(depth - 1, 0)
        elif token.lastgroup == "newline" and depth == 0:
            return token.end()
    return len(source)


def _end_of_continued_line(source: str, at: int) -> int:
    line = _CONTINUED_LINE.match(source, at)
    assert line is not None
    return line.end()


def _written_file(source: str, magic: re.Match[str], indent: str) -> Translation | None:
    """The body of a `%%writefile` cell if it names a Python file."""
    words = [word for word in magic["rest"].split() if word not in ("-a", "--append")]
    body = NEWLINE.search(source, magic.end())
    if not words or not words[-1].strip("'\"").endswith(".py") or body is None:
        return None
    first_line = _newlines(source[: body.end()]) + 1
    return Translation(source[body.end() :], indent, first_line=first_line, own_program=True)


def _newlines(text: str) -> int:
    return sum(1 for _ in NEWLINE.finditer(text))
