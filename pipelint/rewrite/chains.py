"""A method chain as a root and its links, with the line breaks and comments between them.

libcst keeps the comment behind a link in the white space before the next dot. Here white space is a list of its own:
one gap before each link and one behind the last, so that a link can be put in, taken out or moved with what is its own.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import libcst as cst

from pipelint.model.edit import Edits
from pipelint.rewrite.concrete import Piece, Space, bare, bracketed_piece, has_comment, unbracketed
from pipelint.rewrite.syntax import Syntax, Unfit

_COMMENT = re.compile(r"[ \t]*#[^\r\n]*")
_REST_OF_LINE = re.compile(r"[ \t\f]*(?=[\r\n]|\Z)")
_LAST_BREAK = re.compile(r"(?:\r\n|\r|\n)[ \t\f]*\Z")


@dataclass(frozen=True)
class Gap:
    """What stands before a dot, or behind the last link."""

    space: Space

    @property
    def broken(self) -> cst.ParenthesizedWhitespace | None:
        """The white space, where it is a line break inside of brackets: only there comments can be."""
        return self.space if isinstance(self.space, cst.ParenthesizedWhitespace) else None

    @property
    def behind(self) -> cst.TrailingWhitespace:
        """What stands behind the link before, on its line."""
        return self.broken.first_line if self.broken else cst.TrailingWhitespace()

    @property
    def lines(self) -> tuple[cst.EmptyLine, ...]:
        """The lines between: comments above the link behind."""
        return tuple(self.broken.empty_lines) if self.broken else ()

    @property
    def bare(self) -> Gap:
        """The same line break, or none, without comments."""
        return Gap(bare(self.space))

    @property
    def has_comment(self) -> bool:
        """Whether a comment stands in it."""
        return has_comment(self.space)

    def holding(self, behind: cst.TrailingWhitespace, lines: tuple[cst.EmptyLine, ...], like: Gap | None = None) -> Gap:
        """The gap with other comments; where it breaks no line but must, it does so as the other one."""
        broken = self.broken
        if broken is None and any(map(has_comment, (behind, *lines))):
            broken = (like and like.broken) or cst.ParenthesizedWhitespace()
        return Gap(broken.with_changes(first_line=behind, empty_lines=lines)) if broken else self


_NO_GAP = Gap(cst.SimpleWhitespace(""))


@dataclass(frozen=True)
class Link:
    """One `.method(...)`, with the brackets that close behind it."""

    call: cst.Call

    @property
    def method(self) -> str:
        """The method's name."""
        return self.attribute.attr.value

    @property
    def attribute(self) -> cst.Attribute:
        """The dot and the method's name."""
        return cst.ensure_type(self.call.func, cst.Attribute)

    @property
    def after_dot(self) -> Space:
        """The white space between the dot and the method's name."""
        return self.attribute.dot.whitespace_after

    def named(self, method: str) -> Link:
        """The call of another method with the same arguments."""
        return Link(self.call.with_changes(func=self.attribute.with_changes(attr=cst.Name(method))))

    def like(self, other: Link) -> Link:
        """The link with its dot written as the other one's, and without brackets."""
        dot = self.attribute.dot.with_changes(whitespace_after=other.after_dot)
        return Link(self.call.with_changes(func=self.attribute.with_changes(dot=dot), lpar=(), rpar=()))

    def on(self, receiver: cst.BaseExpression, gap: Gap = _NO_GAP) -> cst.Call:
        """The call with another receiver and other white space before its dot."""
        dot = self.attribute.dot.with_changes(whitespace_before=gap.space)
        return self.call.with_changes(func=self.attribute.with_changes(value=receiver, dot=dot))


