"""Changes import statements: imports a name from another module than before."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import libcst as cst

from pipelint.model.edit import Edit, Edits
from pipelint.model.locations import Region
from pipelint.rewrite.concrete import bare, has_comment, new_expression, piece_of, with_comments_of
from pipelint.rewrite.statements import own_lines
from pipelint.rewrite.syntax import Syntax, Unfit
from pipelint.source.edits import shared_ends


def imported_from(syntax: Syntax, statement: ast.ImportFrom, index: int, module: str) -> Edits:
    """The edits that import one name of a `from ... import` from another module; raises Unfit."""
    region = syntax.positions.region(statement)
    piece = piece_of(syntax.positions, statement, region, behind=syntax.positions.newline)
    line = cst.ensure_type(piece.module.body[0], cst.SimpleStatementLine)
    node = cst.ensure_type(line.body[0], cst.ImportFrom)
    origin = new_expression(module)
    if isinstance(node.names, cst.ImportStar) or not isinstance(origin, (cst.Name, cst.Attribute)):
        raise Unfit("the name is imported by `*`")
    if len(node.names) == 1:
        return piece.edits(piece.code_with(line.with_changes(body=[node.with_changes(module=origin, relative=())])))
    own_lines(syntax, statement)  # The new import gets a line above, which it must not share.
    rest, comment = _without_name(node.names, index)
    name = node.names[index].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    added = cst.SimpleStatementLine(
        [cst.ImportFrom(module=origin, names=[name])], trailing_whitespace=comment or cst.TrailingWhitespace()
    )
    changed = piece.code_with(line.with_changes(body=[node.with_changes(names=rest)]))
    new = piece.code(added) + syntax.positions.indentation(region.start) + changed
    # One edit: a fix for another name of the statement must overlap with it, and so wait for its turn.
    head, tail = shared_ends(syntax.text[region.start : region.end], new)
    return (Edit(Region(region.start + head, region.end - tail), new[head : len(new) - tail]),)


def _without_name(
    names: Sequence[cst.ImportAlias], index: int
) -> tuple[list[cst.ImportAlias], cst.TrailingWhitespace | None]:
    """The names without one of them, and the comment behind that one; raises Unfit where comments are about several."""
    removed, rest = names[index], [*names[:index], *names[index + 1 :]]
    behind = _behind(removed)
    if has_comment(removed.with_changes(comma=cst.MaybeSentinel.DEFAULT)) or any(map(has_comment, _lines(behind))):
        raise Unfit("a comment stands beside the imported name")
    if index == len(rest):
        rest[-1] = _as_last(rest[-1], removed)
    return rest, behind.first_line if isinstance(behind, cst.ParenthesizedWhitespace) else None


def _as_last(name: cst.ImportAlias, removed: cst.ImportAlias) -> cst.ImportAlias:
    """A name that becomes the last one: in a list of lines, the last comma and the line break behind it stay."""
    between = _behind(name)
    if isinstance(between, cst.ParenthesizedWhitespace) and isinstance(removed.comma, cst.Comma):
        ending = with_comments_of(between, bare(_behind(removed)))
        return name.with_changes(comma=cst.Comma(whitespace_after=ending))
    if has_comment(between):
        raise Unfit("a comment stands beside the imported name")
    return name.with_changes(comma=cst.MaybeSentinel.DEFAULT)


def _behind(name: cst.ImportAlias) -> cst.BaseParenthesizableWhitespace:
    """What stands between the comma behind a name and the next one."""
    return name.comma.whitespace_after if isinstance(name.comma, cst.Comma) else cst.SimpleWhitespace("")


def _lines(space: cst.BaseParenthesizableWhitespace) -> Sequence[cst.EmptyLine]:
    return space.empty_lines if isinstance(space, cst.ParenthesizedWhitespace) else ()
