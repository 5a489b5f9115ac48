"""Functions that are read and not followed: which names of libraries they use, and what they call, as it is written."""

from __future__ import annotations

import ast

from pipelint.model.definitions import Method
from pipelint.model.values import UNKNOWN, Literal, Symbol, Value
from pipelint.source.bindings import dotted_parts, function_names
from pipelint.source.tree_walk import walk
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.scopes import Scope
from pipelint.static.abstract.values import Arguments, ClassValue, Closure, Given, Instance, Sequence
from pipelint.static.facts import events, network_uses
from pipelint.static.interpret import classes, expressions


def read(machine: Machine, function: Closure) -> None:
    """Note what the body of a function mentions, without the values that flow through it."""
    node = function.node
    machine.visited.add(node)
    local, _ = function_names(node)
    before, machine.function = machine.function, function.identity
    with machine.in_scope(Scope(function.scope, local)):
        reader = _Reader(machine, local)
        for statement in node.body if isinstance(node.body, list) else [node.body]:
            for part in walk(statement):
                reader.note(part)
    machine.function = before


class _Reader:
    def __init__(self, machine: Machine, local: frozenset[str]) -> None:
        self._machine = machine
        self._local = local
        self._noted: set[ast.AST] = set()

    def note(self, node: ast.AST) -> None:
        match node:
            case ast.Call():
                self._call(node)
            case ast.Attribute() if node not in self._noted:
                self._value(node)

    def _value(self, node: ast.expr) -> Value:
        """What a dotted name of the module stands for."""
        outer: ast.expr = node
        while isinstance(outer, ast.Attribute):
            self._noted.add(outer)
            outer = outer.value
        parts = dotted_parts(node)
        if parts is None or parts[0] in self._local:
            return UNKNOWN
        return expressions.evaluate(self._machine, node)

    def _call(self, node: ast.Call) -> None:
        machine = self._machine
        given = _constants(node)
        match self._value(node.func):
            case Symbol() as symbol:
                events.record(machine, symbol, given)
            case ClassValue() as cls:
                events.record(machine, cls.identity, given)
                classes.note_construction(machine, cls, given)
                # Whoever calls the function may get it.
                network_uses.hand_out(machine, Instance(cls=cls))
            case Closure() as function:
                events.record(machine, function.identity, given)
            case _ if isinstance(node.func, ast.Attribute):
                events.record(machine, Method(None, node.func.attr), given)
            case _:
                events.record(machine, None, given)


def _constants(node: ast.Call) -> Arguments:
    """What a call passes, as far as it is written out."""
    hides = any(isinstance(item, ast.Starred) for item in node.args) or any(item.arg is None for item in node.keywords)
    positional = tuple(Given(_constant(item), item) for item in node.args if not isinstance(item, ast.Starred))
    keywords = {item.arg: Given(_constant(item.value), item.value) for item in node.keywords if item.arg is not None}
    return Arguments(node, positional, keywords, hides)


def _constant(node: ast.expr) -> Value:
    match node:
        case ast.Constant(value=value):
            return Literal(value, written=node)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return Literal(-number, written=node)
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return Sequence(tuple(map(_constant, items)), type(node).__name__.lower())
        case _:
            return UNKNOWN
