"""What a rule has to be and to give, so that a mistake of its author is told and does not pass for silence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, get_args

from pipelint.model.finding import Finding, Fix
from pipelint.model.grades import Severity
from pipelint.model.locations import Location
from pipelint.model.repair import Repair
from pipelint.rule import Evidence, Example, FixKind, Rule

_CODE = re.compile(r"[A-Z]+[0-9]{3}")
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_METHODS = {"check": "program", "check_suppressions": "unused"}


def broken_promises(rule: type[Rule]) -> list[str]:
    """What is wrong with a rule, each with what to do about it; nothing for a rule that can be used."""
    missing = [name for name in ("code", "name", "severity", "fix") if not hasattr(rule, name)]
    return [f"does not set {', '.join(missing)}"] if missing else [*_wrong_attributes(rule), *_wrong_methods(rule)]


def _wrong_attributes(rule: Any) -> Iterator[str]:
    # Any: the declared types are what is in question here.
    if not isinstance(rule.code, str) or not _CODE.fullmatch(rule.code):
        yield f"code = {rule.code!r}: a code is like PIPE201"
    if not isinstance(rule.name, str) or not _NAME.fullmatch(rule.name):
        yield f"name = {rule.name!r}: a name is like unparallelized-map"
    if not isinstance(rule.severity, Severity):
        yield f"severity = {rule.severity!r}: give one of {', '.join(map(str, Severity))}"
    if rule.fix not in get_args(FixKind):
        yield f"fix = {rule.fix!r}: give one of {', '.join(map(repr, get_args(FixKind)))}"
    if not isinstance(rule.default, bool):
        yield f"default = {rule.default!r}: give True or False"
    if not _is_table_of_numbers(rule.options):
        yield "options: give a dict of names and whole numbers, their defaults"
    if not isinstance(rule.words, tuple) or not all(isinstance(word, str) and word for word in rule.words):
        yield 'words: give a tuple of texts, such as ("shuffle",)'
    if not isinstance(rule.examples, tuple) or not all(isinstance(example, Example) for example in rule.examples):
        yield "examples: give a tuple of Example"
    if not isinstance(rule.evidence, Evidence | None):
        yield "evidence: give an Evidence, or None"


def _is_table_of_numbers(options: object) -> bool:
    return isinstance(options, Mapping) and all(
        isinstance(name, str) and type(number) is int for name, number in options.items()
    )


def _wrong_methods(rule: type[Rule]) -> Iterator[str]:
    own = [name for name in _METHODS if getattr(rule, name) is not getattr(Rule, name)]
    if not own:
        yield f"has no check{_misspelled(rule)}; define `def check(self, program)`"
    for name in own:
        if not _takes_one_argument(getattr(rule, name)):
            yield f"{name} must be a method of one argument: `def {name}(self, {_METHODS[name]})`"


def _takes_one_argument(method: object) -> bool:
    code = getattr(method, "__code__", None)
    # The usual form is told without `inspect`, which is slow for every rule of every run.
    if code is not None and (code.co_argcount, code.co_kwonlyargcount) == (2, 0):
        return True
    import inspect

    try:
        inspect.signature(method).bind(object(), object())  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
    return True


def _misspelled(rule: type[Rule]) -> str:
    """The method that may have been meant."""
    from difflib import get_close_matches

    own = [name for name, value in vars(rule).items() if callable(value) and not hasattr(Rule, name)]
    close = [name for name in own if get_close_matches(name.lower(), _METHODS)]
    return f" (is {close[0]!r} misspelled?)" if close else ""


class ImproperFinding(Exception):  # noqa: N818 - it says what happened
    """A rule gave something that is no finding of its own."""


def findings_of(rule: Rule, given: Iterable[object], places: type[Location] = Location) -> Iterator[Finding]:
    """What a rule's check gave, as findings that point at places of this kind; raises ImproperFinding for the rest."""
    told = f"rule {rule.code} ({rule.name})"
    if not isinstance(given, Iterable):
        raise ImproperFinding(f"{told} returns {_named(given)}; its check must yield findings, or nothing")
    for finding in given:
        if not isinstance(finding, Finding):
            raise ImproperFinding(f"{told} yields {_named(finding)}; yield `self.finding(place, message)`")
        if finding.code != rule.code:
            raise ImproperFinding(f"{told} yields a finding of {finding.code}; yield `self.finding(place, message)`")
        if not isinstance(finding.location, places):
            raise ImproperFinding(f"{told} points at {_named(finding.location)}; point at a place of the program")
        if not isinstance(finding.message, str):
            raise ImproperFinding(f"{told} gives {_named(finding.message)} for a message; give a text")
        if not isinstance(finding.fix, Fix | None):
            raise ImproperFinding(f"{told} gives {_named(finding.fix)} for a fix; give a `Fix`, or None")
        if finding.fix is not None and not isinstance(finding.fix.repair, Repair):
            raise ImproperFinding(f"{told} gives {_named(finding.fix.repair)} for a repair; pipelint.rule has them")
        yield finding


def _named(value: object) -> str:
    return "None" if value is None else f"something of type {type(value).__name__}"
