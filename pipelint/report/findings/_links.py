"""Addresses of places: the line of a commit that all can read, or the line in the editor of whoever ran pipelint."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import quote

from pipelint.lint.diagnostic import Span
from pipelint.report.findings import FormatOptions
from pipelint.report.findings._exchange import in_checkout, well_formed
from pipelint.source.paths import absolute

Link = Callable[[Span], str]
"""The address of a place, empty where there is none."""


def to_commit(options: FormatOptions, environment: Mapping[str, str] = os.environ) -> Link | None:
    """How lines of the commit are reached: as the options say, or as the environment of a GitHub workflow does."""
    if options.line_url is not None:
        return lambda span: _filled(options.line_url or "", _below_root(span, environment), span)
    commit = _commit(environment)
    if commit is None:
        return None
    # GitHub shows notebooks as pages without lines, unless it is asked for the plain text.
    return lambda span: _filled(
        f"{commit}/{{path}}{'?plain=1' if span.path.endswith('.ipynb') else ''}#L{{line}}",
        _below_root(span, environment),
        span,
    )


def to_editor(options: FormatOptions) -> Link | None:
    """How the editor is opened."""
    if not options.editor_url:
        return None
    return lambda span: _filled(options.editor_url, f"/{absolute(Path(span.path)).as_posix().lstrip('/')}", span)


def _filled(template: str, path: str, span: Span) -> str:
    start = span.file_start
    values = {"{path}": quote(well_formed(path), safe="/:"), "{line}": str(start.line), "{column}": str(start.column)}
    for marker, value in values.items():
        template = template.replace(marker, value)
    return template if path else ""


def _below_root(span: Span, environment: Mapping[str, str]) -> str:
    path = in_checkout(span.path, "GITHUB_WORKSPACE", environment)
    return "" if Path(path).is_absolute() else path


def _commit(environment: Mapping[str, str]) -> str | None:
    """The address of the files of the commit that a workflow is about: of a pull request, its head."""
    repository, commit = environment.get("GITHUB_REPOSITORY"), environment.get("GITHUB_SHA")
    if environment.get("GITHUB_ACTIONS") != "true" or not repository or not commit:
        return None
    url = f"{environment.get('GITHUB_SERVER_URL', 'https://github.com')}/{repository}"
    try:
        head = json.loads(Path(environment.get("GITHUB_EVENT_PATH", "")).read_bytes())["pull_request"]["head"]
        url, commit = str(head["repo"]["html_url"]), str(head["sha"])
    except (OSError, ValueError, KeyError, TypeError):
        pass  # no pull request
    return f"{url}/blob/{commit}"
