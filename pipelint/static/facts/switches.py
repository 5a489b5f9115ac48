"""Tests of variables that switch a part of a function on, as `if training:` does."""

from __future__ import annotations

import ast

from pipelint.model.code import Call
from pipelint.source.bindings import dotted_parts
from pipelint.static.abstract.guards import expression_of
from pipelint.static.abstract.machine import Machine


def switch_of(machine: Machine, call: Call) -> str:
    """A test of a variable under which alone a call happens, and that no constant or default makes hold."""
    return min(tests_of_variables(machine, call), default="")


def tests_of_variables(machine: Machine, call: Call) -> set[str]:
    """All such tests."""
    return {test for test in undecided(machine, call.held) if _is_of_variable(expression_of(test))}


def undecided(machine: Machine, tests: frozenset[str]) -> set[str]:
    """The tests that neither hold here in any case nor by default."""
    return set(tests) - machine.holding.union(atom.written for atom in machine.held_by_default)


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
