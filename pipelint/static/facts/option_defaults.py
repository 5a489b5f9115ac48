"""What a program does unless the user says otherwise: the defaults of the options of its command line."""

from __future__ import annotations

import ast
from functools import lru_cache

from pipelint.model.values import Literal
from pipelint.source.tree_walk import all_nodes


@lru_cache(maxsize=256)
def option_defaults(tree: ast.Module, text: str) -> dict[str, Literal]:
    """The constant defaults of argparse and absl, by the attribute under which the program reads them."""
    found: dict[str, Literal] = {}
    twice: set[str] = set()
    # Few files have these words, and the whole tree is walked for them.
    for node in all_nodes(tree) if "add_argument" in text or "DEFINE_" in text else ():
        option = _option(node) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
        if option is not None:
            name, default = option
            twice |= {name} & found.keys()
            found[name] = default
    return {name: default for name, default in found.items() if name not in twice}


def _option(node: ast.Call) -> tuple[str, Literal] | None:
    given = {keyword.arg: keyword.value for keyword in node.keywords}
    match node:
        case ast.Call(func=ast.Attribute(attr="add_argument"), args=[*written]):
            name = _text(given.get("dest")) or attribute_of([_text(flag) for flag in written])
            if "action" in given and "default" not in given:
                return (name, Literal(False)) if _text(given["action"]) == "store_true" else None
            default = given.get("default")
        case ast.Call(func=ast.Attribute(attr=definer), args=[first, default, *_]) if definer.startswith("DEFINE_"):
            name = _text(first)
        case _:
            return None
    return (name, Literal(default.value)) if name and isinstance(default, ast.Constant) else None


def attribute_of(flags: list[str]) -> str:
    """The attribute that argparse makes of `-m, --train-mode`: of the first long one."""
    long = [flag for flag in flags if flag.startswith("--")] or flags[:1]
    return long[0].lstrip("-").replace("-", "_") if long else ""


def _text(node: ast.expr | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
