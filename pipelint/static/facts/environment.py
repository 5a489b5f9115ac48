"""What a program sets in `os.environ`, and what libraries then read there."""

from __future__ import annotations

import ast

from pipelint.knowledge.devices import CLUSTER, HIDES_DEVICES
from pipelint.model.code import Switch
from pipelint.model.values import UNKNOWN, Literal, Symbol, Value
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.values import Arguments
from pipelint.static.facts import events

ENVIRONMENT = Symbol("os.environ")
_RECORDED = HIDES_DEVICES | {CLUSTER}


def set_variable(machine: Machine, name: object, value: Value, node: ast.expr | None = None) -> None:
    """`os.environ[name] = value`, where `node` is what is assigned to."""
    if isinstance(name, str):
        machine.store.set((machine.environment, name), value)
    if isinstance(name, str) and name in _RECORDED and node is not None:
        place = machine.region(node)
        machine.record(Switch(region=place, name=place, attribute=name, value=events.model_value(value)))


def set_default(machine: Machine, given: Arguments) -> Value:
    """`os.environ.setdefault(name, value)`: what the program did not set before is taken as not set at all."""
    name, value = given.get(0, "key"), given.get(1, "value")
    if not isinstance(name, Literal) or not isinstance(name.value, str) or value is None:
        return UNKNOWN
    known = machine.store.get((machine.environment, name.value))
    if known is None:
        set_variable(machine, name.value, value)
    return known or value


def keras_backend(machine: Machine) -> str:
    """The backend that Keras runs on, as far as the program says it."""
    backend = machine.store.get((machine.environment, "KERAS_BACKEND"))
    return str(backend.value) if isinstance(backend, Literal) else "tensorflow"
