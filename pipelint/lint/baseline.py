"""The baseline: a file that lists the findings of today, so that only those of tomorrow fail."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pipelint.lint.apply_rules import DocumentFindings
from pipelint.lint.diagnostic import Diagnostic
from pipelint.lint.fingerprints import fingerprints
from pipelint.lint.locate_findings import unsorted_diagnostics
from pipelint.project.projects import Project
from pipelint.source.errors import FileError, UserError
from pipelint.source.paths import place_of, shown_path
from pipelint.source.regular_files import LARGEST_NOTEBOOK, read_regular
from pipelint.source.writing import write

VERSION = 1


@dataclass(frozen=True, order=True)
class Entry:
    """A finding that stays quiet; only its fingerprint counts, the rest is for those who review the file."""

    path: str
    """Relative to the directory of the baseline, so that it does not matter where pipelint runs."""
    code: str
    message: str
    fingerprint: str


@dataclass(frozen=True)
class Baseline:
    """The entries of one file."""

    path: Path
    entries: tuple[Entry, ...] = ()

    @classmethod
    def read(cls, path: Path) -> Baseline:
        """The baseline in a file; raises UserError with what to do."""
        shown = shown_path(path)
        try:
            document = json.loads(read_regular(path, LARGEST_NOTEBOOK))
            entries = tuple(_entry(item) for item in document["findings"])
            version = document["version"]
        except FileNotFoundError as error:
            raise UserError(f"baseline {shown} does not exist; run `pipelint baseline` to write it") from error
        except FileError as error:
            raise UserError(f"baseline {shown} {error.message}") from error
        except OSError as error:
            raise UserError(f"baseline {shown} cannot be read: {error.strerror or error}") from error
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            message = f"{shown} is not a baseline; delete it and run `pipelint baseline` to write it anew"
            raise UserError(message) from error
        if version != VERSION:
            raise UserError(
                f"baseline {shown} has version {version!r}, which this pipelint cannot read; update pipelint"
            )
        return cls(path, entries)

    @classmethod
    def of(cls, path: Path, diagnostics: Sequence[Diagnostic]) -> Baseline:
        """The baseline in which these findings stay quiet."""
        moved = [replace(found, span=replace(found.span, path=_relative(found, path))) for found in diagnostics]
        return cls(
            path,
            tuple(
                Entry(found.span.path, found.code, found.message, fingerprint)
                for found, fingerprint in zip(moved, fingerprints(moved), strict=True)
            ),
        )

    @cached_property
    def fingerprints(self) -> frozenset[str]:
        """What stays quiet."""
        return frozenset(entry.fingerprint for entry in self.entries)

    def listed(self, project: Project, found: DocumentFindings) -> set[int]:
        """The indices of the findings that are in the file."""
        today = Baseline.of(self.path, unsorted_diagnostics(found, project))
        return {index for index, entry in enumerate(today.entries) if entry.fingerprint in self.fingerprints}

    def file_of(self, entry: Entry) -> Path:
        """The file that an entry is about."""
        return place_of(self.path.parent / entry.path)

    @property
    def text(self) -> str:
        """The file: one finding a line, sorted by what does not move, so that a change is easy to review."""
        lines = [json.dumps(asdict(entry)) for entry in sorted(self.entries)]
        listed = "[\n    " + ",\n    ".join(lines) + "\n  ]" if lines else "[]"
        return f'{{\n  "version": {VERSION},\n  "findings": {listed}\n}}\n'

    def write(self) -> None:
        """Write the file, at once or not at all; raises UserError."""
        try:
            write(self.path, self.text.encode("ascii"))
        except FileError as error:
            raise UserError(f"baseline {shown_path(self.path)} {error.message}") from error


@dataclass(frozen=True)
class Update:
    """A baseline brought up to date, and what that means for its entries."""

    baseline: Baseline
    added: int
    dropped: int
    kept: int


def update(
    path: Path,
    diagnostics: Sequence[Diagnostic],
    checked: Iterable[Path],
    failed: Collection[Path],
    was_loaded: Callable[[Path, str], bool],
) -> Update:
    """The baseline of what is found now.

    An entry goes when its finding or its file is gone. It stays when its file was not looked at: because it is not
    among the paths that were checked, because it failed or the configuration of its folder did, or because its rule was
    not loaded.
    """
    old = Baseline.read(path) if path.exists() else Baseline(path)
    found = Baseline.of(path, diagnostics)
    roots = [Path(os.path.realpath(root)) if root.is_dir() else place_of(root) for root in checked]
    untold = {place_of(file) for file in failed}
    unread = [file.parent for file in untold if file.name == "pyproject.toml"]
    kept = []
    for entry in old.entries:
        file = old.file_of(entry)
        is_told = file not in untold and not any(file.is_relative_to(folder) for folder in unread)
        is_checked = is_told and any(file.is_relative_to(root) for root in roots) and was_loaded(file, entry.code)
        if not is_checked and file.exists() and entry.fingerprint not in found.fingerprints:
            kept.append(entry)
    new = Baseline(path, (*found.entries, *kept))
    both = len(new.fingerprints & old.fingerprints)
    return Update(new, len(new.fingerprints) - both, len(old.fingerprints) - both, both)


def _entry(item: Any) -> Entry:
    entry = Entry(**{name: item[name] for name in ("path", "code", "message", "fingerprint")})
    if not all(isinstance(value, str) for value in asdict(entry).values()):
        raise TypeError("not text")
    return entry


def _relative(found: Diagnostic, baseline: Path) -> str:
    file, directory = place_of(Path(found.span.path)), place_of(baseline).parent
    try:
        return Path(os.path.relpath(file, directory)).as_posix()
    except ValueError:  # another drive
        return file.as_posix()
