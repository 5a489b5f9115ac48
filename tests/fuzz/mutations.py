"""Mutations of programs that are there: the fixtures, the examples and the cases of rules, and those of the grammar."""

from __future__ import annotations

import ast
import io
import random
import re
import tokenize
import warnings
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from tests.cases import case_of
from tests.fuzz.programs import program
from tests.linting import REGISTRY

FIXTURES = Path(__file__).parents[2] / "fixtures"
LARGEST = 1500
"""Characters; of larger programs there are enough, and they take long."""
FRAGMENTS = (
    "tf", "=", "(", ")", ":", ",", ".", "ds", "await", "lambda:", "*", "**", "None", "not", "yield", "return", "del", "\\",
    "\n", "\t", ";", "#", "'", '"""', "f'{'", "0x", "1_0", "...", "@", ":=", "->", "match", "case _:", "async", "global ds",
    "\N{ZERO WIDTH SPACE}", "\x0c", "\x00", "\u2028", "\x1a", "\N{NO-BREAK SPACE}", "\N{PILE OF POO}", "\udc80", "\x85",
)  # fmt: skip
STATEMENTS = (
    "tf = None", "del ds", "ds = None", "import os", "from x import *", "tf.data.AUTOTUNE = 3", "return ds", "AUTOTUNE = 4",
    "map = batch = None", "exec('ds = 1')", "globals()['ds'] = 2", "class ds: pass", "def tf(): pass", "raise SystemExit",
    "ds += ds", "ds[0] = ds", "ds.x = ds", "(ds) = ds", "*ds, = ds", "for ds in ds: pass", "with ds as ds: pass", "pass",
    "if flag: ds = ds.cache()", "ds = ds.map(f) if a else ds.batch(2)", "x = [x, x]", "h, w = w, h", "type X = int",
    "try: pass\nexcept* E: pass", "lambda: (yield)", "assert ds", "nonlocal ds", "print(ds, end='')", "f = f(f)",
)  # fmt: skip
WRAPPERS = (
    "if flag:", "def main(files, x, y):", "class Holder:", "try:", "with context:", "for i in range(3):", "while True:",
    "async def main():", "if True:\n  if True:", "def outer():\n  def inner():", "else_ = 1\nif x: pass\nelse:",
)  # fmt: skip


@cache
def scripts() -> tuple[str, ...]:
    """The programs that mutations start from."""
    fixtures = {path.read_text("utf-8") for path in FIXTURES.glob("*/*.py")}
    examples = {text for rule in REGISTRY for example in rule.type.examples for text in (example.before, example.after)}
    known = {text for text in (*examples, *_cases()) if text and len(text) < LARGEST}
    return tuple(sorted(fixtures | known))


def _cases() -> Iterator[str]:
    """The programs in which the rules are tested."""
    for path in (Path(__file__).parents[1] / "rules" / "cases").glob("[!_]*.py"):
        module = import_module(f"tests.rules.cases.{path.stem}")
        for entry in (*module.FOUND.values(), *module.SILENT.values()):
            yield "\n".join(case_of(entry).sources)


def mutated(rng: random.Random) -> str:
    """A program after a few mutations; most of them are still programs."""
    text = program(rng) if rng.random() < 0.3 else rng.choice(scripts())
    for _ in range(rng.choice((1, 1, 2, 3, 5))):
        for _ in range(3):
            changed = rng.choice(MUTATIONS)(rng, text)
            if rng.random() < 0.1 or is_python(changed):
                text = changed
                break
    return text


