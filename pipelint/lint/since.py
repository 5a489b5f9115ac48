"""What is new since a revision: the findings that the merge base lacked, and those on lines that changed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from pipelint.lint.apply_rules import DocumentFindings, UnitFinding, apply_rules
from pipelint.model.grades import Severity
from pipelint.project.projects import Project
from pipelint.source.alignment import Alignment
from pipelint.source.document import Document
from pipelint.source.errors import FileError, UserError
from pipelint.source.files import load
from pipelint.source.git import Repository
from pipelint.source.git_process import GitError
from pipelint.source.lines import Position
from pipelint.source.unit import Unit

_FETCH = "fetch more history, with `git fetch --unshallow` or `fetch-depth: 0` for actions/checkout"


@dataclass(frozen=True)
class _Base:
    """Where to read what a file was; without a blob there was none."""

    repository: Repository
    blob: str | None


@dataclass(frozen=True)
class Since:
    """The files that changed since the merge base of HEAD and a revision, and what was found in them then."""

    _bases: dict[str, _Base] = field(default_factory=dict)

    @classmethod
    def over(cls, revision: str, paths: Iterable[Path]) -> Since:
        """The changes in the repositories of the paths; raises UserError where git cannot tell."""
        since = cls()
        existing = [path for path in paths if path.exists()]
        for repository in {_repository(path): None for path in existing}:
            base = _merge_base(repository, revision)
            try:
                for changed in repository.changed_since(base, [path for path in existing if path.is_file()]):
                    since._bases[_key(changed.path)] = _Base(repository, changed.blob)
            except GitError as error:
                raise UserError(f"--since: {error}") from error
        return since

    @classmethod
    def over_source(cls, revision: str, path: Path) -> Since:
        """The same for source that stands in for one file, whether that has changed or not."""
        repository = _repository(path)
        blob = repository.blob_of(_merge_base(repository, revision), path)
        return cls({_key(path): _Base(repository, blob)})

    def touches(self, path: Path) -> bool:
        """Whether a file has changed, by commits or by work that is not committed."""
        return _key(path) in self._bases

    def known(self, project: Project, found: DocumentFindings) -> set[int]:
        """The indices of the findings that are not new; raises FileError where the former file is not at hand."""
        base = self._former(found.document.path)
        if base is None:
            return set()
        alignment = Alignment(base, found.document)
        before: dict[tuple[str, Position], Severity] = {}
        for item in apply_rules(project, base).findings:
            before[item.finding.code, _places(base.units[item.unit], item)[0]] = item.finding.severity
        known = set()
        for index, item in enumerate(found.findings):
            places = _places(found.document.units[item.unit], item)
            origins = [alignment.origin(place) for place in places]
            severity = before.get((item.finding.code, origins[0])) if origins[0] else None
            # What was advice and has become a warning is new.
            if None not in origins and severity and severity.weight >= item.finding.severity.weight:
                known.add(index)
        return known

    def _former(self, path: Path) -> Document | None:
        """The file as it was, read as the file that it is now; None if it was not there or was no source."""
        base = self._bases.get(_key(path))
        if base is None or base.blob is None:
            return None
        try:
            data = base.repository.content(base.blob)
        except GitError as error:
            raise FileError(f"its content in the merge base cannot be read: {error}", path=path) from error
        try:
            return load(path, data)
        except FileError:
            return None


def _places(unit: Unit, item: UnitFinding) -> list[Position]:
    """Where a finding begins, and a place in each further line that it covers."""
    region = item.finding.region
    first, last = unit.lines.number(region.start), unit.lines.number(max(region.start, region.end - 1))
    return [unit.place(region.start), *(unit.place(unit.lines.start(line)) for line in range(first + 1, last + 1))]


def _key(path: Path) -> str:
    return os.path.realpath(path)


def _repository(path: Path) -> Repository:
    directory = path if path.is_dir() else path.parent
    try:
        return Repository.around(directory)
    except GitError as error:
        reason = f"{directory} is not in a git repository" if "not a git repository" in str(error) else str(error)
        raise UserError(f"--since: {reason}") from error


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
