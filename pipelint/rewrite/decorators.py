"""Puts decorators on functions."""

from __future__ import annotations

import ast

import libcst as cst

from pipelint.model.definitions import Function
from pipelint.model.edit import Edits
from pipelint.model.locations import Region
from pipelint.rewrite.concrete import new_expression, piece_of
from pipelint.rewrite.spelling import Spelling
from pipelint.rewrite.syntax import AnyFunction, Syntax, Unfit, first_line


def decorate(syntax: Syntax, spelling: Spelling, function: Function, symbol: str) -> Edits:
    """Put a decorator on a function, above those that it has; what makes a method static stays the outermost."""
    definition = syntax.function_at(function.location)
    if _returns_what_it_calls(definition):
        raise Unfit("the function returns an object that it calls, which a graph cannot")
    positions = syntax.positions
    start = positions.start(first_line(definition))
    decorator, imports = spelling.spell(symbol, start)
    # The lines may be indented, then under a block of ours; and the body of the function does not matter.
    indented = definition.col_offset > 0
    body = positions.offset(first_line(definition.body[0]), definition.body[0].col_offset)
    piece = piece_of(
        positions,
        definition,
        Region(start, body),
        before=f"if 1:{positions.newline}" if indented else "",
        behind=f"pass{positions.newline}",
    )
    (outer,) = piece.module.body
    if not indented:
        return (*piece.edits(piece.code_with(_decorated(outer, decorator))), *imports)
    block = cst.ensure_type(outer, cst.If)
    inside = block.body.with_changes(body=[_decorated(block.body.body[0], decorator)])
    return (*piece.edits(piece.code_with(block.with_changes(body=inside))), *imports)


def _decorated(statement: cst.CSTNode, decorator: str) -> cst.FunctionDef:
    definition = cst.ensure_type(statement, cst.FunctionDef)
    old = definition.decorators
    above = max((number for number, one in enumerate(old, 1) if _makes_no_function(one)), default=0)
    new = cst.Decorator(new_expression(decorator))
    return definition.with_changes(decorators=[*old[:above], new, *old[above:]])


def _makes_no_function(decorator: cst.Decorator) -> bool:
    """Whether a decorator gives an object that tf.function cannot call."""
    return isinstance(decorator.decorator, cst.Name) and decorator.decorator.value in ("staticmethod", "classmethod")


def _returns_what_it_calls(node: AnyFunction) -> bool:
    """Whether a function returns an object that it calls, such as the model: a traced one can only return tensors."""
    inside = list(ast.walk(node))
    called = {part.func.id for part in inside if isinstance(part, ast.Call) and isinstance(part.func, ast.Name)}
    returned = [part.value for part in inside if isinstance(part, ast.Return) and part.value is not None]
    values = [item for value in returned for item in (value.elts if isinstance(value, ast.Tuple) else [value])]
    return any(isinstance(value, ast.Name) and value.id in called for value in values)
