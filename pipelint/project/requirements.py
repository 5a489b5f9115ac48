"""The TensorFlow that a project asks for, read from its requirement files without running anything."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from pipelint.knowledge.keras_2_packages import KERAS_2_PACKAGES
from pipelint.knowledge.versions import NEWEST_FOR_PYTHON
from pipelint.model.tensorflow_version import Version
from pipelint.project import toml
from pipelint.project.container_images import DIRECTORIES, describes_image, tensorflow_in_images
from pipelint.project.python_versions import newest_admitted
from pipelint.project.spoken_versions import README_DIRECTORIES, is_readme, spoken_in
from pipelint.source.constraints import TENSORFLOW, lower_bound, upper_bound
from pipelint.source.discovery import project_root
from pipelint.source.errors import FileError
from pipelint.source.paths import absolute
from pipelint.source.regular_files import read_settings_text

_NAMED = re.compile(TENSORFLOW, re.IGNORECASE)
# A requirement as in PEP 508, in requirements.txt and in a conda environment (`channel::name=1.2=build`).
_REQUIREMENT = re.compile(
    rf"\s*(?:[\w./-]+::)?{TENSORFLOW}\s*(?:\[[^\]]*\])?\s*\(?(?P<constraint>[^;#@()]*)", re.IGNORECASE
)
_KERAS_2 = "|".join(name.replace("_", "[-_.]") for name in KERAS_2_PACKAGES)
# What binds TensorFlow as well: from 2.6 on Keras 2 has the version of the TensorFlow that it is made for.
_COMPANION = re.compile(
    rf"\s*(?:[\w./-]+::)?(?:keras\s*={{1,2}}\s*(?P<keras>2\.(?:[6-9]|1[0-5]))(?!\d)|(?:{_KERAS_2})(?![\w.-]))",
    re.IGNORECASE,
)
_BEFORE_KERAS_3 = "<2.16"
_COMPARISONS = ("<", ">", "=", "!", "~")
_FILES = ("pyproject.toml", "setup.cfg", "setup.py")
_GENERATION = (2, 0)
_FEW_FILES = 20  # a directory with more of one kind holds settings of experiments


class Required(NamedTuple):
    """The versions of TensorFlow, as major and minor, that a project admits."""

    oldest: Version
    newest: Version | None
    """None where it admits all that are yet to come, or all of a major version."""


class Stated(NamedTuple):
    """A requirement of TensorFlow: the file that states it, and the versions that it admits, as written."""

    file: Path
    constraint: str


def required_by_project(root: Path) -> Required | None:
    """The versions of TensorFlow that the requirements of a path's project admit.

    Raises FileError for a requirement file that is none, or too large.
    Looks in the directory of the path and upwards to the project's root; the first directory that requires
    TensorFlow decides. None if that gives no lower bound.
    """
    bounded = [stated.constraint for stated in _bounded(root)]
    return Required(min(filter(None, map(lower_bound, bounded))), _newest(bounded)) if bounded else None


def lowest_requirement(root: Path) -> Stated | None:
    """The requirement that gives the oldest version, if there is one; raises FileError as above."""
    return min(_bounded(root), key=lambda stated: lower_bound(stated.constraint) or (0, 0), default=None)


def _bounded(root: Path) -> list[Stated]:
    """The requirements with a lower bound of the first directory that requires TensorFlow, up to the project's root."""
    for directory in _up_to_project(root):
        stated = list(_requirements(directory))
        if stated:
            return [one for one in stated if lower_bound(one.constraint) is not None]
    return []


def newest_for_its_python(root: Path) -> Version | None:
    """The newest TensorFlow that there is for the Pythons that a path's project admits; None where they have no end."""
    for directory in _up_to_project(root):
        with suppress(FileError):  # told where it is read for its requirements
            if (python := newest_admitted(directory)) is not None:
                return NEWEST_FOR_PYTHON.get(python)
    return None


class Named(NamedTuple):
    """The oldest versions of TensorFlow that a project names without asking for them."""

    run_with: Version | None = None
    """What a README names as a release, or an image has: code may be run with it."""
    written_for: Version | None = None
    """What code is to work with besides: TensorFlow 2.0 where that may stand for all that came after TensorFlow 1, and
    an image that has another one than the project requires.
    """
    newest: Version | None = None
    """The last one that requirements admit which say nothing of the first: newer ones do not run it."""


def named_by_project(root: Path) -> Named:
    """The oldest TensorFlow that a README or an image of a path's project has, the nearest.

    No requirement, as prose may speak of any version, and code may run elsewhere than in the image; but what that
    version lacks need not be used yet.
    """
    generation = required = False
    for directory in _up_to_project(root):
        with suppress(FileError):  # nobody has to keep them short
            constraints = [stated.constraint for stated in _requirements(directory)]
            if not required and any(map(lower_bound, constraints)):
                return Named(written_for=min(tensorflow_in_images(directory, is_required=True), default=None))
            spoken = spoken_in(directory)
            ends = [end for end in map(upper_bound, constraints) if end is not None]
            releases = [*spoken.releases, *tensorflow_in_images(directory)]
            if releases or ends:
                return Named(run_with=min(releases, default=None), newest=min(ends, default=None))
            generation = generation or spoken.generation
            required = required or bool(constraints)
    # Who installs what a requirement without a version admits gets the newest.
    return Named(written_for=_GENERATION if generation and not required else None)


