"""Cells that run in IPython or Jupyter: their code has the name of a file that nobody ever wrote."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Mapping
from typing import Any


def named_by_number(filename: str) -> str:
    """`<In[4]>` for code that ran as the fourth input, as its output is marked; any other file keeps its name."""
    number = _inputs().get(filename)
    if number is None:
        return filename
    name = f"<In[{number}]>"
    lines = linecache.getlines(filename)
    # What has no time of change is not looked for on disk.
    linecache.cache[name] = (sum(map(len, lines)), None, lines, name)
    return name


def _inputs() -> Mapping[str, int]:
    """The numbers of inputs by the names that their code has, where IPython runs."""
    ipython: Any = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    # Private, but what IPython's own tracebacks are made with since 8.0; without it, files keep their names.
    known: Mapping[str, int] = getattr(getattr(shell, "compile", None), "_filename_map", {})
    return known
