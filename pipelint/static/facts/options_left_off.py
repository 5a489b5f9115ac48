"""Tests of options of the command line that come out so only where the user sets the option."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from pipelint.model.code import Call, TraceKind
from pipelint.model.values import Literal
from pipelint.source.bindings import dotted_parts
from pipelint.static.abstract.guards import expression_of
from pipelint.static.abstract.machine import Machine

_MAY_RUN_EAGERLY = (TraceKind.FUNCTION, TraceKind.STEP, TraceKind.CALL)
"""What the user who sets the option can keep from being traced, as the functions of a pipeline cannot be."""


def mark(machine: Machine) -> None:
    """Tell the calls of traced code that happen only where the user asks for them by an option."""
    guarded = _guarded(machine)
    options = _options(machine) if guarded else {}
    for call in guarded:
        call.asked_for = any(_is_left_off(test, options) for test in call.held)


def may_be_elsewhere(machine: Machine) -> bool:
    """Whether a tensor is asked for its value under a test of what may be an option that another module defines."""
    return any(
        call.symbol == "tensorflow.Tensor.numpy" and not call.asked_for and any(_tested(test)[0] for test in call.held)
        for call in _guarded(machine)
    )


def _guarded(machine: Machine) -> list[Call]:
    calls = [event for event in machine.events if isinstance(event, Call) and event.held]
    return [call for call in calls if call.trace is not None and call.trace.kind in _MAY_RUN_EAGERLY]


def _options(machine: Machine) -> Mapping[str, Literal]:
    """The defaults of the options of all modules that are seen, but for those that differ or that the program sets."""
    found: dict[str, Literal] = {}
    unsure = {*machine.changes.attributes, *machine.changes.switches}
    for module in {machine.module, *machine.linked.values()}:
        for name, default in module.options.items():
            if found.setdefault(name, default) != default:
                unsure.add(name)
    return {name: default for name, default in found.items() if name not in unsure}


def _is_left_off(test: str, options: Mapping[str, Literal]) -> bool:
    """Whether a test is of an option, and comes out otherwise by its default."""
    name, holds = _tested(test)
    return name in options and bool(options[name].value) != holds


def _tested(test: str) -> tuple[str, bool]:
    """The attribute that is tested, as options are, and whether it is true there; "" for another test."""
    expression, holds = expression_of(test), True
    if isinstance(expression, ast.UnaryOp) and isinstance(expression.op, ast.Not):
        expression, holds = expression.operand, False
    match dotted_parts(expression):
        # An attribute of the object itself is its own, whatever the options are called.
        case None | (_,) | ("self", _):
            return "", holds
        case parts:
            return parts[-1], holds
