"""Interprets a whole program: the module, then what nobody in it calls."""

from __future__ import annotations

import ast
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from pipelint.knowledge.came_with import came_with
from pipelint.knowledge.consumption import ConsumerKind
from pipelint.knowledge.deprecated import OLD_HISTORY, Gone, gone
from pipelint.model.program import Module, Program, Reference
from pipelint.model.tensorflow_version import Version
from pipelint.source.address_space import BEYOND, AddressSpace
from pipelint.source.garbage import seldom_collected
from pipelint.source.module_text import Importer, ModuleText
from pipelint.source.positions import Positions
from pipelint.static.abstract.machine import MOST_CALLS, Machine
from pipelint.static.abstract.scopes import ModuleScope
from pipelint.static.abstract.work import MOST_IMPORTERS, MOST_WORK, WORK_OF_A_MODULE, OutOfWork
from pipelint.static.build import build_program
from pipelint.static.entries import follow_all, joined, learn_bearing, leaves_datasets
from pipelint.static.facts import (
    idle_constants,
    imported_libraries,
    network_uses,
    old_histories,
    options_left_off,
    version_guards,
)
from pipelint.static.interpret import importing, statements
from pipelint.static.interpret.interpreter import Interpreter
from pipelint.static.parse import parse, parse_module

_RECURSION = 20_000


def analyse(
    text: str,
    *,
    target: Version,
    cell_ends: Sequence[int] = (),
    importer: Importer | None = None,
    around: AddressSpace | None = None,
) -> Program:
    """The facts of one program; raises CannotParse. A notebook says where its cells end.

    With the way to the modules of its project, and the places of their texts, it is followed into what it imports.
    """
    tree = parse(text)

    def follow(callers: Sequence[ModuleText] = ()) -> Machine:
        machine = _alone(text, tree, cell_ends, importer, around)
        for caller in callers:
            _follow_from_outside(machine, caller)
        follow_all(machine, [tree], list(filter(None, map(parse_module, callers))))
        return machine

    def facts() -> Program:
        machine = follow()
        if importer is not None and _asks_for_callers(machine):
            callers = tuple(islice(importer.importers(), MOST_IMPORTERS))
            machine = follow(callers) if callers else machine
        return _program(machine, [(machine.module, 0, text, tree)])

    return replace(_within_bounds(facts, (Module(0, text),)), target=target, is_notebook=bool(cell_ends))


def analyse_together(modules: Sequence[ModuleText], *, around: AddressSpace) -> Program:
    """The facts of modules that import each other, those first that nobody imports; what is no Python is left out.

    They are the same for each TensorFlow that one of the modules may be for, and name the newest as their target.
    """
    trees = {module: tree for module in modules if (tree := parse_module(module)) is not None}
    starts = {module: around.of_line(module.first_line).first_offset for module in trees}

    def facts() -> Program:
        nobody = ModuleScope()
        machine = Interpreter(Positions("", around), nobody, nobody)
        machine.own_modules = frozenset(trees)
        machine.calls_left = MOST_CALLS * max(1, len(trees) // 4)
        machine.work.left += WORK_OF_A_MODULE * len(trees)
        for module in trees:
            _follow_from_outside(machine, module)
        learn_bearing(machine)
        for module, tree in trees.items():
            _run_as_script(machine, machine.linked[module], tree)
        follow_all(machine, list(trees.values()))
        placed = [(machine.linked[module], starts[module], module.text, tree) for module, tree in trees.items()]
        return _program(machine, placed)

    return _within_bounds(facts, tuple(Module(starts[module], module.text) for module in trees))


def _within_bounds(facts: Callable[[], Program], modules: tuple[Module, ...]) -> Program:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _RECURSION))
    try:
        with seldom_collected():
            return facts()
    except OutOfWork:
        # What was seen so far may be undone by what was not: rules get nothing to judge.
        return Program(modules=modules, given_up=f"it takes more than {MOST_WORK:,} steps to follow")
    except RecursionError:
        return Program(modules=modules, given_up="its values or calls nest too deeply to follow")
    finally:
        sys.setrecursionlimit(limit)