def is_python(text: str) -> bool:
    """Whether a text can be parsed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _without_lines(rng: random.Random, text: str) -> str:
    lines = text.splitlines(keepends=True)
    at = rng.randrange(len(lines) or 1)
    del lines[at : at + rng.choice((1, 1, 1, 2, 4))]
    return "".join(lines)


def _with_lines_twice(rng: random.Random, text: str) -> str:
    lines = text.splitlines(keepends=True)
    at = rng.randrange(len(lines) or 1)
    part = lines[at : at + rng.choice((1, 1, 2, 4))]
    return "".join([*lines[:at], *part * rng.choice((1, 1, 2, 8)), *lines[at:]])


def _with_lines_swapped(rng: random.Random, text: str) -> str:
    lines = text.splitlines(keepends=True)
    if lines:
        one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        lines[one], lines[other] = lines[other], lines[one]
    return "".join(lines)


def _with_lines_of_another(rng: random.Random, text: str) -> str:
    lines, other = text.splitlines(keepends=True), rng.choice(scripts()).splitlines(keepends=True)
    at, start = rng.randrange(len(lines) + 1), rng.randrange(len(other) or 1)
    return "".join([*lines[:at], *other[start : start + rng.randint(1, 6)], *lines[at:]])


def _with_a_statement(rng: random.Random, text: str) -> str:
    lines = text.splitlines(keepends=True)
    at = rng.randrange(len(lines) + 1)
    beside = lines[at] if at < len(lines) else ""
    indent = beside[: len(beside) - len(beside.lstrip())].strip("\r\n")
    added = "".join(f"{indent}{line}\n" for line in rng.choice(STATEMENTS).split("\n"))
    return "".join([*lines[:at], added, *lines[at:]])


def _wrapped(rng: random.Random, text: str) -> str:
    """The lines from some statement of the top level on, below a head."""
    lines = text.splitlines(keepends=True)
    starts = [at for at, line in enumerate(lines) if line[:1].isalpha()] or [0]
    at = rng.choice(starts)
    head = rng.choice(WRAPPERS)
    indent = " " * (4 if "\n  " not in head else 6)
    inner = [line if not line.strip() else indent + line for line in lines[at:]]
    tail = "except ValueError:\n    pass\n" if head == "try:" else ""
    end = "" if inner and inner[-1].endswith("\n") else "\n"
    return "".join([*lines[:at], head, "\n", *inner, end, tail])


def _with_tokens_changed(rng: random.Random, text: str) -> str:
    """A token dropped, doubled, swapped with another, or replaced."""
    spans = _tokens(text)
    if not spans:
        return text
    start, end = rng.choice(spans)
    token = text[start:end]
    other = text[slice(*rng.choice(spans))]
    new = rng.choice(
        ("", token * 2, f"{token} {token}", other, rng.choice(FRAGMENTS), f"({token})", f"{token}, {other}")
    )
    return text[:start] + new + text[end:]


def _with_a_fragment(rng: random.Random, text: str) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(FRAGMENTS) + text[at:]


def _renamed(rng: random.Random, text: str) -> str:
    """A name that stands for something else from now on."""
    names = sorted(set(re.findall(r"[^\W\d]\w*", text)))
    if len(names) < 2:
        return text
    old, new = rng.choice(names), rng.choice((*names, "tf", "ds", "self", "_", "\u00e9", "print"))
    return re.sub(rf"\b{old}\b", lambda _: new, text)


def _with_line_breaks(rng: random.Random, text: str) -> str:
    """Breaks in some brackets, which change nothing."""
    broken = rng.choice(("\n", "\n        ", "  # broken\n    ", "\n\n", "\r\n"))
    return "".join(
        text[at] + broken if text[at] in "(," and rng.random() < 0.2 and _inside(text, at) else text[at]
        for at in range(len(text))
    )


def _inside(text: str, at: int) -> bool:
    line = text[text.rfind("\n", 0, at) + 1 : at + 1]
    return line.count("(") > line.count(")") and "#" not in line and "'" not in line and '"' not in line


def _doubled(rng: random.Random, text: str) -> str:
    """Two programs behind one another, where a name of one may mean something else in the other."""
    return f"{text}\n{rng.choice(scripts())}" if len(text) < LARGEST else text


def _tokens(text: str) -> list[tuple[int, int]]:
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    try:
        tokens = [token for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.string.strip()]
    except (tokenize.TokenError, SyntaxError):
        return []
    return [
        (starts[token.start[0] - 1] + token.start[1], starts[token.end[0] - 1] + token.end[1])
        for token in tokens
        if token.end[0] < len(starts)
    ]


MUTATIONS = (
    _without_lines, _with_lines_twice, _with_lines_swapped, _with_lines_of_another, _with_a_statement, _with_a_statement,
    _wrapped, _with_tokens_changed, _with_tokens_changed, _with_a_fragment, _renamed, _with_line_breaks, _doubled,
)  # fmt: skip
