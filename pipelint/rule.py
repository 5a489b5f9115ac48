"""The one door for rule authors: what a rule is, and all of the model and of the knowledge that rules ask."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from pipelint.knowledge.consumption import ConsumerKind, Purpose
from pipelint.knowledge.costly_operations import COSTLY, COSTLY_MODULES
from pipelint.knowledge.data_sets import (
    comes_with_keras,
    has_hundreds,
    has_thousands,
    reads_data_set,
    reads_single_files,
    reads_table,
    writes_single_files,
)
from pipelint.knowledge.deprecated import METHODS_INSTEAD, REMOVED, RENAMED, Instead, Renamed
from pipelint.knowledge.devices import CHOOSES_DEVICES, CLUSTER, CLUSTER_STRATEGIES, HIDES_DEVICES, NO_DEVICES
from pipelint.knowledge.effects import PY_FUNCTIONS, is_without_weights
from pipelint.knowledge.keras import (
    EAGER_SWITCHES,
    HAS_WEIGHTS,
    KEEPS_SEED,
    KERAS_3_SINCE,
    ONLY_OF_TORCH,
    RUNS_IN_GRAPHS,
    WORKERS,
)
from pipelint.knowledge.keras_2_packages import KERAS_2_PACKAGES
from pipelint.knowledge.names import display
from pipelint.knowledge.numpy_arrays import TENSOR_SHAPE_FIRST
from pipelint.knowledge.numpy_equivalents import EQUIVALENTS as NUMPY_EQUIVALENTS
from pipelint.knowledge.numpy_equivalents import NO_GRADIENT, TAKES_SIZES
from pipelint.knowledge.python_calls import (
    AUGMENTING,
    CLOCKS,
    CORE_COUNTS,
    HANDS_ON_ARRAYS,
    IN_THE_GRAPH,
    NEEDS_NO_VALUES,
    NEEDS_VALUES,
    NO_DRAWS,
    NOT_IN_THE_GRAPH,
    OWN_ENVIRONMENTS,
    OWN_METHODS,
    PICTURES,
    PLOTTING,
    PYTHON_RANDOM,
    WAITING_CALLS,
)
from pipelint.knowledge.random_draws import DRAWS
from pipelint.knowledge.removed_keras import (
    DEFAULT_RATES,
    FUNCTION_ARGUMENTS,
    GENERATES_FROM_FILES,
    GONE_FROM_KERAS,
    GONE_MODULES,
    GONE_NAMES,
    IGNORED_BY_OPTIMIZERS,
    IGNORES_LEARNING_RATE_SINCE,
    IMAGE_GENERATOR,
    ITERATOR_METHODS,
    LEARNING_RATE,
    NEVER_NONE,
    ONLY_WITH_KERAS_2,
    REMOVED_METHODS,
    RENAMED_METHODS,
    RENAMED_OF_METRICS,
    TAKES_NO_WORKERS,
    WORKER_ARGUMENTS,
)
from pipelint.knowledge.reordering import IN_TIME, REORDERS, SPLITTERS
from pipelint.knowledge.rewrites import (
    AUTOTUNE_OPTIONS,
    DEFAULTS_OPTION,
    INJECT_PREFETCH,
    MAP_AND_BATCH_FUSION,
    MAP_PARALLELIZATION,
)
from pipelint.knowledge.stages import (
    BATCHING,
    COUNTED_SOURCES,
    COUNTERS,
    ENDS_EARLY,
    FILE_READERS,
    FILES_PARAMETER,
    FREE,
    KEEPS,
    KEEPS_COUNT,
    LISTS_FILES,
    MAPS,
    MERGES,
    MULTIPLIES,
    NO_WORK,
    OWN_BATCHES,
    PREFETCHES,
    READY_MADE,
    REMOTE_FILES,
    RETURNS_DATASETS,
    RUNS_AHEAD,
    SHUFFLES,
    SPLITS,
    TAKES_APART,
)
from pipelint.knowledge.tensors import LITTLE_WORK, SIZE_PARAMETERS, SIZED
from pipelint.knowledge.vectorized import VECTORIZED
from pipelint.knowledge.versions import NEWEST_TENSORFLOW
from pipelint.knowledge.words import DEBUGGING, TRACING, purpose_of_words, speaks_of_eager, tells_why_few, words_of
from pipelint.model.code import (
    BatchLength,
    Call,
    Count,
    DeviceBlock,
    Event,
    HostRead,
    Loop,
    LoopOver,
    ReadBy,
    Switch,
    Timing,
    Trace,
    TraceKind,
)
from pipelint.model.consumer import Consumer
from pipelint.model.cost import Cost, Measurement, Step, TrialRun
from pipelint.model.definitions import Callee, Cause, Class, Effect, Function, MappedFunction, Method
from pipelint.model.edit import Edit
from pipelint.model.feed import Feed, FeedKind
from pipelint.model.finding import Finding, Fix, Related, UnusedSuppression
from pipelint.model.first_element import FirstElement
from pipelint.model.grades import Safety, Severity
from pipelint.model.locations import Location, Region
from pipelint.model.pipeline import Dataset, Pipeline, Stage, once_a_pipeline
from pipelint.model.program import Module, Program, Reference, once_a_program
from pipelint.model.repair import (
    Append,
    AssignBack,
    CallMethod,
    CopyAfter,
    Decorate,
    InsertAfter,
    JoinStages,
    MoveAfter,
    NewCall,
    Product,
    RemoveArgument,
    RemoveStage,
    RemoveStatements,
    RenameArgument,
    RenameAttributes,
    Repair,
    ReplaceApply,
    ReplaceCall,
    ReplaceCallee,
    ReplaceReferences,
    ReplaceText,
    SetArgument,
    SetOption,
    Together,
)
from pipelint.model.tensorflow_version import Version
from pipelint.model.values import (
    AUTOTUNE,
    CHANGING_NUMBER,
    EXPERIMENTAL_AUTOTUNE,
    UNKNOWN,
    Argument,
    Array,
    Literal,
    Made,
    Symbol,
    Text,
    Value,
)

__all__ = [
    "AUGMENTING",
    "AUTOTUNE",
    "AUTOTUNE_OPTIONS",
    "BATCHING",
    "CHANGING_NUMBER",
    "CHOOSES_DEVICES",
    "CLOCKS",
    "CLUSTER",
    "CLUSTER_STRATEGIES",
    "CORE_COUNTS",
    "COSTLY",
    "COSTLY_MODULES",
    "COUNTED_SOURCES",
    "COUNTERS",
    "DEBUGGING",
    "DEFAULTS_OPTION",
    "DEFAULT_RATES",
    "DRAWS",
    "EAGER_SWITCHES",
    "ENDS_EARLY",
    "EXPERIMENTAL_AUTOTUNE",
    "FILES_PARAMETER",
    "FILE_READERS",
    "FREE",
    "FUNCTION_ARGUMENTS",
    "GENERATES_FROM_FILES",
    "GONE_FROM_KERAS",
    "GONE_MODULES",
    "GONE_NAMES",
    "HANDS_ON_ARRAYS",
    "HAS_WEIGHTS",
    "HIDES_DEVICES",
    "IGNORED_BY_OPTIMIZERS",
    "IGNORES_LEARNING_RATE_SINCE",
    "IMAGE_GENERATOR",
    "INJECT_PREFETCH",
    "IN_THE_GRAPH",
    "IN_TIME",
    "ITERATOR_METHODS",
    "KEEPS",
    "KEEPS_COUNT",
    "KEEPS_SEED",
    "KERAS_2_PACKAGES",
    "KERAS_3_SINCE",
    "LEARNING_RATE",
    "LISTS_FILES",
    "LITTLE_WORK",
    "MAPS",
    "MAP_AND_BATCH_FUSION",
    "MAP_PARALLELIZATION",
    "MERGES",
    "METHODS_INSTEAD",
    "MULTIPLIES",
    "NEEDS_NO_VALUES",
    "NEEDS_VALUES",
    "NEVER_NONE",
    "NEWEST_TENSORFLOW",
    "NOT_IN_THE_GRAPH",
    "NO_DEVICES",
    "NO_DRAWS",
    "NO_GRADIENT",
    "NO_WORK",
    "NUMPY_EQUIVALENTS",
    "ONLY_OF_TORCH",
    "ONLY_WITH_KERAS_2",
    "OWN_BATCHES",
    "OWN_ENVIRONMENTS",
    "OWN_METHODS",
    "PICTURES",
    "PLOTTING",
    "PREFETCHES",
    "PYTHON_RANDOM",
    "PY_FUNCTIONS",
    "READY_MADE",
    "REMOTE_FILES",
    "REMOVED",
    "REMOVED_METHODS",
    "RENAMED",
    "RENAMED_METHODS",
    "RENAMED_OF_METRICS",
    "REORDERS",
    "RETURNS_DATASETS",
    "RUNS_AHEAD",
    "RUNS_IN_GRAPHS",
    "SHUFFLES",
    "SIZED",
    "SIZE_PARAMETERS",
    "SPLITS",
    "SPLITTERS",
    "TAKES_APART",
    "TAKES_NO_WORKERS",
    "TAKES_SIZES",
    "TENSOR_SHAPE_FIRST",
    "TRACING",
    "UNKNOWN",
    "VECTORIZED",
    "WAITING_CALLS",
    "WORKERS",
    "WORKER_ARGUMENTS",
    "Append",
    "Argument",
    "Array",
    "AssignBack",
    "BatchLength",
    "Call",
    "CallMethod",
    "Callee",
    "Cause",
    "Class",
    "Consumer",
    "ConsumerKind",
    "CopyAfter",
    "Cost",
    "Count",
    "Dataset",
    "Decorate",
    "DeviceBlock",
    "Edit",
    "Effect",
    "Event",
    "Evidence",
    "Example",
    "Feed",
    "FeedKind",
    "Finding",
    "Findings",
    "FirstElement",
    "Fix",
    "FixKind",
    "Function",
    "HostRead",
    "InsertAfter",
    "Instead",
    "JoinStages",
    "Literal",
    "Location",
    "Loop",
    "LoopOver",
    "Made",
    "MappedFunction",
    "MeasuredRatio",
    "Measurement",
    "Method",
    "Module",
    "MoveAfter",
    "NewCall",
    "Pipeline",
    "Product",
    "Program",
    "Purpose",
    "ReadBy",
    "Reference",
    "Region",
    "Related",
    "RemoveArgument",
    "RemoveStage",
    "RemoveStatements",
    "RenameArgument",
    "RenameAttributes",
    "Renamed",
    "Repair",
    "ReplaceApply",
    "ReplaceCall",
    "ReplaceCallee",
    "ReplaceReferences",
    "ReplaceText",
    "Rule",
    "Safety",
    "SetArgument",
    "SetOption",
    "Severity",
    "Stage",
    "Step",
    "Switch",
    "Symbol",
    "Text",
    "Timing",
    "Together",
    "Trace",
    "TraceKind",
    "TrialRun",
    "UnusedSuppression",
    "Value",
    "Version",
    "comes_with_keras",
    "display",
    "has_hundreds",
    "has_thousands",
    "is_without_weights",
    "once_a_pipeline",
    "once_a_program",
    "purpose_of_words",
    "reads_data_set",
    "reads_single_files",
    "reads_table",
    "speaks_of_eager",
    "tells_why_few",
    "words_of",
    "writes_single_files",
]

Findings = Iterator[Finding]
FixKind = typing.Literal["safe", "unsafe", "safe or unsafe", "none"]


class Example:
    """Code before and after. Without `after` the rule fires and mends nothing; with `silent` it must not fire.

    The finding must have the `severity`, where a rule grades itself, and be made `count` times.
    """

    def __init__(
        self,
        title: str,
        before: str,
        after: str | None = None,
        *,
        silent: bool = False,
        count: int = 1,
        severity: Severity | None = None,
        target: Version | None = None,
    ) -> None:
        self.title = title
        self.silent = silent
        self.count = count
        self.severity = severity
        self.target = target
        self._before = before
        self._after = after

    @property
    def before(self) -> str:
        """The code that the rule looks at, without the indentation that it has inside the rule."""
        return _unindented(self._before)

    @property
    def after(self) -> str | None:
        """The code that the fix gives."""
        return None if self._after is None else _unindented(self._after)


def _unindented(code: str) -> str:
    from textwrap import dedent  # only documentation and tests ask for examples

    return dedent(code).lstrip("\n")


@dataclass(frozen=True)
class MeasuredRatio:
    """How many times slower the slow program of a pair is, as the benchmark of a rule pack wrote it down."""

    about: str
    """What the two programs do, as the pair itself says it."""
    ratio: float
    low: float
    high: float
    """The ratio lies between `low` and `high` with 95% confidence."""
    tensorflow: str
    """The distribution and its version: `tensorflow-cpu 2.21.0`."""
    cores: int
    load: float | None
    """What the machine had to do besides, as its one-minute average; None where nobody looked."""
    date: str
    command: str
    """How it is measured again."""

    @property
    def shown(self) -> bool:
        """Whether there is a ratio to speak of: an interval that reaches down to 1 shows none."""
        return self.low > 1


@dataclass(frozen=True)
class Evidence:
    """What backs a claim of speed: a slow and a fast program to run, or a source to cite where hardware is needed.

    Figures are never typed in: the benchmark of a pack writes them to a file `evidence.json` beside the pack's modules,
    `{"version": 1, "command": how to measure a pair again, "pairs": {pair: the other fields of its MeasuredRatio}}`.
    """

    FILE: ClassVar[str] = "evidence.json"

    pair: str = ""
    """The pair, as the benchmark names it."""
    source: str = ""
    by_itself: str = ""
    """Another pair, of programs to which TensorFlow does by itself what the rule asks for."""

    def measured(self, module: str | Path) -> MeasuredRatio | None:
        """What the benchmark wrote of the pair, beside this module of the pack."""
        file = Path(module).with_name(self.FILE)
        if not self.pair or not file.exists():
            return None
        import json

        written = json.loads(file.read_text("utf-8"))
        entry = written["pairs"].get(self.pair)
        return None if entry is None else MeasuredRatio(command=f"{written['command']} {self.pair}", **entry)


class Rule:
    """One thing that pipelint knows. The docstring is the documentation, its first line the summary."""

    code: ClassVar[str]
    name: ClassVar[str]
    severity: ClassVar[Severity]
    fix: ClassVar[FixKind]
    since: ClassVar[str] = "0.1.0"
    default: ClassVar[bool] = True
    options: ClassVar[Mapping[str, int]] = {}
    """The keys of the rule's own configuration table, with their defaults."""
    words: ClassVar[tuple[str, ...]] = ()
    """One of these stands in each file that the rule points at, or in a module which that imports: without it,
    nothing is followed for the rule's sake. A rule without words may have something to say of any file."""
    examples: ClassVar[tuple[Example, ...]] = ()
    evidence: ClassVar[Evidence | None] = None

    def __init__(self, options: Mapping[str, int] | None = None) -> None:
        self.settings = {**self.options, **(options or {})}

    @classmethod
    def documentation(cls) -> str:
        """The rule's text, without the indentation of the source."""
        return inspect.cleandoc(cls.__doc__ or "")

    @classmethod
    def summary(cls) -> str:
        """The first line of the documentation."""
        return cls.documentation().partition("\n")[0]

    def check(self, program: Program) -> Findings:
        """Yield what the rule finds in one program."""
        yield from ()

    def check_suppressions(self, unused: Iterable[UnusedSuppression]) -> Findings:
        """Yield findings about comments that suppress nothing; only the rule about them has any."""
        yield from ()

    def finding(
        self,
        at: Stage | Location,
        message: str,
        *,
        severity: Severity | None = None,
        fix: Fix | None = None,
        related: tuple[Related, ...] = (),
        stage: Stage | None = None,
        trial: TrialRun | None = None,
    ) -> Finding:
        """A finding of this rule; one at a stage points at the name of its method."""
        location = at.name if isinstance(at, Stage) else at
        stage = at if isinstance(at, Stage) else stage
        return Finding(self.code, self.name, severity or self.severity, message, location, fix, related, stage, trial)
