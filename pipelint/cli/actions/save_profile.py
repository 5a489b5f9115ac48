"""`pipelint profile --save`: keeps what was measured where `pipelint server` finds it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from pipelint.display.figures import counted
from pipelint.dynamic.profile import PipelineProfile, Profile
from pipelint.project.cache import Cache, cache_directory
from pipelint.project.saved_profiles import SavedStage, save_profile
from pipelint.report.profile import sentences
from pipelint.source.errors import UserError
from pipelint.source.paths import split_cell


def save_for_editors(profile: Profile, directory: Path | None) -> str:
    """Keep a profile, and say so in one line; raises UserError where it cannot be kept."""
    where = directory or cache_directory()
    if where is None:
        raise UserError("--save: there is no directory for caches; name one with --cache-dir")
    stages = [found for number, pipeline in enumerate(profile.pipelines) for found in _stages(number, pipeline)]
    if not stages:
        return "nothing is saved: no stage has a place in a file"
    saved_at = datetime.now().astimezone().isoformat(" ", "minutes")
    files = save_profile(Cache(where), profile.target, saved_at, stages)
    if not files:
        raise UserError(f"--save: cannot write to {where}; name another directory with --cache-dir")
    return f"saved for editors: {counted(_distinct(stages), 'stage', 'stages')} in {counted(files, 'file', 'files')}"


def _distinct(stages: Sequence[tuple[Path, SavedStage]]) -> int:
    """How many there are in the source: one that was measured in several epochs, or for several consumers, is one."""
    measured: dict[int, Counter[tuple[Path, int | None, int, str]]] = {}
    for path, stage in stages:
        measured.setdefault(stage.pipeline, Counter())[path, stage.cell, stage.line, stage.op] += 1
    most: Counter[tuple[Path, int | None, int, str]] = Counter()
    for places in measured.values():
        most |= places
    return most.total()


def _stages(number: int, pipeline: PipelineProfile) -> Iterator[tuple[Path, SavedStage]]:
    for stage in pipeline.stages:
        place, cost = stage.place, stage.cost
        # What is no file, such as an input of IPython, nobody opens.
        if place is None or place.path.startswith("<"):
            continue
        path, cell = split_cell(place.path)
        yield (
            Path(path),
            SavedStage(
                op=stage.op,
                cell=cell,
                line=place.line,
                source=pipeline.source_line(place),
                share=stage.share,
                seconds_per_batch=cost.seconds if cost else None,
                is_bottleneck=stage is pipeline.culprit,
                pipeline=number,
                consumer=sentences.consumer(pipeline),
            ),
        )