def _program(machine: Machine, modules: Sequence[tuple[ModuleScope, int, str, ast.Module]]) -> Program:
    tree = joined([tree for *_, tree in modules])
    version_guards.mark(machine, [tree for *_, tree in modules])
    idle_constants.mark(machine, [tree for *_, tree in modules])
    starts = {scope: start for scope, start, _, _ in modules}
    for module, scope in machine.linked.items():
        starts.setdefault(scope, machine.positions.offset(module.first_line, 0))
    places = sorted(starts.values())
    used: dict[int, list[Reference]] = {start: [] for start in places}
    for reference in machine.references:
        used[places[max(bisect_right(places, reference.region.start) - 1, 0)]].append(reference)
    reached = {scope: _reached(scope) for scope in starts}
    near = _near_each_other(starts, reached)
    modern = {scope for scope, start in starts.items() if imported_libraries.needs_version_2(used[start])}
    with_2 = {scope for together in reached.values() if not modern.isdisjoint(together) for scope in together}

    written = {scope: (text, own) for scope, _, text, own in modules}
    for module, scope in machine.linked.items():
        if scope not in written and (parsed := parse_module(module)) is not None:
            written[scope] = module.text, parsed

    untested = {scope: {one.name for one in used[start] if not one.guarded} for scope, start in starts.items()}
    old = {scope for scope, (text, own) in written.items() if old_histories.reads_old_keys(text, own)}
    lacking = _gone_names(untested, old, reached.values())
    came = _came_with(untested, reached.values())

    def is_legacy(scope: ModuleScope, *, used_by_2: bool = False) -> bool:
        text, own = written[scope]
        return imported_libraries.is_legacy(
            used[starts[scope]], machine.events, text, own, runs_with_2=scope in with_2, used_by_2=used_by_2
        )

    legacy = {scope for scope in written if is_legacy(scope)}
    users = [reached[scope] - {scope} for scope in written if scope.imports_tensorflow and scope not in legacy]
    legacy = {scope for scope in legacy if is_legacy(scope, used_by_2=any(scope in user for user in users))}
    looked_at = {scope for scope, *_ in modules}
    found = [
        Module(
            starts[scope],
            text,
            not scope.imports_tensorflow,
            scope in legacy,
            near[scope],
            lacking.get(scope, frozenset()),
            came.get(scope),
            version_guards.tests_version(text, own),
            scope.passed_on if scope in looked_at else {},
            frozenset(starts[other] for other in reached[scope] - {scope} if other in starts),
        )
        for scope, (text, own) in written.items()
    ]
    return build_program(machine, tree, tuple(sorted(found, key=lambda module: module.start)))


def _near_each_other(
    starts: Mapping[ModuleScope, int], reached: Mapping[ModuleScope, set[ModuleScope]]
) -> dict[ModuleScope, frozenset[int]]:
    """Of each module the places of those that may run with it: by way of imports in one direction or the other."""
    near = {scope: {starts[other] for other in others if other in starts} for scope, others in reached.items()}
    for scope, others in reached.items():
        for other in others:
            if other in near:
                near[other].add(starts[scope])
    return {scope: frozenset(places) for scope, places in near.items()}


def _gone_names(
    used: Mapping[ModuleScope, set[str]], old: set[ModuleScope], together: Iterable[set[ModuleScope]]
) -> dict[ModuleScope, frozenset[Gone]]:
    """What is known of the names that are gone and that each module, or one that it runs with, uses untested.

    So is what modules read that old versions alone write.
    """
    own = {scope: {known for name in names if (known := gone(name))} for scope, names in used.items()}
    for scope in old:
        own[scope].add(OLD_HISTORY)
    found: dict[ModuleScope, frozenset[Gone]] = {}
    for scopes in together:
        if names := frozenset[Gone]().union(*(own.get(scope, ()) for scope in scopes)):
            found |= {scope: names | found.get(scope, frozenset()) for scope in scopes}
    return found


def _came_with(
    used: Mapping[ModuleScope, set[str]], together: Iterable[set[ModuleScope]]
) -> dict[ModuleScope, Version]:
    """The TensorFlow that brought the newest name which each module, or one that it runs with, uses untested."""
    own = {scope: max((came_with(name) or (0, 0) for name in names), default=(0, 0)) for scope, names in used.items()}
    found: dict[ModuleScope, Version] = {}
    for scopes in together:
        newest = max(own.get(scope, (0, 0)) for scope in scopes)
        found |= {scope: max(newest, found.get(scope, newest)) for scope in scopes}
    return found


def _reached(scope: ModuleScope) -> set[ModuleScope]:
    seen, pending = {scope}, [scope]
    while pending:
        new = pending.pop().imports - seen
        seen |= new
        pending += new
    return seen


def _alone(
    text: str, tree: ast.Module, cell_ends: Sequence[int], importer: Importer | None, around: AddressSpace | None
) -> Machine:
    module = ModuleScope()
    machine = Interpreter(Positions(text, around), module, module, cell_ends=cell_ends)
    machine.importer = importer
    if importer is not None and importer.own is not None:
        machine.linked[importer.own] = module
    importing.execute(machine, module, tree, text)
    return machine


def _follow_from_outside(machine: Machine, module: ModuleText) -> None:
    """Follow a module whose functions may be called by anybody."""
    scope = importing.followed(machine, module, as_main=True)
    if scope is not None:
        machine.callers.add(scope)


def _run_as_script(machine: Machine, scope: ModuleScope, tree: ast.Module) -> None:
    """Follow what a module does only when it is run itself."""
    for node in network_uses.main_blocks(tree):
        with machine.apart(scope):
            statements.execute(machine, node.body)


def _asks_for_callers(machine: Machine) -> bool:
    """Whether others decide what becomes of a dataset, in what a loop or a tape stands, or what an option is."""
    if machine.callers_decide or leaves_datasets(machine) or options_left_off.may_be_elsewhere(machine):
        return True
    if any(entry.consumer.kind is ConsumerKind.ELSEWHERE or entry.consumer.passed_on for entry in machine.consumptions):
        return True
    return any(
        event.function in machine.uncalled and (event.loops or event.under_tape) and event.region.start < BEYOND
        for event in machine.events
    )
