"""Which files the function of a stage opens."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import FILES_PARAMETER, LISTS_FILES, Stage, Text


def paths_of(stage: Stage) -> Iterator[str]:
    """The paths, or beginnings of paths, that are known upstream and inside."""
    for part in (*stage.upstream(), *stage.inner_stages):
        for argument in part.arguments.values():
            yield from (argument.value.start,) if isinstance(argument.value, Text) else argument.texts


def is_one_file(stage: Stage) -> bool:
    """Whether the program shows that a stage is given a single file."""
    sources = [part for part in stage.upstream() if part.is_source]
    if len(sources) != 1 or sources[0].op not in LISTS_FILES:
        return len(sources) == 1 and sources[0].op == "from_tensors"
    files = sources[0].argument(FILES_PARAMETER[sources[0].op])
    if files is None or files.text is None:
        return False
    return sources[0].op != "list_files" or not any(sign in files.text for sign in "*?[")
