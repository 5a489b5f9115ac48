"""What was measured of the stages of a file, beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types as lsp
from pygls.workspace import PositionCodec

from pipelint.display.figures import duration, percent
from pipelint.project.saved_profiles import SavedProfile, SavedStage
from pipelint.server.client_ranges import Ruler
from pipelint.server.open_files import EditedFile, OpenPart

_FAR = 50
"""How many lines a stage may have moved since it was measured: one that is farther is likely another."""


def measured_hints(
    file: EditedFile, part: OpenPart, profile: SavedProfile, codec: PositionCodec
) -> list[lsp.InlayHint]:
    """The hints of one text, one for each line with stages that stands as it was measured, wherever it moved."""
    cell = next(number for number, known in file.parts.items() if known == part)
    by_line: dict[int, list[SavedStage]] = {}
    for stage in profile.stages:
        line = _line_now(stage, part.lines) if stage.cell == cell else None
        if line is not None:
            by_line.setdefault(line, []).append(stage)
    ruler = Ruler(part.lines, codec)
    return [
        lsp.InlayHint(
            position=ruler.line_end(line),
            label=_label(stages),
            padding_left=True,
            tooltip=lsp.MarkupContent(lsp.MarkupKind.Markdown, "\n".join(_tooltip(stages, profile))),
        )
        for line, stages in sorted(by_line.items())
        if _label(stages)
    ]


def _line_now(stage: SavedStage, lines: Sequence[str]) -> int | None:
    """The line, from 1, that reads as the stage's did: the nearest to where it stood."""
    for distance in range(_FAR + 1):
        for line in dict.fromkeys((stage.line + distance, stage.line - distance)):
            if 0 < line <= len(lines) and lines[line - 1].strip() == stage.source:
                return line
    return None


def _label(stages: Sequence[SavedStage]) -> str:
    # Several consumers, or the epochs before and after a cache is full: the first is that of the training.
    first = min(stage.pipeline for stage in stages)
    told = [(stage.op, _figures(stage)) for stage in stages if stage.pipeline == first and _figures(stage)]
    if len(told) == 1:
        return told[0][1]
    return ", ".join(f"{op} {figures}" for op, figures in told)


def _figures(stage: SavedStage) -> str:
    figures = " · ".join(filter(None, (percent(stage.share), duration(stage.seconds_per_batch))))
    return f"{figures} (bottleneck)" if figures and stage.is_bottleneck else figures


def _tooltip(stages: Sequence[SavedStage], profile: SavedProfile) -> Iterator[str]:
    for stage in stages:
        share, time = percent(stage.share), duration(stage.seconds_per_batch)
        yield f"- `{stage.op}` for {stage.consumer}: {share} of the work of the pipeline, {time} a batch"
    yield f"\nMeasured by `pipelint profile {profile.target}`, saved {profile.saved_at}"
