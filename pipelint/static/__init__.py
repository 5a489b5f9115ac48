"""The static front end: Python source to the model, without running or importing it."""

from __future__ import annotations

from pipelint.static.analyse import analyse
from pipelint.static.parse import CannotParse, may_matter, parse

__all__ = ["CannotParse", "analyse", "may_matter", "parse"]
