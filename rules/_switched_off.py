"""Stages that are written down as comments: who switched one off wants the pipeline without it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pipelint.rule import PREFETCHES, Dataset, Program, Region, Stage


def is_prefetch_switched_off(program: Program, dataset: Dataset) -> bool:
    """Whether a comment behind the end of a dataset, however it is built, would assign it anew with a prefetch."""
    return all(
        any(_prefetches(comment, variant.end.variables) for comment in _comments_behind(program, variant.end))
        for variant in dataset.variants
    )


def _prefetches(comment: str, variables: tuple[str, ...]) -> bool:
    try:
        statements = ast.parse(comment).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    match statements:
        case [ast.Assign(targets=[target], value=ast.Call(func=ast.Attribute(attr=method)))]:
            return method in PREFETCHES and ast.unparse(target) in variables
        case _:
            return False


def _comments_behind(program: Program, stage: Stage) -> Iterator[str]:
    """The lines of comment between a stage and the next line of code, each without its mark."""
    if not isinstance(stage.call, Region):
        return  # a live pipeline has no text
    module = program.module_at(stage.call)
    text, end = module.text, stage.call.end - module.start
    # Line by line: below a stage in a long file there may be thousands of others.
    while (start := text.find("\n", end) + 1) > 0:
        end = text.find("\n", start)
        line = text[start : end if end >= 0 else None].strip()
        if line and not line.startswith("#"):
            return
        yield line.lstrip("# ")
        if end < 0:
            return
