"""Which way a program goes at its tests by its constants and the defaults of its parameters."""

from __future__ import annotations

import ast

from pipelint.knowledge.keras import GIVEN_BY_KERAS
from pipelint.model.code import TraceKind
from pipelint.model.values import Literal, Value
from pipelint.static.abstract.guards import Atom, Guards, expression_of
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.values import Instance


def note(machine: Machine, guards: Guards) -> None:
    """Remember which of these tests come out true by constants and defaults, and which false by what nobody gives."""
    for atom in guards:
        if _holds(machine, atom):
            machine.held_by_default.add(atom)
        elif _is_constant(machine, atom.subject) or _is_left_by_keras(machine, atom.subject):
            machine.turned_off.add(atom)
        elif _is_off(machine, atom):
            machine.off_by_default.add(atom)


def _is_constant(machine: Machine, subject: str) -> bool:
    """Whether a test is of a constant of the module, which nothing in it rebinds."""
    match expression_of(subject):
        case ast.Name(id=name) if name not in machine.changes.names:
            owner, value = machine.scope.owner(name), machine.lookup(name)
            return owner is machine.module and isinstance(value, Literal) and not value.assumed
        case _:
            return False


def _is_left_by_keras(machine: Machine, subject: str) -> bool:
    """Whether a test is of a parameter of `call` that has its default where Keras itself calls that for a graph."""
    recorder = machine.recorder
    if recorder is None or recorder.kind is not TraceKind.CALL or machine.function is not recorder.function:
        return False
    match expression_of(subject):
        case ast.Name(id=name) if name not in GIVEN_BY_KERAS and machine.scope.owner(name) is machine.scope:
            value = machine.lookup(name)
            return isinstance(value, Literal) and value.assumed
        case _:
            return False


def _is_off(machine: Machine, atom: Atom) -> bool:
    """Whether a test comes out otherwise by what callers give, or by a default that none of them overrides."""
    value = value_of(machine, expression_of(atom.subject)) if atom.constant is None else None
    return isinstance(value, Literal) and bool(value.value) != atom.holds


def _holds(machine: Machine, atom: Atom) -> bool:
    value = value_of(machine, expression_of(atom.subject))
    if not isinstance(value, Literal):
        return False
    truth = bool(value.value) if atom.constant is None else repr(value.value) == atom.constant
    return truth == atom.holds


def value_of(machine: Machine, named: ast.AST) -> Value | None:
    """The value of a name, or of an attribute of an object that a name stands for."""
    match named:
        case ast.Name(id=name):
            return machine.lookup(name)
        case ast.Attribute(value=ast.Name(id=owner), attr=name):
            holder = machine.lookup(owner)
            return machine.attribute(holder.number, name) if isinstance(holder, Instance) else None
        case _:
            return None
