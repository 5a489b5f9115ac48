"""All that a front end knows of one program."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from pipelint.knowledge.deprecated import Gone
from pipelint.knowledge.keras import OTHER_BACKENDS
from pipelint.knowledge.versions import LAST_OF_TENSORFLOW_1, NEWEST_TENSORFLOW
from pipelint.model.answers import answered_once
from pipelint.model.code import Call, Event, Timing, Trace, TraceKind
from pipelint.model.definitions import Class, Function
from pipelint.model.feed import Feed
from pipelint.model.locations import Location, Region
from pipelint.model.pipeline import Dataset, Pipeline, Stage
from pipelint.model.tensorflow_version import Version, Versions
from pipelint.model.values import EXPERIMENTAL_AUTOTUNE

_Answer = TypeVar("_Answer")
_SPAN = 3
"""Who uses a name that is gone runs the version before, or one of the two before that: names go after such a time."""
_OP_DETERMINISM = "tensorflow.config.experimental.enable_op_determinism"


@dataclass(frozen=True)
class Reference:
    """A place where a name of an imported library is used."""

    name: str
    region: Region
    imported: bool = False
    """Whether the place is a name in a `from ... import`."""
    package: str = ""
    """The package that such an import names: Keras is imported from `keras` or from `tensorflow`."""
    guarded: bool = False
    """Whether the program runs it only under some versions of TensorFlow, or until the name turns out to be missing."""
    idle: bool = False
    """Whether it only gives a variable its value, which no code in sight reads."""


@dataclass(frozen=True, eq=False)
class Module:
    """One module of a program: where its text begins among those of all, and what it is written for."""

    start: int = 0
    text: str = field(default="", repr=False)
    only_keras: bool = False
    """Whether it uses Keras without tensorflow."""
    legacy: bool = False
    """Whether it is written for TensorFlow 1 (sessions, `tf.compat.v1`)."""
    near: frozenset[int] = frozenset()
    """Where the modules begin that may run with it: itself, those that it imports, and those that import it."""
    gone: frozenset[Gone] = frozenset()
    """What is known of the names that it, or what runs with it, uses without a test and today's TensorFlow lacks."""
    came: Version | None = None
    """The TensorFlow that brought the newest name which it, or what runs with it, uses without a test."""
    tests_version: bool = False
    """Whether it compares the version of TensorFlow with another one, or does something else by it."""
    passed_on: Mapping[str, str] = field(default_factory=dict)
    """The names under which it imports things of libraries from modules of the project, with what they stand for."""
    imports: frozenset[int] = frozenset()
    """Where the modules begin that it imports, or these in turn."""

    def written(self, region: Region) -> str:
        """What stands there."""
        return self.text[max(region.start - self.start, 0) : max(region.end - self.start, 0)]


