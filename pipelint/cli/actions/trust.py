"""`pipelint trust`: writes down which local rules may run."""

from __future__ import annotations

import sys
from pathlib import Path

from pipelint.cli.actions.output import emit, readable
from pipelint.cli.actions.status import OK
from pipelint.display.terminal import one_line, visible
from pipelint.project.local_rules import LocalRules
from pipelint.project.read_settings import load_settings
from pipelint.project.trust_record import give_trust, take_trust
from pipelint.source.errors import UserError
from pipelint.source.paths import shown_path


def run_trust(config: Path | None, revoke: bool) -> int:
    """Trust the rules of the configuration that is named or nearest, or trust them no longer; gives the exit status."""
    settings = load_settings(config=config)
    if settings.source is None:
        raise UserError("there is no [tool.pipelint] in a pyproject.toml here or above")
    shown = shown_path(settings.source)
    if revoke:
        record = take_trust(settings.source)
        _say(f"No rules of {shown} are trusted any longer ({record}).")
        return OK
    local = LocalRules.of(settings)
    if local is None:
        raise UserError(f"{shown} names no rule-paths, so there is nothing to trust")
    record = give_trust(local)
    files = [f"  {one_line(shown_path(file))}" for file in local.files()]
    _say(*files, f"Trusted as they are now, for {shown} ({record}); when one changes, run `pipelint trust` again.")
    return OK


def _say(*lines: str) -> None:
    emit(readable("".join(f"{visible(line)}\n" for line in lines)), sys.stdout)
