"""Calls that are being followed, and code that can be followed once more in one of them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field

from pipelint.model.definitions import Class
from pipelint.model.values import Value
from pipelint.static.abstract.guards import NO_GUARDS, Guards
from pipelint.static.abstract.scopes import Scope
from pipelint.static.abstract.values import Closure, FunctionNode


@dataclass(eq=False)
class Frame:
    """A call of a function that is being followed."""

    node: FunctionNode | None
    function: Closure | None = None
    owner: Class | None = None
    """The class of the object whose method is called; the method may be one that it inherits."""
    base: Guards = NO_GUARDS
    returns: list[tuple[Guards, Value]] = field(default_factory=list)
    return_nodes: list[tuple[Value, ast.expr]] = field(default_factory=list)


@dataclass(frozen=True)
class EagerTape:
    """Code under a tape that is written out in a loop and that nothing traces; it can be followed once more."""

    scope: Scope
    frame: Frame
    follow: Callable[[], object]
