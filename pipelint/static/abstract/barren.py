"""Calls that show nothing new: of functions without a bearing on what rules look at, which gave nothing before."""

from __future__ import annotations

import ast
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Protocol

from pipelint.model.values import UNKNOWN, Literal, Symbol, Text, Value
from pipelint.static.abstract.compound import Compound, extent
from pipelint.static.abstract.imported_modules import ModuleValue
from pipelint.static.abstract.values import (
    Arguments,
    BoundMethod,
    ClassValue,
    Closure,
    Foreign,
    Instance,
    Iterating,
    Tensor,
)

_ENOUGH = 3
"""After how many barren calls a function is taken to be barren: later ones differ in numbers, texts and objects."""
_MOST_PARTS = 20
"""How large a container may be whose parts are compared."""

Shape = Hashable
"""What is compared of a value: constants by their types, objects by their classes."""
Setting = tuple[Hashable, ...]
"""Which function is called, and where."""
Alike = tuple[Setting, tuple[Shape, ...]]
"""What calls have in common that give the same."""


class Bearings(Protocol):
    """Tells which functions have a bearing on what rules look at."""

    def bears(self, node: ast.AST) -> bool:
        """Whether what a function does may depend on who calls it."""

    def acts(self, node: ast.AST) -> bool:
        """Whether a function may show more when it is followed than when it is read."""

    def learn(self) -> None:
        """Find it out for all modules that were followed by now."""


@dataclass(eq=False)
class BarrenCalls:
    """What calls outside of graphs gave that did nothing else; functions with a bearing are none of them."""

    bearing: Bearings | None = None
    _seen: dict[Setting, int] = field(default_factory=dict)
    """How many barren calls were followed, of functions that had no other."""
    _results: dict[Alike, Value] = field(default_factory=dict)
    _fertile: set[ast.AST] = field(default_factory=set)

    def bears(self, node: ast.AST) -> bool:
        """Whether a function has a bearing on what rules look at, by the names in it."""
        return self.bearing is None or self.bearing.bears(node)

    def acts(self, node: ast.AST) -> bool:
        """Whether a function may show something to a rule when it is followed."""
        return self.bearing is None or self.bearing.acts(node)

    def call(self, function: Closure, given: Arguments, *around: Hashable) -> Alike | None:
        """What a call has in common with others; None for one that is followed in any case."""
        if function.node in self._fertile or self.bears(function.node) or function.name is None:
            return None
        bound = shape(function.bound) if function.bound is not None else ""
        shapes = (bound, given.hides, *map(shape, given.values()), *given.keywords)
        return None if None in shapes else ((function.node, function.scope, bound, *around), shapes)

    def result(self, call: Alike) -> Value | None:
        """What a call gives that is not followed; None where it is."""
        return self._results.get(call) if self._seen.get(call[0], 0) >= _ENOUGH else None

    def note(self, call: Alike, function: Closure, value: Value | None) -> None:
        """Remember what a call gave that was followed; None where it did more than give a plain value."""
        if value is None or not _is_plain(value):
            self._fertile.add(function.node)
        else:
            self._seen[call[0]] = self._seen.get(call[0], 0) + 1
            self._results[call] = value


def shape(value: Value) -> Shape | None:
    """What two values have in common that a function without a bearing treats alike; None for what may be called."""
    if value is UNKNOWN:
        return "?"
    match value:
        case Literal(value=constant):
            return type(constant).__name__
        case Tensor(step_result=False, elements=False) | ModuleValue() | ClassValue():
            return value
        case Foreign(library=library):
            return library
        case Symbol() | Text():
            return type(value).__name__
        case Instance():
            return value.cls or value.symbol or "object"
        case BoundMethod(receiver=receiver):
            return shape(receiver)
        case Iterating():
            return None
        case Compound():
            shapes = tuple(map(shape, value.parts)) if extent(value)[0] <= _MOST_PARTS else (None,)
            return None if None in shapes else (type(value).__name__, shapes)
        case _:
            return None


def _is_plain(value: Value) -> bool:
    """Whether nothing but its kind matters of what a function gives: no constant, no object, nothing that changes."""
    match value:
        case Literal(value=None) | Foreign(array=None, turns=None, drawn=None):
            return True
        case Tensor(step_result=False, elements=False, rows=None):
            return True
        case Iterating():
            return False
        case Compound():
            return getattr(value, "number", None) is None and all(map(_is_plain, value.parts))
        case _:
            return value is UNKNOWN
