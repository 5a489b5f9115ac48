"""A pipeline: stages that take their elements from each other, up to what consumes the end; with cost when measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from pipelint.knowledge.consumption import ConsumerKind
from pipelint.knowledge.stages import BATCHING, BUCKETS, FEEDS, FEW_ELEMENTS, PYTHON_FEEDS, SHUFFLES
from pipelint.model.answers import answered_once
from pipelint.model.consumer import Consumer
from pipelint.model.cost import Cost, Measurement, TrialRun
from pipelint.model.definitions import Cause, Effect, MappedFunction
from pipelint.model.grades import Severity
from pipelint.model.locations import Location, Place
from pipelint.model.values import UNKNOWN, Argument, Literal, Value

_Answer = TypeVar("_Answer")
_NEGLIGIBLE = 0.01
"""The share below which a stage costs next to nothing, and what it spends that on says nothing."""


@dataclass(eq=False)
class Stage:
    """One transformation or source, with its arguments bound to the names of tf.data's signature."""

    op: str
    name: Location
    """The method's name: `map` in `.map(`."""
    call: Location
    """Its link in a chain of calls."""
    factory: Location | None = None
    """The call that has its arguments, where that is given to `apply`."""
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    hides_arguments: bool = False
    """Whether `*args` or `**kwargs` may hold further arguments."""
    function: MappedFunction | None = None
    inputs: tuple[Stage, ...] = ()
    inner: tuple[Pipeline, ...] = ()
    """The pipelines that the function of an interleave or flat_map returns."""
    options: Mapping[str, Value] = field(default_factory=dict)
    """What a `with_options` sets."""
    is_source: bool = False
    yields_batches: bool = False
    """Whether a source gives batches by itself (`image_dataset_from_directory`)."""
    several: bool | None = None
    """Whether a source reads, lists or slices several files or paths rather than one; None where that is not known."""
    element_bytes: int | None = None
    """The size of one element, where its shapes are known."""
    arrays: tuple[Argument, ...] = ()
    """The arrays of which something is known that a source is given, those in a tuple or dict one by one."""
    cardinality: int | None = None
    """How many elements it gives in one epoch; -1 endless, None unknown."""
    pipeline: Pipeline | None = field(default=None, repr=False)
    """The pipeline that it is a stage of."""
    guards: frozenset[str] = frozenset()
    undecided: frozenset[str] = frozenset()
    """The tests that it depends on and that neither calls in sight nor defaults of parameters decide."""
    off_by_default: bool = False
    """Whether it depends on a parameter that no caller in sight sets, and whose default leaves it out."""
    receiver: str = ""
    """The variable that the method is called on, as written."""
    variables: tuple[str, ...] = ()
    """The variables that its result is bound to, as written."""
    built_in: str = ""
    """The function whose body holds the call, as messages name it."""
    helper: str = ""
    """The library's function that makes it where the user calls that, "" where they wrote it themselves."""
    gives: int | None = None
    """The number of the dataset that it gives: pipelines that are built on one dataset have it in common."""
    cost: Cost | None = None
    """What it costs, where it was measured."""
    tried: TrialRun | None = None
    """What another place or setting of it gave, where that was run: a map behind its batch, `skip` before a map."""

    def argument(self, name: str) -> Argument | None:
        """The argument bound to this parameter, if it is written."""
        return self.arguments.get(name)

    @property
    def takes_few(self) -> bool:
        """Whether it passes on a handful of elements, to look at."""
        count = self.argument("count") if self.op == "take" else None
        return count is not None and count.integer in range(FEW_ELEMENTS + 1)

    @property
    def shuffle_buffer(self) -> int | None:
        """How many elements it takes in before it gives the first: no more than there are; None for other stages."""
        size = self.argument("buffer_size") if self.op in SHUFFLES else None
        if size is None or size.integer is None or size.integer <= 0:
            return None
        counts = (part.cardinality for part in (self, *self.inputs))
        return min([size.integer, *(count for count in counts if count is not None and count > 0)])

    def has(self, name: str) -> bool:
        """Whether the call sets this parameter, or may set it out of sight."""
        return self.hides_arguments or not self.omits(name)

    def omits(self, name: str) -> bool:
        """Whether the parameter is left at its default; `None` written out counts as the default."""
        argument = self.arguments.get(name)
        return (argument is None or argument.value == Literal(None)) and not self.hides_arguments

    @property
    def place(self) -> Place | None:
        """Where it stands in a file of a program that ran."""
        return self.name if isinstance(self.name, Place) else None

    @property
    def parts(self) -> tuple[Stage, ...]:
        """What its elements are made of: its inputs, and the ends of the pipelines that its function returns."""
        return (*self.inputs, *(inner.end for inner in self.inner))

    @property
    def outputs(self) -> tuple[Stage, ...]:
        """The stages of its pipeline that take its elements: several where a dataset is used more than once."""
        return self.pipeline.takers.get(self, ()) if self.pipeline is not None else ()

    @property
    def output(self) -> Stage | None:
        """The stage that takes its elements, the first where there are several."""
        return next(iter(self.outputs), None)

    def downstream(self) -> Iterator[Stage]:
        """The stages behind this one, each once, nearest first."""
        found = dict.fromkeys(self.outputs)
        pending = list(found)
        for stage in pending:
            yield stage
            pending += [later for later in stage.outputs if later not in found]
            found |= dict.fromkeys(stage.outputs)

    def upstream(self, *, inside: bool = False) -> Iterator[Stage]:
        """The stages before this one, each once and before what it takes from, all branches of a zip included.

        Those inside the functions of stages are left out unless asked for.
        """
        return reversed(_in_order(self, inside=inside)[:-1])

    def straight_up(self) -> Iterator[Stage]:
        """The stages before this one, nearest first, up to where branches merge."""
        stage = self
        while len(stage.inputs) == 1:
            stage = stage.inputs[0]
            yield stage

    def straight_up_to(self, other: Stage) -> tuple[Stage, ...]:
        """The stages from the one before this up to the other, nearest first; none where branches merge between."""
        stages = tuple(self.straight_up())
        return stages[: stages.index(other) + 1] if other in stages else ()

    @property
    def inner_stages(self) -> Iterator[Stage]:
        """The stages of the pipelines that its function returns."""
        for pipeline in self.inner:
            yield from pipeline.stages

    @property
    def nested_in(self) -> Stage | None:
        """The stage whose function returns its pipeline."""
        return self.pipeline.nested_in if self.pipeline is not None else None

    @property
    def runs_python(self) -> bool:
        """Whether it leaves the graph for Python at each element."""
        by_function = self.function is not None and self.function.python is not None
        return by_function or self.op == "from_generator" or self.op in PYTHON_FEEDS

    @property
    def share(self) -> float | None:
        """Its part of the time of all stages, 0 to 1; None where it was not measured."""
        if self.cost is None or self.pipeline is None:
            return None
        total = self.pipeline.outermost.serial_seconds
        return self.cost.seconds / total if total else 0.0

    @property
    def bound(self) -> str | None:
        """What it spends its time on: `cpu`, `io`, `python`, or None where it costs next to nothing."""
        cost, share = self.cost, self.share
        if cost is None or share is None or share < _NEGLIGIBLE:
            return None
        if cost.seconds - cost.cpu_seconds > cost.seconds / 2:
            return "io"
        return "python" if self.runs_python or cost.lock_seconds > cost.cpu_seconds / 2 else "cpu"

    @property
    def bytes_per_element(self) -> float | None:
        """The size of its elements: as measured, else as their shapes say."""
        measured = self.cost.bytes_per_element if self.cost is not None else None
        return measured or self.element_bytes

    def cause(self, *effects: Effect) -> Cause | None:
        """The first cause of any of these effects in the function that it applies."""
        return self.function.cause(*effects) if self.function is not None else None

    @property
    def stateless(self) -> bool:
        """Whether it is proven that running its function in parallel gives the same elements, inner stages included."""
        return (
            self.function is not None
            and self.function.stateless
            and all(part.op != "shuffle" and (part.function is None or part.stateless) for part in self.inner_stages)
        )


