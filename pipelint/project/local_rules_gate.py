"""Decides which local rules run: those of the configuration that the user works under, if they are trusted."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from pipelint.project.local_rules import LocalRules
from pipelint.source.paths import shown_path

VARIABLE = "PIPELINT_ALLOW_LOCAL_RULES"
_HOW = f"allow it with --allow-local-rules, {VARIABLE}=1 or `pipelint trust`"


@dataclass(frozen=True)
class LocalRulesGate:
    """Where the user works, and what they have said of local rules."""

    root: LocalRules | None
    """The rules of the configuration that the command line names, or of the nearest one to the working directory."""
    allowed: bool = False
    """Whether the command line says that they may run."""

    def refusal(self, local: LocalRules, environment: Mapping[str, str] = os.environ) -> str | None:
        """Why rules are not loaded and how to allow it, in one line; None where they may run."""
        not_loaded = f"{shown_path(local.config)}: the rules in {local.shown} (rule-paths) were not loaded"
        # Others may name its rules too, and nothing else.
        if self.root is None or not set(local.paths) <= set(self.root.paths):
            return f"{not_loaded}: only the configuration of the directory that pipelint runs in may name rules"
        if self.allowed or environment.get(VARIABLE, "0") not in ("", "0"):
            return None
        from pipelint.project.trust_record import Trust, trust_in  # only for those who have such rules

        trust = trust_in(self.root, environment)
        if trust is Trust.GIVEN:
            return None
        why = "they have changed since you trusted them" if trust is Trust.OUTDATED else "they are code"
        return f"{not_loaded}: {why}; {_HOW}"
