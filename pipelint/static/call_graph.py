"""Which definitions of the modules of a program mention which."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from functools import partial
from itertools import chain, islice

from pipelint.knowledge import names
from pipelint.knowledge.bearing import WITHOUT_BEARING
from pipelint.model.values import Symbol, Value
from pipelint.static.abstract.imported_modules import ModuleValue
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.scopes import ModuleScope
from pipelint.static.abstract.values import ClassValue, Closure
from pipelint.static.mentions import Definition, Path, definitions_in

Users = dict[Definition | str, list[Definition]]
_MAKERS = ("__init__", "__post_init__")


class CallGraph:
    """Which definitions mention which. A name is what the module has under it, an attribute of `self` what its class or
    its relatives have; of what is not known, an attribute may be any method of that name."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._scopes: dict[Definition, ModuleScope] = {}
        self._by_node: dict[ast.AST, Definition] = {}
        self._methods: dict[str, list[Definition]] = {}
        self._of_modules: dict[str, list[Definition]] = {}
        self._classes: dict[ast.AST, ClassValue] = {}
        self._modules = self._made = 0
        self.named: dict[str, list[Definition]] = {}

    @property
    def known(self) -> Collection[Definition]:
        """All definitions in the modules that it knows."""
        return self._scopes.keys()

    def catch_up(self) -> None:
        """Get to know the modules and classes that were followed since it was last asked."""
        for tree, scope in islice(self._machine.trees.items(), self._modules, None):
            for definition in definitions_in(tree):
                self._add(definition, scope)
        self._modules = len(self._machine.trees)
        self._classes.update((cls.node, cls) for cls in islice(self._machine.classes, self._made, None))
        self._made = len(self._machine.classes)

    def _add(self, definition: Definition, scope: ModuleScope) -> None:
        self._scopes[definition] = scope
        self._by_node[definition.node] = definition
        for name in definition.names:
            self.named.setdefault(name, []).append(definition)
            if definition.is_method:
                self._methods.setdefault(name, []).append(definition)
            elif definition.within is None:
                self._of_modules.setdefault(name, []).append(definition)

    def definition(self, node: ast.AST) -> Definition | None:
        """What a node defines, None where it is no definition of a module that is known."""
        return self._by_node.get(node)

    def users(self) -> Users:
        """The definitions that mention each; under a name, with a dot for methods, those that may mention any of it."""
        users: Users = {}
        for definition in self.known:
            for used in self._used_by(definition):
                users.setdefault(used, []).append(definition)
        return users

    def leading_to(self, found: Iterable[Definition], users: Users) -> set[Definition]:
        """Some definitions, those that mention them, those that mention these, and so on."""
        reached = set(found)
        pending: list[Definition | str] = list(reached)
        spread: set[str] = set()
        while pending:
            used = pending.pop()
            new = [user for user in users.get(used, ()) if user not in reached]
            reached.update(new)
            pending += new
            if isinstance(used, Definition) and (used.is_method or used.within is None):
                known_as = {f".{name}" if used.is_method else name for name in used.names} - spread
                spread |= known_as
                pending += known_as
        return reached

    def used_by(self, definition: Definition) -> Iterator[Definition]:
        """The definitions that one mentions, or may mention."""
        for used in self._used_by(definition):
            if isinstance(used, Definition):
                yield used
            elif used.startswith("."):
                yield from self._methods.get(used[1:], ())
            else:
                yield from self._of_modules.get(used, ())

    def _used_by(self, definition: Definition) -> Iterator[Definition | str]:
        yield from (self._by_node[node] for node in definition.inner)
        yield from (f".{name}" for name in definition.attributes & self._methods.keys())
        for name in definition.own & self._methods.keys():
            yield from self._of_relatives(definition, name)
        scope = self._scopes[definition]
        for path in definition.paths:
            yield from self._meant(scope, path)

    def leads_out_of_sight(self, definition: Definition) -> bool:
        """Whether it mentions what is in a module that was not followed yet."""
        scope = self._scopes[definition]
        reached = (self._followed(scope, path) for path in definition.paths)
        return any(isinstance(value, ModuleValue) and rest for value, _, _, rest in reached)

    def _of_relatives(self, definition: Definition, name: str) -> list[Definition]:
        """The methods of this name of the class that it is written in, or of a relative of that."""
        cls = self._class_around(definition)
        return self._methods.get(name, []) if cls is None else list(self._methods_of(cls, name))

    def _class_around(self, definition: Definition) -> ClassValue | None:
        within: Definition | None = definition
        while within is not None and not isinstance(within.node, ast.ClassDef):
            within = within.within
        return self._classes.get(within.node) if within is not None else None

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

    def made_by(self, definition: Definition) -> Iterator[Definition]:
        """The methods that may read the attributes which a method gives its object when that is made."""
        if definition.is_method and not set(definition.names).isdisjoint(_MAKERS):
            cls = self._class_around(definition)
            for relative in (*cls.ancestry(), *cls.subclasses) if cls is not None else ():
                body = self._by_node.get(relative.node)
                yield from chain.from_iterable(body.members.values()) if body is not None else ()

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
