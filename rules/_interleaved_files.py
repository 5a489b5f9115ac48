"""Which files the function of a stage opens."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import FILES_PARAMETER, LISTS_FILES, REMOTE_FILES, Literal, Stage, Text


def remote_scheme(stage: Stage) -> str | None:
    """How the paths begin of files that a network gives; None where no path in sight does."""
    return next((scheme for text in _paths_of(stage) for scheme in REMOTE_FILES if text.startswith(scheme)), None)


def _paths_of(stage: Stage) -> Iterator[str]:
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


def are_several_files(stage: Stage) -> bool:
    """Whether the program shows that a stage is given several files: a list of them, or a pattern with wildcards."""
    sources = [part for part in stage.upstream() if part.is_source]
    return len(sources) > 1 or any(map(_gives_several, sources))


def _gives_several(source: Stage) -> bool:
    files = source.argument(FILES_PARAMETER.get(source.op, ""))
    # A pattern of which nothing is known may well be a path.
    known = source.op != "list_files" or (files is not None and isinstance(files.value, (Literal, Text)))
    return (bool(source.several) and known) or (source.cardinality is not None and source.cardinality > 1)
