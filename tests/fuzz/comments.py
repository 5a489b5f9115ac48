"""Programs with comments that silence: right ones, wrong ones, and those that only look like it."""

from __future__ import annotations

import random

from tests.fuzz.mutations import scripts
from tests.fuzz.programs import program
from tests.linting import REGISTRY

CODES = (*REGISTRY.known, "PIPE", "PIPE1", "PIPE999", "E501", "F", "pipe201", "PIPE201x", "")
NAMES = (*REGISTRY.known.values(), "no-such-rule", "Missing-Prefetch")
SEPARATORS = (", ", ",", " ", " , ", ",,", "\t", ";")
FORMS = (
    "# noqa: {codes}", "# noqa: {codes}", "# noqa: {codes}", "# noqa", "#noqa:{codes}", "# NOQA : {codes}",
    "# noqa:{codes} because", "# pipelint: ignore[{names}]", "# pipelint: ignore[{codes}]", "# pipelint: ignore",
    "# pipelint: ignore[]", "# pipelint: ignore-file", "# pipelint: ignore-file[{names}]", "# pipelint:ignore [{names}]",
    "# type: ignore  # noqa: {codes}", "# noqa: {codes}  # pipelint: ignore[{names}]", "# why: # noqa: {codes} # and so",
    "# pipelint: ignore[{names}", "# noqa {codes}", "# noqa:", "#: noqa: {codes}", "# Pipelint: Ignore[{names}] text",
    "# ruff: noqa", "## noqa: {codes}", "# noqa: {codes}# noqa: {codes}", "# pipelint: ignore-files", "# noqa-{codes}",
)  # fmt: skip


def comment(rng: random.Random) -> str:
    """A comment that silences, or looks like one."""
    text = rng.choice(FORMS)
    while "{codes}" in text:
        text = text.replace("{codes}", _several(rng, CODES), 1)
    while "{names}" in text:
        text = text.replace("{names}", _several(rng, NAMES), 1)
    return text


def commented(rng: random.Random) -> str:
    """A program with a few such comments: behind statements, on lines of their own, inside strings."""
    small = [text for text in scripts() if len(text) < 900]
    text = program(rng) if rng.random() < 0.5 else rng.choice(small)
    lines = text.split("\n")
    for _ in range(rng.choice((1, 1, 2, 4))):
        at = rng.randrange(len(lines))
        line = lines[at]
        indent = line[: len(line) - len(line.lstrip())]
        where = rng.random()
        if where < 0.6:
            lines[at] = f"{line}{rng.choice(('  ', ' ', ''))}{comment(rng)}"
        elif where < 0.8:
            lines.insert(at, f"{indent}{comment(rng)}")
        elif where < 0.9:
            lines.insert(at, f"{indent}'''{comment(rng)}\n{comment(rng)}'''")
        else:
            lines[at] = f"{line}; s = '{comment(rng)}'"
    return "\n".join(lines)


def _several(rng: random.Random, among: tuple[str, ...]) -> str:
    return rng.choice(SEPARATORS).join(rng.choices(among, k=rng.choice((1, 1, 1, 2, 3))))
