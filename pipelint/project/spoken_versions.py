"""The TensorFlow that a project says in words: in its README, in whatever language, and in badges."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pipelint.model.tensorflow_version import Version
from pipelint.project.container_images import tensorflow_of_named_images
from pipelint.source.constraints import TENSORFLOW
from pipelint.source.regular_files import read_settings_text

README_DIRECTORIES = ("docs", ".github")
"""Where a README of the directory around may stand by convention, if not in it."""
_SUFFIXES = frozenset({"", ".markdown", ".md", ".rst", ".txt"})
# Of TensorFlow 1 speaks who left it, unless it is what is to be installed and no other is named.
_INSTALLS_1 = re.compile(rf"(?<![\w.-]){TENSORFLOW}[ \t]?==[ \t]?1\.(?P<minor>\d{{1,2}})", re.IGNORECASE)
_NUMBER = r"2\.\d{1,2}(?!\d)"
# `TensorFlow 2.3`, `tf v2.3`, `tensorflow_gpu: 2.3`, `**TensorFlow** (>= 2.3)`, `| TensorFlow | 2.3 |`, a badge
# `TensorFlow-2.3`, `tf 2.0 and 2.1`, Google's `TensorFlow Enterprise 2.3`; neither `my-tf2.3` nor `TF2.3_MyProject`,
# which are names of something else. Only Latin letters make a longer word: others are written without blanks.
_SPOKEN = re.compile(
    r"(?:(?<![a-z0-9_./\\-])|(?<=badge/)|(?<=badge/-))"
    r"(?:tensorflow(?:[-_ ][cg]pu| enterprise)?|tf)[`*\])]{0,3}"
    r"(?:\(https?://[^)\s]{1,200}\))?"
    r"(?P<between>(?:[ \t]{0,24}|_|%20)(?:version|版本)?(?:[ \t:=<>~^|(`*-]|%3[CDE]){0,8}[ \t]{0,24}[`*(]{0,3}[vr]?)"
    rf"(?P<first>{_NUMBER})(?P<patch>\.\d{{1,2}})?(?P<early>[ \t.(-]{{0,2}}(?:alpha|beta|rc|a\d|b\d))?(?!_)"
    rf"(?P<others>(?:[ \t]?(?:,|/|&|-|and|or|to|和|或|、)(?:[ \t]?and)?[ \t]?v?{_NUMBER}(?:\.\d{{1,2}})?){{1,20}})?",
    re.IGNORECASE,
)
_MINOR = re.compile(r"(?<![\d.])2\.(\d{1,2})")
_BELOW = re.compile("(?:<|%3C)(?!=|%3D)", re.IGNORECASE)
_ASKS = re.compile("[:=<>~^%|]|version|版本", re.IGNORECASE)
# All that a line or an item of a list may hold beside a requirement: `- **TensorFlow 2.0**<br>`, `* TF 2.0 or higher`.
_BEFORE_REQUIREMENT = re.compile(r"[ \t]*(?:(?:[-*+|]|\d{1,2}[.)])[ \t]+)?[`*\[]{0,3}")
_AFTER_REQUIREMENT = re.compile(
    r"[`*\]]{0,3}\+?(?:[ \t]+or[ \t]+(?:above|greater|higher|later|newer))?[ \t.,|]*(?:<br[ \t]?/?>)?\s*", re.IGNORECASE
)


class Spoken(NamedTuple):
    """What the READMEs of a directory say."""

    releases: tuple[Version, ...] = ()
    """The versions that they name as such."""
    generation: bool = False
    """Whether they speak of TensorFlow 2.0, which may stand for all that came after TensorFlow 1, as in titles."""


def is_readme(name: str) -> bool:
    """Whether a file of this name tells people what a project is, or how to install it."""
    stem, suffix = Path(name.lower()).stem, Path(name.lower()).suffix
    return stem.startswith(("readme", "install")) and suffix in _SUFFIXES


def spoken_in(directory: Path) -> Spoken:
    """What is said of TensorFlow in the READMEs of a directory; raises FileError for one that is none, or too large."""
    texts = [read_settings_text(path) or "" for path in _readmes(directory)]
    said = [spoken for text in texts for spoken in _SPOKEN.finditer(text)]
    releases = [version for spoken in said if not _names_generation(spoken) for version in _versions(spoken)]
    releases += (version for text in texts for version in tensorflow_of_named_images(text) if version >= (2, 0))
    if not releases:
        releases = [(1, int(pinned["minor"])) for text in texts for pinned in _INSTALLS_1.finditer(text)]
    return Spoken(tuple(releases), bool(said))


def _readmes(directory: Path) -> Iterator[Path]:
    for place in (directory, *(directory / name for name in README_DIRECTORIES)):
        yield from sorted(path for path in place.iterdir() if is_readme(path.name)) if place.is_dir() else ()


def _versions(spoken: re.Match[str]) -> Iterator[Version]:
    excluded = _BELOW.search(spoken["between"]) is not None
    for part in (spoken["first"], spoken["others"] or ""):
        yield from ((2, max(int(minor) - excluded, 0)) for minor in _MINOR.findall(part))


def _names_generation(spoken: re.Match[str]) -> bool:
    """Whether `TensorFlow 2.0` may stand for all that came after TensorFlow 1, and not for that release."""
    is_a_release = spoken["patch"] or spoken["early"] or spoken["others"] or _ASKS.search(spoken["between"])
    return spoken["first"] == "2.0" and not is_a_release and not _is_all_of_its_line(spoken)


def _is_all_of_its_line(spoken: re.Match[str]) -> bool:
    """Whether nothing else is said there, as in a list of requirements."""
    before = spoken.string[: spoken.start()].rpartition("\n")[2]
    after = spoken.string[spoken.end() :].partition("\n")[0]
    return all((_BEFORE_REQUIREMENT.fullmatch(before), _AFTER_REQUIREMENT.fullmatch(after)))
