"""Functions that nothing in sight leads to, where that which would call them is in sight."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from pipelint.knowledge.consumption import ConsumerKind
from pipelint.model.code import Call
from pipelint.model.definitions import Function
from pipelint.model.locations import Region
from pipelint.source.tree_walk import kept_with_tree, walk
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.work import MOST_IMPORTERS
from pipelint.static.facts import network_uses
from pipelint.static.facts.dotted_names import symbol_of
from pipelint.static.parse import parse_module

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DEFINITIONS = (*_FUNCTIONS, ast.ClassDef)


def mark(machine: Machine, trees: Sequence[ast.Module]) -> None:
    """Say of functions and classes that nothing leads to them, and of what takes datasets there that it never runs.

    That is known where the program trains, and their file has other code that runs or is imported for other things;
    without training, in a script, and of what they return where others import the file. A file that only defines
    things, or tries them out, is there for those that import it, and so is what a decorator or a base may register.
    """
    # Only of code with a tape, a dataset or a graph is it asked whether the program gets to it.
    tapes = (isinstance(event, Call) and event.last_name == "GradientTape" for event in machine.events)
    if not machine.uncalled or not (machine.consumptions or machine.traces or any(tapes)):
        return
    running = [tree for tree in trees if network_uses.main_blocks(tree) or _runs_own_code(tree)]
    imported = {tree: list(importers(machine, tree)) for tree in trees}
    trained = trains(machine)
    # What works as soon as it is imported is imported by nobody.
    scripts = {node for tree in running if _runs_own_code(tree, network_uses.main_blocks(tree)) for node in tree.body}
    for outer in _unused(machine, running, [*trees, *(importer for tree in running for importer in imported[tree])]):
        for part in walk(outer):
            identity = machine.identities.get(part)
            if isinstance(identity, Function):
                identity.unused = True
        if trained or outer in scripts:
            _mark_consumers(machine, outer)
    for tree in (tree for tree in trees if tree not in running):
        users = imported[tree]
        if 0 < len(users) < MOST_IMPORTERS and _is_used(tree, users):
            for outer in _unused(machine, [tree], [tree, *users]):
                _mark_consumers(machine, outer, returned=not trained)


def trains(machine: Machine) -> bool:
    """Whether a program trains in code that it gets to."""
    calls = (event for event in machine.events if isinstance(event, Call) and event.function not in machine.uncalled)
    return any(call.fits or call.updates_weights for call in calls)


def _unused(machine: Machine, defining: Sequence[ast.Module], using: Sequence[ast.Module]) -> list[ast.stmt]:
    """The functions and classes of some modules that none of others uses, nor what is used there itself."""
    if not defining:
        return []
    by_statement = {node: mentioned(node) for tree in using for node in tree.body}
    users = Counter(name for names in by_statement.values() for name in names)
    defined: dict[str, list[ast.stmt]] = {}
    for node in (node for tree in defining for node in tree.body):
        # What other decorators make of a function, or register it for, is not known.
        if (
            isinstance(node, _DEFINITIONS)
            and not _has_base(node)
            and all(_traces(machine, decorator) for decorator in node.decorator_list)
        ):
            defined.setdefault(node.name, []).append(node)
            # That it calls itself, or names its own class, leads nobody to it.
            users[node.name] -= node.name in by_statement[node]
    unused = [node for name, nodes in defined.items() if not users[name] for node in nodes]
    # What only an unused function mentions is unused as well; the list grows while it is gone through.
    for outer in unused:
        for name in by_statement[outer] - {getattr(outer, "name", "")}:
            users[name] -= 1
            unused += defined.get(name, []) if not users[name] else []
    return unused


def _has_base(node: ast.stmt) -> bool:
    """Whether a class derives from another, which may know its subclasses."""
    match node:
        case ast.ClassDef(bases=[] | [ast.Name(id="object")], keywords=[]):
            return False
        case _:
            return isinstance(node, ast.ClassDef)


def _traces(machine: Machine, decorator: ast.expr) -> bool:
    """Whether a decorator is `tf.function`, with arguments or without."""
    function = decorator.func if isinstance(decorator, ast.Call) else decorator
    return symbol_of(machine, function) == "tensorflow.function"


def _mark_consumers(machine: Machine, unused: ast.stmt, *, returned: bool = False) -> None:
    """Say of what takes datasets there that it never runs, or only of what hands them to callers."""
    function = machine.region(unused)
    for consumer in (consumption.consumer for consumption in machine.consumptions):
        hands_out = consumer.kind is ConsumerKind.ELSEWHERE
        if function.holds(Region.of(consumer.region)) and (hands_out or not returned):
            consumer.is_never_run = True


def importers(machine: Machine, tree: ast.Module) -> Iterator[ast.Module]:
    """The modules in sight that import this one."""
    if not tree.body:
        return
    own = machine.module_of(tree.body[0])
    for module, scope in machine.linked.items():
        importer = parse_module(module) if own in scope.imports and scope is not own else None
        if importer is not None:
            yield importer


def _is_used(tree: ast.Module, users: Iterable[ast.Module]) -> bool:
    """Whether modules that import this one use some of its definitions, and each that they use by its name."""
    names = {name for user in users for node in user.body for name in mentioned(node)}
    return "*" not in names and any(isinstance(node, _DEFINITIONS) and node.name in names for node in tree.body)


def _runs_own_code(tree: ast.Module, apart_from: Sequence[ast.stmt] = ()) -> bool:
    """Whether a module calls a function or class of its own, in other statements than these."""
    own = {node.name for node in tree.body if isinstance(node, _DEFINITIONS)}
    return any(
        isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in own
        for node in tree.body
        if not isinstance(node, _DEFINITIONS) and node not in apart_from
        for part in walk(node)
    )


@kept_with_tree
def mentioned(node: ast.stmt) -> frozenset[str]:
    """The names that a statement uses or imports, and the texts that may name something, as those in `__all__`."""
    return frozenset(name for part in walk(node) if (name := _mentioned_by(part)) is not None)


def _mentioned_by(part: ast.AST) -> str | None:
    match part:
        case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name) | ast.Constant(value=str() as name):
            return name
        case ast.alias(name=name):
            return name
        case _:
            return None
