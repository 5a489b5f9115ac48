"""The settings that an editor gives: what the command line has as options, under the names that editors use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipelint.project.projects import Overrides
from pipelint.project.settings import parse_target
from pipelint.source.errors import UserError

SECTION = "pipelint"
NAMES = ("select", "extendSelect", "ignore", "targetTensorflow", "config", "inlayHints")


@dataclass(frozen=True)
class ClientSettings:
    """What the editor asks for on top of the configuration.

    Rules that a checkout names are not let in here: the settings of a workspace may come with the checkout.
    """

    overrides: Overrides = field(default_factory=Overrides)
    config: Path | None = None
    inlay_hints: bool = True

    @classmethod
    def read(cls, given: object) -> ClientSettings:
        """The settings in what the editor sent, with or without their section; raises UserError."""
        table = given if isinstance(given, Mapping) else {}
        for section in ("settings", SECTION):
            inner = table.get(section)
            table = inner if isinstance(inner, Mapping) else table
        target = _text(table, "targetTensorflow")
        config = _text(table, "config")
        try:
            version = parse_target(target) if target else None
        except ValueError as error:
            raise UserError(f"{SECTION}.targetTensorflow: {error}") from error
        overrides = Overrides(
            select=_entries(table, "select"),
            extend_select=_entries(table, "extendSelect") or (),
            ignore=_entries(table, "ignore") or (),
            target_tensorflow=version,
        )
        return cls(overrides, Path(config) if config else None, table.get("inlayHints") is not False)


def _text(table: Mapping[str, Any], key: str) -> str:
    value = table.get(key)
    if value is not None and not isinstance(value, str):
        raise UserError(f"{SECTION}.{key} must be a text")
    return value or ""


def _entries(table: Mapping[str, Any], key: str) -> tuple[str, ...] | None:
    value = table.get(key)
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise UserError(f"{SECTION}.{key} must be a list of codes, names or families")
    return tuple(value)
