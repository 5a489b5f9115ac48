"""The parts of a tree are those that `ast.walk` gives, without operators and contexts, in the same order."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from pipelint.source.tree_walk import walk

ROOT = Path(__file__).parents[2]
LEFT_OUT = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)
SYNTAX = """
async def f(a, /, b: int = 1, *c, d=2, **e) -> dict[str, int]:
    global g
    async with a as b, c:
        async for x in y:
            yield {**a, 1: -2, "k": not b}
    try:
        raise A from b
    except (B, C) as error:
        del x[1:2, ...], y.z
    else:
        assert x < y <= z, f"{x!r:>{width}}"
    finally:
        x: int = (lambda *, k=None: k)(*a, k=b)
    match a:
        case Point(x=0, y=[1, *rest]) | {"k": v, **others} if (w := v):
            x += [i for i in a if i and (j or k)]
        case _:
            from . import m as n, o
"""


@pytest.mark.parametrize("source", [SYNTAX, (ROOT / "pipelint/static/entries.py").read_text("utf-8")])
def test_nothing_else_is_left_out(source: str) -> None:
    tree = ast.parse(source)
    assert walk(tree) == [node for node in ast.walk(tree) if not isinstance(node, LEFT_OUT)]
