"""Checks the files of a run: what is remembered not again, and the rest by as many processes as it is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from pipelint.lint.check_batch import Batch, Checked, as_shown, check_batch, failed, without_left_over
from pipelint.lint.results import FileResult
from pipelint.lint.task import Task
from pipelint.project.projects import Overrides, Project, Projects
from pipelint.source.errors import FileError
from pipelint.source.garbage import all_done, seldom_collected
from pipelint.source.paths import absolute, shown_path

if TYPE_CHECKING:
    from pipelint.lint.remembered import Memory
    from pipelint.project.cache import Cache

_MOST_NAMED = 5
"""How many of the files of a process that died are named."""
_LARGE = 64
"""Files that are followed together are large from this part of all source on: what is smaller ends no run late."""


class Watch(Protocol):
    """Who wants to know how far a run is."""

    def begin(self, files: Sequence[Path]) -> None:
        """These are going to be checked."""

    def pulse(self) -> None:
        """Something was done that is no file."""

    def done(self, files: Sequence[Path], results: Sequence[FileResult]) -> None:
        """These are."""


@dataclass(frozen=True)
class Means:
    """What a run may use besides its own process, and who watches it."""

    jobs: int | None = 1
    """How many processes check files; None for as many as the files are worth."""
    cache: Cache | None = None
    watch: Watch | None = None


ALONE = Means()


@dataclass(frozen=True)
class AllChecked:
    """What became of the files of a run: their results, in their order, and what else was wrong."""

    results: Sequence[FileResult]
    unreadable: Sequence[FileError] = ()


def check_together(files: Sequence[tuple[Path, Project]], task: Task, means: Means, projects: Projects) -> AllChecked:
    """Check the files of a run, which their projects expect."""
    memory = _memory(files, task, means)
    if memory is not None and (results := memory.whole_run()) is not None:
        return AllChecked(_as_shown(files, results))
    if means.watch:
        means.watch.begin([path for path, _ in files])
    with seldom_collected():
        batches = _batches(files, task, means.watch)
    known = memory.batches(batches) if memory else {}
    checked = {batch: without_left_over(batch, outcome) for batch, outcome in known.items()}
    if means.watch:
        for batch, outcome in checked.items():
            means.watch.done(batch.files, [as_shown(result, batch.project) for result in outcome.results])
    pending = _in_order([batch for batch in batches if batch not in checked])
    fresh = _Fresh(projects.overrides, projects.config, task, tuple(path for path, _ in files))
    for batch, outcome in _checked(pending, task, means.jobs, fresh):
        if memory:
            memory.note(batch, outcome)
        checked[batch] = without_left_over(batch, outcome)
        if means.watch:
            means.watch.done(batch.files, [as_shown(result, batch.project) for result in checked[batch].results])
    unreadable = {error.path: error for outcome in checked.values() for error in outcome.unreadable}
    by_file = {
        path: result for batch in batches for path, result in zip(batch.files, checked[batch].results, strict=True)
    }
    results = [by_file[path] for path, _ in files]
    if memory:
        memory.keep(results)
    return AllChecked(_as_shown(files, results), list(unreadable.values()))


def _as_shown(files: Sequence[tuple[Path, Project]], results: Iterable[FileResult]) -> list[FileResult]:
    return [as_shown(result, project) for (_, project), result in zip(files, results, strict=True)]


def _memory(files: Sequence[tuple[Path, Project]], task: Task, means: Means) -> Memory | None:
    # What was found at another time, in another state of the files, has to be asked of git anyway.
    if means.cache is None or not files or task.known.asks_history:
        return None
    from pipelint.lint.remembered import Memory  # only with a cache

    with suppress(OSError):  # a rule that is gone
        return Memory(means.cache, files, task)
    return None


def _batches(files: Iterable[tuple[Path, Project]], task: Task, watch: Watch | None) -> list[Batch]:
    """The files that need one program, so that few programs are held at a time, or that fixes may connect."""
    found: dict[tuple[str, Project], list[Path]] = {}
    for path, project in files:
        here = absolute(path)
        graph = project.modules(here).graph
        if watch and graph.follows_groups:
            graph.imports_of(here)
            watch.pulse()
        mates = graph.connected(here) if task.changes_others else graph.group(here)[:1]
        found.setdefault((str(min(mates, default=here)), project), []).append(path)
    return [Batch(project, tuple(found[first, project])) for first, project in sorted(found, key=lambda key: key[0])]


def _in_order(batches: Sequence[Batch]) -> list[Batch]:
    """The large ones first, so that none is left to one process at the end; then neighbours, which import the same."""
    sizes = {batch: _size(batch) for batch in batches}
    large = sum(sizes.values()) / _LARGE
    return sorted(batches, key=lambda batch: -max(sizes[batch] - large, 0))


def _size(batch: Batch) -> int:
    size = 0
    for path in batch.files:
        with suppress(OSError):
            size += path.stat().st_size
    return size


def _checked(batches: Sequence[Batch], task: Task, jobs: int | None, fresh: _Fresh) -> Iterator[tuple[Batch, Checked]]:
    """What becomes of batches, as they are done."""
    if len(batches) > 1 and jobs != 1:
        from pipelint.lint import workers  # slow to load, and few files need none

        jobs = workers.usual_jobs(sum(map(_size, batches))) if jobs is None else jobs
        # A new process would have to ask git for all that this one knows.
        if jobs > 1 and (workers.SHARES_MEMORY or not task.known.asks_history):
            if workers.SHARES_MEMORY:
                _load_for_all(batches)
            known = {batch.files: batch for batch in batches}
            prepare = _Known(known, task) if workers.SHARES_MEMORY else fresh
            for index, answer in workers.in_workers(prepare, list(known), jobs, fork=workers.SHARES_MEMORY):
                batch = batches[index]
                yield batch, answer if isinstance(answer, Checked) else _died(batch, answer.reason)
            return
    try:
        yield from ((batch, check_batch(batch, task)) for batch in batches)
    finally:
        all_done()


def _load_for_all(batches: Iterable[Batch]) -> None:
    """Load what each process would otherwise load for itself."""
    import pipelint.lint.treat_findings
    import pipelint.lint.unit_program  # noqa: F401

    for project in {batch.project for batch in batches}:
        project.enabled  # noqa: B018


@dataclass(frozen=True)
class _Known:
    """Prepares a process that begins with all that this one knows."""

    batches: Mapping[tuple[Path, ...], Batch]
    task: Task

    def __call__(self) -> Callable[[tuple[Path, ...]], Checked]:
        return lambda paths: check_batch(self.batches[paths], self.task)


@dataclass(frozen=True)
class _Fresh:
    """Prepares a process that begins with nothing."""

    overrides: Overrides
    config: Path | None
    task: Task
    given: tuple[Path, ...]

    def __call__(self) -> Callable[[tuple[Path, ...]], Checked]:
        projects = Projects(self.overrides, self.config, tell=lambda line: None)  # the parent has told it
        by_project: dict[Project, list[Path]] = {}
        for path in self.given:
            by_project.setdefault(projects.of_file(path), []).append(path)
        for project, paths in by_project.items():
            self.task.known.expect(project, paths)
        return lambda paths: check_batch(Batch(projects.of_file(paths[0]), paths), self.task)


def _died(batch: Batch, reason: str) -> Checked:
    others = [shown_path(path) for path in batch.files[1:]]
    more = len(others) - _MOST_NAMED
    named = [*others[:_MOST_NAMED], *([f"{more} more"] if more > 0 else [])]
    beside = f", and with it {', '.join(named)}" if named else ""
    error = FileError(f"is not checked{beside}: the process that had it {reason}", path=batch.files[0])
    return Checked((failed(error, files=1), *[FileResult(files=1)] * len(others)))