@dataclass(eq=False)
class Program:
    """The facts of one script or notebook, or of modules that belong together, which rules look at."""

    target: Version = NEWEST_TENSORFLOW
    """The oldest TensorFlow that the project admits, or the one that is asked for."""
    datasets: tuple[Dataset, ...] = ()
    discarded: tuple[Stage, ...] = ()
    """Transformations whose result is dropped."""
    feeds: tuple[Feed, ...] = ()
    """What consumers take that is no dataset."""
    traces: tuple[Trace, ...] = ()
    """The functions that TensorFlow records as graphs."""
    events: tuple[Event, ...] = ()
    """All that happens, in the order in which it was followed; a function that is called twice is followed twice."""
    functions: tuple[Function, ...] = ()
    classes: tuple[Class, ...] = ()
    references: tuple[Reference, ...] = ()
    modules: tuple[Module, ...] = (Module(),)
    """Its modules, in the order of their places."""
    resting: tuple[Region, ...] = ()
    """Functions, classes and methods that no code of the program leads to."""
    keras_backend: str = "tensorflow"
    is_notebook: bool = False
    timed: tuple[Region, ...] = ()
    """The cells of a notebook whose time is taken."""
    is_asked_for: bool = False
    """Whether the user or the project asks for the target; else it is the newest that is known."""
    is_named: bool = False
    """Whether the project names a release that runs it, or a notebook shows with which it was run."""
    admitted: Version | None = None
    """The newest TensorFlow that the project admits; None where that is the target."""
    spoken_of: Version | None = None
    """The oldest TensorFlow that the project speaks of or that a notebook was last run with, where the project asks for
    none; None where that is the target.
    """
    written_for: Version | None = None
    """The oldest TensorFlow that the project so much as names; None where that is the target."""
    last_shown: Version | None = None
    """The newest TensorFlow that the outputs of a notebook show, where the project asks for none."""
    statements: Callable[[], Sequence[int]] = field(default=tuple, repr=False)
    """Finds where its statements begin, in order; few programs are asked."""
    timings: Callable[[], Sequence[Timing]] = field(default=tuple, repr=False)
    """Finds the stretches whose time it shows; few programs are asked."""
    _parts: dict[Module, Program] = field(default_factory=dict, repr=False)
    _answers: dict[object, Any] = field(default_factory=dict, repr=False)
    """To what was asked by way of `once_a_program`."""
    given_up: str = ""
    """Why it was not followed to its end, in words that follow a colon: then no fact of it is known."""

    @property
    def newest(self) -> Version:
        """The newest TensorFlow that may run it."""
        return max(self.target, self.admitted or self.target)

    @property
    def oldest(self) -> Version:
        """The oldest TensorFlow that may run it."""
        return min(self.target, self.spoken_of or self.target)

    def works_with(self, since: Version, place: Location) -> bool:
        """Whether what came with a TensorFlow is there in all that may run the code at a place, or have run it."""
        return self.written_for_at(place) >= since

    def shows(self, since: Version, place: Location) -> bool:
        """Whether the project shows that the code at a place runs on a TensorFlow, or on later ones alone.

        Where nobody asks for a version, a file that tests it is to work with older ones as well.
        """
        if self.is_asked_for or not self.works_with(since, place):
            return self.works_with(since, place)
        module = self.module_at(place)
        return not module.tests_version and (self.is_named or (module.came or (0, 0)) >= since)

    def before_at(self, place: Location) -> Version | None:
        """Before which TensorFlow the code at a place is run, by names that are gone; None where none tells.

        What the TensorFlow that is asked for still has tells nothing.
        """
        names = self.module_at(place).gone
        telling = (name for name in names if not self.is_asked_for or name.since <= self.target)
        return min((name.replaced for name in telling), default=None)

    def written_for_at(self, place: Location) -> Version:
        """The oldest TensorFlow that what is written at a place is to work with."""
        later = self.before_at(place)
        shown = (later[0], max(later[1] - _SPAN, 0)) if later else None
        return min(version for version in (self.oldest, self.last_shown, self.written_for, shown) if version)

    @property
    def was_run_with_1(self) -> bool:
        """Whether it is a notebook that was run with TensorFlow 1, or a Keras of that time, and the project is not."""
        return self.oldest <= LAST_OF_TENSORFLOW_1 < self.target

    def run_by(self, versions: Versions) -> Program:
        """The same facts where these versions of TensorFlow run it."""
        return replace(
            self,
            target=versions.target,
            admitted=versions.newest,
            spoken_of=versions.oldest,
            written_for=versions.written_for,
            is_named=versions.is_named,
            is_asked_for=versions.is_asked_for,
            _parts={},
            _answers={},
        )

    def module_at(self, place: Location) -> Module:
        """The module that a place is in."""
        start = place.start if isinstance(place, Region) else 0
        return self.modules[max(bisect_right(self._starts, start) - 1, 0)]

    def rests(self, place: Region) -> bool:
        """Whether a place is in code that the program never gets to."""
        return any(region.holds(place) for region in self.resting)

    def near(self, place: Location) -> Program:
        """What may run with the code at a place: its module, what that imports, and who imports it.

        What scripts that only share a module do is no matter of each other.
        """
        module = self.module_at(place)
        if not module.near or len(module.near) == len(self.modules):
            return self

        def is_near(region: Location) -> bool:
            return self.module_at(region).start in module.near

        if module not in self._parts:
            self._parts[module] = replace(
                self,
                datasets=tuple(data for data in self.datasets if any(is_near(user.region) for user in data.consumers)),
                events=tuple(event for event, start in self._placed_events if start in module.near),
                references=tuple(name for name in self.references if is_near(name.region)),
                _parts={},
                _answers={},
            )
        return self._parts[module]

    @cached_property
    def _placed_events(self) -> Sequence[tuple[Event, int]]:
        """The events with the beginnings of their modules, which are asked for by each module."""
        return [(event, self.module_at(event.region).start) for event in self.events]

    def written(self, region: Region) -> str:
        """What stands there, in the words of the program."""
        return self.module_at(region).written(region)

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        return tuple(module.start for module in self.modules)

    @cached_property
    def _beginnings(self) -> Sequence[int]:
        return self.statements()

    def statement_at(self, region: Region) -> int:
        """Which statement holds this place: two places in one have the same number."""
        return bisect_right(self._beginnings, region.start)

    def beginning_of_statement(self, region: Region) -> int:
        """Where the statement begins that holds this place; the place itself where none does."""
        number = self.statement_at(region)
        return self._beginnings[number - 1] if number else region.start

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """The calls among the events."""
        return tuple(event for event in self.events if isinstance(event, Call))

    def mapped_traces(self, stage: Stage) -> Sequence[Trace]:
        """What was followed of the function that a stage applies to each element."""
        return self._mapped_traces.get(stage.function.location, ()) if stage.function is not None else ()

    @cached_property
    def _mapped_traces(self) -> Mapping[Location, list[Trace]]:
        found: dict[Location, list[Trace]] = {}
        for trace in self.traces:
            if trace.kind is TraceKind.MAP:
                found.setdefault(trace.region, []).append(trace)
        return found

    @cached_property
    def updates(self) -> tuple[Call, ...]:
        """The calls that take a training step, or the part of one that changes weights."""
        return tuple(call for call in self.calls if call.updates_weights)

    @cached_property
    def calls_at(self) -> Mapping[Location, tuple[Call, ...]]:
        """The calls by their places: of a function that is followed twice, each is there twice."""
        found: dict[Location, list[Call]] = {}
        for call in self.calls:
            found.setdefault(call.region, []).append(call)
        return {place: tuple(calls) for place, calls in found.items()}

    @cached_property
    def calls_of(self) -> Mapping[object, Sequence[Call]]:
        """The calls by what they call: a function, a class, a method or a name."""
        found: dict[object, list[Call]] = {}
        for call in self.calls:
            found.setdefault(call.callee, []).append(call)
        return found

    @cached_property
    def op_determinism(self) -> bool:
        """Whether TensorFlow is told to run every operation as it ran before."""
        return any(call.symbol == _OP_DETERMINISM for call in self.calls)

    @property
    def uses_tensorflow(self) -> bool:
        """Whether any name of TensorFlow or Keras is used."""
        used = {reference.name for reference in self.references} | {call.symbol for call in self.calls}
        return any(name.startswith(("keras.", "tensorflow.")) for name in used)

    @cached_property
    def uses_old_autotune(self) -> bool:
        """Whether any of it has AUTOTUNE by the name that every TensorFlow 2 knows."""
        return any(reference.name == EXPERIMENTAL_AUTOTUNE.name for reference in self.references)

    @property
    def runs_on_tensorflow(self) -> bool:
        """Whether Keras computes with TensorFlow, so that what is known of its graphs holds for models."""
        return self.keras_backend not in OTHER_BACKENDS

    def takes_dataset(self, call: Call) -> bool:
        """Whether the call consumes a dataset."""
        return call.region in self._consuming

    @cached_property
    def _consuming(self) -> frozenset[Location]:
        return frozenset(user.region for dataset in self.datasets for user in dataset.consumers)

    @property
    def pipelines(self) -> Iterator[Pipeline]:
        """Every pipeline worth looking at, without the ones nested in a stage's function.

        A pipeline that only takes a few elements is left out, and so is one that is handed out before it is batched:
        who gets it may well batch, prefetch and parallelise it. Those that a notebook compares are as they shall be,
        and what stands in code that never runs costs nothing.
        """
        for dataset in (dataset for dataset in self.datasets if not dataset.is_never_run):
            for pipeline in dataset.variants:
                if (
                    not pipeline.is_peek
                    and pipeline not in self._compared
                    and (pipeline.batched or not dataset.handed_out)
                ):
                    yield pipeline

    @cached_property
    def _compared(self) -> frozenset[Pipeline]:
        """The pipelines that several timed cells build under one name, one after the other: variants of each other."""
        built: dict[str, dict[Region, list[Pipeline]]] = {}
        for pipeline in (variant for dataset in self.datasets for variant in dataset.variants):
            for cell in self.timed:
                for variable in pipeline.end.variables if cell.holds(Region.of(pipeline.end.name)) else ():
                    built.setdefault(variable, {}).setdefault(cell, []).append(pipeline)
        several = (cells for cells in built.values() if len(cells) > 1)
        return frozenset(pipeline for cells in several for variants in cells.values() for pipeline in variants)

    @property
    def all_pipelines(self) -> Iterator[Pipeline]:
        """The same, each followed by the pipelines nested in it."""
        for pipeline in self.pipelines:
            yield pipeline
            yield from pipeline.nested


def once_a_program(ask: Callable[[Program], _Answer]) -> Callable[[Program], _Answer]:
    """A question that several rules, or one for many places, ask of a program: it is answered once for each."""
    return answered_once(ask)