@dataclass(eq=False)
class Pipeline:
    """One way through the program that builds a dataset, read or run, and with its cost where measured."""

    end: Stage
    dataset: Dataset | None = field(default=None, repr=False)
    nested_in: Stage | None = field(default=None, repr=False)
    """The stage whose function returns this pipeline."""
    options_known: bool = True
    measurement: Measurement | None = None
    _answers: dict[object, Any] = field(default_factory=dict, init=False, repr=False)
    """To what was asked by way of `once_a_pipeline`."""

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """All stages, each once and behind its inputs, the end last."""
        return _in_order(self.end, inside=False)

    @cached_property
    def every_stage(self) -> tuple[Stage, ...]:
        """The same, with the pipelines inside a stage's function before that stage."""
        return _in_order(self.end, inside=True)

    @cached_property
    def numbers(self) -> Mapping[Stage, int]:
        """The place of each stage among all, by which reports name it."""
        return {stage: number for number, stage in enumerate(self.every_stage)}

    @cached_property
    def takers(self) -> Mapping[Stage, tuple[Stage, ...]]:
        """The stages that take from each one."""
        found: dict[Stage, dict[Stage, None]] = {}
        for stage in self.stages:
            for part in stage.inputs:
                found.setdefault(part, {})[stage] = None
        return {stage: tuple(takers) for stage, takers in found.items()}

    @property
    def outermost(self) -> Pipeline:
        """The pipeline in whose stages' functions this one stands, or itself."""
        outer = self
        while outer.nested_in is not None and outer.nested_in.pipeline is not None:
            outer = outer.nested_in.pipeline
        return outer

    @cached_property
    def serial_seconds(self) -> float:
        """The measured time of a final batch with everything one after the other."""
        return sum(stage.cost.seconds for stage in self.every_stage if stage.cost is not None)

    @cached_property
    def trunk(self) -> tuple[Stage, ...]:
        """The stages from the last source or merge of branches to the end."""
        return (*reversed(tuple(self.end.straight_up())), self.end)

    @property
    def consumers(self) -> tuple[Consumer, ...]:
        """What takes its elements."""
        return self.dataset.consumers if self.dataset is not None else ()

    def counterparts(self, stage: Stage) -> Iterator[Stage]:
        """The same call of the source on each way in which the dataset may have been built."""
        variants = self.dataset.variants if self.dataset is not None else (self,)
        return (other for variant in variants for other in variant.stages if other.call == stage.call)

    def option(self, *names: str) -> Value:
        """The value that the options give to the first of these names that is set, the last setting winning."""
        settings = [self._settings[name] for name in names if name in self._settings]
        return max(settings, key=lambda setting: setting[0])[1] if settings else UNKNOWN

    @cached_property
    def _settings(self) -> dict[str, tuple[int, Value]]:
        """The last value of each option, with the place of the stage that sets it."""
        return {name: (at, value) for at, stage in enumerate(self.stages) for name, value in stage.options.items()}

    def turns_off(self, *names: str) -> bool:
        """Whether any of these options is set to False."""
        return any(self.option(name) == Literal(False) for name in names)

    @property
    def batched(self) -> bool:
        """Whether the elements that come out are batches."""
        for stage in (self.end, *self.end.upstream()):
            if stage.op in BATCHING or stage.op in BUCKETS or stage.op in FEEDS or stage.yields_batches:
                return True
            if stage.op == "unbatch":
                return False
        return False

    @cached_property
    def is_peek(self) -> bool:
        """Whether it gives only a handful of elements."""
        return any(stage.takes_few for stage in self.stages)

    def graded(self, severity: Severity) -> Severity:
        """The severity of a finding about this pipeline: no more than advice while no consumer in sight is in haste."""
        dataset = self.outermost.dataset
        if dataset is not None and not any(user.is_in_haste for user in dataset.consumers):
            return Severity.ADVICE
        return severity

    @cached_property
    def may_reorder(self) -> bool:
        """Whether something sets, or may set out of sight, that elements come in any order."""
        return (
            not self.options_known
            or any(
                stage.options.get(name, Literal(True)) != Literal(True)
                for stage in self.stages
                for name in ("deterministic", "experimental_deterministic")
            )
            or any(stage.hides_arguments or stage.argument("deterministic") is not None for stage in self.stages)
        )

    @property
    def nested(self) -> Iterator[Pipeline]:
        """The pipelines inside this one's interleaves and flat_maps, at any depth."""
        for stage in self.stages:
            for inner in stage.inner:
                yield inner
                yield from inner.nested

    def adopt_stages(self) -> None:
        """Tell each stage that it is one of this pipeline, or of the one inside a function that returns it."""
        for stage in self.stages:
            # A function may return a dataset from outside of it, which then stays where it was built.
            stage.pipeline = stage.pipeline or self
        for stage in self.stages:
            for inner in stage.inner:
                inner.nested_in = stage
                inner.adopt_stages()

    def consumed_by(self, consumer: Consumer) -> Pipeline:
        """This pipeline as the only way to a dataset that this one consumes."""
        self.dataset = Dataset((self,), (consumer,), True, ((consumer, consumer.region),))
        return self

    def measured(self, costs: Mapping[Stage, Cost], measurement: Measurement) -> Pipeline:
        """A copy with what was measured; the same one may be measured in several epochs."""
        copies: dict[Stage, Stage] = {}
        for stage in self.every_stage:
            copies[stage] = replace(
                stage,
                inputs=tuple(copies[part] for part in stage.inputs),
                inner=tuple(Pipeline(copies[inner.end], options_known=inner.options_known) for inner in stage.inner),
                pipeline=None,
                cost=costs.get(stage),
            )
        copy = Pipeline(copies[self.end], options_known=self.options_known, measurement=measurement)
        copy.adopt_stages()
        return copy.consumed_by(self.consumers[0]) if self.consumers else copy


