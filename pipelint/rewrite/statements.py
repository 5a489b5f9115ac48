"""Removes, moves and assigns whole statements."""

from __future__ import annotations

import ast

import libcst as cst

from pipelint.model.locations import Region
from pipelint.model.repair import Edit, Edits
from pipelint.rewrite.concrete import new_expression, piece_of
from pipelint.rewrite.syntax import Syntax, Unfit


def own_lines(syntax: Syntax, statement: ast.stmt) -> Region:
    """The lines of a statement, line break included; raises Unfit if it shares them."""
    text, positions = syntax.text, syntax.positions
    region = positions.region(statement)
    start, end = positions.line_start(region.start), positions.line_end(region.end)
    behind = text[region.end : end].strip()
    if text[start : region.start].strip() or (behind and not behind.startswith("#")):
        raise Unfit("the statement shares its line with another")
    end += 2 if text[end : end + 2] == "\r\n" else 1
    return Region(start, min(end, len(text)))


def without(syntax: Syntax, statement: ast.stmt) -> Edits:
    """The edits that delete a statement; a comment behind it stays, and `pass` where it was alone; raises Unfit."""
    region = syntax.positions.region(statement)
    if len(syntax.block_of(statement)) == 1:
        piece = piece_of(syntax.positions, statement, region)
        line = cst.ensure_type(piece.module.body[0], cst.SimpleStatementLine)
        return piece.edits(piece.code_with(line.with_changes(body=[cst.Pass()])))
    lines = own_lines(syntax, statement)
    piece = piece_of(syntax.positions, statement, Region(region.start, lines.end))
    comment = cst.ensure_type(piece.module.body[0], cst.SimpleStatementLine).trailing_whitespace.comment
    if comment is None:
        return (Edit(lines, ""),)
    return piece.edits(piece.module.with_changes(body=(), footer=[cst.EmptyLine(comment=comment)]).code)


def moved_beside(
    syntax: Syntax, statement: ast.stmt, value: cst.BaseExpression, other: ast.stmt, *, above: bool
) -> Edits:
    """The edits that put an assignment, with this value, on lines of its own above or below another statement."""
    region, own, beside = syntax.positions.region(statement), own_lines(syntax, statement), own_lines(syntax, other)
    piece = piece_of(syntax.positions, statement, Region(region.start, own.end))
    line = cst.ensure_type(piece.module.body[0], cst.SimpleStatementLine)
    assign = cst.ensure_type(line.body[0], cst.Assign)
    value = value.with_changes(lpar=assign.value.lpar, rpar=assign.value.rpar)
    changed = piece.code_with(line.with_changes(body=[assign.with_changes(value=value)]))
    text = syntax.text[own.start : region.start] + changed.rstrip("\r\n")
    newline = syntax.positions.newline
    if above:
        added = Edit(Region(beside.start, beside.start), text + newline)
    elif syntax.text[: beside.end].endswith(("\r", "\n")):
        added = Edit(Region(beside.end, beside.end), text + newline)
    else:
        added = Edit(Region(beside.end, beside.end), newline + text)
    return (Edit(own, ""), added)


def assigned(syntax: Syntax, statement: ast.Expr, target: ast.expr) -> Edits:
    """The edits that assign the value of an expression that stands alone."""
    piece = piece_of(syntax.positions, statement, syntax.positions.region(statement))
    line = cst.ensure_type(piece.module.body[0], cst.SimpleStatementLine)
    name = new_expression(ast.unparse(target))
    assert isinstance(name, cst.BaseAssignTargetExpression)
    value = cst.ensure_type(line.body[0], cst.Expr).value
    assign = cst.Assign(targets=[cst.AssignTarget(name)], value=value)
    return piece.edits(piece.code_with(line.with_changes(body=[assign])))
