"""Removes, moves and assigns whole statements."""

from __future__ import annotations

import ast
import re

import libcst as cst

from pipelint.model.edit import Edit, Edits
from pipelint.model.locations import Region
from pipelint.rewrite.concrete import new_expression, piece_of
from pipelint.rewrite.syntax import Syntax, Unfit
from pipelint.source.bindings import bound_names

_WORD = re.compile(r"[a-z_]+", re.ASCII)


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


def without(syntax: Syntax, statement: ast.stmt, *, keep_comment: bool = False) -> Edits:
    """The edits that delete a statement and the comment behind it; `pass` stays where it was alone; raises Unfit."""
    region = syntax.positions.region(statement)
    if len(syntax.block_of(statement)) == 1:
        piece = piece_of(syntax.positions, statement, region)
        line = cst.ensure_type(piece.module.body[0], cst.SimpleStatementLine)
        behind = Region(region.end, syntax.positions.line_end(region.end))
        has_comment = syntax.text[behind.start : behind.end].lstrip().startswith("#")
        comment_goes = (Edit(behind, ""),) if has_comment and not keep_comment else ()
        return (*piece.edits(piece.code_with(line.with_changes(body=[cst.Pass()]))), *comment_goes)
    beside = _without_beside(syntax, statement, region)
    if beside is not None:
        return (beside,)
    lines = own_lines(syntax, statement)
    piece = piece_of(syntax.positions, statement, Region(region.start, lines.end))
    comment = cst.ensure_type(piece.module.body[0], cst.SimpleStatementLine).trailing_whitespace.comment
    if comment is None or not keep_comment:
        return (Edit(_with_blank_line(syntax, lines), ""),)
    return piece.edits(piece.module.with_changes(body=(), footer=[cst.EmptyLine(comment=comment)]).code)


def _with_blank_line(syntax: Syntax, lines: Region) -> Region:
    """Lines with the empty one below them, where the one above is empty too, or the text begins."""
    text, positions = syntax.text, syntax.positions
    above = text[positions.line_start(max(lines.start - 1, 0)) : lines.start]
    end = positions.line_end(lines.end) if lines.end < len(text) else lines.end
    if above.strip() or text[lines.end : end].strip() or end == lines.end == len(text):
        return lines
    return Region(lines.start, min(end + (2 if text[end : end + 2] == "\r\n" else 1), len(text)))


def _without_beside(syntax: Syntax, statement: ast.stmt, region: Region) -> Edit | None:
    """The edit that deletes a statement from a line that it shares by semicolons, None where it does not."""
    block = syntax.block_of(statement)
    index = block.index(statement)
    before, behind = block[:index][-1:], block[index + 1 :][:1]
    if behind and behind[0].lineno == statement.end_lineno:
        return Edit(Region(region.start, syntax.positions.region(behind[0]).start), "")
    if before and before[0].end_lineno == statement.lineno:
        return Edit(Region(syntax.positions.region(before[0]).end, region.end), "")
    return None


def with_own_comment(syntax: Syntax, statement: ast.stmt, lines: Region) -> Region:
    """The lines of a statement with the comment lines right above it, where they are clearly about it alone.

    Where the next line assigns the same variable again they may be about both, unless they name the method that this
    one calls, or an argument of it, and not the other's.
    """
    text, positions, block = syntax.text, syntax.positions, syntax.block_of(statement)
    margin = positions.indentation(positions.region(statement).start)
    start, number = lines.start, positions.number(lines.start)
    while number > 1 and text.startswith(f"{margin}#", positions.start(number - 1)):
        number -= 1
        start = positions.start(number)
    following = block[block.index(statement) + 1 :][:1]
    is_next = bool(following) and following[0].lineno == (statement.end_lineno or 0) + 1
    if is_next and bound_names(following) & bound_names([statement]):
        told = set(_WORD.findall(text[start : lines.start]))
        if not told & _called_words(statement) or told & _called_words(following[0]):
            return lines
    return Region(start, lines.end)


def _called_words(statement: ast.stmt) -> set[str]:
    """The names of the methods that a statement calls, and of the arguments that it gives them."""
    calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
    methods = {call.func.attr for call in calls if isinstance(call.func, ast.Attribute)}
    return methods | {keyword.arg for call in calls for keyword in call.keywords if keyword.arg}


def moved_beside(
    syntax: Syntax, statement: ast.stmt, value: cst.BaseExpression, other: ast.stmt, *, above: bool
) -> Edits:
    """The edits that put an assignment, with this value, on lines of its own above or below another statement."""
    region, own, beside = syntax.positions.region(statement), own_lines(syntax, statement), own_lines(syntax, other)
    moved = with_own_comment(syntax, statement, own)
    if above:
        beside = with_own_comment(syntax, other, beside)
    piece = piece_of(syntax.positions, statement, Region(region.start, own.end))
    line = cst.ensure_type(piece.module.body[0], cst.SimpleStatementLine)
    assign = cst.ensure_type(line.body[0], cst.Assign)
    value = value.with_changes(lpar=assign.value.lpar, rpar=assign.value.rpar)
    changed = piece.code_with(line.with_changes(body=[assign.with_changes(value=value)]))
    text = syntax.text[moved.start : region.start] + changed.rstrip("\r\n")
    newline = syntax.positions.newline
    if above:
        added = Edit(Region(beside.start, beside.start), text + newline)
    elif syntax.text[: beside.end].endswith(("\r", "\n")):
        added = Edit(Region(beside.end, beside.end), text + newline)
    else:
        added = Edit(Region(beside.end, beside.end), newline + text)
    comment = Region(moved.start, own.start)
    left = Region(own.start, _with_blank_line(syntax, moved).end)
    return (*((Edit(comment, ""),) if moved != own else ()), Edit(left, ""), added)


def assigned(syntax: Syntax, statement: ast.Expr, target: ast.expr) -> Edits:
    """The edits that assign the value of an expression that stands alone."""
    piece = piece_of(syntax.positions, statement, syntax.positions.region(statement))
    line = cst.ensure_type(piece.module.body[0], cst.SimpleStatementLine)
    name = new_expression(ast.unparse(target))
    assert isinstance(name, cst.BaseAssignTargetExpression)
    value = cst.ensure_type(line.body[0], cst.Expr).value
    assign = cst.Assign(targets=[cst.AssignTarget(name)], value=value)
    return piece.edits(piece.code_with(line.with_changes(body=[assign])))
