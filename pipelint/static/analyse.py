"""Interprets a whole program: the module, then what nobody in it calls."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence

from pipelint.knowledge.keras import TRACED_METHODS
from pipelint.knowledge.tensors import SIZE_PARAMETERS, SIZED
from pipelint.model.function import Operation, TracedFunction
from pipelint.model.locations import Region
from pipelint.model.pipeline import Dataset
from pipelint.model.program import Program, Version
from pipelint.model.values import Literal, Value
from pipelint.source.positions import Positions
from pipelint.static.abstract.machine import Frame, Machine
from pipelint.static.abstract.store import Scope
from pipelint.static.abstract.values import Class, DatasetValue, Function, Instance, alternatives, datasets_in
from pipelint.static.build import Builder
from pipelint.static.facts import consumption, keras, operations, tracing
from pipelint.static.interpret import functions, statements
from pipelint.static.parse import parse

_RECURSION = 20_000


def analyse(text: str, *, target: Version, cell_ends: Sequence[int] = ()) -> Program:
    """The facts of one program; raises CannotParse. A notebook says where its cells end."""
    tree = parse(text)
    module = Scope(None, is_module=True)
    machine = Machine(Positions(text), module, module, legacy=operations.is_legacy(tree), cell_ends=cell_ends)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _RECURSION))
    try:
        _interpret(machine, tree)
        return _program(machine, target)
    finally:
        sys.setrecursionlimit(limit)


def _interpret(machine: Machine, tree: ast.Module) -> None:
    statements.execute(machine, tree.body)
    entries = _Entries(machine)
    entries.trace_networks()
    referenced = _referenced_names(tree)
    # Those that nobody mentions come first: what they call is then followed from there.
    for only_roots in (True, False):
        done = 0
        while done < len(machine.functions):
            function = machine.functions[done]
            done += 1
            if function.node not in machine.visited and not (only_roots and (function.name or "") in referenced):
                entries.follow(function)
    for function in dict.fromkeys(machine.escaped):
        entries.follow(function)
    _hand_out_what_nobody_took(machine)
    _hand_out_what_lies_around(machine, entries)


def _referenced_names(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
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

    def trace_networks(self) -> None:
        """Follow the methods of layers and models that Keras traces, whoever else calls them."""
        for cls in list(self._machine.classes):
            for name in TRACED_METHODS if keras.is_network(cls) else ():
                method = self._machine.attribute(cls.scope.number, name)
                if isinstance(method, Function):
                    self.follow(method)

    def follow(self, function: Function) -> None:
        """Follow one function with arguments of which nothing is known."""
        machine = self._machine
        owner = function.owner
        if owner is not None and not function.is_static:
            function = Function(**{**vars(function), "bound": self.instance(owner)})
        kind = self._traced_kind(function, owner)
        machine.path = frozenset()
        machine.calls_left = max(machine.calls_left, 200)
        if kind is not None:
            functions.trace(machine, function, kind, tracing.traced_arguments(function, kind))
            return
        frame = Frame(function.node)
        functions.call_function(machine, function, functions.unknown_arguments(), frame)
        for value, node in frame.return_nodes:
            consumption.hand_out(machine, value, node, function.name or "lambda")

    @staticmethod
    def _traced_kind(function: Function, owner: Class | None) -> str | None:
        if owner is not None and keras.is_network(owner) and function.name in TRACED_METHODS:
            return TRACED_METHODS[function.name]
        return "function" if function.traced else None

    def instance(self, cls: Class) -> Instance:
        """An object of a class, made with arguments of which nothing is known."""
        if id(cls) not in self._instances:
            made = functions.instantiate(self._machine, cls, functions.unknown_arguments())
            assert isinstance(made, Instance)
            self._instances[id(cls)] = made
        return self._instances[id(cls)]

    @property
    def instances(self) -> list[Instance]:
        """The objects that were made."""
        return list(self._instances.values())


def _is_unused(value: Value) -> bool:
    options = [option for _, option in alternatives(value) if isinstance(option, DatasetValue)]
    return bool(options) and not any(option.used for option in options)


def _hand_out_what_nobody_took(machine: Machine) -> None:
    """Datasets that a function returns and that no caller here does anything with are there for other callers."""
    for value, node, name in machine.returned:
        for dataset in datasets_in(value):
            if _is_unused(dataset):
                consumption.hand_out(machine, dataset, node if dataset is value else None, name)


def _hand_out_what_lies_around(machine: Machine, entries: _Entries) -> None:
    """Datasets that end in an attribute, and that nothing in the program looks at, are there for others."""
    if any(consumption.consumer.kind != "handed out" for consumption in machine.consumptions):
        return
    for instance in entries.instances:
        for name in list(machine.store.keys_of(instance.number)):
            value = machine.attribute(instance.number, name)
            for dataset in datasets_in(value) if value is not None else ():
                if _is_unused(dataset):
                    consumption.hand_out(machine, dataset, None, name)


def _program(machine: Machine, target: Version) -> Program:
    builder = Builder(machine)
    datasets = tuple(builder.datasets())
    backend = machine.store.get((machine.module.number, "os.environ:KERAS_BACKEND"))
    names = {reference.name for reference in machine.references}
    called = {operation.name for operation in machine.operations}
    return Program(
        target,
        datasets=datasets,
        discarded=tuple(builder.discarded()),
        traced=tuple(_proven_traced(machine, builder, datasets)),
        operations=tuple(machine.operations),
        references=tuple(dict.fromkeys(machine.references)),
        only_keras=not machine.imports_tensorflow,
        keras_backend=str(backend.value) if isinstance(backend, Literal) else "tensorflow",
        legacy=machine.legacy,
        op_determinism="tensorflow.config.experimental.enable_op_determinism" in called,
        large_inputs=_large_inputs(machine, names),
        definitions=_definitions(machine),
        wrapped=frozenset(machine.wrapped),
    )


def _proven_traced(machine: Machine, builder: Builder, datasets: tuple[Dataset, ...]) -> Iterator[TracedFunction]:
    """Traced functions without those that are mapped over something that may be no dataset (`pool.map(f, xs)`)."""
    built = {
        id(builder.nodes[stage])
        for dataset in datasets
        for variant in dataset.variants
        for pipeline in (variant, *variant.nested)
        for stage in pipeline.stages
    }
    for traced in machine.traced:
        stages = [stage for stage in traced.applied_by if isinstance(stage, DatasetValue)]
        if not stages or any(stage.proven or id(stage) in built for stage in stages):
            yield traced


def _definitions(machine: Machine) -> dict[str, Region]:
    found: dict[str, set[Region]] = {}
    for function in machine.functions:
        node = function.node
        if not isinstance(node, ast.Lambda):
            found.setdefault(node.name, set()).add(machine.positions.definition_name(node))
    return {name: next(iter(places)) for name, places in found.items() if len(places) == 1}


_LARGE = 512


def _large_inputs(machine: Machine, names: set[str]) -> bool:
    """Whether the program handles volumes (3-D convolutions, 4-D inputs) or images of 512 pixels and more."""
    called = {operation.name for operation in machine.operations}
    if any(name.startswith(("keras.layers.Conv3D", "keras.layers.MaxPooling3D")) for name in names | called):
        return True
    return any(_is_large(operation) for operation in machine.operations)


def _is_large(operation: Operation) -> bool:
    last = operation.name.rpartition(".")[2]
    sized = last in SIZED and operation.name.partition(".")[0] in ("tensorflow", "keras", "keras_cv", "?")
    for parameter in (*SIZE_PARAMETERS, "0", "1") if sized else ("input_shape", "batch_input_shape"):
        argument = operation.arguments.get(parameter)
        size = argument.constant if argument is not None else None
        numbers = [number for number in (size if isinstance(size, tuple) else (size,)) if isinstance(number, int)]
        if last in ("Input", "InputLayer") or parameter.endswith("input_shape"):
            # One long axis is a sequence or a vector; only pictures have two.
            sides = [number for number in numbers if number >= _LARGE]
            counts_batch = parameter.startswith("batch") or last == "build"
            volume = isinstance(size, tuple) and len(size) == (5 if counts_batch else 4)
            if len(sides) >= 2 or volume:
                return True
        elif any(number >= _LARGE for number in numbers):
            return True
    return False
