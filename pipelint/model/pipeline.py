"""A pipeline: a tree of stages that ends in what consumes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from pipelint.knowledge.stages import BATCHING
from pipelint.model.code import MappedFunction
from pipelint.model.grades import Severity
from pipelint.model.locations import Location
from pipelint.model.values import UNKNOWN, Argument, Literal, Value

_FEW = 16


@dataclass(frozen=True)
class Cost:
    """What a stage was measured to cost."""

    seconds_per_batch: float
    """Its own time, all threads, for the elements behind one final batch."""
    share: float
    """That over the sum of all stages, 0 to 1."""
    bound: str | None
    """`cpu`, `io`, `python`, or None where it costs next to nothing."""
    parallelism: float


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
    output: Stage | None = field(default=None, repr=False)
    pipeline: Pipeline | None = field(default=None, repr=False)
    """The pipeline that it is a stage of."""
    guards: frozenset[str] = frozenset()
    receiver: str = ""
    """The variable that the method is called on, as written."""
    variables: tuple[str, ...] = ()
    """The variables that its result is bound to, as written."""
    built_in: str = ""
    """The function whose body holds the call."""
    cost: Cost | None = None
    """What it costs, where it was measured."""

    def argument(self, name: str) -> Argument | None:
        """The argument bound to this parameter, if it is written."""
        return self.arguments.get(name)

    def has(self, name: str) -> bool:
        """Whether the call sets this parameter, or may set it out of sight."""
        return self.hides_arguments or not self.omits(name)

    def omits(self, name: str) -> bool:
        """Whether the parameter is left at its default; `None` written out counts as the default."""
        argument = self.arguments.get(name)
        return (argument is None or argument.value == Literal(None)) and not self.hides_arguments

    def downstream(self) -> Iterator[Stage]:
        """The stages behind this one, nearest first."""
        stage = self.output
        while stage is not None:
            yield stage
            stage = stage.output

    def upstream(self) -> Iterator[Stage]:
        """The stages before this one, nearest first, all branches of a zip included."""
        pending = list(self.inputs)
        while pending:
            stage = pending.pop()
            yield stage
            pending.extend(stage.inputs)

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
    def stateless(self) -> bool:
        """Whether it is proven that running its function in parallel gives the same elements, inner stages included."""
        return (
            self.function is not None
            and self.function.stateless
            and all(part.op != "shuffle" and (part.function is None or part.stateless) for part in self.inner_stages)
        )


@dataclass(eq=False)
class Consumer:
    """What takes the elements of a dataset."""

    kind: str
    """`fit`, `evaluate`, `predict`, `loop`, `iter`, `distribute`, `collect` (a list or a `reduce` of all elements), or
    `handed out` (returned, stored or passed on)."""
    region: Location
    role: str = "unknown"
    """`training`, `evaluation` or `unknown`."""
    in_tf_function: bool = False
    name: str = ""
    """The function or variable through which a dataset is handed out."""
    variable: str = ""
    """The variable that names the dataset there, as written."""


@dataclass(eq=False)
class Pipeline:
    """One way through the program that builds a dataset: the stages that are applied together."""

    end: Stage
    dataset: Dataset | None = field(default=None, repr=False)
    nested_in: Stage | None = field(default=None, repr=False)
    """The stage whose function returns this pipeline."""
    options_known: bool = True

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """All stages, each behind its inputs."""
        return (*reversed(list(self.end.upstream())), self.end)

    @cached_property
    def trunk(self) -> tuple[Stage, ...]:
        """The stages from the last source or merge of branches to the end."""
        stages = [self.end]
        while len(stages[-1].inputs) == 1:
            stages.append(stages[-1].inputs[0])
        return tuple(reversed(stages))

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
        for stage in reversed(self.stages):
            for name in names:
                if name in stage.options:
                    return stage.options[name]
        return UNKNOWN

    def turns_off(self, *names: str) -> bool:
        """Whether any of these options is set to False."""
        return any(self.option(name) == Literal(False) for name in names)

    @property
    def batched(self) -> bool:
        """Whether the elements that come out are batches."""
        for stage in (self.end, *self.end.upstream()):
            if stage.op in BATCHING or stage.yields_batches:
                return True
            if stage.op == "unbatch":
                return False
        return False

    @property
    def is_peek(self) -> bool:
        """Whether it gives only a handful of elements, to look at."""
        counts = (stage.argument("count") for stage in self.stages if stage.op == "take")
        return any(count is not None and count.integer in range(_FEW + 1) for count in counts)

    def graded(self, severity: Severity) -> Severity:
        """The severity of a finding about this pipeline: no more than advice while no consumer is in sight."""
        outer = self
        while outer.nested_in is not None and outer.nested_in.pipeline is not None:
            outer = outer.nested_in.pipeline
        return Severity.ADVICE if outer.dataset is not None and outer.dataset.handed_out else severity

    @property
    def may_reorder(self) -> bool:
        """Whether something sets, or may set out of sight, that elements come in any order."""
        return (
            not self.options_known
            or self.turns_off("deterministic", "experimental_deterministic")
            or any(stage.hides_arguments or stage.argument("deterministic") is not None for stage in self.stages)
        )

    @property
    def nested(self) -> Iterator[Pipeline]:
        """The pipelines inside this one's interleaves and flat_maps, at any depth."""
        for stage in self.stages:
            for inner in stage.inner:
                yield inner
                yield from inner.nested


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
    def handed_out(self) -> bool:
        """Whether no consumer is in sight."""
        return all(consumer.kind == "handed out" for consumer in self.consumers)
