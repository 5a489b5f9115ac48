"""Modules of the project around a program, as values."""

from __future__ import annotations

from dataclasses import dataclass

from pipelint.model.values import Value
from pipelint.source.module_text import ModuleText


@dataclass(frozen=True)
class ModuleValue(Value):
    """A module as a value, named by an import."""

    source: ModuleText
