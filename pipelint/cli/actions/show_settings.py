"""`pipelint check --show-settings`: the settings that would be used, as TOML."""

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
from pipelint.project.projects import Project, Projects
from pipelint.source.paths import shown_path


def show_settings(projects: Projects, paths: Sequence[Path]) -> int:
    """Print the settings of each project that the paths belong to."""
    shown: dict[int, str] = {}
    for path in paths:
        project = projects.of(path)
        shown.setdefault(id(project), f"# {one_line(shown_path(path))}\n{_settings_text(project, path)}")
    emit(readable("\n".join(shown.values())), sys.stdout)
    return OK


def _settings_text(project: Project, path: Path) -> str:
    overrides, settings = project.overrides, project.settings
    effective = replace(
        settings,
        select=settings.select if overrides.select is None else overrides.select,
        extend_select=settings.extend_select + overrides.extend_select,
        ignore=settings.ignore + overrides.ignore,
        fail_on=project.fail_on,
        target_tensorflow=project.target(path),
        baseline=project.baseline,
    )
    values = {**effective.as_dict(), "rules": [rule.code for rule in project.enabled]}
    return "".join(f"{key} = {_toml(value)}\n" for key, value in values.items() if value is not None)


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml(key)} = {_toml(inner)}" for key, inner in value.items()) + "}"
    return visible(json.dumps(value, ensure_ascii=False))
