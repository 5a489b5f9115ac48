"""[tool.pipelint] -> Settings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn, Protocol, TypeVar

from pipelint.model.grades import Severity
from pipelint.model.tensorflow_version import Version
from pipelint.project import toml
from pipelint.source.errors import FileError, UserError
from pipelint.source.ignore_patterns import IgnorePatterns
from pipelint.source.paths import absolute, leads_out
from pipelint.source.regular_files import LARGEST_SETTINGS, read_regular

_Value = TypeVar("_Value")
_NO_FILE = "\0"
"""No system has it in a path."""
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
    exclude: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    fail_on: Severity = Severity.WARNING
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
            "exclude": list(self.exclude),
            "per-file-ignores": {pattern: list(entries) for pattern, entries in self.per_file_ignores.items()},
            "fail-on": self.fail_on.value,
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


def load_settings(
    start: Path | None = None, *, config: Path | None = None, rules: KnownRules | None = None
) -> Settings:
    """The settings for a checked path: those of `config`, or of the nearest pyproject.toml with [tool.pipelint].

    Without `rules`, entries about rules are taken as they are, so that `rule_paths` can be read before the rules are
    known. Raises ConfigError.
    """
    return read_settings(find_configuration(start or Path.cwd(), config), rules)


def find_configuration(start: Path, config: Path | None = None) -> ConfigurationFile | None:
    """The configuration of a checked path: the one that is named, or the nearest; raises ConfigError."""
    return ConfigurationFile.read(config) if config is not None else _nearest(start)


def read_settings(
    file: ConfigurationFile | None, rules: KnownRules | None = None, *, all_rules_known: bool = True
) -> Settings:
    """The settings in a configuration, as `load_settings` gives them; the usual ones without a configuration.

    Where not all rules are known, because some were not loaded, entries about others are let through.
    """
    return Settings() if file is None else _Reader(file, rules, all_rules_known).settings()


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
    hint = _suggestion(entry, [*known, *known.values()], "`pipelint rule --all` lists the rules")
    return f"unknown rule {entry!r}; {hint}"


def specificity(entries: Iterable[str], code: str, name: str) -> int | None:
    """How closely entries name a rule: the length of the longest prefix of its code; None if none does."""
    lengths = [
        0 if entry == "ALL" else len(code) if entry == name else len(entry)
        for entry in entries
        if entry in ("ALL", name) or (entry and code.startswith(entry))
    ]
    return max(lengths, default=None)


def _suggestion(word: str, possible: Iterable[str], otherwise: str) -> str:
    import difflib  # only for what is misspelled

    by_fold = {candidate.lower(): candidate for candidate in possible}
    close = difflib.get_close_matches(word.lower(), by_fold, n=2)
    return f"did you mean {' or '.join(by_fold[match] for match in close)}?" if close else otherwise


@dataclass(frozen=True)
class ConfigurationFile:
    """A configuration file: its text, the path of the table that is pipelint's, and what stands in it."""

    path: Path
    text: str
    table: tuple[str, ...]
    values: Any

    @classmethod
    def read(cls, path: Path) -> ConfigurationFile:
        """The file at a path; raises ConfigError."""
        try:
            text = read_regular(path, LARGEST_SETTINGS).decode("utf-8-sig")
            document = toml.parse(text)
        except FileError as error:
            raise ConfigError(error.message, path) from error
        except OSError as error:
            raise ConfigError(f"cannot be read: {error.strerror or error}", path) from error
        except UnicodeDecodeError as error:
            raise ConfigError("is not UTF-8 text", path) from error
        except toml.TomlError as error:
            raise ConfigError(f"is not valid TOML: {error.message}", path, error.line) from error
        tool = document.get("tool")
        if path.name == "pyproject.toml" or (isinstance(tool, dict) and "pipelint" in tool):
            return cls(path, text, ("tool", "pipelint"), tool.get("pipelint") if isinstance(tool, dict) else None)
        return cls(path, text, (), document)


def _nearest(start: Path) -> ConfigurationFile | None:
    here = absolute(start)
    for directory in (here, *here.parents):
        path = directory / "pyproject.toml"
        if path.is_file():
            file = _read_if_ours(path)
            if file is not None and file.values is not None:
                return file
    return None


def _read_if_ours(path: Path) -> ConfigurationFile | None:
    """The file; None where it cannot be read as TOML and has no word of pipelint in it. Raises ConfigError."""
    try:
        return ConfigurationFile.read(path)
    except ConfigError as error:
        if isinstance(error.__cause__, (OSError, FileError)) or b"pipelint" in read_regular(path, LARGEST_SETTINGS):
            raise
        return None


