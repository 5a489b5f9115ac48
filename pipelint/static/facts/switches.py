"""Tests of variables that switch a part of a function on, as `if training:` does."""

from __future__ import annotations

import ast

from pipelint.model.code import Call
from pipelint.source.bindings import dotted_parts
from pipelint.static.abstract.guards import expression_of
from pipelint.static.abstract.machine import Machine


def switch_of(machine: Machine, call: Call) -> str:
    """A test of a variable under which alone a call happens, and that no constant or default makes hold."""
    decided = machine.holding.union(atom.written for atom in machine.held_by_default)
    return next((test for test in sorted(call.held - decided) if _is_of_variable(expression_of(test))), "")


def _is_of_variable(test: ast.expr) -> bool:
    """Whether a test asks whether a variable or attribute is true, or whether it is there at all."""
    match test:
        case (
            ast.UnaryOp(op=ast.Not(), operand=operand)
            | ast.Compare(left=operand, comparators=[ast.Constant(value=None)])
        ):
            return dotted_parts(operand) is not None
        case _:
            return dotted_parts(test) is not None
