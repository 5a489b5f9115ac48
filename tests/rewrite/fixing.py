"""Fixes a source with one of pipelint's own rules."""

from __future__ import annotations

import ast

from pipelint.model.edit import Edits
from pipelint.model.program import Program
from pipelint.model.repair import Repair
from pipelint.project.projects import Overrides
from pipelint.rewrite.rewriter import Rewriter
from pipelint.rewrite.syntax import Unfit
from tests import linting

TF = "import tensorflow as tf\n"


OLD = (2, 5)
"""A TensorFlow that makes no map parallel by itself, so that PIPE201 speaks of each, whatever it costs."""


def fixed(code: str, source: str, target: tuple[int, int] = OLD) -> str:
    """The source after all fixes of one rule, checked to parse and to stay as it is when fixed again."""
    overrides = Overrides(select=(code,), target_tensorflow=target)
    after = linting.fixed(source, overrides)
    ast.parse(after)
    assert linting.fixed(after, overrides) == after
    return after


def found(code: str, source: str) -> int:
    """How many findings of the rule the source has."""
    return len(linting.check(source, Overrides(select=(code,), target_tensorflow=OLD)).diagnostics)


def edits_of(source: str, program: Program, repair: Repair) -> Edits:
    """The edits of a repair, none where the source cannot take it."""
    try:
        return Rewriter(source, program).edits(repair)
    except Unfit:
        return ()
