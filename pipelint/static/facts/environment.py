"""What a program sets in `os.environ`, and what libraries then read there."""

from __future__ import annotations

from pipelint.model.values import UNKNOWN, Literal, Symbol, Value
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.values import Arguments

ENVIRONMENT = Symbol("os.environ")


def set_variable(machine: Machine, name: object, value: Value) -> None:
    """`os.environ[name] = value`."""
    if isinstance(name, str):
        machine.store.set((machine.environment, name), value)


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
