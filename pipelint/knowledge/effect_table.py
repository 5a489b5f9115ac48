"""The table of what TensorFlow's and Keras' symbols do, which `knowledge.generate` makes: how it is written and read.

One symbol a line: its canonical name, its effects, and for each argument that decides, what it changes:
`keras.layers.Dropout.__call__ none training@1=True:random`.
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_name("tensorflow_effects.txt")
NONE = "none"
_ANY = "*"
_VALUES = {"True": True, "False": False, _ANY: None}

Effects = frozenset[str]
"""In the words of the model's effects; none for a symbol that was traced and only computes tensors."""


class Condition(NamedTuple):
    """What a symbol does where an argument has a value other than its default."""

    parameter: str
    position: int
    """Among the arguments of a call, without the object of a method; -1 where it is given by name alone."""
    value: bool | int | None
    """A number stands for any number, None for anything but the default."""
    effects: Effects


class SymbolEffects(NamedTuple):
    """What is known of a symbol."""

    effects: Effects
    """With the default of each argument."""
    conditions: tuple[Condition, ...] = ()

    @property
    def worst(self) -> Effects:
        """All that it may do, whatever the arguments."""
        return self.effects.union(*(condition.effects for condition in self.conditions))


def written(name: str, entry: SymbolEffects) -> str:
    """The line of an entry."""
    conditions = [
        f"{item.parameter}@{item.position}={_ANY if item.value is None else item.value}:{_joined(item.effects)}"
        for item in entry.conditions
    ]
    return " ".join((name, _joined(entry.effects), *conditions))


def _joined(effects: Effects) -> str:
    return "+".join(sorted(effects)) or NONE


def _split(text: str) -> Effects:
    return frozenset(text.split("+")) - {NONE}


@lru_cache(maxsize=4096)
def entry_of(name: str) -> SymbolEffects | None:
    """What the table says of a canonical name, None where it says nothing."""
    line = _lines().get(name)
    if line is None:
        return None
    effects, *conditions = line.split(" ")
    return SymbolEffects(_split(effects), tuple(map(_condition, conditions)))


def _condition(text: str) -> Condition:
    place, _, changed = text.partition("=")
    parameter, _, position = place.partition("@")
    value, _, effects = changed.partition(":")
    return Condition(parameter, int(position), _VALUES.get(value, 1), _split(effects))


@cache
def _lines() -> dict[str, str]:
    """What stands behind each name; the first line, with the versions, under `#`."""
    return dict(line.split(" ", 1) for line in FILE.read_text("utf-8").splitlines())


def versions() -> dict[str, str]:
    """The versions of the packages that the table was made from."""
    words = _lines()["#"].split()
    return dict(zip(words[::2], words[1::2], strict=True))


def names() -> list[str]:
    """All symbols of the table."""
    return [name for name in _lines() if name != "#"]
