"""Between `ast` and libcst: gives libcst the text of one expression or statement, and makes edits of what it returns.

A piece is found by an `ast` node and parsed alone. Its parts need no search: an expression is the root of its own
concrete tree, and the links of a chain and the arguments of a call are in the same order in both.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

import libcst as cst

from pipelint.model.edit import Edits
from pipelint.model.locations import Region
from pipelint.rewrite.differences import smallest_edits
from pipelint.rewrite.syntax import TOO_DEEP, Unfit
from pipelint.source.positions import Positions

DEEPEST = 200
"""How many nodes of `ast` may lie inside each other in what libcst is given: a hundred links of a chain.

libcst writes code with about five Python frames a link, of the thousand that Python allows; and its parser, which has
only the stack of the process, crashes at depths that `ast` still takes.
"""

_UNREADABLE = "libcst cannot read the statement"

Space = cst.BaseParenthesizableWhitespace


@dataclass(frozen=True)
class Piece:
    """A part of the text, parsed alone, or between what makes it whole for libcst."""

    region: Region
    module: cst.Module
    before: str = ""
    behind: str = ""

    def code(self, node: cst.CSTNode) -> str:
        """The source of a node, with the line breaks of the piece."""
        return self.module.code_for_node(node)

    def code_with(self, *statements: cst.CSTNode) -> str:
        """The source of the piece with other statements."""
        return self._inside(self.module.with_changes(body=statements).code)

    def edits(self, new: str) -> Edits:
        """The edits that put other text in the place of the piece."""
        return tuple(smallest_edits(self.region.start, self._inside(self.module.code), new))

    def _inside(self, code: str) -> str:
        return code[len(self.before) : len(code) - len(self.behind)]


def piece_of(positions: Positions, node: ast.AST, region: Region, *, before: str = "", behind: str = "") -> Piece:
    """A region that holds one node, between what makes it whole for libcst; raises Unfit."""
    _require_shallow(node)
    source = before + positions.text[region.start : region.end] + behind
    try:
        module = cst.parse_module(source)
    except cst.ParserSyntaxError as error:
        raise Unfit(_UNREADABLE) from error
    if module.code != source:
        raise Unfit(_UNREADABLE)
    return Piece(region, module, before, behind)


def expression_piece(positions: Positions, node: ast.expr) -> tuple[Piece, cst.BaseExpression]:
    """An expression without the brackets around it; raises Unfit."""
    piece, expression = bracketed_piece(positions, node)
    return piece, unbracketed(expression)


def bracketed_piece(positions: Positions, node: ast.expr, *, comment: str = "") -> tuple[Piece, cst.BaseExpression]:
    """An expression, with the comment behind it if one is given, in brackets of ours; raises Unfit.

    In them its line breaks are as good as in those that it may stand in.
    """
    region = positions.region(node)
    region = Region(region.start, region.end + len(comment))
    piece = piece_of(positions, node, region, before="(", behind=f"{positions.newline})")
    # Before Python 3.12 the places of what stands in an f-string are wrong.
    if not _is_same(piece.module.code, node):
        raise Unfit("its place in an f-string is not known exactly")
    line = cst.ensure_type(piece.module.body[0], cst.SimpleStatementLine)
    return piece, cst.ensure_type(line.body[0], cst.Expr).value


def unbracketed(node: cst.BaseExpression) -> cst.BaseExpression:
    """An expression that was parsed in brackets of ours, without them."""
    return node.with_changes(lpar=node.lpar[1:], rpar=node.rpar[:-1])


def new_expression(text: str) -> cst.BaseExpression:
    """An expression of this text; it may have line breaks, if it goes where brackets are around it; raises Unfit."""
    try:
        return unbracketed(cst.parse_expression(f"({text})"))
    except cst.ParserSyntaxError as error:
        raise Unfit(_UNREADABLE) from error


def bare(space: Space) -> Space:
    """The same white space without comments and empty lines."""
    if isinstance(space, cst.ParenthesizedWhitespace):
        return space.with_changes(first_line=cst.TrailingWhitespace(), empty_lines=())
    return space


def with_comments_of(commented: Space, space: Space) -> Space:
    """White space with the comments and empty lines of another."""
    if not isinstance(commented, cst.ParenthesizedWhitespace) or bare(commented).deep_equals(commented):
        return space
    if isinstance(space, cst.ParenthesizedWhitespace):
        return space.with_changes(first_line=commented.first_line, empty_lines=commented.empty_lines)
    return commented


def has_comment(node: cst.CSTNode) -> bool:
    """Whether there is a comment anywhere inside."""
    pending = [node]
    while pending:
        current = pending.pop()
        if isinstance(current, cst.Comment):
            return True
        pending.extend(current.children)
    return False


def _is_same(wrapped: str, node: ast.expr) -> bool:
    """Whether some text is an expression, apart from whether that is read or assigned to."""
    try:
        written = ast.parse(wrapped, mode="eval").body
    except SyntaxError:
        return False
    here, there = (ast.dump(tree).replace("ctx=Store()", "ctx=Load()") for tree in (written, node))
    return here == there


def _require_shallow(node: ast.AST) -> None:
    level: list[ast.AST] = [node]
    for _ in range(DEEPEST):
        level = [child for parent in level for child in ast.iter_child_nodes(parent)]
        if not level:
            return
    raise Unfit(TOO_DEEP)
