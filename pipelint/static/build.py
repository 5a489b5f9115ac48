"""From the dataset graph to the model's pipelines: each way through it, one pipeline."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import islice, product

from pipelint.knowledge import stages
from pipelint.model.code import Trace
from pipelint.model.consumer import Consumer
from pipelint.model.first_element import FirstElement
from pipelint.model.locations import NOWHERE, Region
from pipelint.model.pipeline import Dataset, Pipeline, Stage
from pipelint.model.program import Module, Program
from pipelint.model.values import Argument, Literal, Value
from pipelint.source.tree_walk import walk
from pipelint.static.abstract.guards import NO_GUARDS, Guards, consistent, subjects
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.noted import Consumption
from pipelint.static.abstract.values import DatasetValue, alternatives
from pipelint.static.facts import arrays, listed_files, naming, timed_stretches
from pipelint.static.facts.environment import keras_backend
from pipelint.static.facts.events import model_value

_MOST_WAYS = 64
"""How many ways through the branches of a program are looked at for one dataset."""
_MOST_WAYS_OF_INPUT = 4
"""The same for each input of a zip or concatenate: the ways of the inputs multiply."""
_MOST_COMBINATIONS = 8
"""How many combinations of these are looked at: more show the same stages again."""


_WORK_OF_A_STAGE = 20
"""How many steps of the interpreter making a stage takes: a dataset that is zipped with itself has twice as many."""


class Builder:
    """Builds the model's datasets for one program."""

    def __init__(self, machine: Machine, legacy: Collection[Region] = ()) -> None:
        """A builder for what a program makes outside of its modules for TensorFlow 1."""
        self._machine = machine
        self._legacy = legacy
        self.nodes: dict[Stage, DatasetValue] = {}
        """The node of the dataset graph that each stage was made of."""

    def datasets(self) -> Iterator[Dataset]:
        """Every dataset value that is consumed and proven to be one, with its consumers."""
        grouped: dict[int, list[Consumption]] = {}
        for consumption in self._machine.consumptions:
            passed_on = consumption.consumer.passed_on and _is_extended(consumption.value)
            if not passed_on and not consumption.only_looks:
                grouped.setdefault(id(consumption.value), []).append(consumption)
        for consumptions in grouped.values():
            dataset = self._dataset(consumptions)
            if dataset is not None:
                yield dataset

    def _dataset(self, consumptions: list[Consumption]) -> Dataset | None:
        value = consumptions[0].value
        pipelines, complete = self.pipelines(value)
        if not pipelines:
            return None
        consumers: list[Consumer] = []
        for consumption in consumptions:
            if all(
                (other.kind, other.region) != (consumption.consumer.kind, consumption.consumer.region)
                for other in consumers
            ):
                consumers.append(consumption.consumer)
        dataset = Dataset(tuple(pipelines), tuple(consumers), complete)
        dataset.places = tuple(
            (consumption.consumer, self._machine.region(consumption.node))
            for consumption in consumptions
            if consumption.node is not None and hasattr(consumption.node, "lineno")
        )
        for pipeline in pipelines:
            pipeline.dataset = dataset
        return dataset

    def pipelines(self, value: Value) -> tuple[list[Pipeline], bool]:
        """The ways in which a value may have been built, and whether these are all of them."""
        options = list(alternatives(value))
        complete = all(isinstance(option, DatasetValue) for _, option in options)
        pipelines: list[Pipeline] = []
        for guards, option in options:
            if isinstance(option, DatasetValue):
                for stage, proven, known in islice(self._ways(option, guards), _MOST_WAYS):
                    if proven:
                        pipelines.append(Pipeline(stage, options_known=known))
        for pipeline in pipelines:
            for stage in pipeline.stages:
                stage.inner = tuple(self._inner(stage))
            pipeline.adopt_stages()
        return pipelines, complete

    def _ways(self, end: DatasetValue, guards: Guards) -> Iterator[tuple[Stage, bool, bool]]:
        """Each consistent way from a source to this node, as the last stage of it."""
        pending: list[tuple[Guards, DatasetValue, tuple[DatasetValue, ...]]] = [(guards | end.guards, end, ())]
        while pending:
            held, node, behind = pending.pop()
            if len(node.inputs) == 1 and not node.is_source:
                trunk = [node, *behind]
                while True:
                    options = [
                        (more, option)
                        for more, option in alternatives(node.inputs[0])
                        if consistent(held, more)
                        and (not isinstance(option, DatasetValue) or consistent(held | more, option.guards))
                    ]
                    # The common case is a long chain without branches: it is followed here without a copy.
                    more, only = options[0] if len(options) == 1 else (NO_GUARDS, None)
                    if isinstance(only, DatasetValue):
                        node = only
                        held = held | more | node.guards
                        trunk.insert(0, node)
                        if len(node.inputs) == 1 and not node.is_source:
                            continue
                        yield from self._assembled(tuple(trunk), held)
                    else:
                        for more, option in options:
                            if isinstance(option, DatasetValue):
                                pending.append((held | more | option.guards, option, tuple(trunk)))
                            else:
                                yield from self._assembled(tuple(trunk), held)
                    break
            else:
                yield from self._assembled((node, *behind), held)

    def _assembled(self, trunk: tuple[DatasetValue, ...], guards: Guards) -> Iterator[tuple[Stage, bool, bool]]:
        if any(node.legacy or (node.is_source and self._is_of_version_1(node)) for node in trunk):
            return
        first = trunk[0]
        branches: list[list[Stage]] = []
        for value in first.inputs if first.is_source or len(first.inputs) > 1 else ():
            ways = [
                stage
                for more, option in alternatives(value)
                if isinstance(option, DatasetValue) and consistent(guards, more)
                for stage, _, _ in islice(self._ways(option, guards | more), _MOST_WAYS_OF_INPUT)
            ]
            if ways:
                branches.append(ways)
        proven = self._proven(trunk)
        known = all(node.options_known for node in trunk)
        for combination in islice(product(*branches), _MOST_COMBINATIONS):
            inputs = tuple(self._copied(stage) for stage in combination) if len(branches) > 1 else combination
            stage = self._stage(first, tuple(inputs))
            for node in trunk[1:]:
                stage = self._stage(node, (stage,))
            yield stage, proven, known

    def _is_of_version_1(self, source: DatasetValue) -> bool:
        place, _ = self._places(source)
        return any(module.holds(place) for module in self._legacy)

    def _copied(self, stage: Stage) -> Stage:
        """The stages of a branch once more: one that ends in several combinations is a stage of several pipelines."""
        copies: dict[Stage, Stage] = {}
        for part in (*reversed(tuple(stage.upstream())), stage):
            self._machine.work.spend(_WORK_OF_A_STAGE)
            copies[part] = replace(part, inputs=tuple(copies[other] for other in part.inputs))
            self.nodes[copies[part]] = self.nodes[part]
        return copies[stage]

    def _proven(self, trunk: tuple[DatasetValue, ...]) -> bool:
        if any(node.proven for node in trunk):
            return True
        ops = {node.op for node in trunk}
        familiar = "batch" in ops and bool(ops & {"shuffle", "repeat", "map", "cache"})
        return familiar and not any(self._machine.module_of(node.node).rivals for node in trunk)

    def _stage(self, node: DatasetValue, inputs: tuple[Stage, ...]) -> Stage:
        machine = self._machine
        machine.work.spend(_WORK_OF_A_STAGE)
        name, call = self._places(node)
        stage = Stage(
            op=node.op,
            name=name,
            call=call,
            factory=machine.region(node.node) if node.node is not None and node.applied is not None else None,
            arguments={
                parameter: Argument(
                    model_value(given.value),
                    machine.region(given.node),
                    is_parameter=_is_passed(given.value)
                    or (isinstance(given.node, ast.Name) and given.node.id in node.parameters),
                    written=self._place_of(given.value.written) if isinstance(given.value, Literal) else None,
                    given=self._place_of(given.value.given) if isinstance(given.value, Literal) else None,
                )
                for parameter, given in node.arguments.items()
                if hasattr(given.node, "lineno")
            },
            hides_arguments=node.hides,
            function=node.function,
            inputs=inputs,
            options=node.options,
            is_source=node.is_source,
            yields_batches=node.yields_batches,
            several=listed_files.gives_several(node),
            element_bytes=arrays.bytes_of_element(node.op, node.arguments) if node.is_source else None,
            arrays=tuple(
                Argument(model_value(given.value), machine.region(given.node))
                for given in (arrays.fed(node.op, node.arguments) if node.is_source else ())
            ),
            cardinality=arrays.elements(node.op, node.arguments) if node.is_source else None,
            guards=subjects(node.guards),
            undecided=frozenset(map(str, node.guards - machine.held_by_default)),
            off_by_default=not machine.off_by_default.isdisjoint(node.guards),
            receiver=naming.receiver(node.node),
            built_in=node.built_in,
            variables=tuple(sorted(node.variables)),
            gives=id(node),
        )
        self.nodes[stage] = node
        return stage

    def _place_of(self, node: object) -> Region | None:
        return self._machine.region(node) if isinstance(node, ast.expr) and hasattr(node, "lineno") else None

    def _places(self, node: DatasetValue) -> tuple[Region, Region]:
        machine = self._machine
        if node.node is None:
            return NOWHERE, NOWHERE
        func = node.node.func
        name = machine.positions.attribute_name(func) if isinstance(func, ast.Attribute) else machine.region(func)
        return name, machine.region(node.applied or node.node)

    def _inner(self, stage: Stage) -> Iterator[Pipeline]:
        """The pipelines that the stage's function returns."""
        if stage.op in stages.RETURNS_DATASETS:
            for value in self.nodes[stage].inner:
                yield from self.pipelines(value)[0]

    def discarded(self) -> Iterator[Stage]:
        """Transformations whose result is dropped, as single stages."""
        for node in self._machine.discarded:
            ways = list(islice(self._ways(node, NO_GUARDS), _MOST_WAYS))
            if ways and all(proven for _, proven, _ in ways):
                yield ways[0][0]


