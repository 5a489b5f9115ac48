"""`pipelint rule`: explains rules."""

from __future__ import annotations

import sys

from pipelint.cli.actions.output import emit
from pipelint.cli.actions.status import OK
from pipelint.display.terminal import wants_color
from pipelint.project.load_rules import load_registry
from pipelint.project.settings import load_settings
from pipelint.report.rule_pages import render


def run_rule(rule: str | None, output_format: str, color: str) -> int:
    """Explain one rule, or all of them."""
    registry = load_registry(load_settings().rule_paths)
    rules = list(registry) if rule is None else [registry.find(rule)]
    emit(render(rules, output_format, index=rule is None, color=wants_color(color, sys.stdout)), sys.stdout)
    return OK