def once_a_pipeline(ask: Callable[[Pipeline], _Answer]) -> Callable[[Pipeline], _Answer]:
    """A question about a whole pipeline that is asked for each of its stages: it is answered once."""
    return answered_once(ask)


def _in_order(end: Stage, *, inside: bool) -> tuple[Stage, ...]:
    """A stage and all that it takes from, each once and behind what it needs itself."""
    ordered: dict[Stage, None] = {}
    pending = [end]
    while pending:
        stage = pending[-1]
        needed = stage.parts if inside else stage.inputs
        if waiting := [part for part in needed if part not in ordered]:
            pending += reversed(waiting)
        else:
            ordered[pending.pop()] = None
    return tuple(ordered)


@dataclass(eq=False)
class Dataset:
    """A value that is consumed, with each way in which it may have been built."""

    variants: tuple[Pipeline, ...]
    consumers: tuple[Consumer, ...]
    complete: bool
    """Whether every way is known."""
    places: tuple[tuple[Consumer, Location], ...] = ()
    """The expressions that name the dataset where it is consumed."""

    @property
    def all_pipelines(self) -> Iterator[Pipeline]:
        """Each way in which it may have been built, with the pipelines inside of it."""
        for variant in self.variants:
            yield variant
            yield from variant.nested

    @property
    def handed_out(self) -> bool:
        """Whether no consumer is in sight."""
        return all(consumer.kind is ConsumerKind.ELSEWHERE for consumer in self.consumers)

    @property
    def is_never_run(self) -> bool:
        """Whether all that takes the elements stands in functions that the program never gets to."""
        return bool(self.consumers) and all(consumer.is_never_run for consumer in self.consumers)
