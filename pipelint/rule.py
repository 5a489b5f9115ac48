"""What a rule is, and all of the model that rules use: the one module that a rule imports."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from pipelint.knowledge.stages import BATCHING, FREE, PREFETCHES, SHUFFLES
from pipelint.knowledge.words import Purpose, purpose_of_words
from pipelint.model.finding import Finding, Fix, Related, UnusedSuppression
from pipelint.model.function import Cause, Effect, Loop, MappedFunction, Operation, TracedFunction
from pipelint.model.grades import Safety, Severity
from pipelint.model.locations import Location, Region
from pipelint.model.pipeline import Consumer, Dataset, Pipeline, Stage
from pipelint.model.program import Program, Reference, Version
from pipelint.model.repair import (
    Append,
    AssignBack,
    Decorate,
    Edit,
    MoveAfter,
    NewCall,
    RemoveArgument,
    RemoveStatement,
    RenameAttribute,
    Repair,
    ReplaceApply,
    ReplaceCallee,
    ReplaceReference,
    ReplaceText,
    SetArgument,
)
from pipelint.model.values import AUTOTUNE, EXPERIMENTAL_AUTOTUNE, UNKNOWN, Argument, Literal, Symbol, Text, Value

__all__ = [
    "AUTOTUNE",
    "BATCHING",
    "EXPERIMENTAL_AUTOTUNE",
    "FREE",
    "PREFETCHES",
    "SHUFFLES",
    "UNKNOWN",
    "Append",
    "Argument",
    "AssignBack",
    "Cause",
    "Consumer",
    "Dataset",
    "Decorate",
    "Edit",
    "Effect",
    "Evidence",
    "Example",
    "Finding",
    "Findings",
    "Fix",
    "FixKind",
    "Literal",
    "Location",
    "Loop",
    "MappedFunction",
    "MoveAfter",
    "NewCall",
    "Operation",
    "Pipeline",
    "Program",
    "Purpose",
    "Reference",
    "Region",
    "Related",
    "RemoveArgument",
    "RemoveStatement",
    "RenameAttribute",
    "Repair",
    "ReplaceApply",
    "ReplaceCallee",
    "ReplaceReference",
    "ReplaceText",
    "Rule",
    "Safety",
    "SetArgument",
    "Severity",
    "Stage",
    "Symbol",
    "Text",
    "TracedFunction",
    "UnusedSuppression",
    "Value",
    "Version",
    "purpose_of_words",
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
class Evidence:
    """What backs a claim of speed: a slow and a fast program to run, or a source to cite where hardware is needed."""

    benchmark: str = ""
    """The pair in tests/benchmarks/evidence, as `python -m tests.benchmarks.measure` names it."""
    measured: str = ""
    """What it gave, on which version and how many cores; or that no ratio can be shown."""
    source: str = ""


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
    ) -> Finding:
        """A finding of this rule; one at a stage points at the name of its method."""
        location = at.name if isinstance(at, Stage) else at
        stage = at if isinstance(at, Stage) else stage
        return Finding(self.code, self.name, severity or self.severity, message, location, fix, related, stage)
