"""What files of gin say of the parameters of functions: a default, as people edit them and users give others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from pipelint.knowledge.configuration import BINDS_PARAMETER, PARSES_GIN_FILE, PARSES_GIN_FILES, PARSES_GIN_TEXT
from pipelint.model.values import UNKNOWN, Literal, Value
from pipelint.source.gin_settings import Binding, Include, MacroUse, read_statements
from pipelint.static.abstract.defaults import Macro, by_default
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.scopes import ModuleScope, Scope
from pipelint.static.abstract.values import Arguments, Closure, Sequence
from pipelint.static.facts.settings_files import text_of

MOST_FILES = 32
"""How many files one call parses at most, with those that they include: people write a few, and a circle has to end."""
_MOST_MACROS = 8
"""How many macros stand for one another before one of them stands for a value."""


def _parse_file(machine: Machine, given: Arguments) -> Value:
    """Note what a file says from now on."""
    _note_files(machine, given.get(0, "config_file"))
    return UNKNOWN


def _parse_files(machine: Machine, given: Arguments) -> Value:
    """Note what several files say, and what is said beside them."""
    _note_files(machine, given.get(0, "config_files"))
    _note_lines(machine, given.get(1, "bindings"))
    return Literal(None)


def _parse_text(machine: Machine, given: Arguments) -> Value:
    """Note what lines in the program itself say."""
    _note_lines(machine, given.get(0, "bindings"))
    return UNKNOWN


def _bind(machine: Machine, given: Arguments) -> Value:
    """Note what `gin.bind_parameter("function.parameter", value)` says."""
    key, value = given.get(0, "binding_key"), given.get(1, "value")
    if isinstance(key, Literal) and value is not None:
        _note(machine, {str(key.value): by_default(value)})
    return Literal(None)


CALLS: dict[str, Callable[[Machine, Arguments], Value]] = {
    **dict.fromkeys(PARSES_GIN_FILE, _parse_file),
    **dict.fromkeys(PARSES_GIN_FILES, _parse_files),
    **dict.fromkeys(PARSES_GIN_TEXT, _parse_text),
    **dict.fromkeys(BINDS_PARAMETER, _bind),
}
"""The functions of gin that say something of parameters, with what a call of them notes and gives."""


def _note_files(machine: Machine, paths: Value | None) -> None:
    _note(machine, _said(machine, [Include(path) for path in _texts(machine, paths)]))


def _note_lines(machine: Machine, lines: Value | None) -> None:
    _note(machine, _said(machine, read_statements("\n".join(_texts(machine, lines))) or []))


def _texts(machine: Machine, value: Value | None) -> Iterator[str]:
    """The strings that a value is or holds; of what the user gives instead, nothing is known."""
    now = machine.current(value) if value is not None else None
    for item in now.items if isinstance(now, Sequence) else (now,):
        if isinstance(item, Literal) and isinstance(item.value, str):
            yield item.value


def _note(machine: Machine, said: dict[str, Value]) -> None:
    number = _program(machine).bindings
    for key, value in said.items():
        if machine.store.get((number, key)) is None:
            with machine.store.below_branches():
                # Where a branch is left out that says it, it is not known who else does.
                machine.store.set((number, key), UNKNOWN)
        machine.store.set((number, key), value)


def _said(machine: Machine, statements: Iterable[Binding | Include]) -> dict[str, Value]:
    """What statements say in the end."""
    said: dict[str, Value] = {}
    pending, files_left = [*statements][::-1], MOST_FILES
    while pending:
        match pending.pop():
            case Binding(key=key, value=MacroUse(name=name)):
                said[key] = Macro(name)
            case Binding(key=key, value=value):
                said[key] = Literal(value, assumed=True) if value is not None else UNKNOWN
            case Include(path=path):
                text = text_of(machine, path) if path.endswith(".gin") and files_left > 0 else None
                included = read_statements(text) if text is not None else None
                files_left -= 1
                if included is None:
                    # It may say something else of all that was said before it.
                    said = dict.fromkeys(said, UNKNOWN)
                pending += reversed(included or [])
    return said


def _program(machine: Machine) -> ModuleScope:
    """The module in which the program begins that is being followed."""
    functions = (frame.function for frame in machine.frames if frame.function is not None)
    first = next(functions, None)
    return first.scope.module if first is not None else machine.scope.module


def names_of(
    machine: Machine, name: str, scope: Scope, *, told: Value | None = None, module: Value | None = None
) -> tuple[str, ...]:
    """The names under which files know a function or class, unless gin is told a name or a module for it."""
    if isinstance(told, Literal) and isinstance(told.value, str):
        name = told.value
    elif told is not None:
        return ()
    match module:
        case Literal(value=str() as around):
            return (f"{around}.{name}",)
        case None if "." not in name:
            return tuple(f"{around}.{name}" for around in _names_of_module(machine, scope.module))
        case _:
            return (name,)


def _names_of_module(machine: Machine, module: ModuleScope) -> set[str]:
    own = machine.importer.own if machine.importer is not None and module is machine.module else module.source
    return {module.run_as, own.name} if own is not None else {module.run_as}


def bound(machine: Machine, function: Closure, parameter: str) -> Value | None:
    """What files say of a parameter, None if they say nothing: those of the program, else all that agree."""
    modules = dict.fromkeys((machine.module, *machine.linked.values()))
    said = {
        module: _of_program(machine, module, function, parameter)
        for module in modules
        if machine.store.keys_of(module.bindings)
    }
    own = said.get(_program(machine))
    return own if own is not None else _agreed(list(said.values()))


def _of_program(machine: Machine, module: ModuleScope, function: Closure, parameter: str) -> Value | None:
    said: dict[str, list[Value]] = {}
    for key in machine.store.keys_of(module.bindings):
        target, _, name = key.rpartition(".")
        scope, _, selector = target.rpartition("/")
        if name == parameter and any(_is_meant(selector, full) for full in function.configured_as):
            said.setdefault(scope, []).append(_resolved(machine, module, key, _MOST_MACROS))
    # Which scope of gin a call stands in is not followed.
    return _agreed([*said.get("", [None]), *(value for scope in said if scope for value in said[scope])])


def _is_meant(selector: str, full: str) -> bool:
    """Whether the last parts of a function's name are those that a file has; of both, leading ones may be left out."""
    parts = zip(reversed(selector.split(".")), reversed(full.split(".")), strict=False)
    return bool(selector) and all(written == known for written, known in parts)


def _resolved(machine: Machine, module: ModuleScope, key: str, macros_left: int) -> Value:
    match machine.attribute(module.bindings, key):
        case Macro(name=name):
            return _resolved(machine, module, name, macros_left - 1) if macros_left else UNKNOWN
        case Literal() as value:
            return value
        case _:
            return UNKNOWN


def _agreed(values: list[Value | None]) -> Value | None:
    first = values[0] if values else None
    return first if all(value == first for value in values) else UNKNOWN
