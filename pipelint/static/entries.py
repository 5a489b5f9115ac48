"""Follows what nobody in a program calls, and hands out the datasets that nobody in it takes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from pipelint.knowledge.consumption import ConsumerKind
from pipelint.knowledge.keras import TRACED_METHODS
from pipelint.model.code import TraceKind
from pipelint.model.values import UNKNOWN, Value
from pipelint.source.tree_walk import inner_parts
from pipelint.static.abstract.frames import Frame
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.scopes import Scope
from pipelint.static.abstract.values import (
    Arguments,
    ClassValue,
    Closure,
    DatasetValue,
    Given,
    Instance,
    alternatives,
    datasets_in,
)
from pipelint.static.facts import (
    consumers,
    eager_switches,
    feeds,
    keras_classes,
    loops,
    meant_for_tracing,
    network_uses,
    options_left_off,
    pictures,
    renewed_objects,
    shown_values,
    traceable,
    tracing,
    unused_functions,
    written_back,
)
from pipelint.static.facts.syntax_index import SyntaxIndex
from pipelint.static.interpret import classes, functions, reading

_CALLS_OF_AN_ENTRY = 200
"""How many calls are followed at least from a function that nobody calls, whatever those before it used up: otherwise
the last functions of a long program would not be looked at."""


def follow_all(machine: Machine, trees: Sequence[ast.Module], callers: Sequence[ast.Module] = ()) -> None:
    """Follow the functions of a program whose statements were executed, and settle what became of its datasets.

    With modules around it that may call them, these decide what it is called with.
    """
    tree = joined(trees)
    learn_bearing(machine)
    entries = _Entries(machine)
    entries.trace_networks()
    referenced = _referenced_names([*trees, *callers])
    # Those that nobody mentions come first, then those that are given away to be called (`app.run(main)`), and methods
    # behind what may make their objects: what these call is then followed from there.
    for only_roots, methods in ((True, False), (True, True), (False, False), (False, True)):
        if not only_roots:
            entries.follow_escaped()
        done = 0
        while done < len(machine.functions):
            function = machine.functions[done]
            done += 1
            if not _is_looked_at(machine, function.scope):
                continue
            if function.node in machine.visited or (function.owner is not None and not methods):
                continue
            if not only_roots or (function.name or "") not in referenced:
                is_traced = function.traced or keras_classes.traced_method(function.owner, function.name) is not None
                if is_traced or machine.barren.acts(function.node):
                    entries.follow(function)
                else:
                    reading.read(machine, function)
    entries.follow_escaped()
    _hand_out_what_nobody_took(machine)
    _hand_out_what_lies_around(machine, entries)
    _hand_out_what_was_tried_out(machine, tree, entries)
    feeds.mark_generators(machine)
    network_uses.mark_eager(machine)
    code = SyntaxIndex(machine, trees)
    renewed_objects.mark(machine)
    traceable.examine(machine, code)
    unused_functions.mark(machine, trees)
    shown_values.mark(machine, code)
    written_back.mark(machine, code)
    pictures.mark(machine, code)
    meant_for_tracing.mark(machine, code)
    eager_switches.mark(machine, code)
    options_left_off.mark(machine)
    # It leads back to the machine: both would stay until Python looks for garbage.
    machine.barren.bearing = None


def learn_bearing(machine: Machine) -> None:
    """Find out which functions bear on what rules look at, in all modules that were followed so far."""
    if machine.barren.bearing is not None:
        machine.barren.bearing.learn()


def joined(trees: Sequence[ast.Module]) -> ast.Module:
    """The statements of several modules as one."""
    return trees[0] if len(trees) == 1 else ast.Module([node for tree in trees for node in tree.body], [])


def _is_looked_at(machine: Machine, scope: Scope) -> bool:
    """Whether what is defined there is part of the program, and not of a module that it only imports."""
    module = scope.module
    return module is machine.module or module in machine.callers


def _referenced_names(trees: Sequence[ast.Module]) -> set[str]:
    names: set[str] = set()
    for node in chain.from_iterable(map(inner_parts, trees)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            names.add(node.attr)
        elif isinstance(node, ast.Lambda):
            names.add("")
    return names


class _Entries:
    """Follows functions that the program itself does not call."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._instances: dict[int, Instance] = {}
        self._escaped: set[Closure] = set()

    def trace_networks(self) -> None:
        """Follow the methods of layers and models that Keras traces, whoever else calls them."""
        for cls in [cls for cls in self._machine.classes if _is_looked_at(self._machine, cls.scope)]:
            for name in TRACED_METHODS:
                method = self._machine.attribute(cls.scope.number, name)
                if isinstance(method, Closure) and keras_classes.traced_method(cls, name) is not None:
                    self.follow(method)

    def follow(self, function: Closure) -> None:
        """Follow one function with arguments of which nothing is known."""
        machine = self._machine
        owner = function.owner
        if owner is not None and not function.is_static and function.bound is None:
            function = replace(function, bound=self.instance(owner))
        kind = keras_classes.traced_method(owner, function.name) or (TraceKind.FUNCTION if function.traced else None)
        machine.path = frozenset()
        machine.calls_left = max(machine.calls_left, _CALLS_OF_AN_ENTRY)
        if kind is not None:
            tracing.trace(machine, function, kind, tracing.traced_arguments(function, kind))
            return
        machine.uncalled.add(function.identity)
        frame = Frame(function.node)
        before = len(machine.consumptions), len(machine.feeds)
        functions.call_function(machine, function, Arguments.unknown(), frame)
        if function.identity.parameters and before != (len(machine.consumptions), len(machine.feeds)):
            machine.callers_decide = True
        for value, node in frame.return_nodes:
            consumers.hand_out(machine, value, node, function.name or "lambda")
            network_uses.hand_out(machine, value)

    def follow_escaped(self) -> None:
        """Follow the functions that were given to calls of which nothing is known, each once."""
        for function in dict.fromkeys(self._machine.escaped):
            if function not in self._escaped and _is_looked_at(self._machine, function.scope):
                self._escaped.add(function)
                self.follow(function)

    def instance(self, cls: ClassValue) -> Instance:
        """An object of a class, made with arguments of which nothing is known; of a callback its only one."""
        if keras_classes.is_callback(cls) and len(objects := self._machine.objects.get(cls.identity, [])) == 1:
            return objects[0]
        if id(cls) not in self._instances:
            # Where the program gives a parameter, its default tells nothing.
            names = self._machine.constructed.get(cls.identity, ())
            given = {name: Given(UNKNOWN, ast.Constant(value=None)) for name in names}
            made = classes.instantiate(self._machine, cls, Arguments(None, keywords=given, hides=True))
            assert isinstance(made, Instance)
            made.exact = False
            self._instances[id(cls)] = made
        return self._instances[id(cls)]

    @property
    def instances(self) -> list[Instance]:
        """The objects that were made."""
        return list(self._instances.values())


