"""What a program does unless the user says otherwise: the defaults of the options of its command line."""

from __future__ import annotations

import ast

from pipelint.model.values import UNKNOWN, Literal, Value
from pipelint.source.tree_walk import inner_parts, kept_with_tree
from pipelint.static.abstract.values import Arguments, Given

_SWITCHES = {"store_true": False, "store_false": True}
Option = tuple[str, Value]
"""The attribute under which a program reads an option, and its default."""


def added_option(given: Arguments) -> Option | None:
    """The option that `parser.add_argument` adds, None for one without a default."""
    flags = [_text(item.value) for item in given.positional]
    name = _text(given.get(None, "dest")) or _attribute_of([flag for flag in flags if flag])
    default = given.get(None, "default")
    if default is None:
        switch = _text(given.get(None, "action"))
        default = Literal(_SWITCHES[switch]) if switch in _SWITCHES else None
    return (name, default) if name and default is not None else None


def defined_flag(given: Arguments) -> Option | None:
    """The option that `flags.DEFINE_integer` and its like define."""
    name, default = _text(given.get(0, "name")), given.get(1, "default")
    return (name, default) if name and default is not None else None


def _attribute_of(flags: list[str]) -> str:
    """The attribute that argparse makes of `-m, --train-mode`: of the first long one."""
    long = [flag for flag in flags if flag.startswith("--")] or flags[:1]
    return long[0].lstrip("-").replace("-", "_") if long else ""


def option_defaults(tree: ast.Module, text: str) -> dict[str, Literal]:
    """The constant defaults of all options that a module writes, whatever object has them."""
    # Few files have these words, and the whole tree is walked for them.
    return _written_defaults(tree) if "add_argument" in text or "DEFINE_" in text else {}


@kept_with_tree
def _written_defaults(tree: ast.Module) -> dict[str, Literal]:
    found: dict[str, Literal] = {}
    twice: set[str] = set()
    for node in inner_parts(tree):
        match _option(node):
            case name, Literal() as default:
                twice |= {name} & found.keys()
                found[name] = default
    return {name: default for name, default in found.items() if name not in twice}


def _option(node: ast.AST) -> Option | None:
    match node:
        case ast.Call(func=ast.Attribute(attr="add_argument")):
            return added_option(_constants(node))
        case ast.Call(func=ast.Attribute(attr=definer)) if definer.startswith("DEFINE_"):
            return defined_flag(_constants(node))
        case _:
            return None


def _constants(node: ast.Call) -> Arguments:
    """The arguments of a call, as far as they are written out in it."""
    keywords = {keyword.arg: _constant(keyword.value) for keyword in node.keywords if keyword.arg is not None}
    return Arguments(node, tuple(map(_constant, node.args)), keywords)


def _constant(node: ast.expr) -> Given:
    return Given(Literal(node.value) if isinstance(node, ast.Constant) else UNKNOWN, node)


def _text(value: Value | None) -> str:
    return value.value if isinstance(value, Literal) and isinstance(value.value, str) else ""
