"""A pipeline as a tree: the stages line by line from the sources to the end."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pipelint.dynamic.profile import PipelineProfile
from pipelint.model.pipeline import Stage

_GOING_ON = str.maketrans({"┌": "│", "├": "│", "─": " ", "╌": " "})


@dataclass(frozen=True)
class StageLine:
    """A stage in the drawing: the lines that lead past it or to it, and the stage."""

    stage: Stage
    prefix: str = ""
    again: bool = False
    """Whether its own line stands elsewhere: more than one stage takes it."""

    @property
    def passing(self) -> str:
        """The prefix for what stands below the stage: the lines go on."""
        return self.prefix.translate(_GOING_ON)


def lines(pipeline: PipelineProfile) -> list[StageLine]:
    """The stages in the order in which elements pass them; what flows together is set in until it meets."""
    blocks: dict[Stage, list[StageLine]] = {}

    def block(stage: Stage) -> list[StageLine]:
        return blocks.pop(stage, None) or [StageLine(stage, again=True)]

    for stage in pipeline.stages:
        drawn: list[StageLine] = []
        if len(stage.inputs) == 1:
            drawn = block(stage.inputs[0])
        else:
            for number, each in enumerate(stage.inputs):
                drawn += _set_in(block(each), "├─ " if number else "┌─ ", "│  ")
        for inner in stage.inner:
            drawn += _set_in(block(inner.end), "├╌ " if drawn else "┌╌ ", "┆  ")
        drawn.append(StageLine(stage))
        blocks[stage] = drawn
    return [line for drawn in blocks.values() for line in drawn]


def _set_in(drawn: list[StageLine], first: str, others: str) -> list[StageLine]:
    return [replace(line, prefix=(others if number else first) + line.prefix) for number, line in enumerate(drawn)]
