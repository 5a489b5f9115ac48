"""Moves a stage up or down a pipeline: within a chain, between statements, or with its own statement."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from pipelint.model.locations import Region
from pipelint.model.pipeline import Dataset, Pipeline, Stage
from pipelint.model.repair import Edit
from pipelint.rewrite.links import Link
from pipelint.rewrite.removal import without_statement
from pipelint.rewrite.syntax import Syntax
from pipelint.source.bindings import bound_names

Edits = tuple[Edit, ...]


class Mover:
    """Works out how a stage can be moved in one program."""

    def __init__(self, syntax: Syntax, datasets: tuple[Dataset, ...]) -> None:
        self._syntax = syntax
        self._positions = syntax.positions
        self._text = syntax.positions.text
        self._datasets = datasets

    def moves(self, stage: Stage, other: Stage, changes: Mapping[Region, str]) -> Iterator[Edits]:
        """The ways to put the stage right behind the other one, the one in the best style first."""
        up = other in stage.upstream()
        neighbour = other.output if up else other
        if neighbour is None or neighbour is stage or not self._is_only_way(stage, neighbour):
            return
        node, near = (self._syntax.call_at(Region.of(part.call)) for part in (stage, neighbour))
        link, anchor = self._syntax.link(node), self._syntax.link(near)
        if node is None or near is None or link is None or anchor is None:
            return
        moved = self._changed(link.method, changes)
        if _in_one_chain(node, near):
            yield self._within_chain(link, anchor, changes, moved, up=up)
            yield (Edit(link.bare, ""), Edit(_at(anchor.front if up else anchor.method.end), f".{moved}"))
            return
        home, goal = self._syntax.statement_of(node), self._syntax.statement_of(near)
        if home is None or goal is None or home is goal or not self._may_swap(stage, neighbour, home, goal, node):
            return
        line = self._with_its_line(home, goal, node, near, changes, up=up)
        if line:
            yield line
        removal = self._removal(home, node, link)
        if removal:
            place = anchor.front if up else anchor.behind
            yield (*removal, Edit(_at(place), anchor.lead + moved))
            yield (*removal, Edit(_at(anchor.front if up else anchor.method.end), f".{moved}"))

    def _within_chain(self, link: Link, anchor: Link, changes: Mapping[Region, str], moved: str, *, up: bool) -> Edits:
        place = anchor.front if up else (anchor.behind if anchor.has_own_line else anchor.method.end)
        if link.has_own_line and anchor.has_own_line and link.whole.start == link.front:
            return (Edit(link.whole, ""), Edit(_at(place), self._changed(link.whole, changes)))
        return (Edit(link.bare, ""), Edit(_at(place), anchor.lead + moved))

    def _changed(self, region: Region, changes: Mapping[Region, str]) -> str:
        """The text of a region with its changes."""
        text, begin = "", region.start
        for place in sorted(place for place in changes if region.start <= place.start and place.end <= region.end):
            text += self._text[begin : place.start] + changes[place]
            begin = place.end
        return text + self._text[begin : region.end]

    def _is_only_way(self, stage: Stage, other: Stage) -> bool:
        """Whether every pipeline that has one of the two calls has both: else another one would change too."""
        for pipeline in self._all_pipelines():
            calls = [part.call for part in pipeline.stages]
            if (stage.call in calls) != (other.call in calls):
                return False
            if calls.count(stage.call) > 1 or calls.count(other.call) > 1:
                return False
        return True

    def _all_pipelines(self) -> Iterator[Pipeline]:
        for dataset in self._datasets:
            for pipeline in dataset.variants:
                yield pipeline
                yield from pipeline.nested

    def _may_swap(self, stage: Stage, neighbour: Stage, home: ast.stmt, goal: ast.stmt, node: ast.Call) -> bool:
        """Whether both statements always run together, and the names in the call mean the same at both."""
        block = self._syntax.block_of(home)
        if goal not in block or stage.guards != neighbour.guards:
            return False
        first, last = sorted((block.index(home), block.index(goal)))
        used = {
            part.id
            for argument in (*node.args, *(keyword.value for keyword in node.keywords))
            for part in ast.walk(argument)
            if isinstance(part, ast.Name)
        }
        return not used & bound_names(block[first : last + 1])

    def _with_its_line(
        self, home: ast.stmt, goal: ast.stmt, node: ast.Call, near: ast.Call, changes: Mapping[Region, str], *, up: bool
    ) -> Edits:
        """Move `ds = ds.cache()` as a whole, where the statement that it goes next to is about the same variable."""
        name = _reassigned(home, node)
        if name is None:
            return ()
        match goal:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if up:
                fits = target == name and isinstance(_receiver(near), ast.Name) and ast.unparse(_receiver(near)) == name
            case ast.Assign(targets=[ast.Name(id=target)], value=value):
                fits = target == name and value is near
            case _:
                fits = False
        own = self._own_lines(home)
        beside = self._own_lines(goal)
        if not fits or own is None or beside is None:
            return ()
        newline = self._positions.newline
        text = self._changed(own, changes)
        if up:
            added = Edit(_at(beside.start), text if text.endswith(("\r", "\n")) else text + newline)
        else:
            ends_line = self._text[: beside.end].endswith(("\r", "\n"))
            text = text if ends_line else newline + text.rstrip("\r\n")
            added = Edit(_at(beside.end), text if text.endswith(("\r", "\n")) or not ends_line else text + newline)
        return (Edit(own, ""), added)

    def _own_lines(self, statement: ast.stmt) -> Region | None:
        """The lines of a statement, line break included; None if it shares them."""
        region = self._positions.region(statement)
        start, end = self._positions.line_start(region.start), self._positions.line_end(region.end)
        behind = self._text[region.end : end].strip()
        if self._text[start : region.start].strip() or (behind and not behind.startswith("#")):
            return None
        end += 2 if self._text[end : end + 2] == "\r\n" else 1
        return Region(start, min(end, len(self._text)))

    def _removal(self, home: ast.stmt, node: ast.Call, link: Link) -> Edits:
        """The edits that take one method call out of a statement, and the statement with it if nothing is left."""
        if _reassigned(home, node) is not None:
            alone = len(self._syntax.block_of(home)) == 1
            return without_statement(self._positions, self._positions.region(home), alone_in_block=alone)
        return (Edit(link.bare, ""),)


def _receiver(node: ast.Call) -> ast.expr:
    return node.func.value if isinstance(node.func, ast.Attribute) else node


def _reassigned(statement: ast.stmt, node: ast.Call) -> str | None:
    """The variable of `ds = ds.method(...)`, None for any other statement."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=target)], value=value) if value is node:
            receiver = _receiver(node)
            return target if isinstance(receiver, ast.Name) and receiver.id == target else None
        case _:
            return None


def _in_one_chain(first: ast.Call, second: ast.Call) -> bool:
    return _hangs_on(first, second) or _hangs_on(second, first)


def _hangs_on(outer: ast.expr, inner: ast.Call) -> bool:
    while isinstance(outer, ast.Call) and isinstance(outer.func, ast.Attribute):
        outer = outer.func.value
        if outer is inner:
            return True
    return False


def _at(offset: int) -> Region:
    return Region(offset, offset)
