"""Which functions can have a bearing on what rules look at: those that mention it, or lead to others that do."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from pipelint.static.abstract.machine import Machine
from pipelint.static.call_graph import CallGraph
from pipelint.static.mentions import Definition


class Bearing:
    """Which functions of the modules that a machine follows have a bearing on what rules look at."""

    def __init__(self, machine: Machine) -> None:
        self._graph = CallGraph(machine)
        self._known: frozenset[ast.AST] = frozenset()
        self.bearing: frozenset[ast.AST] = frozenset()
        """Those that name what has a bearing, or a definition that has it."""
        self.acting: frozenset[ast.AST] = frozenset()
        """Those that do or lead to this in the program itself, or to something else that only following them shows."""
        self._early: dict[ast.AST, bool] = {}
        """Whether functions bear that were called before all was known."""
        self._leading: set[Definition] = set()
        self._idle: set[Definition] = set()
        """The definitions that led to what bears, and those that led to nothing of it, when that was asked."""

    def learn(self) -> None:
        """Find out what the names tell in all modules whose statements were executed by now."""
        graph = self._graph
        graph.catch_up()
        if len(graph.known) == len(self._known):
            return
        users = graph.users()
        bears = set(filter(graph.bears, graph.known))
        bearing = graph.leading_to(bears, users)
        bearing |= graph.makers_of(bearing)
        # What is found in the modules around a program is told where they are looked at themselves.
        own = set(filter(graph.is_looked_at, graph.known))
        objects = {name for one in own for name in one.repeated if name.startswith(".")}
        objects = {name for name in objects if name[1:] not in graph.named}
        acts = (one for one in own if one in bears or one.acts or not one.repeated.isdisjoint(objects))
        acting = graph.leading_to(acts, users)
        # What others compute with is not known where a function sets it that nobody is seen to call.
        read = frozenset().union(*(one.read for one in acting))
        acting |= {one for one in own if not one.stored.isdisjoint(read) and one.names != ("__init__",)}
        self._known, self.bearing, self.acting = (
            frozenset(one.node for one in found) for found in (graph.known, bearing, acting)
        )

    def bears(self, node: ast.AST) -> bool:
        """Whether what a function does may depend on who calls it, in the eyes of a rule."""
        if node in self._known:
            return node in self.bearing
        if node not in self._early:
            self._early[node] = self._leads_to_what_bears(node)
        return self._early[node]

    def acts(self, node: ast.AST) -> bool:
        """Whether a function may show more to a rule when it is followed than when it is read."""
        return node in self.acting or node not in self._known

    def _leads_to_what_bears(self, node: ast.AST) -> bool:
        """The same for one function, by what the names in it stand for now: modules are still being followed."""
        graph = self._graph
        graph.catch_up()
        asked = graph.definition(node)
        if asked is None:
            return True
        pending = [asked, *graph.made_by(asked)]
        mentioned_by: dict[Definition, Definition | None] = dict.fromkeys(pending)
        for one in pending:
            if one in self._leading or graph.bears(one) or graph.leads_out_of_sight(one):
                self._note_way(one, mentioned_by)
                return True
            new = set(graph.used_by(one)) - mentioned_by.keys() - self._idle
            mentioned_by.update(dict.fromkeys(new, one))
            pending += new
        self._idle.update(pending)
        return False

    def _note_way(self, end: Definition, mentioned_by: Mapping[Definition, Definition | None]) -> None:
        """Remember the way to what bears, so that it is not searched again for each function that stands on it."""
        step: Definition | None = end
        while step is not None:
            self._leading.add(step)
            step = mentioned_by[step]
