"""Profiles that were saved for editors: what each stage of a file took, kept in the cache until the next one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pipelint.project.cache import Cache
from pipelint.source.paths import absolute

_FORMAT = 1


@dataclass(frozen=True)
class SavedStage:
    """What was measured of a stage, and where it stood then."""

    op: str
    cell: int | None
    line: int
    source: str
    """The line without its indentation."""
    share: float | None
    seconds_per_batch: float | None
    is_bottleneck: bool
    pipeline: int
    """The place of its pipeline in the profile, in which the training comes first."""
    consumer: str
    """What took the batches, and in which epochs: `fit at train.py:40, training, later epochs`."""


@dataclass(frozen=True)
class SavedProfile:
    """The stages of one file, by the run that they were measured in."""

    target: str
    saved_at: str
    """The day and the time."""
    stages: tuple[SavedStage, ...]


def save_profile(cache: Cache, target: str, saved_at: str, stages: Iterable[tuple[Path, SavedStage]]) -> int:
    """Keep what was measured in place of what was; gives the number of files that have stages, 0 if none is kept."""
    by_file: dict[Path, list[dict[str, Any]]] = {}
    for path, stage in stages:
        by_file.setdefault(absolute(path), []).append(asdict(stage))
    cache.put({_key(path): {"target": target, "saved_at": saved_at, "stages": kept} for path, kept in by_file.items()})
    return len(cache.get([_key(path) for path in by_file])) if by_file else 0


def saved_profile(cache: Cache, path: Path) -> SavedProfile | None:
    """The last profile of a file, if there is one."""
    kept = cache.get([_key(path)]).get(_key(path))
    if not isinstance(kept, Mapping):
        return None
    try:
        stages = tuple(SavedStage(**stage) for stage in kept["stages"])
        return SavedProfile(str(kept["target"]), str(kept["saved_at"]), stages)
    except (KeyError, TypeError):  # no run has kept this
        return None


def _key(path: Path) -> str:
    return f"profile {_FORMAT} {absolute(path)}"
