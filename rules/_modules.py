"""What the modules of a program have to do with each other: who builds a dataset and who takes it, and the like."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pipelint.rule import (
    Argument,
    Dataset,
    Location,
    Module,
    Program,
    Reference,
    Related,
    Renamed,
    Stage,
    Trace,
)

_COMPAT = re.compile(r"\bcompat\b")


def end_of(dataset: Dataset) -> Stage:
    """The last stage of the dataset, of several ways to build it the one that is written last."""
    return max((pipeline.end for pipeline in dataset.variants), key=lambda end: end.name.order)


def by_home(program: Program, datasets: Iterable[Dataset]) -> list[list[Dataset]]:
    """The datasets of each module that consumes or returns them, together."""
    homes: dict[Module, list[Dataset]] = {}
    for dataset in datasets:
        homes.setdefault(_home(program, dataset), []).append(dataset)
    return list(homes.values())


def place_of(program: Program, dataset: Dataset) -> Location:
    """The last transformation that its home adds to the dataset; where that adds none, the call that takes it."""
    home, end = _home(program, dataset), end_of(dataset)
    for stage in (end, *end.straight_up()):
        if program.module_at(stage.name) is home and (stage is end or not stage.is_source):
            return stage.name
    taken = next(user.region for user in dataset.consumers if program.module_at(user.region) is home)
    return next((call.name for call in program.calls_at.get(taken, ())), taken)


def _home(program: Program, dataset: Dataset) -> Module:
    """The module that consumes or returns the dataset; of several, the one that builds it."""
    homes = [program.module_at(consumer.region) for consumer in dataset.consumers]
    built = program.module_at(end_of(dataset).name)
    return built if built in homes else homes[0]


def defined_elsewhere(program: Program, stage: Stage) -> tuple[Related, ...]:
    """The definition of the function that a stage applies, where another module has it."""
    function = stage.function.function if stage.function is not None else None
    if function is None or not _is_elsewhere(program, function.location, stage.name):
        return ()
    return (Related(function.location, f"`{function.title}` is defined here"),)


def traced_elsewhere(program: Program, trace: Trace, place: Location) -> tuple[Related, ...]:
    """Why the code at a place is recorded as a graph, where another module does that."""
    return (Related(trace.region, trace.reason),) if _is_elsewhere(program, trace.region, place) else ()


def given_elsewhere(program: Program, argument: Argument | None) -> Location | None:
    """The argument of a caller in another module that gives this one its value."""
    given = argument.given if argument is not None else None
    return given if argument and given and _is_elsewhere(program, given, argument.region) else None


def written_elsewhere(program: Program, argument: Argument | None, place: Location) -> tuple[Related, ...]:
    """The constant that gives an argument its value, where it stands in another module than a place."""
    written = argument.written if argument is not None else None
    if argument is None or written is None or not _is_elsewhere(program, written, place):
        return ()
    return (Related(written, f"{argument.constant} is written here"),)


def _is_elsewhere(program: Program, place: Location, other: Location) -> bool:
    return program.module_at(place) is not program.module_at(other)


def runs_with_tensorflow_1(program: Program, module: Module) -> bool:
    """Whether a program that a module is part of has a part that is written for TensorFlow 1, which lacks newer names."""
    # What goes through tf.compat runs on newer versions as well.
    legacy = {other.start for other in program.modules if other.legacy and not _COMPAT.search(other.text)}
    around = (other for other in program.modules if other.start in module.near)
    return bool(legacy) and any(legacy & other.near for other in around)


def has_new_name(program: Program, uses: tuple[Reference, ...], renamed: Renamed) -> bool:
    """Whether the code that uses an old name runs where the new one is; of a silent alias, whether the project shows it."""
    place = uses[0].region
    if not (program.works_with if renamed.logs else program.shows)(renamed.since, place):
        return False
    return program.is_asked_for or not any(_is_put_aside(program, use, renamed) for use in uses)


def _is_put_aside(program: Program, use: Reference, renamed: Renamed) -> bool:
    """Whether a comment on the line of an old name has the new one, which somebody took out for an older version."""
    module = program.module_at(use.region)
    line = module.text[use.region.end - module.start :].partition("\n")[0]
    return re.search(rf"#.*(?<!experimental)\.{renamed.new.rpartition('.')[2]}\b", line) is not None


def uses_by_module(program: Program, name: str) -> list[tuple[Reference, ...]]:
    """Where each module uses a name of a library without asking for its version, from top to bottom; imports one by one."""
    uses: dict[object, list[Reference]] = {}
    for reference in sorted(program.references, key=lambda reference: reference.region.start):
        if reference.name == name and not reference.guarded:
            together = reference if reference.imported else program.module_at(reference.region)
            uses.setdefault(together, []).append(reference)
    return [tuple(references) for references in uses.values()]