class _Reader:
    """Turns the table into Settings and refuses what it does not know, with the line."""

    def __init__(self, file: ConfigurationFile, rules: KnownRules | None, all_rules_known: bool) -> None:
        self._file = file
        self._rules = rules
        self._all_rules_known = all_rules_known
        self._root = absolute(file.path).parent
        self._keys: dict[str, Callable[[str, Any], object]] = {
            "select": self._selectors,
            "ignore": self._selectors,
            "extend-select": self._selectors,
            "exclude": self._strings,
            "per-file-ignores": self._per_file_ignores,
            "fail-on": self._severity,
            "severity": self._severities,
            "target-tensorflow": self._target,
            "check-tests": self._boolean,
            "rule-paths": self._paths,
            "baseline": self._path,
        }

    def settings(self) -> Settings:
        table = self._table(self._file.values or {})
        fields: dict[str, Any] = {}
        rules: dict[str, Mapping[str, int]] = {}
        for key, value in table.items():
            if key in self._keys:
                fields[key.replace("-", "_")] = self._keys[key](key, value)
            elif self._rules is None and isinstance(value, dict):
                rules[key] = value
            elif self._rules is not None and (defaults := self._rules.options.get(key)):
                rules[key] = self._options(key, value, defaults)
            elif self._all_rules_known or not isinstance(value, dict):
                self._unknown(key)
        return Settings(root=self._root, source=self._file.path, rule_options=rules, **fields)

    def _refuse(self, message: str, *key: str) -> NoReturn:
        from pipelint.project.toml_lines import line_of  # only for a configuration with a mistake

        line = line_of(self._file.text, (*self._file.table, *key))
        raise ConfigError(message, self._file.path, line)

    def _unknown(self, key: str) -> NoReturn:
        known = self._rules.known if self._rules is not None else {}
        tables = [name for name, options in self._rules.options.items() if options] if self._rules is not None else []
        if key in known.values() or key in known:
            name = known.get(key, key)
            has = f"its table is called {name!r}" if name in tables else "it has no options"
            self._refuse(f"no table for rule {key!r}: {has}", key)
        hint = _suggestion(key, [*self._keys, *tables], f"the keys are {', '.join(self._keys)}")
        self._refuse(f"unknown key {key!r}; {hint}", key)

    def _table(self, value: Any, *key: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            self._refuse(f"{'.'.join(key) or 'tool.pipelint'} must be a table, not {_kind(value)}", *key)
        return value

    def _strings(self, *path_and_value: Any) -> tuple[str, ...]:
        *path, value = path_and_value
        if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
            example = f", such as [{_quoted(value)}]" if isinstance(value, str) else ""
            self._refuse(f"{'.'.join(path)} must be a list of strings{example}", *path)
        return tuple(value)

    def _selectors(self, *path_and_value: Any) -> tuple[str, ...]:
        entries = self._strings(*path_and_value)
        for entry in entries:
            self._must_be_known(entry, True, *path_and_value[:-1])
        return entries

    def _must_be_known(self, entry: str, families: bool, *path: str) -> None:
        problem = None if self._rules is None else selector_problem(entry, self._rules.known, families)
        if problem and self._all_rules_known:
            self._refuse(f"{path[0]}: {problem}", *path)

    def _per_file_ignores(self, key: str, value: Any) -> Mapping[str, tuple[str, ...]]:
        return {pattern: self._selectors(key, pattern, entries) for pattern, entries in self._table(value, key).items()}

    def _severities(self, key: str, value: Any) -> Mapping[str, Severity]:
        table = self._table(value, key)
        for rule in table:
            self._must_be_known(rule, False, key, rule)
        return {rule: self._severity(key, rule, severity) for rule, severity in table.items()}

    def _severity(self, *path_and_value: Any) -> Severity:
        *path, value = path_and_value
        values = [severity.value for severity in Severity]
        if value not in values:
            self._refuse(f"{'.'.join(path)} must be one of {', '.join(map(_quoted, values))}", *path)
        return Severity(value)

    def _target(self, key: str, value: Any) -> Version:
        if not isinstance(value, str):
            self._refuse(f'{key} must be a string such as "2.16", with the quotes: TOML reads 2.10 as 2.1', key)
        return self._checked(parse_target, value, key)

    def _boolean(self, key: str, value: Any) -> bool:
        if not isinstance(value, bool):
            self._refuse(f"{key} must be true or false", key)
        return value

    def _path(self, key: str, value: Any) -> Path:
        if not isinstance(value, str) or not value or _NO_FILE in value:
            self._refuse(f"{key} must be a path in quotes", key)
        path = self._root / value
        if leads_out(path, self._root):
            self._refuse(f"{key} must be a path in the project: {value!r} leads out of it; use --{key} for it", key)
        return path

    def _paths(self, key: str, value: Any) -> tuple[Path, ...]:
        entries = self._strings(key, value)
        if any(_NO_FILE in entry for entry in entries):
            self._refuse(f"{key} must be paths", key)
        return tuple(self._root / entry for entry in entries)

    def _options(self, rule: str, value: Any, defaults: Mapping[str, int]) -> Mapping[str, int]:
        table = self._table(value, rule)
        for option, number in table.items():
            if option not in defaults:
                hint = _suggestion(option, defaults, f"its options are {', '.join(defaults)}")
                self._refuse(f"unknown option {option!r} of {rule}; {hint}", rule, option)
            if not isinstance(number, int) or isinstance(number, bool) or number < 0:
                self._refuse(f"{rule}.{option} must be a whole number of at least 0", rule, option)
        return table

    def _checked(self, parse: Callable[[str], _Value], value: str, *key: str) -> _Value:
        try:
            return parse(value)
        except ValueError as error:
            self._refuse(f"{'.'.join(key)}: {error}", *key)


def _quoted(text: str) -> str:
    return f'"{text}"'


def _kind(value: object) -> str:
    kinds = {str: "a string", bool: "a boolean", int: "a number", float: "a number", list: "a list"}
    return kinds.get(type(value), "a date")