@dataclass(frozen=True)
class Chain:
    """A root, the links that hang on it, and the gaps: one before each link and one behind the last."""

    piece: Piece
    root: cst.BaseExpression
    links: tuple[Link, ...]
    gaps: tuple[Gap, ...]
    ends_line: bool
    """Whether nothing follows behind the chain, and the comment behind it, on its last line."""

    def inserted(self, link: Link, anchor: int, *, before: bool) -> Chain:
        """A link put in right before or behind the one at a position, in its style; comments stay with their links."""
        link, gap = link.like(self.links[anchor]), self.gaps[anchor]
        if before:
            following = self.gaps[anchor + 1]
            if not gap.broken and following.broken and anchor + 1 < len(self.links):
                # The first link stands beside its root, the others below each other: the new one takes its place.
                return self._put(anchor, link, (gap, following.bare), in_brackets=False)
            gaps = (gap.holding(gap.behind, ()), gap.holding(cst.TrailingWhitespace(), gap.lines))
            return self._put(anchor, link, gaps, in_brackets=False)
        following = self.gaps[anchor + 1]
        if gap.broken and following.broken:
            gaps = (gap.holding(following.behind, ()), following.holding(cst.TrailingWhitespace(), following.lines))
        else:
            gaps = (gap.bare, following)
        return self._put(anchor + 1, link, gaps, in_brackets=True)

    def moved(self, old: int, anchor: int, link: Link, *, up: bool) -> Chain:
        """The link at a position, as it is given here, moved up to right before the anchor, or down to behind it."""
        if not self._owns_comments(old) or not self.gaps[anchor].broken:
            return self.without(old).inserted(link, anchor if up else anchor - 1, before=up)
        own, following = self.gaps[old], self.gaps[old + 1]
        rest = self._without_link(old, following.holding(own.behind, following.lines, like=own))
        # On the way down the anchor has come up by one: its old position is now the one behind it.
        after = rest.gaps[anchor]
        gaps = (own.holding(after.behind, own.lines), after.holding(following.behind, after.lines, like=own))
        return rest._put(anchor, link.like(link), gaps, in_brackets=not up)

    def replaced(self, index: int, new: Sequence[Link]) -> Chain:
        """The link at a position replaced by others, in its style; a comment behind it stays behind them all."""
        old, gap = self.links[index], self.gaps[index]
        links = [link.like(old) for link in new]
        links[-1] = Link(links[-1].call.with_changes(rpar=old.call.rpar, lpar=old.call.lpar))
        between = (gap.bare,) * (len(links) - 1)
        return replace(
            self,
            links=(*self.links[:index], *links, *self.links[index + 1 :]),
            gaps=(*self.gaps[: index + 1], *between, *self.gaps[index + 1 :]),
        )

    def without(self, index: int) -> Chain:
        """The chain without a link, whose comments stay."""
        gap, following = self.gaps[index], self.gaps[index + 1]
        last = index + 1 == len(self.links)
        if not gap.broken:
            merged = following
        elif not following.broken and self.links[index].call.rpar:
            if gap.has_comment:
                raise Unfit("a comment would be left after the brackets, where no line may end")
            merged = following
        elif not following.broken and not last:
            merged = gap  # The next link, which stood on the same line, takes its place.
        elif following.behind.comment is None:
            merged = following.holding(gap.behind, (*gap.lines, *following.lines), like=gap)
        elif gap.has_comment:
            comment = cst.EmptyLine(whitespace=gap.broken.last_line, comment=following.behind.comment)
            merged = following.holding(gap.behind, (*gap.lines, comment, *following.lines))
        else:
            merged = following
        return self._without_link(index, merged)

    def edits(self) -> Edits:
        """The edits that make the chain of what it was."""
        return self.piece.edits(self._code())

    def _code(self) -> str:
        expression = self.root
        for link, gap in zip(self.links, self.gaps, strict=False):
            expression = link.on(expression, gap)
        end = self.piece.code(self.gaps[-1].space)
        return self.piece.code(expression) + (_LAST_BREAK.sub("", end) if self.ends_line else end)

    def _owns_comments(self, index: int) -> bool:
        """Whether a link has lines of its own, so that the comments above and behind it are about it alone."""
        last = index + 1 == len(self.links)
        ends = self.gaps[index + 1].broken or (last and not self.links[index].call.rpar)
        return bool(self.gaps[index].broken and ends)

    def _put(self, index: int, link: Link, gaps: tuple[Gap, Gap], *, in_brackets: bool) -> Chain:
        """A link put in at a position, in or behind the brackets that close behind the one before."""
        before = list(self.links[:index])
        if in_brackets:
            inner = before[-1].call
            before[-1] = Link(inner.with_changes(lpar=(), rpar=()))
            link = Link(link.call.with_changes(lpar=inner.lpar, rpar=inner.rpar))
        links = (*before, link, *self.links[index:])
        return replace(self, links=links, gaps=(*self.gaps[:index], *gaps, *self.gaps[index + 1 :]))

    def _without_link(self, index: int, merged: Gap) -> Chain:
        """The chain without a link; the brackets that close behind it now close behind what is before it."""
        call = self.links[index].call
        before: cst.BaseExpression = self.links[index - 1].call if index else self.root
        before = before.with_changes(lpar=(*call.lpar, *before.lpar), rpar=(*before.rpar, *call.rpar))
        links = list(self.links[:index])
        if index:
            links[-1] = Link(cst.ensure_type(before, cst.Call))
        return replace(
            self,
            root=self.root if index else before,
            links=(*links, *self.links[index + 1 :]),
            gaps=(*self.gaps[:index], merged, *self.gaps[index + 2 :]),
        )


def chain_of(syntax: Syntax, node: ast.Call) -> tuple[Chain, int]:
    """The longest chain that a method call is a link of, and the position of the link in it; raises Unfit."""
    if not isinstance(node.func, ast.Attribute):
        raise Unfit("the stage is not written as a method call")
    top, above = node, 0
    while (outer := _next_link(syntax, top)) is not None:
        top, above = outer, above + 1
    end = syntax.positions.region(top).end
    comment = _COMMENT.match(syntax.text, end)
    piece, expression = bracketed_piece(syntax.positions, top, comment=comment.group() if comment else "")
    end_gap = Gap(expression.rpar[-1].whitespace_before) if comment else _NO_GAP
    expression = unbracketed(expression)
    links: list[Link] = []
    gaps = [end_gap]
    while isinstance(expression, cst.Call) and isinstance(expression.func, cst.Attribute):
        links.append(Link(expression))
        gaps.append(Gap(expression.func.dot.whitespace_before))
        expression = expression.func.value
    ends_line = _REST_OF_LINE.match(syntax.text, piece.region.end) is not None
    if has_comment(links[above].after_dot):
        raise Unfit("a comment stands between the dot and the method, about neither of the two stages")
    chain = Chain(piece, expression, tuple(reversed(links)), tuple(reversed(gaps)), ends_line)
    return chain, len(links) - 1 - above


def new_link(method: str, arguments: Sequence[cst.Arg]) -> Link:
    """A link that the source does not have yet."""
    receiver = cst.Name("_")  # It gets its own when the chain is written.
    return Link(cst.Call(func=cst.Attribute(receiver, cst.Name(method)), args=arguments))


def _next_link(syntax: Syntax, node: ast.Call) -> ast.Call | None:
    """The method call whose receiver is this call."""
    attribute = syntax.parent(node)
    call = syntax.parent(attribute) if isinstance(attribute, ast.Attribute) else None
    return call if isinstance(call, ast.Call) and call.func is attribute else None
