"""Functions above which a comment turns `@tf.function` off: who did that knows that they run op by op."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipelint.rule import Class, Function, Program, Region

_COMMENTED_OUT = re.compile(r"#\s*@(?:\w+\.)*function\b.*")
"""`# @tf.function`, with or without arguments or a remark."""


def is_turned_off(program: Program, function: Function | None) -> bool:
    """Whether a comment turns the decorator off above a function, or one that it overrides."""
    functions = (function, *_overridden(function)) if function is not None else ()
    return any(_is_said_above(program, one) for one in functions)


def _overridden(function: Function) -> Iterator[Function]:
    """The methods that a method overrides, in whatever class its own is made of."""
    bases = [function.owner] if function.owner is not None else []
    while bases:
        base = bases.pop()
        bases += [one for one in base.bases if isinstance(one, Class)]
        method = base.methods.get(function.name or "")
        if method is not None and method is not function:
            yield method


def _is_said_above(program: Program, function: Function) -> bool:
    if not isinstance(function.location, Region):
        return False
    module = program.module_at(function.location)
    *before, _ = module.text[: function.location.start - module.start].splitlines()
    for line in map(str.strip, reversed(before)):
        if not line.startswith(("#", "@")):
            break
        if _COMMENTED_OUT.fullmatch(line):
            return True
    return False