def _up_to_project(root: Path) -> list[Path]:
    """The directory of a path and those above it in the same project."""
    top, here = project_root(root), absolute(root)
    return [directory for directory in (here, *here.parents) if directory == here or directory.is_relative_to(top)]


def _newest(constraints: list[str]) -> Version | None:
    """The highest version that any constraint admits: several are for other machines. None if one admits all."""
    bounds = [bound for bound in map(upper_bound, constraints) if bound is not None]
    return max(bounds) if len(bounds) == len(constraints) else None


def may_require(name: str) -> bool:
    """Whether a file or directory of this name, in a directory that is looked at, may state requirements."""
    lower = name.lower()
    listed = lower.startswith("requirements") and (lower.endswith(".txt") or lower == "requirements")
    stated = name in _FILES or listed or name.endswith((".yml", ".yaml"))
    return stated or name in (*DIRECTORIES, *README_DIRECTORIES) or describes_image(name) or is_readme(name)


def _requirements(directory: Path) -> Iterator[Stated]:
    """Every requirement of TensorFlow in a directory's files."""
    yield from _stated(directory / "pyproject.toml", _from_pyproject)
    yield from _from_requirements_files(directory)
    yield from _stated(directory / "setup.cfg", _from_setup_cfg)
    yield from _stated(directory / "setup.py", _from_setup_py)
    for path, text in _conda_environments(directory):
        items = re.findall(r"^[ \t]*-[ \t]+(.*)$", text, re.MULTILINE)
        constraints = _from_requirements(item.strip("'\" \t\r") for item in items)
        yield from (Stated(path, constraint) for constraint in constraints)


def _stated(path: Path, constraints: Callable[[Path], Iterable[str]]) -> list[Stated]:
    return [Stated(path, constraint) for constraint in constraints(path)]


def _from_requirements_files(directory: Path) -> list[Stated]:
    """What requirements.txt asks for; where it names no version, what others like it do: those are for other uses."""
    listed = sorted(path for path in directory.glob("*.txt") if path.name.lower() == "requirements.txt")
    main = listed[-1] if listed else directory / "requirements.txt"
    asked = _stated(main, _from_requirements_file)
    if not any(lower_bound(stated.constraint) for stated in asked):
        others = [path for pattern in ("requirements*.txt", "requirements/*.txt") for path in directory.glob(pattern)]
        for path in sorted(others):
            asked += _stated(path, _from_requirements_file) if path != main else []
    return asked


def _from_requirements_file(path: Path) -> Iterator[str]:
    return _from_requirements(_read(path).replace("\\\n", " ").splitlines())


def _conda_environments(directory: Path) -> Iterator[tuple[Path, str]]:
    """The texts that conda makes environments of, under whatever name: those that have a list of dependencies."""
    found = sorted(path for ending in ("*.yml", "*.yaml") for path in directory.glob(ending))
    for path in found:
        if path.stem == "environment":
            yield path, _read(path)
        elif len(found) <= _FEW_FILES:
            with suppress(FileError):  # other files may be of any size
                text = _read(path)
                yield path, text if re.search(r"^dependencies:", text, re.MULTILINE) else ""


def _from_requirements(lines: Iterable[object]) -> Iterator[str]:
    for line in lines:
        if not isinstance(line, str):
            continue
        if found := _REQUIREMENT.match(line):
            yield found["constraint"].split(" --")[0]
        elif found := _COMPANION.match(line):
            yield f"=={found['keras']}" if found["keras"] else _BEFORE_KERAS_3


def _from_pyproject(path: Path) -> Iterator[str]:
    text = _read(path)
    if not _NAMED.search(text):
        return
    try:
        document = toml.parse(text)
    except toml.TomlError:
        return
    project = _table(document, "project")
    yield from _from_requirements(_list(project.get("dependencies")))
    for extra in _table(project, "optional-dependencies").values():
        yield from _from_requirements(_list(extra))
    for group in _table(document, "dependency-groups").values():
        yield from _from_requirements(_list(group))
    poetry = _table(document, "tool", "poetry")
    groups = [group for group in _table(poetry, "group").values() if isinstance(group, dict)]
    for table in (poetry, *groups):
        for key in ("dependencies", "dev-dependencies"):
            for name, value in _table(table, key).items():
                if _NAMED.fullmatch(name):
                    yield from _poetry_constraints(value)


def _poetry_constraints(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _poetry_constraints(value.get("version"))
    elif isinstance(value, list):
        for item in value:
            yield from _poetry_constraints(item)


def _from_setup_cfg(path: Path) -> Iterator[str]:
    text = _read(path)
    if not text:
        return
    import configparser  # few projects still have this file

    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    yield from _from_requirements(parser.get("options", "install_requires", fallback="").splitlines())
    if parser.has_section("options.extras_require"):
        for _, extra in parser.items("options.extras_require"):
            yield from _from_requirements(extra.splitlines())


def _from_setup_py(path: Path) -> Iterator[str]:
    """The constraints in the texts of a setup script that name TensorFlow and compare its version, wherever they go."""
    text = _read(path)
    if not _NAMED.search(text):
        return
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    yield from (constraint for constraint in _from_requirements(texts) if constraint.startswith(_COMPARISONS))


def _read(path: Path) -> str:
    return read_settings_text(path) or ""


def _table(value: object, *keys: str) -> dict[str, Any]:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
