"""What `pipelint profile` is asked to run: a script, or a dataset or function of a script or module."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipelint.source.errors import UserError
from pipelint.source.paths import NOTEBOOK


@dataclass(frozen=True)
class Target:
    """`train.py`, `train.ipynb`, `train.py:make_dataset`, `package.module:variable`, with the script's arguments."""

    text: str
    """As the user gave it."""
    script: Path | None = None
    module: str | None = None
    attribute: str | None = None
    call: str | None = None
    """An expression to evaluate in place of the attribute."""
    arguments: tuple[str, ...] = ()

    @property
    def home(self) -> str:
        """How messages name the file or module."""
        return str(self.script) if self.script else str(self.module)

    @property
    def asks_for_dataset(self) -> bool:
        """Whether a dataset is named, rather than found where the script consumes it."""
        return self.attribute is not None or self.call is not None


def parse(text: str, call: str | None = None, arguments: tuple[str, ...] = ()) -> Target:
    """The target that a command line names; refuses what can be seen to be wrong before anything runs."""
    place, attribute = _split(text)
    if call is not None:
        _check_expression(call)
        if attribute is not None:
            raise UserError(f"{text}: give either a name after the colon or --call, not both")
    if attribute is not None and not all(part.isidentifier() for part in attribute.split(".")):
        raise UserError(f"{text}: {attribute!r} is not a name; for an expression use --call {attribute!r}")
    if place.endswith((".py", NOTEBOOK)) or any(mark in place for mark in "/\\"):
        return Target(text, _script(place), None, attribute, call, arguments)
    if not all(part.isidentifier() for part in place.split(".")):
        raise UserError(f"{text}: neither a Python file nor a module; give train.py, or package.module:function")
    if attribute is None and call is None:
        hint = f"{place}.py" if Path(f"{place}.py").is_file() else f"{place}:function, or the path of a script"
        raise UserError(f"{text}: a module needs the name of a dataset or function; give {hint}")
    return Target(text, None, place, attribute, call, arguments)


def look_up(target: Target, namespace: Mapping[str, Any]) -> object:
    """What the target names in the namespace of its module, called if it is a function."""
    if target.call is not None:
        return eval(target.call, dict(namespace))  # noqa: S307 - the user's own expression, as they asked
    assert target.attribute is not None
    value: Any = None
    for depth, part in enumerate(target.attribute.split(".")):
        names = namespace if depth == 0 else dict.fromkeys(dir(value))
        if part not in names:
            raise UserError(f"{target.home} has no {part!r}{_close(part, names)}")
        value = namespace[part] if depth == 0 else getattr(value, part)
    return value


def result_of(target: Target, value: Callable[..., Any]) -> Any:
    """What the named function returns."""
    if needed := list(_needed(value)):
        example = f"{target.attribute}({', '.join(f'{name}=...' for name in needed)})"
        raise UserError(f"{target.text} needs {_listed(needed)}; call it with --call {example!r} on {target.home}")
    return value()


def datasets_in(value: object, is_dataset: Callable[[object], bool], name: str = "") -> Iterator[tuple[str, Any]]:
    """The datasets in what a function returned: itself, or those in its tuples, lists and dictionaries, with names."""
    if is_dataset(value):
        yield name, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from datasets_in(item, is_dataset, str(key))
    elif isinstance(value, (list, tuple)):
        fields: tuple[str, ...] = getattr(value, "_fields", ("",) * len(value))
        for field, item in zip(fields, value, strict=True):
            yield from datasets_in(item, is_dataset, field or name)


def _split(text: str) -> tuple[str, str | None]:
    """The file or module, and what is asked for in it; the colon behind a drive's letter is part of a path."""
    place, colon, attribute = text.rpartition(":")
    if not colon or (len(place) == 1 and attribute[:1] in ("/", "\\")):
        return text, None
    return place, attribute


def _script(place: str) -> Path:
    path = Path(place)
    if path.is_dir():
        raise UserError(f"{place} is a directory; give a script, as in {path / 'train.py'}")
    if not path.is_file():
        near = sorted(other.name for other in path.parent.glob(f"*{path.suffix}")) if path.parent.is_dir() else []
        raise UserError(f"{place}: no such file{_close(path.name, near)}")
    return path


def _check_expression(call: str) -> None:
    try:
        compile(call, "--call", "eval")
    except (SyntaxError, ValueError) as error:
        message = error.msg if isinstance(error, SyntaxError) else str(error)
        raise UserError(f"--call {call!r} is not a Python expression: {message}") from error


def _needed(function: Callable[..., Any]) -> Iterator[str]:
    """The parameters without which it cannot be called."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    for parameter in parameters:
        if parameter.default is inspect.Parameter.empty and parameter.kind not in variadic:
            yield parameter.name


def _close(name: str, names: Mapping[str, Any] | list[str]) -> str:
    near = difflib.get_close_matches(name, [other for other in names if not other.startswith("__")])
    return f"; did you mean {' or '.join(near)}?" if near else ""


def _listed(names: list[str]) -> str:
    return f"the argument{'s' if len(names) > 1 else ''} {', '.join(names)}"
