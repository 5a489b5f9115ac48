"""Which consumed datasets are one dataset of the source, written out again at each consumer."""

from __future__ import annotations

from collections.abc import Iterable

from pipelint.rule import SPLITS, Dataset, Location, Pipeline, Stage


def by_definition(datasets: Iterable[Dataset]) -> list[list[Dataset]]:
    """The datasets that are built on the same named one, together: `fit(ds.map(f))` and `evaluate(ds.map(f))`.

    The ones with the fewest stages of their own come first.
    """
    groups: dict[tuple[Location, tuple[str, ...]], list[Dataset]] = {}
    for dataset in datasets:
        named = _named(dataset.variants[-1])
        groups.setdefault((named.call, named.variables), []).append(dataset)
    return [sorted(group, key=stages_of_its_own) for group in groups.values()]


def stages_of_its_own(dataset: Dataset) -> int:
    """How many stages follow the last one that has a name."""
    pipeline = dataset.variants[-1]
    return len(pipeline.trunk) - 1 - pipeline.trunk.index(_named(pipeline))


def _named(pipeline: Pipeline) -> Stage:
    """The last stage whose result has a name; one that takes a part of the elements begins another dataset."""
    return next((stage for stage in reversed(pipeline.trunk) if stage.variables or stage.op in SPLITS), pipeline.end)
