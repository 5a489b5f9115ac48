"""IPython syntax in notebook cells, replaced line for line by harmless Python."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from posixpath import normpath

from pipelint.source.fragments import syntax_error
from pipelint.source.lines import NEWLINE

# Cell magics whose body runs as Python of the notebook. The bodies of all others are left alone.
_RUNS_THE_BODY = frozenset(
    {"time", "timeit", "capture", "debug", "prun", "memit", "mprun", "lprun", "scalene", "snakeviz", "pyinstrument"}
    | {"python", "python3", "tpu", "heat", "notify"}
)
_TIMES_THE_BODY = frozenset({"time", "timeit"})
# Magics that run the Python on their own line, with the letters of the options that take a value.
_RUNS_ITS_LINE = {"time": "_", "timeit": "nrp", "prun": "lsTD", "memit": "rti", "lprun": "fmTD", "mprun": "fT"}

# Magics of one line that IPython runs, alone in a cell, even without the percent sign.
_COMMANDS = (
    "pip3?|conda|mamba|cd|ls|ll|cat|cp|mv|rm|mkdir|rmdir|pwd|less|more|man|env|run|load|load_ext|reload_ext|autoreload"
    "|matplotlib|pylab|time|timeit|who|whos|reset|history|tensorflow_version"
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
_ASSIGNED = re.compile(r"(?P<target>[ \t]*[^\s=!%#][^=!%#\r\n]*)=[ \t]*[%!](?!=)")
_CONTINUED_LINE = re.compile(rf"(?:[^\r\n]*\\{_LINE_END})*[^\r\n]*(?:{_LINE_END}|\Z)")

# A pattern of its own, which matches anywhere: as the beginning of another one it would be tried in every way.
_BLANK_OR_COMMENT = re.compile(r"(?:\s|#[^\r\n]*)*")
# These follow it. Some services take `%writefile` for a cell magic, too.
_CELL_MAGIC = re.compile(r"(?:%%|%(?=writefile\b))(?P<name>[^\s?]+)(?!\S)(?P<rest>[^\r\n]*)")
_AUTOMAGIC = re.compile(rf"(?:{_COMMANDS})(?:[ \t][^\r\n]*)?\s*\Z")
_MAGIC_OF_A_LANGUAGE = re.compile(rf"%(?!(?:{_COMMANDS})\b)\w")

_ARGUMENT = re.compile(r"(?P<quote>[\"'])(?P<quoted>.*?)(?P=quote)|(?P<plain>\S+)")
_CODE_MAGICS = re.compile(
    "|".join(
        rf"[ \t]*%%?{name}[ \t]+(?:(?:-[{valued}][ \t]*\S+|-[^\W{valued}]\w*|--[\w-]+)[ \t]+)*(?=\S)"
        for name, valued in _RUNS_ITS_LINE.items()
    )
)


@dataclass(frozen=True)
class Translation:
    """The Python of one cell, with as many lines as the cell has from `first_line` on."""

    text: str
    indent: str = ""  # what was taken off each line that begins with it, as IPython does
    magics: tuple[tuple[int, int], ...] = ()  # first and last line of what was replaced, counted in the cell
    headers: int = 0  # leading lines that must stay first
    first_line: int = 1
    file: str | None = None  # %%writefile: the Python file that it is a part of, instead of the notebook's program
    appends: bool = False  # whether that file has what was written to it before, too
    timed: bool = False  # whether a cell magic takes the time of the cell


def translate(source: str) -> Translation | None:
    """The Python in a code cell, or None for a cell in another language."""
    indent = NEWLINE.split(source[: len(source) - len(source.lstrip(" \t\r\n"))])[-1]
    if indent:
        source = re.sub(rf"(?:\A|(?<=[\r\n])){indent}", "", source)
    headers = 0
    at = 0
    timed = False
    while found := _CELL_MAGIC.match(source, _first_code(source, at)):
        name = found["name"]
        if name in ("writefile", "file"):
            return _written_file(source, found, indent)
        if name not in _RUNS_THE_BODY:
            return None
        timed = timed or name in _TIMES_THE_BODY
        end = _end_of_continued_line(source, found.end())
        headers += _newlines(source[at:end])
        at = end
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
    return Translation("".join(pieces), indent, tuple(magics), headers, timed=timed)


def automagic(source: str) -> Translation | None:
    """The stand-in for a cell that is one command without its percent sign, such as `pip install x`."""
    if not _AUTOMAGIC.match(source, _first_code(source)):
        return None
    lines = _newlines(source) + 1
    return Translation("pass" + "".join(NEWLINE.findall(source)), magics=((1, lines),))


def is_in_another_language(source: str) -> bool:
    """Whether a cell that is no Python begins with a magic, which then is what reads it: `%bash`, `%sql`, `%md`."""
    return _MAGIC_OF_A_LANGUAGE.match(source, _first_code(source)) is not None


def _first_code(source: str, at: int = 0) -> int:
    """Where the first line from an offset on begins that is neither blank nor a comment, behind its indentation."""
    skipped = _BLANK_OR_COMMENT.match(source, at)
    assert skipped is not None
    return skipped.end()


def _logical_lines(source: str) -> Iterator[tuple[str, str | None]]:
    """Each logical line of a cell and, if it is no Python, what stands in for it."""
    at = 0
    while at < len(source):
        harmless = _harmless(source, at)
        if harmless is None:
            end = _end_of_logical_line(source, at)
            yield source[at:end], None
        else:
            # A magic's quotes and brackets need not match: it ends with its line whatever they are.
            end = _end_of_continued_line(source, at)
            yield source[at:end], _stand_in(source[at:end], harmless)
        at = end


def _harmless(source: str, at: int) -> str | None:
    """The Python for the magic that begins at an offset, as its first line tells; None for what is Python already."""
    if _ESCAPED.match(source, at) or _HELP.match(source, at):
        return f"{_indent(source, at)}pass"
    assigned = _ASSIGNED.match(source, at)
    if assigned and syntax_error(f"{assigned['target'].strip()} = 0") is None:
        return f"{assigned['target'].rstrip()} = get_ipython()"
    return None


def _stand_in(magic: str, harmless: str) -> str:
    """Python of as many lines as a magic has: the code that it runs, else what does nothing."""
    if code := _CODE_MAGICS.match(magic):
        # As wide as what it replaces, so that the code keeps its place.
        prefix = f"{_indent(magic)}0;".ljust(code.end())
        if syntax_error(f"{prefix.lstrip()}{magic[code.end() :]}") is None:
            return prefix + magic[code.end() :]
    return harmless + "".join(NEWLINE.findall(magic))


def _indent(source: str, at: int = 0) -> str:
    found = _INDENT.match(source, at)
    assert found is not None
    return found.group()


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
    """The body of a `%%writefile` cell if it names a Python file; flags may stand before the name or behind it."""
    words = [found["quoted"] or found["plain"] or "" for found in _ARGUMENT.finditer(magic["rest"])]
    flags = [word for word in words if word.startswith("-")]
    name = next((word for word in words if not word.startswith("-")), "")
    body = NEWLINE.search(source, magic.end())
    if not name.endswith(".py") or body is None:
        return None
    return Translation(
        source[body.end() :],
        indent,
        first_line=_newlines(source[: body.end()]) + 1,
        file=normpath(name),
        appends="-a" in flags or "--append" in flags,
    )


def _newlines(text: str) -> int:
    return sum(1 for _ in NEWLINE.finditer(text))
