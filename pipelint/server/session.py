"""What is known of the projects that open files belong to, and what is found in these."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pipelint.lint.check_files import is_checked
from pipelint.lint.examination import Examination, Patience, examine
from pipelint.lint.known_findings import KnownFindings
from pipelint.project.projects import Projects
from pipelint.project.registry import Registry
from pipelint.server.client_settings import ClientSettings
from pipelint.server.open_files import EditedFile
from pipelint.source.discovery import forget_roots
from pipelint.source.paths import place_of


@dataclass(frozen=True)
class Examined:
    """An open file in one state, with what is found in it beside the other open files as they were then."""

    file: EditedFile
    examination: Examination


class Session:
    """Checks open files; all others are as they were when they were first read, until `forget`.

    It is used by one thread.
    """

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._settings = ClientSettings()
        self._latest: dict[str, Examined] = {}
        self.forget()

    def use(self, settings: ClientSettings) -> None:
        """Check by other settings from now on."""
        self._settings = settings
        self.forget()

    def forget(self) -> None:
        """Read files and configurations anew, since some have changed."""
        self._projects = Projects(self._settings.overrides, self._settings.config, tell=self._tell)
        self._known = KnownFindings(baselines=True)
        self._latest.clear()
        forget_roots()

    def examined(self, file: EditedFile, contents: Mapping[Path, bytes], patience: Patience) -> Examined | None:
        """What is found in a file; `contents` are those of all open files. None for one that is not checked.

        None too where the patience ended, since the file has changed. Raises UserError where its configuration cannot
        be used.
        """
        known = self._latest.get(file.uri)
        if known is not None and known.file == file and known.examination.project.instead == contents:
            return known
        project = self._projects.of_file(file.path)
        if not is_checked(project, file.path, force_exclude=True):
            self._latest.pop(file.uri, None)
            return None
        found = examine(project.with_files(contents), file.path, file.data, self._known, patience)
        if interpreter := sys.modules.get("pipelint.lint.unit_program"):  # it is large, and some files never meet it
            interpreter.forget_programs()
        if patience.over:
            return None
        self._latest[file.uri] = Examined(file, found)
        return self._latest[file.uri]

    def closed(self, uri: str) -> None:
        """Forget what was found in a file."""
        self._latest.pop(uri, None)

    def rules(self, path: Path) -> Registry:
        """The rules that are known where a file stands."""
        return self._projects.of_file(path).registry


def contents_of(files: list[EditedFile]) -> dict[Path, bytes]:
    """What counts in place of the files on disk."""
    return {place_of(file.path): file.data for file in files}
