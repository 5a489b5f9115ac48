"""Datasets of which one part is taken and another skipped to, and what keeps the parts from staying the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pipelint.rule import KEEPS, Argument, Literal, Pipeline, Program, Purpose, Region, Stage, purpose_of_words

from ._purpose import proven_purpose
from ._shuffling import reshuffles, shuffles

_SHUFFLING_SOURCES = frozenset(
    {"list_files", "image_dataset_from_directory", "text_dataset_from_directory", "audio_dataset_from_directory"}
)
"""Sources that shuffle anew in each pass, unless `shuffle=False` says otherwise."""


@dataclass(frozen=True)
class Part:
    """A `take` or a `skip` of a dataset, and a pipeline that is built on it."""

    stage: Stage
    pipeline: Pipeline

    @property
    def purpose(self) -> Purpose:
        """What the part is for, by what takes its elements, else by the variables that hold it."""
        proven = proven_purpose(self.pipeline)
        if proven is not Purpose.UNKNOWN:
            return proven
        held_by = [name for stage in (self.stage, *self.stage.downstream()) for name in stage.variables]
        told = (purpose_of_words(names) for names in ([user.variable for user in self.pipeline.consumers], held_by))
        return next((purpose for purpose in told if purpose is not Purpose.UNKNOWN), Purpose.UNKNOWN)


@dataclass(frozen=True)
class Split:
    """A dataset with the parts that are taken of it, and those that skip some of it."""

    whole: Stage
    taken: tuple[Part, ...]
    rest: tuple[Part, ...]

    @property
    def purposes(self) -> frozenset[frozenset[Purpose]]:
        """What each two parts are for, one taken and one of the rest."""
        return frozenset(frozenset({one.purpose, other.purpose}) for one in self.taken for other in self.rest)

    @property
    def trained_as_they_come(self) -> list[Part]:
        """The parts to train on whose elements nothing shuffles behind the split."""
        trained = (part for part in (*self.taken, *self.rest) if part.purpose is Purpose.TRAINING)
        return [part for part in trained if not any(map(shuffles, part.stage.downstream()))]

    def ought_to_be_apart(self, program: Program) -> bool:
        """Whether a part evaluates, or nothing tells what they are for and they are cut at the same place."""
        if any(Purpose.EVALUATION in pair for pair in self.purposes):
            return True
        cut = [{_count(program, part.stage) for part in parts} for parts in (self.taken, self.rest)]
        return frozenset({Purpose.TRAINING}) not in self.purposes and not cut[0].isdisjoint(cut[1])


def splits(program: Program) -> Iterator[Split]:
    """Every dataset of which the program uses a part that is taken and one that skips some."""
    parts: dict[int, list[Part]] = {}
    running = (dataset for dataset in program.datasets if not dataset.is_never_run)
    for pipeline in (variant for dataset in running for variant in dataset.variants):
        for stage in pipeline.stages:
            whole = stage.inputs[0].gives if stage.op in ("take", "skip") and stage.inputs else None
            if whole is not None:
                parts.setdefault(whole, []).append(Part(stage, pipeline))
    for found in parts.values():
        taken, rest = (tuple(part for part in found if part.stage.op == op) for op in ("take", "skip"))
        if taken and rest:
            yield Split(rest[0].stage.inputs[0], taken, rest)


def _count(program: Program, stage: Stage) -> str:
    count = stage.argument("count")
    return program.written(count.region) if count is not None and isinstance(count.region, Region) else ""


def reshuffling_stage(whole: Stage) -> Stage | None:
    """The nearest stage that gives another order in each pass; None behind a cache, which keeps the first."""
    for stage in (whole, *whole.straight_up()):
        if stage.op in KEEPS:
            return None
        if reshuffles(stage) or _lists_anew(stage):
            return stage
    return None


def _lists_anew(stage: Stage) -> bool:
    if stage.hides_arguments or stage.op not in _SHUFFLING_SOURCES:
        return False
    again = stage.argument("shuffle")
    return again is None or again.value in (Literal(None), Literal(True))


def is_shown_with_both(program: Program, shuffle: Stage) -> bool:
    """Whether a shuffle spells out that it reshuffles, beside one that spells out that it does not: both are shown."""
    if _spelled_out(shuffle) is not True:
        return False
    stages = (stage for pipeline in program.near(shuffle.name).all_pipelines for stage in pipeline.stages)
    return any(_spelled_out(stage) is False for stage in stages)


def _spelled_out(shuffle: Stage) -> bool | None:
    match shuffle.argument("reshuffle_each_iteration"):
        case Argument(value=Literal(value=bool() as again)):
            return again
        case _:
            return None


def loads_in_any_order(shuffle: Stage) -> bool:
    """Whether tensorflow_datasets reads the files in another order in each pass, besides."""
    loads = (stage.argument("shuffle_files") for stage in shuffle.upstream() if stage.op == "load")
    return any(asked is not None and asked.value == Literal(True) for asked in loads)
