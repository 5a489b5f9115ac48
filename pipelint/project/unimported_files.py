"""Which files of a project nobody imports, and which of these nobody could mean: neither users of a distribution, nor
a program that names them in another way."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path

from pipelint.project.import_graph import MOST_FILES
from pipelint.project.module_files import ModuleFiles
from pipelint.source.discovery import is_test_file
from pipelint.source.errors import FileError
from pipelint.source.regular_files import read_settings_text

_IS_PROGRAM = re.compile(r"^if[ \t(]+__name__\b|^(?!print\b)\w+\(|^(?:\w+ *= *)?\w+\.fit\(", re.MULTILINE)
"""A block for being run, or a call of a function or of `fit` for its own sake, outside of any block."""
_BUILT = {
    "setup.py": re.compile(r"\bsetup\("),
    "setup.cfg": re.compile(r"^\[options\]", re.MULTILINE),
    "pyproject.toml": re.compile(r"^\[(build-system|tool\.(poetry|flit|hatch|pdm|setuptools))\b", re.MULTILINE),
}
"""What a file has in it that makes the project a distribution."""
_PATH = re.compile(r"[\"']\w*[./\\-][\w./\\-]+[\"']|\b\w+\.py\b")
"""A text in which dots or slashes part names, or the name of a file anywhere: both may lead to a module."""
_WORD = re.compile(r"[\"']\w+[\"']")
_BY_NAME = re.compile(r"\b(import_module|__import__|spec_from_file_location|run_module|run_path|exec)\(")
"""What imports or runs a file by a name that is made elsewhere."""
_ONLY_PACKAGES = re.compile(r"(?<!namespace_)\bfind_packages\(")
_OTHER_MODULES = re.compile(r"\bpy_modules\b|\bfind_namespace_packages\b|\bpackage_dir\b")


class UnimportedFiles:
    """What is known of the files of one project that no other file imports."""

    def __init__(self, files: ModuleFiles) -> None:
        self._files = files

    @cached_property
    def _listed(self) -> tuple[Path, ...]:
        return self._files.listed(MOST_FILES)

    def is_in_sight(self, file: Path) -> bool:
        """Whether all that may use a file is in sight: the project is small enough, and nobody installs the file."""
        return file in self._names and not is_test_file(file) and not self._is_distributed(file)

    @cached_property
    def _names(self) -> frozenset[Path]:
        return frozenset(self._listed)

    def is_left_over(self, file: Path) -> bool:
        """Whether no file of the project names a file that nobody imports, though a program beside or above might."""
        if file.suffix != ".py" or file.name == "__init__.py":
            return False
        named = re.compile(rf"(?<!\w){re.escape(file.stem)}(?!\w)")
        others = (other for other in self._listed if other != file and file.stem in (self._files.text(other) or ""))
        return self._has_program_above(file) and not any(self._may_name(other, named) for other in others)

    def _has_program_above(self, file: Path) -> bool:
        above = (other for other in self._listed if other != file and file.is_relative_to(other.parent))
        return any(map(self._is_program, above))

    def _is_program(self, file: Path) -> bool:
        return file.suffix == ".ipynb" or _IS_PROGRAM.search(self._files.text(file) or "") is not None

    def _may_name(self, other: Path, named: re.Pattern[str]) -> bool:
        """Whether a file may mean another by a word in an import that leads nowhere, or in a text."""
        if any(named.search(name) for name in self._files.unresolved_imports(other)):
            return True
        text = self._files.text(other) or ""
        quoted = [*_PATH.findall(text), *(_WORD.findall(text) if _BY_NAME.search(text) else ())]
        return any(map(named.search, quoted))

    def _is_distributed(self, file: Path) -> bool:
        """Whether others may install a file with the project, and use what is in it."""
        if not self._distribution:
            return False
        only_packages = all(
            _ONLY_PACKAGES.search(text) and not _OTHER_MODULES.search(text) for text in self._distribution
        )
        return not only_packages or self._files.is_package(file.parent)

    @cached_property
    def _distribution(self) -> list[str]:
        """The texts that make a distribution of the project."""
        found = []
        for name, built in _BUILT.items():
            try:
                text = read_settings_text(self._files.root / name)
            except (OSError, FileError):
                continue
            if text is not None and built.search(text):
                found.append(text)
        return found
