"""[tool.pipelint] -> Settings."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from pipelint.model.grades import Severity
from pipelint.model.tensorflow_version import Version
from pipelint.project.configuration_file import ConfigurationFile, find_configuration
from pipelint.project.setting_keys import EDITOR_URL, OUTPUT_FORMATS
from pipelint.project.settings import ConfigError, KnownRules, Settings, parse_target, selector_problem, suggestion
from pipelint.source.paths import absolute, leads_out

_Value = TypeVar("_Value")
_NO_FILE = "\0"
"""No system has it in a path."""
_LINK = re.compile(r"(?!javascript:|data:|vbscript:)[a-z][a-z0-9+.-]*://\S*", re.IGNORECASE)
"""The address of something outside of a page, and not of a program that would run in it."""


def load_settings(
    start: Path | None = None, *, config: Path | None = None, rules: KnownRules | None = None
) -> Settings:
    """The settings for a checked path: those of `config`, or of the nearest pyproject.toml with [tool.pipelint].

    Without `rules`, entries about rules are taken as they are, so that `rule_paths` can be read before the rules are
    known. Raises ConfigError.
    """
    return read_settings(find_configuration(start or Path.cwd(), config), rules)


def read_settings(
    file: ConfigurationFile | None,
    rules: KnownRules | None = None,
    *,
    all_rules_known: bool = True,
    given: ConfigurationFile | None = None,
) -> Settings:
    """The settings in a configuration, as `load_settings` gives them; the usual ones without a configuration.

    Where not all rules are known, because some were not loaded, entries about others are let through. What is `given`
    on the command line goes on top; tables are taken together.
    """
    settings = Settings() if file is None else _Reader(file, rules, all_rules_known).settings()
    return settings if given is None else _on_top(settings, _Reader(given, rules, all_rules_known).fields())


def _on_top(settings: Settings, fields: Mapping[str, Any]) -> Settings:
    tables = {name: value for name, value in fields.items() if isinstance(value, dict)}
    merged = {name: {**getattr(settings, name), **table} for name, table in tables.items() if name != "rule_options"}
    rules = {
        rule: {**settings.rule_options.get(rule, {}), **options} for rule, options in fields["rule_options"].items()
    }
    return replace(settings, **{**fields, **merged, "rule_options": {**settings.rule_options, **rules}})


class _Reader:
    """Turns the table into Settings and refuses what it does not know, with the line."""

    def __init__(self, file: ConfigurationFile, rules: KnownRules | None, all_rules_known: bool) -> None:
        self._file = file
        self._rules = rules
        self._all_rules_known = all_rules_known
        self._root = Path.cwd() if file.path is None else absolute(file.path).parent
        self._keys: dict[str, Callable[[str, Any], object]] = {
            "select": self._selectors,
            "ignore": self._selectors,
            "extend-select": self._selectors,
            "fixable": self._selectors,
            "unfixable": self._selectors,
            "exclude": self._strings,
            "extend-exclude": self._strings,
            "per-file-ignores": self._per_file_ignores,
            "fail-on": self._severity,
            "min-severity": self._severity,
            "output-format": self._format,
            "editor-url": self._link,
            "severity": self._severities,
            "target-tensorflow": self._target,
            "check-tests": self._boolean,
            "rule-paths": self._paths,
            "baseline": self._path,
        }

    def settings(self) -> Settings:
        """The settings, with the usual ones for what the configuration does not say."""
        return Settings(root=self._root, source=self._file.path, **self.fields())

    def fields(self) -> dict[str, Any]:
        """What the configuration says, by the names of the fields."""
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
        return {**fields, "rule_options": rules}

    def _refuse(self, message: str, *key: str) -> NoReturn:
        from pipelint.project.toml_lines import line_of  # only for a configuration with a mistake

        if self._file.path is None:
            raise ConfigError(f"--config: {message}")
        line = line_of(self._file.text, (*self._file.table, *key))
        raise ConfigError(message, self._file.path, line)

    def _unknown(self, key: str) -> NoReturn:
        known = self._rules.known if self._rules is not None else {}
        tables = [name for name, options in self._rules.options.items() if options] if self._rules is not None else []
        if key in known.values() or key in known:
            name = known.get(key, key)
            has = f"its table is called {name!r}" if name in tables else "it has no options"
            self._refuse(f"no table for rule {key!r}: {has}", key)
        hint = suggestion(key, [*self._keys, *tables], f"the keys are {', '.join(self._keys)}")
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

    def _format(self, key: str, value: Any) -> str:
        if value not in OUTPUT_FORMATS:
            self._refuse(f"{key} must be one of {', '.join(map(_quoted, OUTPUT_FORMATS))}", key)
        return str(value)

    def _link(self, key: str, value: Any) -> str:
        if not isinstance(value, str) or (value and not _LINK.fullmatch(value)):
            self._refuse(f"{key} must be an address such as {_quoted(EDITOR_URL)}, or empty for no links", key)
        return value

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
        if self._file.path is None:
            self._refuse(f"{key} are code, and can only be named in a configuration file; see `pipelint trust`")
        entries = self._strings(key, value)
        if any(_NO_FILE in entry for entry in entries):
            self._refuse(f"{key} must be paths", key)
        return tuple(self._root / entry for entry in entries)

    def _options(self, rule: str, value: Any, defaults: Mapping[str, int]) -> Mapping[str, int]:
        table = self._table(value, rule)
        for option, number in table.items():
            if option not in defaults:
                hint = suggestion(option, defaults, f"its options are {', '.join(defaults)}")
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
