"""Whether Keras traces a layer or model of the program at all, or the program only ever calls it eagerly."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain

from pipelint.knowledge.keras import KEEPS_MODEL, RUNS_NO_MODEL, TRACED_METHODS, TRAINS_BY_STEP
from pipelint.model.code import Trace, TraceKind
from pipelint.model.definitions import Callee, Class, Function, Method
from pipelint.model.values import Symbol, Value
from pipelint.source.tree_walk import walk
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.symbolic import is_tensor, is_variable
from pipelint.static.abstract.values import (
    Arguments,
    Choice,
    ClassValue,
    Foreign,
    Instance,
    Sequence,
    Table,
    Tensor,
    alternatives,
)

_BY_KERAS = frozenset({"training", "mask"})
"""Arguments of `call` that every network has, so that they do not tell which one is called."""


def note(machine: Machine, callee: Callee | None, given: Arguments, receiver: Value | None) -> None:
    """Remember in what way a call uses networks of the program."""
    match callee:
        case Function(name=str() as name, owner=Class()) if name in TRACED_METHODS:
            _use(machine, callee, given)
        case Method(name="__call__") if isinstance(receiver, Instance) and receiver.cls is not None:
            _use(machine, _method(receiver.cls, "call"), given)
        case Method(name=name) if isinstance(receiver, Instance) and receiver.cls is not None:
            _note_method(machine, receiver.cls, name, given)
        case None if not machine.is_traced:
            _use(machine, _named_by(machine, given), given)
    keeps = isinstance(callee, Symbol) and callee.name in KEEPS_MODEL
    if not (isinstance(callee, Function) or keeps):
        hand_out(machine, *given.values())


def hand_out(machine: Machine, *values: Value) -> None:
    """Code out of sight gets these values: what it does with the networks among them is not known."""
    for value in values:
        for network in _networks_in(value):
            for name in TRACED_METHODS:
                _add(machine, _method(network, name), None)


def _note_method(machine: Machine, cls: ClassValue, name: str, given: Arguments) -> None:
    """A method of Keras may run the model in a graph: by its steps where these are the program's, else by `call`."""
    if name in RUNS_NO_MODEL:
        return
    trains = _method(cls, "train_step")
    if name in TRAINS_BY_STEP and trains is not None and "validation_data" not in given.keywords:
        _add(machine, trains, None)
        return
    for traced in TRACED_METHODS:
        _add(machine, _method(cls, traced), None)


def _use(machine: Machine, function: Function | None, given: Arguments) -> None:
    if machine.is_traced:
        _add(machine, function, machine.recorder)
    elif not has_values(machine, given):
        # What nobody knows may be the input of a functional model; it shows neither that nor an eager call.
        if any(map(_may_be_symbolic, given.values())):
            _add(machine, function, None)
    elif function is not None and (machine.loops or _is_script(machine, given)):
        machine.called_eagerly[function] = machine.called_eagerly.get(function, False) or machine.tape_depth > 0


def _is_script(machine: Machine, given: Arguments) -> bool:
    """Whether a call runs whenever the file does; elsewhere one call may only try out what other programs import."""
    return len(machine.frames) == 1 and given.node is not None and given.node.lineno not in machine.main_lines


def main_lines(tree: ast.Module) -> frozenset[int]:
    """The lines under `if __name__ == "__main__"`."""
    return frozenset(
        line for node in main_blocks(tree) for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    )


def main_blocks(tree: ast.Module) -> list[ast.If]:
    """The statements `if __name__ == "__main__"`."""
    return [
        node
        for node in tree.body
        if isinstance(node, ast.If)
        and any(isinstance(part, ast.Name) and part.id == "__name__" for part in walk(node.test))
    ]


def _add(machine: Machine, function: Function | None, by: Trace | None) -> None:
    if function is not None:
        machine.used_in_graphs.setdefault(function, set()).add(by)


def has_values(machine: Machine, given: Arguments) -> bool:
    """Whether a call outside of traced code is one with values, and so none that builds a functional model."""
    return machine.tape_depth > 0 or any(map(_has_value, given.values()))


def _may_be_symbolic(value: Value) -> bool:
    """Whether a value is the input of a functional model, or what may have been computed of one."""
    match value:
        case Instance(symbol="keras.Input"):
            return True
        case Sequence(items=items):
            return any(map(_may_be_symbolic, items))
        case Table(items=items):
            return any(_may_be_symbolic(item) for _, item in items)
        case Choice():
            return any(_may_be_symbolic(option) for _, option in alternatives(value))
        case _:
            return is_tensor(value) and not _has_value(value)


def _has_value(value: Value) -> bool:
    match value:
        case Foreign() | Tensor(eager=True) | Tensor(step_result=True):
            return True
        case Sequence(items=items):
            return any(map(_has_value, items))
        case Table(items=items):
            return any(_has_value(item) for _, item in items)
        case _:
            return is_variable(value)


def _named_by(machine: Machine, given: Arguments) -> Function | None:
    """The `call` that alone has the parameters which something unknown is called with."""
    named = set(given.keywords) - _BY_KERAS
    if not named:
        return None
    calls = {cls.methods["call"] for cls in machine.classes if "call" in cls.methods}
    fitting = [function for function in calls if named <= set(function.parameters)]
    return fitting[0] if len(fitting) == 1 else None


def _method(cls: ClassValue, name: str) -> Function | None:
    return next((ancestor.methods[name] for ancestor in cls.ancestry() if name in ancestor.methods), None)


def _networks_in(value: Value) -> Iterator[ClassValue]:
    match value:
        case Instance(cls=ClassValue() as cls):
            yield cls
        case Sequence(items=items):
            yield from chain.from_iterable(map(_networks_in, items))
        case Table(items=items):
            yield from chain.from_iterable(_networks_in(item) for _, item in items)
        case _:
            for _, option in alternatives(value):
                if option is not value:
                    yield from _networks_in(option)


def mark_eager(machine: Machine) -> None:
    """Say of the traces that Keras would make whether the program only ever calls their functions eagerly."""
    for function in machine.functions:
        if function.traced or function.identity.wrapped:
            _add(machine, function.identity, None)
    for trace in machine.traces:
        if trace.kind in (TraceKind.CALL, TraceKind.STEP):
            trace.in_sight = trace.function in machine.used_in_graphs
        callers = _eager_callers(machine, trace, set())
        if callers is not None:
            trace.only_eager = True
            trace.under_tape = any(machine.called_eagerly.get(caller, False) for caller in callers)


def _eager_callers(machine: Machine, trace: Trace, known: set[Function]) -> set[Function] | None:
    """The function of a trace and those that lead to it, where all of them are only called eagerly; else None."""
    function = trace.function
    if trace.kind not in (TraceKind.CALL, TraceKind.STEP) or function is None:
        return None
    if function in known:
        return known
    used = machine.used_in_graphs.get(function, set())
    if function not in machine.called_eagerly and not used:
        return None
    known.add(function)
    for by in used:
        if by is None or _eager_callers(machine, by, known) is None:
            return None
    return known
