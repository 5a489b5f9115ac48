"""The TensorFlow that a project asks for, read from its requirement files without running anything."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from pipelint.knowledge.versions import NEWEST_FOR_PYTHON
from pipelint.model.tensorflow_version import Version
from pipelint.project import toml
from pipelint.project.container_images import DIRECTORIES, describes_image, tensorflow_in_images
from pipelint.project.python_versions import newest_admitted
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
_COMPARISONS = ("<", ">", "=", "!", "~")
_README = "README.md"
_FILES = ("pyproject.toml", "setup.cfg", "setup.py", _README)
# Of TensorFlow 1 speaks who left it, unless it is what is to be installed and no other is named.
_INSTALLS_1 = re.compile(rf"(?<![\w.-]){TENSORFLOW}[ \t]?==[ \t]?1\.(?P<minor>\d{{1,2}})", re.IGNORECASE)
# `TensorFlow 2.3`, `tf v2.3`, `tensorflow-gpu: 2.3`, a badge `TensorFlow-2.3`, Google's `TensorFlow Enterprise 2.3`.
_SPOKEN = re.compile(
    r"(?<![\w.])(?:tensorflow(?:-[cg]pu| enterprise)?|tf)(?P<between>[ \t:=>~v-]{0,4})"
    r"(?P<major>2)\.(?P<minor>\d{1,2})(?!\d)(?P<patch>\.\d)?",
    re.IGNORECASE,
)
_ASKS = re.compile("[:=>~]")
# All that a line or an item of a list may hold beside a requirement: `- **TensorFlow 2.0**<br>`, `* TF 2.0 or higher`.
_BEFORE_REQUIREMENT = re.compile(r"[ \t]*(?:(?:[-*+|]|\d{1,2}[.)])[ \t]+)?[`*\[]{0,3}")
_BEHIND_REQUIREMENT = re.compile(
    r"[`*\]]{0,3}\+?(?:[ \t]+or[ \t]+(?:above|greater|higher|later|newer))?[ \t.,|]*(?:<br[ \t]?/?>)?\s*", re.IGNORECASE
)
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
    Looks in the directory of the path and upwards to the project's root; the first directory that gives a lower
    bound decides. None if there is no lower bound.
    """
    bounded = [stated.constraint for stated in _bounded(root)]
    return Required(min(filter(None, map(lower_bound, bounded))), _newest(bounded)) if bounded else None


def lowest_requirement(root: Path) -> Stated | None:
    """The requirement that gives the oldest version, if there is one; raises FileError as above."""
    return min(_bounded(root), key=lambda stated: lower_bound(stated.constraint) or (0, 0), default=None)


def _bounded(root: Path) -> list[Stated]:
    """The requirements with a lower bound of the first directory that has any, up to the project's root."""
    for directory in _up_to_project(root):
        bounded = [stated for stated in _requirements(directory) if lower_bound(stated.constraint) is not None]
        if bounded:
            return bounded
    return []


def newest_for_its_python(root: Path) -> Version | None:
    """The newest TensorFlow that there is for the Pythons that a path's project admits; None where they have no end."""
    for directory in _up_to_project(root):
        with suppress(FileError):  # told where it is read for its requirements
            if (python := newest_admitted(directory)) is not None:
                return NEWEST_FOR_PYTHON.get(python)
    return None


def spoken_of_by_project(root: Path) -> Version | None:
    """The oldest TensorFlow that a README or an image of a path's project has, the nearest: code may be run with it.

    No requirement, as prose may speak of any version, and code may run elsewhere than in the image; but what that
    version lacks need not be used yet.
    """
    for directory in _up_to_project(root):
        with suppress(FileError):  # nobody has to keep them short
            named = [*_spoken_of(_read(directory / _README)), *tensorflow_in_images(directory)]
            if named:
                return min(named)
    return None


def _spoken_of(text: str) -> list[Version]:
    found = [spoken for spoken in _SPOKEN.finditer(text) if not _names_generation(spoken)]
    named = [(int(spoken["major"]), int(spoken["minor"])) for spoken in found]
    return named or [(1, int(pinned["minor"])) for pinned in _INSTALLS_1.finditer(text)]


def _names_generation(spoken: re.Match[str]) -> bool:
    """Whether `TensorFlow 2.0` stands for all that came after TensorFlow 1, as in titles, and not for that release."""
    named = int(spoken["minor"]) == 0 and not spoken["patch"] and not _ASKS.search(spoken["between"])
    return named and not _is_all_of_its_line(spoken)


def _is_all_of_its_line(spoken: re.Match[str]) -> bool:
    """Whether nothing else is said there, as in a list of requirements."""
    before = spoken.string[: spoken.start()].rpartition("\n")[2]
    behind = spoken.string[spoken.end() :].partition("\n")[0]
    return all((_BEFORE_REQUIREMENT.fullmatch(before), _BEHIND_REQUIREMENT.fullmatch(behind)))


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
    listed = name.startswith("requirements") and (name.endswith(".txt") or name == "requirements")
    return name in _FILES or name in DIRECTORIES or listed or name.endswith((".yml", ".yaml")) or describes_image(name)


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
    main = directory / "requirements.txt"
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
        found = _REQUIREMENT.match(line) if isinstance(line, str) else None
        if found:
            yield found["constraint"].split(" --")[0]


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
