"""Where the stages of a pipeline are drawn: elements flow from top to bottom, and what joins stands side by side."""

from __future__ import annotations

from dataclasses import dataclass, field

from pipelint.dynamic.profile import PipelineProfile
from pipelint.model.pipeline import Stage

TALL, SLIM = 52.0, 30.0
"""The height of a stage, and of one that costs next to nothing."""

_WIDE, _NARROW = 312.0, 200.0
_ACROSS, _DOWN, _JOIN = 24.0, 24.0, 36.0
_FRAME_SIDE, _FRAME_TOP, _FRAME_BOTTOM = 12.0, 36.0, 14.0
_NEXT_TO_NOTHING = 0.02


@dataclass(frozen=True)
class Box:
    """A rectangle in the drawing."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """Halfway across."""
        return self.x + self.width / 2

    @property
    def bottom(self) -> float:
        """Where it ends."""
        return self.y + self.height


@dataclass(frozen=True)
class Layout:
    """The boxes of all stages, the frames around the pipelines inside a stage's function, and what leads where."""

    width: float
    height: float
    boxes: dict[Stage, Box]
    frames: tuple[tuple[Stage, Box], ...]
    """The outer ones before those inside them."""
    edges: tuple[tuple[Box, Box], ...]
    end: Box


@dataclass
class _Block:
    """A stage with all that flows into it, in its own coordinates."""

    stage: Stage
    width: float
    height: float
    x: float
    """Where the box of the stage begins; it stands at the bottom."""
    parts: list[tuple[float, float, _Block]] = field(default_factory=list)
    framed_by: Stage | None = None
    """The stage whose function it is inside of."""


def is_slim(stage: Stage, pipeline: PipelineProfile) -> bool:
    """Whether a stage costs so little that its name is enough."""
    return stage is not pipeline.culprit and (stage.share is None or stage.share < _NEXT_TO_NOTHING)


def layout(pipeline: PipelineProfile) -> Layout:
    """The drawing of a pipeline and, below it, of what consumes it."""
    joins = any(len(stage.inputs) > 1 or stage.inner for stage in pipeline.stages)
    node = _NARROW if joins else _WIDE
    blocks: dict[Stage, _Block] = {}
    for stage in pipeline.stages:
        # What another stage has taken already stays there; a line leads to it.
        parts = [blocks.pop(each) for each in stage.inputs if each in blocks]
        frames = [_framed(blocks.pop(inner.end), stage) for inner in stage.inner if inner.end in blocks]
        height = SLIM if is_slim(stage, pipeline) else TALL
        blocks[stage] = _joined(stage, node, height, parts, frames)
    return _placed(list(blocks.values()), node, pipeline)


def _joined(stage: Stage, node: float, height: float, inputs: list[_Block], frames: list[_Block]) -> _Block:
    """A stage below the middle of its inputs, the pipelines inside it to their right."""
    across = 0.0
    down = _JOIN if len(inputs) + len(frames) > 1 else _DOWN
    above = max((part.height for part in inputs + frames), default=-down)
    parts = []
    for part in inputs + frames:
        parts.append((across, above - part.height, part))
        across += part.width + _ACROSS
    trunk = parts[: len(inputs)] or parts
    x = (trunk[0][0] + trunk[0][2].x + trunk[-1][0] + trunk[-1][2].x) / 2 if trunk else 0.0
    return _Block(stage, max(across - _ACROSS, x + node), above + down + height, x, parts)


def _framed(block: _Block, owner: Stage) -> _Block:
    """The same with room for a frame around it."""
    moved = [(x + _FRAME_SIDE, y + _FRAME_TOP, part) for x, y, part in block.parts]
    width, height = block.width + 2 * _FRAME_SIDE, block.height + _FRAME_TOP + _FRAME_BOTTOM
    return _Block(block.stage, width, height, block.x + _FRAME_SIDE, moved, framed_by=owner)


def _placed(blocks: list[_Block], node: float, pipeline: PipelineProfile) -> Layout:
    boxes: dict[Stage, Box] = {}
    frames: list[tuple[Stage, Box]] = []
    left, tallest = 0.0, max((block.height for block in blocks), default=0.0)
    waiting: list[tuple[float, float, _Block]] = []
    for block in blocks:
        waiting.append((left, tallest - block.height, block))
        left += block.width + _ACROSS
    while waiting:
        x, y, block = waiting.pop()
        stage = block.stage
        height = SLIM if is_slim(stage, pipeline) else TALL
        bottom = y + block.height - (_FRAME_BOTTOM if block.framed_by is not None else 0.0)
        boxes[stage] = Box(x + block.x, bottom - height, node, height)
        if block.framed_by is not None:
            frames.append((block.framed_by, Box(x, y + _DOWN / 2, block.width, block.height - _DOWN / 2)))
        waiting += [(x + across, y + down, part) for across, down, part in block.parts]
    last = boxes[pipeline.pipeline.end]
    end = Box(last.x, tallest + _DOWN, node, SLIM)
    edges = [(boxes[part], boxes[stage]) for stage in pipeline.stages for part in stage.parts]
    return Layout(max(left - _ACROSS, node), end.bottom, boxes, tuple(frames), (*edges, (last, end)), end)
