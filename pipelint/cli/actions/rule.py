"""`pipelint rule`: explains rules."""

from __future__ import annotations

import sys
from pathlib import Path

from pipelint.cli.actions.output import complain, emit
from pipelint.cli.actions.status import OK
from pipelint.display.terminal import wants_color
from pipelint.project.projects import Overrides, Projects
from pipelint.project.registry import Registry
from pipelint.report.rule_pages import as_site, render
from pipelint.source.errors import UserError


def run_rule(rule: str | None, output_format: str, color: str, allow_local_rules: bool) -> int:
    """Explain one rule, or all of them."""
    registry = _known(allow_local_rules)
    rules = list(registry) if rule is None else [registry.find(rule)]
    emit(render(rules, output_format, index=rule is None, color=wants_color(color, sys.stdout)), sys.stdout)
    return OK


def write_pages(directory: Path, allow_local_rules: bool) -> int:
    """Write a page for each rule, and a table of them, to the directory."""
    pages = as_site(list(_known(allow_local_rules)))
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name, text in pages.items():
            (directory / name).write_text(text, "utf-8", newline="\n")
    except OSError as error:
        raise UserError(f"{directory}: {error.strerror or error}") from error
    return OK


def _known(allow_local_rules: bool) -> Registry:
    return Projects(Overrides(allow_local_rules=allow_local_rules), tell=complain).known_rules()
