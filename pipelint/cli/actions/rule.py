"""`pipelint rule`: explains rules."""

from __future__ import annotations

import sys

from pipelint.cli.actions.output import complain, emit
from pipelint.cli.actions.status import OK
from pipelint.display.terminal import wants_color
from pipelint.project.projects import Overrides, Projects
from pipelint.report.rule_pages import render


def run_rule(rule: str | None, output_format: str, color: str, allow_local_rules: bool) -> int:
    """Explain one rule, or all of them."""
    registry = Projects(Overrides(allow_local_rules=allow_local_rules), tell=complain).known_rules()
    rules = list(registry) if rule is None else [registry.find(rule)]
    emit(render(rules, output_format, index=rule is None, color=wants_color(color, sys.stdout)), sys.stdout)
    return OK
