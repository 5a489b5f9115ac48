"""What a generator hands out that does no work of its own: the items of variables."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from pipelint.source.tree_walk import walk
from pipelint.static.abstract.values import FunctionNode
from pipelint.static.facts.selection import PICKS


def handed_out(generator: ast.expr) -> str:
    """The variable whose items a generator hands out without work of its own: `lambda: (row for row in rows)`."""
    match generator:
        case ast.Lambda(
            body=ast.GeneratorExp(
                elt=elt, generators=[ast.comprehension(iter=(ast.Name() | ast.Attribute()) as items, ifs=[])]
            )
        ) if all(isinstance(part, PICKS) for part in walk(elt)):
            return ast.unparse(items)
        case ast.Lambda(body=ast.Call(func=ast.Name(id="iter"), args=[(ast.Name() | ast.Attribute()) as items])):
            return ast.unparse(items)
        case ast.Lambda(body=ast.Name(id=name)):
            return name
        case _:
            return ""


def sliced_parts(generator: ast.expr, function: FunctionNode | None, given: Sequence[ast.expr] = ()) -> tuple[str, ...]:
    """The variables, as written, whose items are the parts of each element as they are; none where it does more.

    `function` is that of the program which the expression names or calls, `given` what TensorFlow gives it.
    """
    if isinstance(generator, ast.Lambda):
        match generator.body:
            case ast.Call(args=arguments, keywords=[]) if function is not None:
                return _parts(function, arguments)
            case _:
                return _parts(generator, ())
    return _parts(function, given) if function is not None else ()


def _parts(function: FunctionNode, arguments: Sequence[ast.expr]) -> tuple[str, ...]:
    names = [parameter.arg for parameter in (*function.args.posonlyargs, *function.args.args)]
    walked = _walked(function)
    if walked is None or len(names) != len(arguments):
        return ()
    meant = dict(zip(names, arguments, strict=True))
    items = [meant.get(item.id, item) if isinstance(item, ast.Name) else item for item in _chosen(walked)]
    plain = all(isinstance(item, (ast.Name, ast.Attribute)) for item in items)
    return tuple(map(ast.unparse, items)) if plain else ()


class _Walked(NamedTuple):
    """`for target in over: yield element`; without the two others where everything is handed on as it is."""

    over: ast.expr
    target: ast.expr | None = None
    element: ast.expr | None = None


def _chosen(walked: _Walked) -> list[ast.expr]:
    """What it goes through, in the order in which an element has the items; none where an element is anything else."""
    over, target, element = walked
    match over:
        case ast.Call(func=ast.Name(id="zip"), args=[_, _, *_] as items, keywords=[]):
            pass
        case ast.Call(func=ast.Name(id="iter"), args=[item], keywords=[]):
            items = [item]
        case _:
            items = [over]
    match target, element:
        case (None, None):
            return items
        case ast.Name(id=name), ast.Name(id=same) if name == same:
            return items
        case ast.Tuple(elts=targets), ast.Tuple(elts=elements) if len(targets) == len(items):
            names, taken = list(map(ast.unparse, targets)), list(map(ast.unparse, elements))
            return [items[names.index(name)] for name in taken] if sorted(names) == sorted(taken) else []
        case _:
            return []


def _walked(generator: FunctionNode) -> _Walked | None:
    if isinstance(generator, ast.Lambda):
        match generator.body:
            case ast.GeneratorExp(elt=element, generators=[ast.comprehension(target=target, iter=over, ifs=[])]):
                return _Walked(over, target, element)
            case ast.Call() | ast.Name() | ast.Attribute() as over:
                return _Walked(over)
            case _:
                return None
    match [statement for statement in generator.body if not _is_text(statement)]:
        case [
            ast.For(target=target, iter=over, body=[ast.Expr(value=ast.Yield(value=ast.expr() as element))], orelse=[])
        ]:
            return _Walked(over, target, element)
        case [ast.Expr(value=ast.YieldFrom(value=over))] | [ast.Return(value=ast.Call() as over)]:
            return _Walked(over)
        case _:
            return None


def _is_text(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
        case _:
            return False
