"""A pipeline as a tree: what each stage takes, and the stages line by line from the sources to the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pipelint.dynamic.profile import PipelineProfile, StageProfile

_GOING_ON = str.maketrans({"┌": "│", "├": "│", "─": " ", "╌": " "})


@dataclass(frozen=True)
class Line:
    """A stage in the drawing: the lines that lead past it or to it, and the stage."""

    stage: StageProfile
    prefix: str = ""
    again: bool = False
    """Whether its own line stands elsewhere: more than one stage takes it."""

    @property
    def passing(self) -> str:
        """The prefix for what stands below the stage: the lines go on."""
        return self.prefix.translate(_GOING_ON)


def by_id(pipeline: PipelineProfile) -> dict[int, StageProfile]:
    """The stages by their ids."""
    return {stage.id: stage for stage in pipeline.stages}


def taken(
    stage: StageProfile, stages: Mapping[int, StageProfile]
) -> tuple[tuple[StageProfile, ...], tuple[StageProfile, ...]]:
    """The inputs of a stage, and the ends of the pipelines inside its function."""
    found = [stages[number] for number in stage.inputs if number in stages and number != stage.id]
    inputs = tuple(each for each in found if each.nested_in != stage.id)
    return inputs, tuple(each for each in found if each.nested_in == stage.id)


def lines(pipeline: PipelineProfile) -> list[Line]:
    """The stages in the order in which elements pass them; what flows together is set in until it meets."""
    stages = by_id(pipeline)
    blocks: dict[int, list[Line]] = {}

    def block(stage: StageProfile) -> list[Line]:
        return blocks.pop(stage.id, None) or [Line(stage, again=True)]

    for stage in pipeline.stages:
        inputs, inside = taken(stage, stages)
        drawn: list[Line] = []
        if len(inputs) == 1:
            drawn = block(inputs[0])
        else:
            for number, each in enumerate(inputs):
                drawn += _set_in(block(each), "├─ " if number else "┌─ ", "│  ")
        for each in inside:
            drawn += _set_in(block(each), "├╌ " if drawn else "┌╌ ", "┆  ")
        drawn.append(Line(stage))
        blocks[stage.id] = drawn
    return [line for drawn in blocks.values() for line in drawn]


def _set_in(drawn: list[Line], first: str, others: str) -> list[Line]:
    return [replace(line, prefix=(others if number else first) + line.prefix) for number, line in enumerate(drawn)]
