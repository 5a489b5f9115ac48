"""Tests that hold only where Keras is told to run a model eagerly: behind them nothing is traced."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pipelint.knowledge.keras import SWITCHES
from pipelint.model.code import Call, TraceKind
from pipelint.source.bindings import dotted_parts
from pipelint.static.abstract.guards import expression_of
from pipelint.static.abstract.machine import Machine
from pipelint.static.facts.syntax_index import SyntaxIndex

_BY_KERAS = (TraceKind.STEP, TraceKind.CALL)
"""What Keras traces, unless it is told to run it eagerly."""


def mark(machine: Machine, code: SyntaxIndex) -> None:
    """Tell the calls behind such a test that no graph gets to them."""
    calls = [event for event in machine.events if isinstance(event, Call) and event.held]
    guarded = [call for call in calls if call.trace is not None and call.trace.kind in _BY_KERAS]
    given = set(_given(code)) if guarded else set()
    for call in guarded:
        call.doubtful = call.doubtful or any(_is_switch(subject, given) for subject in call.held)


def _given(code: SyntaxIndex) -> Iterator[tuple[str, ...]]:
    """What tells Keras to run a model eagerly, as it is written."""
    for node in code.nodes():
        match node:
            case ast.Call(func=ast.Attribute(attr="compile"), keywords=keywords):
                values = [keyword.value for keyword in keywords if keyword.arg in SWITCHES]
            case ast.Assign(targets=[ast.Attribute(attr=name)], value=value) if name in SWITCHES:
                values = [value]
            case _:
                continue
        yield from filter(None, map(dotted_parts, values))


def _is_switch(subject: str, given: set[tuple[str, ...]]) -> bool:
    """Whether a test is of the model's own switch, or of what is given to it.

    The object that has it may go by another name there: of `self.settings.eager` and `settings.eager` both end alike.
    """
    match dotted_parts(expression_of(subject)):
        case None:
            return False
        case ("self", name) if name in SWITCHES:
            return True
        case parts:
            own = parts[1:] or parts
            others = [other[1:] or other for other in given]
            return any(own[-len(other) :] == other or other[-len(own) :] == own for other in others)
