"""What the interpreter remembers: scopes, and the values of their names and of objects' attributes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count

from pipelint.model.values import Literal, Value
from pipelint.source.module_text import ModuleText

Key = tuple[int, str]
Writes = dict[Key, Value]
_numbers = count(1)


@dataclass(eq=False)
class Scope:
    """The names of a module, a class body, a call of a function, or a comprehension."""

    parent: Scope | None
    names: frozenset[str] = frozenset()
    """The names that are bound in this scope, wherever that happens; all of them for a module."""
    is_module: bool = False
    is_class: bool = False
    number: int = field(default_factory=lambda: next(_numbers))

    @property
    def module(self) -> ModuleScope:
        """The module that it is in."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        assert isinstance(scope, ModuleScope)
        return scope

    def owner(self, name: str) -> Scope | None:
        """The scope in which the name is looked up, None for builtins and unbound names."""
        scope: Scope | None = self
        while scope is not None:
            if scope.is_module or name in scope.names:
                return scope
            scope = scope.parent
            # The body of a class is no enclosing scope for its methods.
            while scope is not None and scope.is_class:
                scope = scope.parent
        return None


@dataclass(eq=False)
class ModuleScope(Scope):
    """The names of a module, and what is known of it as a whole."""

    parent: Scope | None = None
    is_module: bool = True
    source: ModuleText | None = None
    """What it is for those that import it; None for the program that is looked at."""
    imports: set[ModuleScope] = field(default_factory=set)
    """The modules of the project that it imports."""
    run_as: str = "__main__"
    """What `__name__` is in it."""
    stars: list[str] = field(default_factory=list)
    """The libraries whose names it imports with a star."""
    passed_on: dict[str, str] = field(default_factory=dict)
    """The names under which it has things of libraries from other modules of the project, with what they stand for."""
    imports_tensorflow: bool = False
    rivals: bool = False
    """Whether it imports libraries whose objects have methods named like those of datasets."""
    trained: frozenset[str] = frozenset()
    """Its variables that hold objects whose weights the program trains."""
    options: Mapping[str, Literal] = field(default_factory=dict)
    """The defaults of what users may set on its command line, by the name of the attribute that has it."""
    bindings: int = field(default_factory=lambda: next(_numbers))
    """Under this number the store keeps what files of gin say of parameters, for programs that begin in it."""


class Store:
    """Values by key, in layers: a branch writes to a layer of its own, which is then merged."""

    def __init__(self) -> None:
        self._layers: list[Writes] = [{}]
        self._names: dict[int, dict[str, None]] = {}
        """The names that ever had a value in a scope or object, in order."""
        self.lowest_written = 0
        """The lowest number of a scope or object that was written to since somebody set this higher."""

    def get(self, key: Key) -> Value | None:
        """The newest value, None if there is none."""
        for layer in reversed(self._layers):
            if (value := layer.get(key)) is not None:
                return value
        return None

    def set(self, key: Key, value: Value) -> None:
        """Remember a value in the current layer."""
        self._layers[-1][key] = value
        owner, name = key
        if owner < self.lowest_written:
            self.lowest_written = owner
        self._names.setdefault(owner, {})[name] = None

    def push(self) -> None:
        """Begin a branch."""
        self._layers.append({})

    def pop(self) -> Writes:
        """End a branch and return what it wrote."""
        return self._layers.pop()

    @contextmanager
    def below_branches(self) -> Iterator[None]:
        """Write below all branches: what happens here happens whichever of them is taken."""
        layers = self._layers
        self._layers = layers[:1]
        try:
            yield
        finally:
            self._layers = layers

    def keys_of(self, number: int) -> list[str]:
        """The names that have a value in this scope or object."""
        return [name for name in self._names.get(number, ()) if self.get((number, name)) is not None]


def new_number() -> int:
    """A number for an object whose attributes are remembered."""
    return next(_numbers)
