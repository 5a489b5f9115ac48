"""The same repair for other stages: of a program that runs for its source, and the other way round."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pipelint.model.pipeline import Dataset, Stage
from pipelint.model.repair import (
    Append,
    CodeRepair,
    Distribute,
    InsertAfter,
    MoveAfter,
    Product,
    Repair,
    SetArgument,
    SetOption,
    SliceItems,
    Together,
)


class Nowhere(Exception):  # noqa: N818 - an answer, not an error
    """A stage has no counterpart, or a repair cannot be asked of another one."""


def relocated(repair: Repair, stage_of: Callable[[Stage], Stage | None], dataset: Dataset | None) -> CodeRepair:
    """The repair with the counterparts of its stages and of its dataset; raises Nowhere."""

    def found(stage: Stage) -> Stage:
        other = stage_of(stage)
        if other is None:
            raise Nowhere
        return other

    match repair:
        case SetArgument(stage=stage):
            return repair._replace(stage=found(stage))
        case InsertAfter(stage=stage):
            return repair._replace(stage=found(stage))
        case SliceItems(stage=stage):
            return repair._replace(stage=found(stage))
        case Distribute(stage=stage):
            return repair._replace(stage=found(stage))
        case MoveAfter(stage=stage, others=others, replacing=replacing):
            if any(isinstance(value, Product) for _, value in replacing):
                raise Nowhere
            return repair._replace(stage=found(stage), others=tuple(map(found, others)))
        case Append() | SetOption():
            if dataset is None:
                raise Nowhere
            return repair._replace(dataset=dataset)
        case Together(repairs=parts):
            return Together(tuple(relocated(part, stage_of, dataset) for part in parts))
    raise Nowhere


def stages_of(repair: Repair) -> Iterator[Stage]:
    """The stages that a repair is about, where it is about any."""
    match repair:
        case Append(dataset=dataset) | SetOption(dataset=dataset):
            yield dataset.variants[0].end
        case Together(repairs=parts):
            for part in parts:
                yield from stages_of(part)
        case _:
            if isinstance(stage := getattr(repair, "stage", None), Stage):
                yield stage
