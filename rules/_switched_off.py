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


def is_autotune_switched_off(program: Program, stage: Stage) -> bool:
    """Whether a comment at the call of a stage has AUTOTUNE for an argument: who wrote a number beside it tried both."""
    if not isinstance(stage.name, Region) or not isinstance(stage.call, Region):
        return False
    module = program.module_at(stage.call)
    end = module.text.find("\n", stage.call.end - module.start)
    lines = module.text[stage.name.start - module.start : end if end >= 0 else None].splitlines()
    return any(_names_autotune(line.partition("#")[2]) for line in lines if "#" in line)


def _names_autotune(comment: str) -> bool:
    """Whether a comment is an argument, or the value of one, that leaves a number to TensorFlow."""
    try:
        call = ast.parse(f"_({comment.strip()})", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    values = [*call.args, *(given.value for given in call.keywords)] if isinstance(call, ast.Call) else []
    return any(ast.unparse(value).rpartition(".")[2] == "AUTOTUNE" for value in values)


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
