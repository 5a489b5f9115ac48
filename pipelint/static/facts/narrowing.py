"""What a test makes sure of in its branches: that a variable is a tensor, or that it is no tensor."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager

from pipelint.knowledge.tensors import CONTAINERS, NO_TENSORS, TENSOR_TESTS, TENSOR_TYPES
from pipelint.model.values import UNKNOWN, Literal, Value
from pipelint.source.tree_walk import inner_parts
from pipelint.static.abstract.guards import Atom, Guards, expression_of
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.scopes import Key
from pipelint.static.abstract.symbolic import may_be_symbolic
from pipelint.static.abstract.traced_values import TensorTest
from pipelint.static.abstract.values import EAGER, TENSOR
from pipelint.static.facts.dotted_names import symbol_of


@contextmanager
def within(machine: Machine, test: ast.expr, *, holds: bool) -> Iterator[None]:
    """Follow code that runs only where the test holds, or only where it does not."""
    before = _narrow(machine, test, holds, NO_TENSORS | CONTAINERS)
    after = {key: machine.store.get(key) for key in before}
    try:
        yield
    finally:
        for key, value in before.items():
            if machine.store.get(key) is after[key]:
                machine.store.set(key, value)


def narrow(machine: Machine, test: ast.expr, *, holds: bool) -> dict[Key, Value]:
    """Give variables what the test makes sure of, and return what they had."""
    # Where the other way ends, a container is what the code is always given: of tensors.
    return _narrow(machine, test, holds, NO_TENSORS)


def _narrow(machine: Machine, test: ast.expr, holds: bool, others: frozenset[str]) -> dict[Key, Value]:
    before: dict[Key, Value] = {}
    for name, value in _sure(machine, test, holds, others) if machine.is_traced else ():
        owner = machine.scope.owner(name)
        had = machine.store.get((owner.number, name)) if owner is not None else None
        if owner is not None and had is not None and may_be_symbolic(had):
            before[owner.number, name] = had
            machine.store.set((owner.number, name), value)
    return before


def note(machine: Machine, guards: Guards) -> None:
    """Remember which of these tests come out so only where a variable of traced code is no tensor, as it may be."""
    for atom in guards if machine.is_traced else ():
        if atom.constant is None and (_denies_tensor(machine, atom) or _is_for_others(machine, atom)):
            machine.turned_off.add(atom)


def _is_for_others(machine: Machine, atom: Atom) -> bool:
    """Whether code is there for what is no tensor, by a test of it, or by what an earlier one told."""
    match expression_of(atom.subject):
        case ast.Name(id=name) if not atom.holds:
            return isinstance(machine.lookup(name), TensorTest)
        case ast.Call(func=function) if not atom.holds:
            return symbol_of(machine, function) in TENSOR_TESTS
        case _:
            return False


def _denies_tensor(machine: Machine, atom: Atom) -> bool:
    sure = _sure(machine, expression_of(atom.subject), atom.holds, NO_TENSORS)
    denied = (machine.lookup(name) for name, answer in sure if answer is UNKNOWN)
    return any(value is not None and may_be_symbolic(value) for value in denied)


def _sure(machine: Machine, test: ast.expr, holds: bool, others: frozenset[str]) -> Iterator[tuple[str, Value]]:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _sure(machine, operand, not holds, others)
        case ast.BoolOp(op=op, values=values) if isinstance(op, ast.And) == holds:
            for value in values:
                yield from _sure(machine, value, holds, others)
        case ast.BoolOp(values=values):
            first, *more = (dict(_sure(machine, value, holds, others)) for value in values)
            yield from ((name, value) for name, value in first.items() if all(way.get(name) is value for way in more))
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Is() | ast.IsNot() as op], comparators=[ast.Constant(None)]):
            if isinstance(op, ast.Is) == holds:
                yield name, Literal(None)
        case ast.Call(func=function, args=[ast.Name(id=name), *more]):
            answer = _answer(machine, function, more, others)
            if answer is not None and (holds or answer is TENSOR):
                yield name, answer if holds else UNKNOWN


def _answer(machine: Machine, function: ast.expr, more: list[ast.expr], others: frozenset[str]) -> Value | None:
    """What a value is for which the call holds, None where it says nothing of tensors; of others it is none."""
    called = symbol_of(machine, function)
    match called, more:
        case "builtins.hasattr", [ast.Constant(value="numpy")]:
            return EAGER
        case "builtins.isinstance", [kinds]:
            named = {symbol_of(machine, kind) for kind in (kinds.elts if isinstance(kinds, ast.Tuple) else [kinds])}
            return UNKNOWN if named <= others else TENSOR if named <= TENSOR_TYPES else None
        case _:
            return TENSOR if called in TENSOR_TESTS and not more else None


def scope_of(machine: Machine, test: ast.expr) -> int:
    """The number of the scope that a test asks: that of a module for what no function of it changes."""
    found = (test, *inner_parts(test))
    owners = {machine.scope.owner(part.id) for part in found if isinstance(part, ast.Name)}
    changes = machine.changes
    # What a call gives may be something else the next time.
    may_change = any(
        isinstance(part, ast.Call)
        or (isinstance(part, ast.Name) and part.id in changes.names)
        or (isinstance(part, ast.Attribute) and part.attr in changes.attributes)
        for part in found
    )
    owner = owners.pop() if len(owners) == 1 and not may_change else None
    return owner.number if owner is not None and owner.is_module else machine.scope.number
