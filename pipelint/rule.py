"""What a rule is: all that a rule pack imports besides pipelint.model."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from textwrap import dedent
from typing import ClassVar, Literal

from pipelint.model.finding import Finding, Fix, Region, Related, Severity, UnusedSuppression
from pipelint.model.program import Program, Version

FixKind = Literal["safe", "unsafe", "safe or unsafe", "none"]


@dataclass(frozen=True)
class Example:
    """Code before and after. Without `after` the rule fires and mends nothing; with `silent` it must not fire."""

    title: str
    before: str
    after: str | None = None
    silent: bool = False
    count: int = 1
    severity: Severity | None = None
    """The severity that the finding must have, where a rule grades itself."""
    target: Version | None = None

    def __post_init__(self) -> None:
        # Examples stand indented inside their rule.
        object.__setattr__(self, "before", dedent(self.before).lstrip("\n"))
        if self.after is not None:
            object.__setattr__(self, "after", dedent(self.after).lstrip("\n"))


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

    def check(self, program: Program) -> Iterator[Finding]:
        """Yield what the rule finds in one program."""
        yield from ()

    def check_suppressions(self, unused: Iterable[UnusedSuppression]) -> Iterator[Finding]:
        """Yield findings about comments that suppress nothing; only the rule about them has any."""
        yield from ()

    def finding(
        self,
        region: Region,
        message: str,
        *,
        severity: Severity | None = None,
        fix: Fix | None = None,
        related: tuple[Related, ...] = (),
    ) -> Finding:
        """A finding of this rule."""
        return Finding(self.code, self.name, severity or self.severity, message, region, fix, related)
