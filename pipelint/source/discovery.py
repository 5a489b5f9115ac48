"""Which files to check: walking directories, .gitignore, exclusions, and what is a test."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from pathlib import Path

from pipelint.source.errors import FileError, from_os_error
from pipelint.source.ignore_patterns import IgnorePatterns
from pipelint.source.paths import absolute, relative
from pipelint.source.regular_files import read_settings_text

SUFFIXES = (".py", ".ipynb")

# Never the user's own source. Virtual environments of any name are known by their marker files.
SKIPPED_DIRECTORIES = frozenset(
    {".git", ".hg", ".svn", ".bzr", ".venv", "venv", "site-packages", "node_modules", "__pypackages__", "build", "dist"}
    | {"__pycache__", ".ipynb_checkpoints", ".tox", ".nox", ".eggs", ".direnv", ".pixi", "_build", "buck-out"}
    | {".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".pytype", ".cache", ".idea", ".vscode"}
)
_ENVIRONMENT_MARKERS = ("pyvenv.cfg", "conda-meta")
_PROJECT_MARKERS = ("pyproject.toml", "setup.py", ".git")


def discover(
    paths: Iterable[Path],
    root: Path,
    exclude: Sequence[str] = (),
    force_exclude: bool = False,
    exclude_here: Sequence[str] = (),
) -> Iterator[Path | FileError]:
    """The files to check, sorted and each once, and an error with its path for each that cannot be used.

    Directories are searched for Python files and notebooks, but for what the patterns of `exclude`, relative to `root`,
    and of `exclude_here`, relative to the working directory, leave out. A file that is named is checked whatever it is
    called, unless `force_exclude` applies them to it too.
    """
    exclusions = _Exclusions(root, exclude, exclude_here)
    found: list[Path] = []
    for path in paths:
        for item in _expand(path, exclusions, force_exclude):
            if isinstance(item, FileError):
                yield item
            else:
                found.append(item)
    seen: set[str] = set()
    directories: dict[Path, str] = {}
    for path in sorted(found):
        real = _without_links(path, directories)
        if real not in seen:
            seen.add(real)
            yield path


def _without_links(path: Path, directories: dict[Path, str]) -> str:
    """The real path of a file; those of directories are noted, as each has many files."""
    if path.is_symlink():
        return os.path.realpath(path)
    directory = path.parent
    if directory not in directories:
        directories[directory] = os.path.realpath(directory)
    return os.path.join(directories[directory], path.name)


def walked_files(top: Path, most: int) -> tuple[Path, ...]:
    """The Python files and notebooks below a directory, sorted; none where there are more than `most`."""
    found = list(islice((item for item in _walk(top, _Exclusions(top, ())) if isinstance(item, Path)), most + 1))
    return tuple(sorted(found)) if len(found) <= most else ()


def project_root(path: Path) -> Path:
    """The directory of the project that a path belongs to: the nearest with a marker, else the working directory."""
    here = absolute(path)
    return root_around(here if here.is_dir() else here.parent)


def root_around(directory: Path) -> Path:
    """The same of a directory, given by its absolute path."""
    return _marked_root(directory) or Path.cwd()


def is_test_file(path: Path) -> bool:
    """Whether a file is a test by its name, or by a directory `tests` or `test` below the project root."""
    if path.suffix in SUFFIXES and (path.stem.startswith("test_") or path.stem.endswith("_test")):
        return True
    return path.name == "conftest.py" or _is_for_tests(path.parent, os.getcwd())


@lru_cache(maxsize=4096)
def _is_for_tests(directory: Path, working: str) -> bool:
    here = absolute(directory)
    top = _marked_root(here) or Path(working)
    return here.is_relative_to(top) and not {"tests", "test"}.isdisjoint(here.parts[len(top.parts) :])


@lru_cache(maxsize=4096)
def _marked_root(directory: Path) -> Path | None:
    if any(os.path.exists(os.path.join(directory, marker)) for marker in _PROJECT_MARKERS):
        return directory
    return _marked_root(directory.parent) if directory.parent != directory else None


def forget_roots() -> None:
    """Look for the roots of projects anew, for those who run longer than the files stay as they are."""
    _is_for_tests.cache_clear()
    _marked_root.cache_clear()


def _expand(path: Path, exclusions: _Exclusions, force_exclude: bool) -> Iterator[Path | FileError]:
    if force_exclude and exclusions.cover_named(path):
        return
    try:
        if path.is_dir():
            yield from _walk(path, exclusions)
        else:
            yield _file(path)
    except OSError as error:
        yield from_os_error(error, "read", path)


def _file(path: Path) -> Path | FileError:
    if path.is_file():
        return path
    if path.exists():
        return FileError("is not a regular file", path=path)
    return FileError("is a broken symbolic link" if path.is_symlink() else "does not exist", path=path)


def _walk(top: Path, exclusions: _Exclusions) -> Iterator[Path | FileError]:
    pending = [(top, absolute(top).as_posix(), _inherited_ignores(absolute(top)))]
    while pending:
        directory, place, ignores = pending.pop()
        try:
            with os.scandir(directory) as scan:
                entries = list(scan)
        except OSError as error:
            yield from_os_error(error, "read", directory)
            continue
        names = {entry.name for entry in entries}
        if directory != top and (not names.isdisjoint(_ENVIRONMENT_MARKERS) or _is_published(directory)):
            continue
        if ".gitignore" in names:
            try:
                ignores = _with_gitignore(ignores, directory, place)
            except FileError as error:
                yield error
        for entry in entries:
            # Links to directories are not followed: they lead in circles, or to what is found anyway.
            is_directory = entry.is_dir(follow_symlinks=False)
            wanted = entry.name not in SKIPPED_DIRECTORIES if is_directory else entry.name.endswith(SUFFIXES)
            if not wanted:
                continue
            inner = f"{place.rstrip('/')}/{entry.name}"
            if _ignored(ignores, inner, is_directory) or exclusions.cover(inner, is_directory):
                continue
            path = directory / entry.name
            if is_directory:
                pending.append((path, inner, ignores))
            elif entry.is_file(follow_symlinks=False):
                yield path
            elif not path.is_dir():
                yield _file(path)


def _is_environment(directory: Path) -> bool:
    return any((directory / marker).exists() for marker in _ENVIRONMENT_MARKERS)


def _is_published(directory: Path) -> bool:
    """Whether a directory is Sphinx's copy of what stands in `_static` beside the conf.py of a documentation."""
    if directory.name != "_static":
        return False
    return not (directory.parent / "conf.py").exists() and not (directory / "__init__.py").exists()


