"""Import statements: names of libraries become symbols, modules of the project are followed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from pipelint.knowledge import names
from pipelint.knowledge.deprecated import gone
from pipelint.knowledge.removed_keras import GONE_MODULES
from pipelint.model.program import Reference
from pipelint.model.values import UNKNOWN, Literal, Symbol, Value
from pipelint.source.bindings import imported
from pipelint.source.module_text import Importer, ModuleText
from pipelint.static.abstract.imported_modules import ModuleValue
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.scopes import ModuleScope, Scope
from pipelint.static.abstract.values import Arguments, Sequence
from pipelint.static.changes import changes_in
from pipelint.static.facts import imported_libraries, network_uses, option_defaults, trained_objects
from pipelint.static.interpret import statements
from pipelint.static.parse import parse_module


def follow(machine: Machine, node: ast.Import | ast.ImportFrom) -> None:
    """Bind what an import statement names."""
    # A package may import a module of its own, which must not be taken for what the statement itself binds.
    from_project = list(_from_project(machine, node))
    for name, symbol in imported(node).items():
        machine.assign(name, symbol)
    for name, value in from_project:
        machine.assign(name, value)
        if isinstance(value, Symbol):
            imported_libraries.note_library(machine, value.name)
            machine.scope.module.passed_on[name] = value.name
    if isinstance(node, ast.ImportFrom) and not node.level:
        for alias in node.names:
            name = names.canonical(f"{node.module}.{alias.name}")
            package = names.root(node.module or "")
            place = machine.positions.region(alias)
            machine.references.append(Reference(name, place, imported=True, package=package))
            # What has another name today is told by that one, and a package that is gone would be lost.
            if (lost := _gone_package(node.module or "")) and lost not in name:
                machine.references.append(Reference(lost, place, imported=True, package=package))
    elif isinstance(node, ast.Import):
        for alias in node.names:
            # Its name may be all that the program uses of it.
            if gone(alias.name):
                machine.references.append(Reference(alias.name, machine.positions.region(alias), imported=True))
    if isinstance(node, ast.ImportFrom) and node.names[0].name == "*" and node.module:
        machine.scope.module.stars.append(names.canonical(node.module))
    imported_libraries.note_import(machine, node)


@lru_cache(maxsize=1024)
def _gone_package(name: str) -> str:
    """The first package in a dotted name, as engine and rules know it, that is gone; "" where none is."""
    parts = name.split(".")
    prefixes = (names.canonical(".".join(parts[:length])) for length in range(1, len(parts) + 1))
    # TensorFlow has a Keras 2 among its own modules, of which it says nothing.
    old = () if name.startswith("tensorflow.python.") else GONE_MODULES
    return next((prefix for prefix in prefixes if gone(prefix) or prefix in old), "")


def _from_project(machine: Machine, node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, Value]]:
    importer = _importer(machine, machine.scope)
    if importer is None:
        return
    if isinstance(node, ast.Import):
        for alias in node.names:
            name = alias.name if alias.asname else names.root(alias.name)
            module = importer.find(name, 0)
            if module is not None:
                if "DEFINE_" in module.text:
                    # The flags that it defines are there though nobody names it.
                    followed(machine, module)
                yield alias.asname or name, ModuleValue(module)
        return
    package = importer.find(node.module or "", node.level)
    if package is None:
        return
    value = ModuleValue(package)
    for alias in node.names:
        if alias.name == "*":
            yield from _public(machine, package)
        elif (found := attribute(machine, value, alias.name)) is not None:
            yield alias.asname or alias.name, found


def _importer(machine: Machine, scope: Scope) -> Importer | None:
    source = scope.module.source
    return machine.importer if source is None else source.importer


def found(machine: Machine, name: str) -> ModuleText | None:
    """The module of the project that this name leads to from the code that is being followed."""
    importer = _importer(machine, machine.scope)
    return importer.find(name, 0) if importer is not None else None


def _public(machine: Machine, module: ModuleText) -> Iterator[tuple[str, Value]]:
    """What a star brings: what the module lists in `__all__`, else the names without an underscore before them."""
    scope = followed(machine, module)
    if scope is None:
        return
    match machine.attribute(scope.number, "__all__"):
        case Sequence(items=items, open_ended=False) if all(isinstance(item, Literal) for item in items):
            names_of_star = [str(item.value) for item in items if isinstance(item, Literal)]
        case _:
            names_of_star = [name for name in machine.store.keys_of(scope.number) if not name.startswith("_")]
    for name in names_of_star:
        value = attribute(machine, ModuleValue(module), name)
        if value is not None:
            yield name, value


def by_name(machine: Machine, given: Arguments) -> Value:
    """What `importlib.import_module` gives for a name that is known; one that begins with dots leads from the file."""
    match given.get(0, "name"):
        case Literal(value=str() as name):
            absolute = name.lstrip(".")
            level = len(name) - len(absolute)
            importer = _importer(machine, machine.scope)
            module = importer.find(absolute, level) if importer is not None else None
            if module is not None:
                return ModuleValue(module)
            return UNKNOWN if level else Symbol(names.canonical(name))
        case _:
            return UNKNOWN


def attribute(machine: Machine, value: ModuleValue, name: str) -> Value | None:
    """What a module of the project has under a name: a variable, else a module in it; None if neither is seen."""
    scope = followed(machine, value.source)
    found = machine.attribute(scope.number, name) if scope is not None else None
    if found is not None:
        return found
    inner = value.source.importer.find(name, 1) if value.source.is_package else None
    return ModuleValue(inner) if inner is not None else None


def set_attribute(machine: Machine, value: ModuleValue, name: str, given: Value) -> None:
    """Give a module's variable another value; from when on it has one that a function gives it, nobody can tell."""
    scope = followed(machine, value.source)
    if scope is not None:
        at_once = machine.frames[-1].node is None
        machine.store.set((scope.number, name), given if at_once else UNKNOWN)


def execute(machine: Machine, scope: ModuleScope, tree: ast.Module, text: str) -> None:
    """Follow the statements of a module, after what is read from it as a whole is noted."""
    machine.trees[tree] = scope
    scope.trained = trained_objects.names_in_module(tree, text)
    scope.options = option_defaults.option_defaults(tree, text)
    machine.changes = machine.changes.joined(changes_in(tree))
    machine.main_lines |= network_uses.main_lines(tree)
    # What the modules of a program do as scripts is followed when all of them are known.
    later = network_uses.main_blocks(tree) if scope.source in machine.own_modules else ()
    statements.execute(machine, [node for node in tree.body if node not in later])


def followed(machine: Machine, module: ModuleText, *, as_main: bool = False) -> ModuleScope | None:
    """The names of a module, which is followed when it is first asked for; in a circle, those that it has by then."""
    if module not in machine.linked:
        is_other = module not in machine.own_modules
        tree = parse_module(module) if machine.others_left or not is_other else None
        if tree is None:
            return None
        machine.others_left -= is_other
        scope = machine.linked[module] = ModuleScope(source=module, run_as="__main__" if as_main else module.name)
        with machine.apart(scope):
            execute(machine, scope, tree, module.text)
    machine.scope.module.imports.add(machine.linked[module])
    return machine.linked[module]