def _is_passed(value: Value) -> bool:
    return isinstance(value, Literal) and value.passed


def _is_extended(value: Value) -> bool:
    """Whether the program itself builds further stages on a dataset."""
    return any(isinstance(option, DatasetValue) and option.extended for _, option in alternatives(value))


def build_program(machine: Machine, tree: ast.Module, modules: tuple[Module, ...]) -> Program:
    """All that was collected, as rules see it."""
    builder = Builder(machine, [Region(one.start, one.start + len(one.text)) for one in modules if one.legacy])
    datasets = tuple(builder.datasets())
    for event in machine.events:
        if isinstance(event, FirstElement) and isinstance(event.of, Value):
            event.pipelines = tuple(builder.pipelines(event.of)[0])
    return Program(
        datasets=datasets,
        discarded=tuple(builder.discarded()),
        feeds=tuple(machine.feeds),
        traces=tuple(_proven_traces(machine, builder, datasets)),
        events=tuple(machine.events),
        functions=tuple(dict.fromkeys(function.identity for function in machine.functions)),
        classes=tuple(dict.fromkeys(cls.identity for cls in machine.classes)),
        references=tuple(dict.fromkeys(machine.references)),
        modules=modules,
        resting=tuple(machine.resting),
        keras_backend=keras_backend(machine),
        statements=lambda: sorted(machine.region(node).start for node in walk(tree) if isinstance(node, ast.stmt)),
        timings=lambda: tuple(timed_stretches.timings(machine, tree)),
    )


def _proven_traces(machine: Machine, builder: Builder, datasets: tuple[Dataset, ...]) -> Iterator[Trace]:
    """The traces without those of functions mapped over what may be no dataset (`pool.map(f, xs)`)."""
    built = {
        id(builder.nodes[stage])
        for dataset in datasets
        for pipeline in dataset.all_pipelines
        for stage in pipeline.stages
    }
    for trace in machine.traces:
        stages = machine.applied.get(trace, ())
        if not stages or any(stage.proven or id(stage) in built for stage in stages):
            yield trace
