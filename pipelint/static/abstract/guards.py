"""The conditions under which a value holds, and which of them exclude each other."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import lru_cache

from pipelint.source.tree_walk import kept_with_tree


@dataclass(frozen=True)
class Atom:
    """One test: that a subject is true, or equals a constant, or the opposite."""

    scope: int
    """The number of the scope whose names the subject has."""
    subject: str
    """As written."""
    constant: str | None
    """The constant compared with, as written; None for plain truth."""
    holds: bool

    @property
    def written(self) -> str:
        """The test in the form in which it holds."""
        if self.constant is None:
            return self.subject if self.holds else f"not {self.subject}"
        return f"{self.subject} {'==' if self.holds else '!='} {self.constant}"

    def excludes(self, other: Atom) -> bool:
        """Whether both cannot hold in one run."""
        if (self.scope, self.subject) != (other.scope, other.subject):
            return False
        if self.constant == other.constant:
            return self.holds != other.holds
        return self.holds and other.holds and None not in (self.constant, other.constant)


OF_CLASS = "type(self)"
"""The subject of a test that nobody writes: which of several methods of subclasses an object has."""


def of_class(number: int, name: str, *, holds: bool = True) -> Atom:
    """That the object of this number has the class of this name, or has not."""
    return Atom(number, OF_CLASS, name, holds)


@lru_cache(maxsize=4096)
def expression_of(subject: str) -> ast.expr:
    """What a subject is, which is kept as it is written."""
    return ast.parse(subject, mode="eval").body


Guards = frozenset[Atom]
NO_GUARDS: Guards = frozenset()


def consistent(first: Guards, second: Guards) -> bool:
    """Whether both sets can hold in one run."""
    return not first or not second or not any(a.excludes(b) for a in first for b in second)


@lru_cache(maxsize=4096)
def subjects(guards: Guards) -> frozenset[str]:
    """What the guards test, as written."""
    return frozenset(atom.subject for atom in guards)


@lru_cache(maxsize=4096)
def held(guards: Guards) -> frozenset[str]:
    """What holds under the guards, as written."""
    return frozenset(atom.written for atom in guards)


def guards_of(test: ast.expr, scope: int, *, holds: bool = True) -> Guards:
    """What is known in the branch of this scope where the test holds, or where it does not."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return guards_of(operand, scope, holds=not holds)
        case ast.BoolOp(op=ast.And(), values=values) if holds:
            return frozenset().union(*(guards_of(value, scope) for value in values))
        case ast.BoolOp(op=ast.Or(), values=values) if not holds:
            return frozenset().union(*(guards_of(value, scope, holds=False) for value in values))
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Is() | ast.NotEq() | ast.IsNot() as op], comparators=[right]):
            equal = isinstance(op, (ast.Eq, ast.Is))
            if isinstance(right, ast.Constant) and isinstance(right.value, bool):
                return guards_of(left, scope, holds=holds == (equal == right.value))
            return frozenset({Atom(scope, _written(left), _written(right), holds == equal)})
        case ast.Call(func=ast.Name(id="bool"), args=[argument]):
            return guards_of(argument, scope, holds=holds)
        case _:
            return frozenset({Atom(scope, _written(test), None, holds)})


def chosen_by(key: ast.expr, value: object, scope: int) -> Guards:
    """What is known where a table was asked by this key, and gave what it holds under this value."""
    return frozenset({Atom(scope, _written(key), repr(value), holds=True)})


@kept_with_tree  # a test is asked each time that it is evaluated
def _written(node: ast.expr) -> str:
    return ast.unparse(node)
