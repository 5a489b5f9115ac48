"""The files that changed since the merge base with a revision, and what they were then."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pipelint.source.discovery import SUFFIXES
from pipelint.source.errors import FileError, UserError
from pipelint.source.git import Changed, Repository
from pipelint.source.git_process import GitError

_FETCH = "fetch more history, with `git fetch --unshallow` or `fetch-depth: 0` for actions/checkout"


@dataclass(frozen=True)
class ChangedFiles:
    """What changed since the merge base of HEAD and a revision, by commits or by work that is not committed."""

    _changes: tuple[tuple[Repository, Changed], ...]

    @classmethod
    def over(cls, revision: str, paths: Iterable[Path]) -> ChangedFiles:
        """The changes in the repositories of the paths; raises UserError where git cannot tell."""
        existing = [path for path in paths if path.exists()]
        named = [path for path in existing if path.is_file()]
        repositories = dict.fromkeys(map(_repository, existing))
        found = (_changes(repository, _merge_base(repository, revision), named) for repository in repositories)
        return cls(tuple(change for changes in found for change in changes))

    @classmethod
    def over_source(cls, revision: str, path: Path) -> ChangedFiles:
        """The same around source that stands in for one file, whether that has changed or not."""
        repository = _repository(path)
        base = _merge_base(repository, revision)
        changes = cls(tuple(_changes(repository, base, [path])))
        if changes.touch(path):
            return changes
        blob = repository.blob_of(base, path)
        place = Path(os.path.realpath(path))
        return cls((*changes._changes, (repository, Changed(place, place if blob else None, blob))))

    def touch(self, path: Path) -> bool:
        """Whether a file is among them."""
        return self._of(path) is not None

    def path(self, path: Path) -> Path | None:
        """A file among them without links."""
        found = self._of(path)
        return found[1].path if found else None

    def former_path(self, path: Path) -> Path | None:
        """Where a file that changed was, without links; None for one that was not there."""
        found = self._of(path)
        return found[1].former if found else None

    def former_data(self, path: Path) -> bytes | None:
        """The content that a file had; None if it had none. Raises FileError where that is not at hand."""
        repository, changed = self._of(path) or (None, None)
        if repository is None or changed is None or changed.blob is None:
            return None
        try:
            return repository.content(changed.blob)
        except GitError as error:
            raise FileError(f"its content in the merge base cannot be read: {error}", path=path) from error

    @cached_property
    def modules(self) -> dict[Path, bytes | None]:
        """The content then of all modules and notebooks that changed, None where there was none, by real paths."""
        then: dict[Path, bytes | None] = {
            changed.path: None for _, changed in self._changes if changed.path and changed.path.suffix in SUFFIXES
        }
        for repository in {repository: None for repository, _ in self._changes}:
            blobs = {
                changed.former: changed.blob
                for owner, changed in self._changes
                if owner is repository and changed.former and changed.blob and changed.former.suffix in SUFFIXES
            }
            try:
                contents = repository.contents(blobs.values()) if blobs else {}
            except GitError as error:
                raise UserError(f"--since: {error}") from error
            then.update((file, contents.get(blob)) for file, blob in blobs.items())
        return then

    def _of(self, path: Path) -> tuple[Repository, Changed] | None:
        return self._by_path.get(os.path.realpath(path))

    @cached_property
    def _by_path(self) -> dict[str, tuple[Repository, Changed]]:
        return {os.path.realpath(change[1].path): change for change in self._changes if change[1].path}


def _repository(path: Path) -> Repository:
    directory = path if path.is_dir() else path.parent
    try:
        return Repository.around(directory)
    except GitError as error:
        reason = f"{directory} is not in a git repository" if "not a git repository" in str(error) else str(error)
        raise UserError(f"--since: {reason}") from error


def _changes(repository: Repository, base: str, named: Iterable[Path]) -> list[tuple[Repository, Changed]]:
    try:
        return [(repository, changed) for changed in repository.changed_since(base, named)]
    except GitError as error:
        raise UserError(f"--since: {error}") from error


def _merge_base(repository: Repository, revision: str) -> str:
    commit = repository.commit(revision)
    if commit is None:
        hint = f"; this clone is shallow: {_FETCH}" if repository.is_shallow else ""
        raise UserError(f"--since: {revision!r} is no commit of {repository.top}{hint}")
    base = repository.merge_base("HEAD", commit)
    if base is None:
        if repository.is_shallow:
            raise UserError(f"--since: this clone is shallow and lacks the merge base with {revision!r}: {_FETCH}")
        raise UserError(f"--since: {revision!r} and HEAD have no commit in common; name another revision")
    return base
