"""What [tool.pipelint] and the command line ask for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from pipelint.model.grades import Severity
from pipelint.model.tensorflow_version import Version
from pipelint.project.setting_keys import EDITOR_URL
from pipelint.source.errors import UserError
from pipelint.source.ignore_patterns import IgnorePatterns
from pipelint.source.paths import absolute

_VERSION = re.compile(r"(\d{1,3})\.(\d{1,4})(?:\.\S*)?")


class KnownRules(Protocol):
    """What is known of rules; loading them takes longer than all else, so nothing is asked without need."""

    @property
    def known(self) -> Mapping[str, str]:
        """The name of each rule by its code."""

    @property
    def options(self) -> Mapping[str, Mapping[str, int]]:
        """The options of each rule, with their defaults, by its name."""


class ConfigError(UserError):
    """A configuration that cannot be used: which file, which line, and what to do."""

    def __init__(self, message: str, path: Path | None = None, line: int | None = None) -> None:
        where = "" if path is None else f"{path}: " if line is None else f"{path}:{line}: "
        super().__init__(where + message)
        self.message = message
        self.path = path
        self.line = line


@dataclass(frozen=True)
class Settings:
    """What the configuration asks for; `dataclasses.replace` puts the command line on top."""

    root: Path = field(default_factory=Path.cwd)  # patterns and paths are relative to it
    source: Path | None = None  # the file that was read
    select: tuple[str, ...] | None = None  # None: the rules that are on by default
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    fixable: tuple[str, ...] | None = None  # None: all rules
    unfixable: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    extend_exclude: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    fail_on: Severity = Severity.WARNING
    min_severity: Severity = Severity.ADVICE
    output_format: str = "full"
    editor_url: str = EDITOR_URL
    severity: Mapping[str, Severity] = field(default_factory=dict)  # by code or name
    target_tensorflow: Version | None = None
    check_tests: bool = False
    rule_paths: tuple[Path, ...] = ()
    baseline: Path | None = None
    rule_options: Mapping[str, Mapping[str, int]] = field(default_factory=dict)  # by rule name

    def selects(self, code: str, name: str, default: bool) -> bool:
        """Whether a rule is on: the most specific entry decides, and `ignore` wins between equals."""
        wanted = specificity([*(self.select or ()), *self.extend_select], code, name)
        unwanted = specificity(self.ignore, code, name)
        if wanted is None:
            return default and self.select is None and unwanted is None
        return unwanted is None or wanted > unwanted

    def ignored_in(self, path: Path, code: str, name: str) -> bool:
        """Whether `per-file-ignores` turns a rule off in a file; a pattern with `!` means all other files."""
        return specificity(self.ignored_entries(path), code, name) is not None

    def ignored_entries(self, path: Path) -> list[str]:
        """What `per-file-ignores` turns off in a file, as written."""
        patterns = self.per_file_ignores.items()
        matching = (
            entries
            for pattern, entries in patterns
            if self._matches(pattern.removeprefix("!"), path) != pattern.startswith("!")
        )
        return [entry for entries in matching for entry in entries]

    def severity_of(self, code: str, name: str) -> Severity | None:
        """The severity that the configuration gives a rule, if any."""
        return self.severity.get(code, self.severity.get(name))

    def as_dict(self) -> dict[str, Any]:
        """The settings under the names of the configuration, as plain values."""
        target = self.target_tensorflow
        return {
            "config": None if self.source is None else str(self.source),
            "select": None if self.select is None else list(self.select),
            "ignore": list(self.ignore),
            "extend-select": list(self.extend_select),
            "fixable": None if self.fixable is None else list(self.fixable),
            "unfixable": list(self.unfixable),
            "exclude": list(self.exclude),
            "extend-exclude": list(self.extend_exclude),
            "per-file-ignores": {pattern: list(entries) for pattern, entries in self.per_file_ignores.items()},
            "fail-on": self.fail_on.value,
            "min-severity": self.min_severity.value,
            "output-format": self.output_format,
            "editor-url": self.editor_url,
            "severity": {rule: severity.value for rule, severity in self.severity.items()},
            "target-tensorflow": None if target is None else f"{target[0]}.{target[1]}",
            "check-tests": self.check_tests,
            "rule-paths": [str(path) for path in self.rule_paths],
            "baseline": None if self.baseline is None else str(self.baseline),
            **{rule: dict(options) for rule, options in self.rule_options.items()},
        }

    def _matches(self, pattern: str, path: Path) -> bool:
        patterns = IgnorePatterns(absolute(self.root).as_posix(), [pattern])
        return patterns.verdict(absolute(path).as_posix()) is True


def parse_target(text: str) -> Version:
    """The TensorFlow version in a text such as `2.16`; raises ValueError."""
    found = _VERSION.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text!r} is not a TensorFlow version such as 2.16")
    return int(found[1]), int(found[2])


def selector_problem(entry: str, known: Mapping[str, str], families: bool = True) -> str | None:
    """Why an entry of `select` stands for no known rule, with the closest ones; None if it stands for some."""
    if entry in known or entry in known.values():
        return None
    prefixes = {code[:length] for code in known for length in range(len(code.rstrip("0123456789")), len(code))}
    if families and (entry == "ALL" or entry in prefixes):
        return None
    hint = suggestion(entry, [*known, *known.values()], "`pipelint rule --all` lists the rules")
    return f"unknown rule {entry!r}; {hint}"


def specificity(entries: Iterable[str], code: str, name: str) -> int | None:
    """How closely entries name a rule: the length of the longest prefix of its code; None if none does."""
    lengths = [
        0 if entry == "ALL" else len(code) if entry == name else len(entry)
        for entry in entries
        if entry in ("ALL", name) or (entry and code.startswith(entry))
    ]
    return max(lengths, default=None)


def suggestion(word: str, possible: Iterable[str], otherwise: str) -> str:
    """Which of the possible words may be meant by one that is none of them, in words."""
    import difflib  # only for what is misspelled

    by_fold = {candidate.lower(): candidate for candidate in possible}
    close = difflib.get_close_matches(word.lower(), by_fold, n=2)
    return f"did you mean {' or '.join(by_fold[match] for match in close)}?" if close else otherwise
