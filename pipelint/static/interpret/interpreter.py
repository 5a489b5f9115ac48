"""The interpreter as one object: what facts ask of it leads to the modules that follow code."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from pipelint.model.values import Value
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.values import Arguments, Closure
from pipelint.static.bearing_functions import Bearing
from pipelint.static.interpret import assignments, calls, expressions, functions


@dataclass(eq=False)
class Interpreter(Machine):
    """Follows one program."""

    def __post_init__(self) -> None:
        self.barren.bearing = Bearing(self)

    def evaluate(self, node: ast.expr) -> Value:
        """The value of an expression."""
        return expressions.evaluate(self, node)

    def bind(self, target: ast.expr, value: Value) -> None:
        """Give an assignment target its value, taking tuples apart."""
        assignments.bind(self, target, value)

    def call(self, callee: Value, given: Arguments) -> Value:
        """What a callee gives for these arguments."""
        return calls.apply(self, callee, given)

    def enter(self, function: Closure, given: Arguments) -> Value:
        """Follow the body of a user's function and return what it gives."""
        return functions.call_function(self, function, given)
