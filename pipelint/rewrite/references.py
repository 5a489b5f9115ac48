"""Changes how names of libraries are written, in expressions and in imports."""

from __future__ import annotations

import libcst as cst

from pipelint.model.edit import Edits
from pipelint.model.locations import Region
from pipelint.model.program import Reference
from pipelint.rewrite.concrete import expression_piece, has_comment, new_expression
from pipelint.rewrite.imports import imported_from
from pipelint.rewrite.spelling import Spelling
from pipelint.rewrite.syntax import Syntax, Unfit


def replace(syntax: Syntax, spelling: Spelling, reference: Reference, symbol: str) -> Edits:
    """Name another thing, also where the old one is imported by `from ... import`."""
    if not reference.imported:
        return respelled(syntax, spelling, reference.region, symbol)
    statement, index = syntax.imported_at(reference.region)
    return imported_from(syntax, statement, index, module=symbol.rpartition(".")[0])


def respelled(syntax: Syntax, spelling: Spelling, region: Region, symbol: str) -> Edits:
    """Write the name of another thing in place of the one that stands there."""
    piece, expression = expression_piece(syntax.positions, syntax.primary_at(region))
    if has_comment(expression):
        raise Unfit("a comment stands in the name")
    new, imports = spelling.respell(piece.code(expression), symbol, syntax.region(region).start)
    return (*piece.edits(piece.code(new_expression(new))), *imports)


def rename_attribute(syntax: Syntax, reference: Reference, name: str) -> Edits:
    """Replace the last name of a dotted expression."""
    piece, expression = expression_piece(syntax.positions, syntax.primary_at(reference.region))
    new = cst.Name(name)
    changed = expression.with_changes(attr=new) if isinstance(expression, cst.Attribute) else new
    return piece.edits(piece.code(changed))
