"""`pipelint check --show-settings`: the settings that would be used, as TOML, each with where it comes from."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pipelint.cli.actions.output import emit, readable
from pipelint.cli.actions.status import OK
from pipelint.display.terminal import one_line, visible
from pipelint.project.configuration_file import ConfigurationFile
from pipelint.project.projects import Overrides, Project, Projects
from pipelint.project.requirements import lowest_requirement, newest_for_its_python
from pipelint.project.toml_lines import line_of
from pipelint.source.errors import FileError
from pipelint.source.paths import shown_path

_BY_DEFAULT = "default"
_ADDED = ("extend-select", "ignore", "unfixable", "extend-exclude")
"""What the command line says of these comes beside what the configuration says."""


def show_settings(projects: Projects, paths: Sequence[Path]) -> int:
    """Print the settings of each project that the paths belong to."""
    shown: dict[int, str] = {}
    for path in paths:
        project = projects.of(path)
        text = _settings_text(projects, project, path)
        shown.setdefault(id(project), f"# {one_line(shown_path(path))}\n{text}")
    emit(readable("\n".join(shown.values())), sys.stdout)
    return OK


def _settings_text(projects: Projects, project: Project, path: Path) -> str:
    overrides, settings = project.overrides, project.settings
    effective = replace(
        settings,
        select=settings.select if overrides.select is None else overrides.select,
        extend_select=settings.extend_select + overrides.extend_select,
        ignore=settings.ignore + overrides.ignore,
        fixable=settings.fixable if overrides.fixable is None else overrides.fixable,
        unfixable=settings.unfixable + overrides.unfixable,
        exclude=settings.exclude if overrides.exclude is None else overrides.exclude,
        extend_exclude=settings.extend_exclude + overrides.extend_exclude,
        per_file_ignores=settings.per_file_ignores
        if overrides.per_file_ignores is None
        else overrides.per_file_ignores,
        fail_on=project.fail_on,
        min_severity=project.min_severity,
        target_tensorflow=project.target(path),
        baseline=project.baseline,
    )
    origins = _Origins(projects.configuration(path if path.is_dir() else path.parent), projects.given, overrides)
    lines = [
        f"{key} = {_toml(value)}{origins.remark(key, path)}\n"
        for key, value in effective.as_dict().items()
        if value is not None
    ]
    return "".join([*lines, f"rules = {_toml([rule.code for rule in project.enabled])}\n"])


class _Origins:
    """Where settings come from: options, the lines of a file, or nowhere."""

    def __init__(self, file: ConfigurationFile | None, given: ConfigurationFile | None, overrides: Overrides) -> None:
        self._file = file
        self._given = given
        self._overrides = overrides

    def remark(self, key: str, path: Path) -> str:
        """Where a setting comes from, as a comment."""
        return "" if key == "config" else f"  # {one_line(self._origin(key, path))}"

    def _origin(self, key: str, path: Path) -> str:
        named = self._by_option(key)
        if named and key not in _ADDED:
            return named
        written = self._in_configuration(key)
        if written or named:
            return ", ".join(filter(None, [written, named]))
        if key == "target-tensorflow":
            return _origin_of_target(path)
        return f"{_BY_DEFAULT}, since the file is there" if key == "baseline" else _BY_DEFAULT

    def _by_option(self, key: str) -> str:
        name = key.replace("-", "_")
        return f"--{key}" if getattr(self._overrides, name, None) else ""

    def _in_configuration(self, key: str) -> str:
        if self._given is not None and key in self._given.values:
            return "--config"
        if self._file is None or self._file.path is None or key not in (self._file.values or {}):
            return ""
        line = line_of(self._file.text, (*self._file.table, key))
        return f"{shown_path(self._file.path)}:{line}" if line else shown_path(self._file.path)


def _origin_of_target(path: Path) -> str:
    directory = path if path.is_dir() else path.parent
    try:
        stated = lowest_requirement(directory)
    except FileError as error:
        return f"the newest that pipelint knows, as {error}"
    if stated is not None:
        return f"{shown_path(stated.file)}: tensorflow {stated.constraint.strip()}"
    if newest_for_its_python(directory) is not None:
        return "the newest for the Pythons of requires-python; no requirement names a version"
    return "the newest that pipelint knows; no requirement names a version"


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml(key)} = {_toml(inner)}" for key, inner in value.items()) + "}"
    return visible(json.dumps(value, ensure_ascii=False))
