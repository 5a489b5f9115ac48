"""Where a dataset belongs that one module of a program builds and another takes."""

from __future__ import annotations

from collections.abc import Iterable

from pipelint.rule import Dataset, Location, Module, Program, Stage


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
    return next((call.name for call in program.calls if call.region == taken), taken)


def _home(program: Program, dataset: Dataset) -> Module:
    """The module that consumes or returns the dataset; of several, the one that builds it."""
    homes = [program.module_at(consumer.region) for consumer in dataset.consumers]
    built = program.module_at(end_of(dataset).name)
    return built if built in homes else homes[0]
