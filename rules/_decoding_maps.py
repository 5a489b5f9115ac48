"""Maps that turn paths or records into something much larger."""

from __future__ import annotations

from pipelint.rule import (
    BATCHING,
    FILE_READERS,
    KEEPS,
    LISTS_FILES,
    MAPS,
    MERGES,
    RETURNS_DATASETS,
    SHUFFLES,
    SPLITS,
    TAKES_APART,
    Effect,
    Stage,
)

from ._choices import stand_together

_PICTURES = ("decode_bmp", "decode_gif", "decode_image", "decode_jpeg", "decode_png", "decode_and_crop_jpeg")
_SOUNDS = ("decode_wav",)
_STOPS = BATCHING | KEEPS | SPLITS | TAKES_APART | RETURNS_DATASETS | SHUFFLES | MERGES
"""Behind these a shuffle has other elements, another choice of them, or what a cache keeps."""


def decoding_map_before(shuffle: Stage) -> Stage | None:
    """The first map before a shuffle that decodes what the shuffle could move as paths or records."""
    found: Stage | None = None
    for stage in shuffle.straight_up():
        if stage.op in _STOPS or not stage.inputs:
            break
        if decodes(stage):
            found = stage
    if found is None or not stand_together(found, shuffle):
        return None
    return found if gives_files_or_records(found.inputs[0]) else None


def decodes(stage: Stage) -> bool:
    """Whether a map makes pictures of compressed ones, or pictures or sounds of their paths."""
    function = stage.function if stage.op in MAPS else None
    if function is None:
        return False
    decoded = {cause.name.rpartition(".")[2] for cause in function.causes if cause.effect is Effect.DECODE}
    reads = function.cause(Effect.READ) is not None
    return not decoded.isdisjoint(_PICTURES) or (reads and not decoded.isdisjoint(_SOUNDS))


def gives_files_or_records(stage: Stage) -> bool:
    """Whether elements are names of files, their records, or slices of arrays, in an order that no shuffle has changed."""
    for one in (stage, *stage.straight_up()):
        if one.op in RETURNS_DATASETS:
            return any(part.op in FILE_READERS for part in one.inner_stages)
        if one.op in SHUFFLES or one.op in KEEPS:
            return False
        if one.is_source:
            return one.op in FILE_READERS | LISTS_FILES
    return False
