"""Values that Python takes out of tensors under a tape only to show them."""

from __future__ import annotations

import ast

from pipelint.knowledge.python_calls import SHOWING
from pipelint.model.code import Call
from pipelint.model.locations import Region
from pipelint.source.tree_walk import walk
from pipelint.static.abstract.machine import Machine
from pipelint.static.facts.syntax_index import SyntaxIndex

_SHOWN_BY = ("builtins.print", "tensorflow.print", "tensorflow.summary.", "absl.logging.", "logging.")
_PACKAGES = frozenset(SHOWING) - {"builtins"}
_SHOWN_ON = frozenset({"set_postfix", "set_description"})
"""Methods of tqdm's bars."""
_MAKES_NUMBERS = ("builtins.float", "builtins.int", "builtins.round", "builtins.str", "builtins.format", "numpy.")


def mark(machine: Machine, written: SyntaxIndex) -> None:
    """Tell every `.numpy()` under a tape whether what it gives goes nowhere but to somebody who reads it."""
    calls = {event.region: event for event in machine.events if isinstance(event, Call)}
    reads = [call for call in calls.values() if call.under_tape and call.symbol == "tensorflow.Tensor.numpy"]
    if not reads:
        return
    uses = _Uses(machine, written, calls)
    nodes = written.calls
    shown = {call.region for call in reads if call.region in nodes and uses.only_show(nodes[call.region])}
    for event in machine.events:
        if isinstance(event, Call) and event.region in shown:
            event.only_shown = True


class _Uses:
    """Where a program uses the result of an expression."""

    def __init__(self, machine: Machine, written: SyntaxIndex, calls: dict[Region, Call]) -> None:
        self._machine = machine
        self._calls = calls
        self._parents = written.parents

    def only_show(self, node: ast.AST, through: frozenset[str] = frozenset()) -> bool:
        """Whether the value is printed, logged or drawn, and nothing else, also by way of variables and lists."""
        parent = self._parents[node]
        match parent:
            case ast.Expr():
                return True
            case ast.Call(func=function) if function is node:
                return self.only_show(parent, through)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append")) if self._is_statement(parent):
                return self._is_shown_wherever_read(parent, name, through)
            case ast.Call():
                return self._is_shown_by(parent) or (self._makes_number(parent) and self.only_show(parent, through))
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AugAssign(target=ast.Name(id=name)):
                return self._is_shown_wherever_read(parent, name, through)
            case ast.expr() | ast.keyword() if not isinstance(parent, (ast.Compare, ast.BoolOp, ast.IfExp, ast.Lambda)):
                return not _is_index(node, parent) and self.only_show(parent, through)
            case _:
                return False

    def _is_statement(self, node: ast.expr) -> bool:
        return isinstance(self._parents[node], ast.Expr)

    def _is_shown_wherever_read(self, node: ast.AST, name: str, through: frozenset[str]) -> bool:
        if name in through:
            return True
        while not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)):
            node = self._parents[node]
        reads = [part for part in walk(node) if isinstance(part, ast.Name) and part.id == name]
        return all(
            self._is_appended_to(read) or self.only_show(read, through | {name})
            for read in reads
            if isinstance(read.ctx, ast.Load)
        )

    def _is_appended_to(self, node: ast.Name) -> bool:
        parent = self._parents[node]
        return isinstance(parent, ast.Attribute) and parent.attr == "append"

    def _is_shown_by(self, node: ast.Call) -> bool:
        call = self._calls.get(self._machine.region(node))
        if call is None:
            return False
        return call.symbol.startswith(_SHOWN_BY) or call.library in _PACKAGES or call.last_name in _SHOWN_ON

    def _makes_number(self, node: ast.Call) -> bool:
        if isinstance(node.func, ast.Attribute) and node.func.attr == "format":
            return True
        call = self._calls.get(self._machine.region(node))
        return call is not None and call.symbol.startswith(_MAKES_NUMBERS)


def _is_index(node: ast.AST, parent: ast.AST) -> bool:
    return isinstance(parent, ast.Subscript) and parent.slice is node