def leaves_datasets(machine: Machine) -> bool:
    """Whether a program has variables with datasets that nothing in it takes: others may."""
    names = list(machine.store.keys_of(machine.module.number))
    values = filter(None, (machine.attribute(machine.module.number, name) for name in names))
    return any(_is_unused(dataset) for value in values for dataset in datasets_in(value))


def _is_unused(value: Value) -> bool:
    options = list(_options(value))
    return bool(options) and not any(option.used for option in options)


def _hand_out_what_nobody_took(machine: Machine) -> None:
    """Datasets that a function returns and that no caller here does anything with are there for other callers.

    Unless the program trains: then its callers are in sight, and drop them.
    """
    trained = unused_functions.trains(machine)
    for value, node, function in machine.returned:
        if trained and function.identity not in machine.uncalled:
            continue
        for dataset in datasets_in(value):
            if _is_unused(dataset):
                consumers.hand_out(machine, dataset, node if dataset is value else None, function.name or "lambda")


def _hand_out_what_was_tried_out(machine: Machine, tree: ast.Module, entries: _Entries) -> None:
    """A function whose datasets a module only looks at when it is run itself is there for those that import it."""
    if not network_uses.main_blocks(tree):
        return
    importable = {node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}
    # What calls others stands behind them: followed first, it takes what they return.
    for function in {function.node: function for *_, function in reversed(machine.returned)}.values():
        if function.node not in importable:
            continue
        made = {part for value, _, by in machine.returned if by.node is function.node for part in _options(value)}
        if made and made.isdisjoint(_consumed(machine)):
            entries.follow(function)


def _consumed(machine: Machine) -> set[DatasetValue]:
    """The datasets that are consumed by more than a look at a few elements, and those they are built on."""
    taken = [entry.value for entry in machine.consumptions if not loops.runs_few_times(entry.value)]
    pending = [part for value in taken for part in _options(value)]
    seen = set(pending)
    for dataset in pending:
        new = {part for source in (*dataset.inputs, *dataset.inner) for part in _options(source)} - seen
        seen |= new
        pending += new
    return seen


def _options(value: Value) -> Iterator[DatasetValue]:
    for dataset in datasets_in(value):
        yield from (option for _, option in alternatives(dataset) if isinstance(option, DatasetValue))


def _hand_out_what_lies_around(machine: Machine, entries: _Entries) -> None:
    """Datasets that end in an attribute, and that nothing in the program looks at, are there for others."""
    if any(consumption.consumer.kind is not ConsumerKind.ELSEWHERE for consumption in machine.consumptions):
        return
    for instance in entries.instances:
        for name in list(machine.store.keys_of(instance.number)):
            value = machine.attribute(instance.number, name)
            for dataset in datasets_in(value) if value is not None else ():
                if _is_unused(dataset):
                    consumers.hand_out(machine, dataset, None, name)
