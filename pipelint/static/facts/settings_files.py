"""Files of settings that a program of the project reads: what they say is a default, as people edit them."""

from __future__ import annotations

import posixpath

from pipelint.knowledge.configuration import LOADS_RECORD, LOADS_TABLE, OPENS_FILE
from pipelint.model.values import UNKNOWN, Literal, Value
from pipelint.source.composed_settings import compose
from pipelint.source.plain_settings import Settings, read_settings
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.opened_files import OpenFile
from pipelint.static.abstract.values import Arguments, Instance, Table
from pipelint.static.facts import records

_DEEPEST = 6
"""How deep settings stand in settings; what nests deeper is data."""


def given_by(machine: Machine, name: str, given: Arguments) -> Value | None:
    """What a function gives that opens a file or reads settings; None for others, and where they are out of sight."""
    first = given.positional[0].value if given.positional else UNKNOWN
    match first:
        case Literal(value=str() as path) if name in OPENS_FILE:
            return OpenFile(path)
        case OpenFile(path=path) if name in LOADS_TABLE:
            settings = _settings(machine, path)
            return _table(machine, settings) if settings is not None else None
        case Literal(value=str() as path) | OpenFile(path=path) if name in LOADS_RECORD:
            settings = _settings(machine, path)
            return _record(machine, settings) if settings is not None else None
        case _:
            return None


def _record(machine: Machine, settings: Settings) -> Instance:
    made = Instance(symbol="omegaconf.DictConfig")
    records.update(machine, made, _table(machine, settings))
    return made


def of_main(machine: Machine, given: Arguments) -> Instance | None:
    """The settings that `@hydra.main(config_path=..., config_name=...)` gives a function."""
    directory, name = given.get(0, "config_path"), given.get(1, "config_name")
    if not isinstance(name, Literal):
        return None
    folder = str(directory.value or "") if isinstance(directory, Literal) else ""
    settings = compose(
        str(name.value).removesuffix(".yaml"),
        lambda file: text_of(machine, posixpath.join(folder, f"{file}.yaml")),
    )
    return _record(machine, settings) if settings is not None else None


def text_of(machine: Machine, path: str) -> str | None:
    """The text of a file of settings that the code which is being followed names, None if it is out of sight."""
    source = machine.scope.module.source
    importer = machine.importer if source is None else source.importer
    return importer.settings(path) if importer is not None else None


def _settings(machine: Machine, path: str) -> Settings | None:
    text = text_of(machine, path)
    return read_settings(text, is_json=path.endswith(".json")) if text is not None else None


def _table(machine: Machine, settings: Settings, depth: int = 0) -> Value:
    items = tuple((key, _value(machine, value, depth + 1)) for key, value in settings.items())
    return machine.contained(Table(items))


def _value(machine: Machine, value: object, depth: int) -> Value:
    match value:
        case dict() if value and depth < _DEEPEST:
            return _table(machine, value, depth)
        case bool() | int() | float() | str():
            return Literal(value, assumed=True)
        case _:
            return UNKNOWN