def _inherited_ignores(top: Path) -> tuple[IgnorePatterns, ...]:
    """The .gitignore files above a directory, up to its repository; none if they ignore the directory itself."""
    repository = next((directory for directory in (top, *top.parents) if (directory / ".git").exists()), top)
    ignores: tuple[IgnorePatterns, ...] = ()
    for directory in reversed(top.parents):
        if directory.is_relative_to(repository):
            with suppress(FileError):  # told where its own directory is checked
                ignores = _with_gitignore(ignores, directory, directory.as_posix())
    # Whoever names an ignored directory wants it checked.
    return () if _ignored(ignores, top.as_posix(), True) else ignores


def _with_gitignore(ignores: tuple[IgnorePatterns, ...], directory: Path, place: str) -> tuple[IgnorePatterns, ...]:
    """The patterns with those of a directory; raises FileError for what is no file to be read."""
    text = read_settings_text(directory / ".gitignore")
    # git, too, goes on without a file that it cannot read.
    return ignores if text is None else (*ignores, IgnorePatterns(place, text.splitlines()))


def _ignored(ignores: tuple[IgnorePatterns, ...], path: str, is_directory: bool) -> bool:
    """Whether the innermost .gitignore that says anything about a path ignores it."""
    verdicts = (patterns.verdict(path, is_directory) for patterns in reversed(ignores))
    return next((verdict for verdict in verdicts if verdict is not None), False)


class _Exclusions:
    """What the configuration and the command line leave out."""

    def __init__(self, root: Path, patterns: Sequence[str], here: Sequence[str] = ()) -> None:
        self._root = absolute(root)
        places = ((self._root, patterns), (Path.cwd(), here))
        self._patterns = [IgnorePatterns(place.as_posix(), lines) for place, lines in places if lines]

    def cover(self, path: str, is_directory: bool) -> bool:
        """Whether a path is excluded by a pattern."""
        return any(patterns.verdict(path, is_directory) is True for patterns in self._patterns)

    def cover_named(self, path: Path) -> bool:
        """Whether a path that was named is excluded by a pattern or by a directory that is always skipped."""
        if self.cover(absolute(path).as_posix(), path.is_dir()):
            return True
        below = relative(path, self._root)
        if below is None:
            return False
        parts = below.split("/")
        directories = [self._root.joinpath(*parts[:length]) for length in range(1, len(parts))]
        return not SKIPPED_DIRECTORIES.isdisjoint(parts[:-1]) or any(
            _is_environment(directory) or _is_published(directory) for directory in directories
        )
