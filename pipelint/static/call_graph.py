"""Which functions can have a bearing on what rules look at: those that mention it, or lead to others that do."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

from pipelint.knowledge import names
from pipelint.knowledge.bearing import WITHOUT_BEARING
from pipelint.model.values import Symbol, Value
from pipelint.static.abstract.imported_modules import ModuleValue
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.scopes import ModuleScope
from pipelint.static.abstract.values import ClassValue, Closure
from pipelint.static.mentions import Definition, Path, definitions_in

_MAKERS = ("__init__", "__post_init__")


@dataclass(frozen=True)
class Bearing:
    """Which functions of some modules have a bearing on what rules look at."""

    known: frozenset[ast.AST]
    bearing: frozenset[ast.AST]
    """Those that name what has a bearing, or a definition that has it."""
    acting: frozenset[ast.AST]
    """Those that do or lead to this in the program itself, or to something else that shows only when it is followed."""

    @classmethod
    def of(cls, machine: Machine, modules: Mapping[ast.Module, ModuleScope]) -> Bearing:
        """What the names in some modules tell, whose statements were executed."""
        graph = _CallGraph(machine, modules)
        bears = set(filter(graph.bears, graph.known))
        bearing = graph.leading_to(bears)
        bearing |= graph.makers_of(bearing)
        # What is found in the modules around a program is told where they are looked at themselves.
        own = set(filter(graph.is_looked_at, graph.known))
        objects = {name for one in own for name in one.repeated if name.startswith(".")}
        objects = {name for name in objects if name[1:] not in graph.named}
        acts = (one for one in own if one in bears or one.acts or not one.repeated.isdisjoint(objects))
        acting = graph.leading_to(acts)
        # What others compute with is not known where a function sets it that nobody is seen to call.
        read = frozenset().union(*(one.read for one in acting))
        acting |= {one for one in own if not one.stored.isdisjoint(read) and one.names != ("__init__",)}
        return cls(*(frozenset(one.node for one in found) for found in (graph.known, bearing, acting)))

    def bears(self, node: ast.AST) -> bool:
        """Whether what a function does may depend on who calls it, in the eyes of a rule."""
        return node in self.bearing or node not in self.known

    def acts(self, node: ast.AST) -> bool:
        """Whether a function may show more to a rule when it is followed than when it is read."""
        return node in self.acting or node not in self.known


class _CallGraph:
    """Which definitions mention which. A name is what the module has under it, an attribute of `self` what its class or
    its relatives have; of what is not known, an attribute may be any method of that name."""

    def __init__(self, machine: Machine, modules: Mapping[ast.Module, ModuleScope]) -> None:
        self._machine = machine
        self._classes = {cls.node: cls for cls in machine.classes}
        self.known: list[Definition] = []
        self._scopes: dict[Definition, ModuleScope] = {}
        for tree, scope in modules.items():
            for definition in definitions_in(tree):
                self.known.append(definition)
                self._scopes[definition] = scope
        self._by_node = {definition.node: definition for definition in self.known}
        self.named: dict[str, list[Definition]] = {}
        self._methods: dict[str, list[Definition]] = {}
        self._of_modules: dict[str, list[Definition]] = {}
        for definition in self.known:
            for name in definition.names:
                self.named.setdefault(name, []).append(definition)
                if definition.is_method:
                    self._methods.setdefault(name, []).append(definition)
                elif definition.within is None:
                    self._of_modules.setdefault(name, []).append(definition)
        self._meanings: dict[tuple[ModuleScope, Path], list[Definition | str]] = {}

    @cached_property
    def _users(self) -> dict[Definition | str, list[Definition]]:
        """The definitions that mention each; under a name, with a dot for methods, those that may mention any of it."""
        users: dict[Definition | str, list[Definition]] = {}
        for definition in self.known:
            for used in self._used_by(definition):
                users.setdefault(used, []).append(definition)
        return users

    def leading_to(self, found: Iterable[Definition]) -> set[Definition]:
        """Some definitions, those that mention them, those that mention these, and so on."""
        reached = set(found)
        pending: list[Definition | str] = list(reached)
        spread: set[str] = set()
        while pending:
            used = pending.pop()
            new = [user for user in self._users.get(used, ()) if user not in reached]
            reached.update(new)
            pending += new
            if isinstance(used, Definition) and (used.is_method or used.within is None):
                known_as = {f".{name}" if used.is_method else name for name in used.names} - spread
                spread |= known_as
                pending += known_as
        return reached

    def _used_by(self, definition: Definition) -> Iterator[Definition | str]:
        yield from definition.inner
        yield from (f".{name}" for name in definition.attributes & self._methods.keys())
        for name in definition.own & self._methods.keys():
            yield from self._of_relatives(definition, name)
        scope = self._scopes[definition]
        for path in definition.paths:
            if (scope, path) not in self._meanings:
                self._meanings[scope, path] = list(self._meant(scope, path))
            yield from self._meanings[scope, path]

    def _of_relatives(self, definition: Definition, name: str) -> list[Definition]:
        """The methods of this name of the class that it is written in, or of a relative of that."""
        within: Definition | None = definition
        while within is not None and not isinstance(within.node, ast.ClassDef):
            within = within.within
        cls = self._classes.get(within.node) if within is not None and isinstance(within.node, ast.ClassDef) else None
        return self._methods.get(name, []) if cls is None else list(self._methods_of(cls, name))

    def _methods_of(self, cls: ClassValue, name: str) -> Iterator[Definition]:
        for relative in (*cls.ancestry(), *cls.subclasses):
            body = self._by_node.get(relative.node)
            if body is not None:
                yield from body.members.get(name, ())

    def makers_of(self, methods: Iterable[Definition]) -> set[Definition]:
        """The methods that give objects the attributes which these methods of theirs read."""
        nodes = {method.within.node for method in methods if method.is_method and method.within is not None}
        classes = [cls for node, cls in self._classes.items() if node in nodes]
        return {maker for cls in classes for name in _MAKERS for maker in self._methods_of(cls, name)}

    def is_looked_at(self, definition: Definition) -> bool:
        """Whether it is part of the program, and not of a module that the program only imports."""
        scope = self._scopes[definition]
        return scope is self._machine.module or scope in self._machine.callers

    def bears(self, definition: Definition) -> bool:
        """Whether a name in it has a bearing by itself."""
        scope = self._scopes[definition]
        return (
            definition.bears
            or any(self._stands_for_what_bears(scope, path) for path in definition.claims)
            or not all(map(partial(self._of_relatives, definition), definition.own_claims))
        )

    def _stands_for_what_bears(self, scope: ModuleScope, path: Path) -> bool:
        value, _, _, rest = self._followed(scope, path)
        match value:
            case Symbol(name=name):
                return names.root(name) not in WITHOUT_BEARING
            case Closure(node=node) | ClassValue(node=node) if not rest:
                return node not in self._by_node
            case ClassValue():
                return not any(self._methods_of(value, rest[0]))
            case _:
                return True

    def _meant(self, scope: ModuleScope, path: Path) -> Iterator[Definition | str]:
        """What a dotted name of a module stands for."""
        value, scope, name, rest = self._followed(scope, path)
        match value:
            case Symbol() | ModuleValue():
                return
            case Closure(node=node) | ClassValue(node=node) if node in self._by_node:
                yield self._by_node[node]
                # A decorator may have put another in its place.
                yield from (one for one in self._of_modules.get(name, ()) if self._scopes[one] is scope)
            case _:
                yield name
        if isinstance(value, ClassValue) and rest:
            yield from self._methods_of(value, rest[0])
            rest = rest[1:]
        yield from (f".{attribute}" for attribute in rest)

    def _followed(self, scope: ModuleScope, path: Path) -> tuple[Value | None, ModuleScope, str, Path]:
        """What a dotted name leads to through modules, the module that has it, its name there, and what is left."""
        get = self._machine.store.get
        name, rest = path[0], path[1:]
        value = get((scope.number, name))
        while isinstance(value, ModuleValue) and rest:
            source = self._machine.linked.get(value.source)
            if source is None:
                break
            scope, name, rest = source, rest[0], rest[1:]
            value = get((scope.number, name))
        return value, scope, name, rest
