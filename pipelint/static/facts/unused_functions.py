"""Functions that nothing in sight leads to, where that which would call them is in sight."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from pipelint.knowledge.consumption import ConsumerKind
from pipelint.model.code import Call
from pipelint.model.definitions import Function
from pipelint.model.locations import Region
from pipelint.source.bindings import dotted_parts
from pipelint.source.tree_walk import walk
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.work import MOST_IMPORTERS
from pipelint.static.facts import network_uses
from pipelint.static.facts.dotted_names import symbol_of
from pipelint.static.facts.reached_definitions import DEFINITIONS, Definition, is_plain, mentioned, unreached
from pipelint.static.parse import parse_module

_KEEP_NO_LIST = ("builtins.", "keras.", "tensorflow.")
"""How the names of decorators and bases begin that are known not to register what they are given."""


def mark(machine: Machine, trees: Sequence[ast.Module]) -> None:
    """Say of functions and classes that nothing leads to them, and of what takes datasets there that it never runs.

    That is known where the program trains, and their file has other code that runs or is imported for other things;
    without training, in a script, and of what they return where others import the file. A file that only defines
    things, or tries them out, is there for those that import it, and so is what a decorator or a base may register.
    """
    # Only of code with a tape, a dataset, a graph or a `fit` is it asked whether the program gets to it.
    calls = (event for event in machine.events if isinstance(event, Call))
    trained = (call.last_name == "GradientTape" or call.fits for call in calls)
    if not machine.traces and not (machine.uncalled and (machine.consumptions or any(trained))):
        return
    running = [tree for tree in trees if _is_program(tree)]
    imported = {tree: _users(machine, tree) for tree in trees}
    is_training = trains(machine)
    # What works as soon as it is imported is imported by nobody.
    scripts = {node for tree in running if _runs_own_code(tree, network_uses.main_blocks(tree)) for node in tree.body}
    for outer in _unused(machine, running, [*trees, *(importer for tree in running for importer in imported[tree])]):
        for part in walk(outer):
            identity = machine.identities.get(part)
            if isinstance(identity, Function):
                identity.unused = True
        if is_training or outer in scripts:
            machine.resting.append(machine.region(outer))
            _mark_consumers(machine, outer)
    for tree in (tree for tree in trees if tree not in running):
        users = imported[tree]
        # Where programs import it, all of it may be unused; else some use of it shows that its users are in sight.
        by_programs = any(map(_is_program, users))
        if len(users) < MOST_IMPORTERS and (by_programs or _is_used(tree, users)):
            for outer in _unused(machine, [tree], users):
                _mark_consumers(machine, outer, returned=not is_training)
                if is_training or by_programs:
                    machine.resting.append(machine.region(outer))


def trains(machine: Machine) -> bool:
    """Whether a program trains in code that it gets to."""
    calls = (event for event in machine.events if isinstance(event, Call) and event.function not in machine.uncalled)
    return any(call.fits or call.updates_weights for call in calls)


def _unused(machine: Machine, defining: Sequence[ast.Module], using: Sequence[ast.Module]) -> list[Definition]:
    """The functions, classes and methods of some modules that nothing in these or in others leads to."""
    if not defining:
        return []
    own = {node.name for tree in (*defining, *using) for node in tree.body if isinstance(node, ast.ClassDef)}

    def may_be_registered(node: Definition) -> bool:
        bases = [] if is_plain(node) or not isinstance(node, ast.ClassDef) else node.bases
        others = [base for base in bases if (dotted_parts(base) or ("",))[-1] not in own]
        if not (others or node.decorator_list):
            return isinstance(node, ast.ClassDef) and bool(node.keywords)
        with machine.apart(machine.module_of(node)):
            return not all(_keeps_no_list(machine, part) for part in (*others, *node.decorator_list))

    return unreached(defining, using, may_be_registered)


def _keeps_no_list(machine: Machine, part: ast.expr) -> bool:
    """Whether a decorator, with arguments or without, or a base is known not to register what it is given."""
    return symbol_of(machine, part.func if isinstance(part, ast.Call) else part).startswith(_KEEP_NO_LIST)


def _mark_consumers(machine: Machine, unused: Definition, *, returned: bool = False) -> None:
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


def _users(machine: Machine, tree: ast.Module) -> list[ast.Module]:
    """The modules that import this one, and those that import one of them which hands all of its names on."""
    found: dict[ast.Module, None] = {}
    pending = [tree]
    while pending:
        new = [user for user in importers(machine, pending.pop()) if user not in found and user is not tree]
        found |= dict.fromkeys(new)
        pending += (user for user in new if any("*" in mentioned(node) for node in user.body))
    return list(found)


def _is_used(tree: ast.Module, users: Iterable[ast.Module]) -> bool:
    """Whether modules that import this one use some of its definitions by their names."""
    names = {name for user in users for node in user.body for name in mentioned(node)}
    return any(isinstance(node, DEFINITIONS) and node.name in names for node in tree.body)


def _is_program(tree: ast.Module) -> bool:
    return bool(network_uses.main_blocks(tree)) or _runs_own_code(tree)


def _runs_own_code(tree: ast.Module, apart_from: Sequence[ast.stmt] = ()) -> bool:
    """Whether a module calls a function or class of its own, in other statements than these."""
    own = {node.name for node in tree.body if isinstance(node, DEFINITIONS)}
    return any(
        isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in own
        for node in tree.body
        if not isinstance(node, DEFINITIONS) and node not in apart_from
        for part in walk(node)
    )
