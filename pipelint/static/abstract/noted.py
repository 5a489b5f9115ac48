"""What the interpreter notes on its way, to be looked at when the whole program is known."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from pipelint.model.code import Loop
from pipelint.model.consumer import Consumer
from pipelint.model.definitions import Function
from pipelint.model.locations import Region
from pipelint.model.values import Value
from pipelint.static.abstract.scopes import ModuleScope
from pipelint.static.abstract.values import Arguments, Closure


@dataclass(eq=False)
class Consumption:
    """A dataset value, what consumes it, and the expression that names it there."""

    value: Value
    consumer: Consumer
    node: ast.expr | None
    tests: frozenset[str] = frozenset()
    """The tests, as written, under which it is consumed."""
    function: Function | None = None
    """The function whose body consumes it."""
    only_looks: bool = False
    """Whether it takes an element now and then and trains nothing with it."""


@dataclass(frozen=True)
class EagerCall:
    """A call of a function that changes weights and that nothing traces, with the loops around it."""

    function: Closure
    given: Arguments
    loops: tuple[Loop, ...]
    caller: Region | None
    """The function whose body makes the call."""
    module: ModuleScope
    """The module whose code makes it."""
