"""Objects of settings, whose attributes and items are the same: `cfg.TRAIN.BATCH_SIZE`, `cfg["TRAIN"]`."""

from __future__ import annotations

from collections.abc import Iterable

from pipelint.knowledge.configuration import RECORDS, SET_FROM_OUTSIDE
from pipelint.model.values import UNKNOWN, Literal, Value
from pipelint.static.abstract.defaults import by_default
from pipelint.static.abstract.machine import ANY, Machine
from pipelint.static.abstract.values import Arguments, Instance, Table


def is_record(value: Value | None) -> bool:
    """Whether a value is an object of settings."""
    return isinstance(value, Instance) and value.symbol in RECORDS


def made(machine: Machine, symbol: str, given: Arguments) -> Instance:
    """The object that a call of this symbol makes."""
    record = Instance(symbol=symbol, arguments=given)
    for item in given.positional[:1]:
        update(machine, record, machine.current(item.value))
    fill(machine, record, ((name, item.value) for name, item in given.keywords.items()))
    return record


def fill(machine: Machine, record: Instance, items: Iterable[tuple[object, Value]]) -> None:
    """Give an object of settings these; a dict among them becomes such an object as well."""
    for name, value in items:
        if isinstance(name, str):
            machine.store.set((record.number, name), _converted(machine, record, machine.current(value)))


def update(machine: Machine, record: Instance, value: Value) -> None:
    """Add all settings of a dict, or of another such object."""
    settings = table(machine, value) if isinstance(value, Instance) else value
    if isinstance(settings, Table):
        fill(machine, record, settings.items)
    else:
        machine.store.set((record.number, ANY), UNKNOWN)


def _converted(machine: Machine, record: Instance, value: Value) -> Value:
    if not isinstance(value, Table):
        return value
    inner = Instance(symbol=record.symbol)
    fill(machine, inner, value.items)
    return inner


def read(machine: Machine, record: Instance, name: str) -> Value | None:
    """A setting, None if none was seen; a default where what is out of sight may have set another."""
    value = machine.attribute(record.number, name)
    open_to_others = record.symbol in SET_FROM_OUTSIDE or machine.store.get((record.number, ANY)) is not None
    return by_default(value) if value is not None and open_to_others else value


def table(machine: Machine, record: Instance) -> Table:
    """The settings as a dict."""
    names = [name for name in machine.store.keys_of(record.number) if name != ANY]
    return Table(tuple((name, read(machine, record, name) or UNKNOWN) for name in names))


def call_method(machine: Machine, record: Instance, name: str, given: Arguments) -> Value | None:
    """What a method of the object gives that all of them have; None for others."""
    if not is_record(record):
        return None
    first = given.positional[0].value if given.positional else None
    match name, first:
        case "get", Literal(value=str() as key):
            return read(machine, record, key)
        case "update", _:
            if first is not None:
                update(machine, record, machine.current(first))
            fill(machine, record, ((key, item.value) for key, item in given.keywords.items()))
            return Literal(None)
        case "copy" | "clone", None:
            copied = Instance(symbol=record.symbol)
            update(machine, copied, record)
            return copied
        case _:
            return None
