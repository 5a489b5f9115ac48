"""Which rule packs are installed: the entry points of one group, in the metadata that stands beside packages."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib.machinery import PathFinder
from itertools import takewhile
from typing import NamedTuple

GROUP = "pipelint.rules"


class Pack(NamedTuple):
    """A rule pack: the name of its entry point, the package that it names, and the distribution that brings it."""

    name: str
    package: str
    distribution: str


def installed_packs() -> list[Pack]:
    """Every pack, by name.

    The standard library's `entry_points` gives the same and takes as long to load as a file takes to check. It is
    asked only where something else than directories may hold distributions.
    """
    return sorted(_packs_in_directories() if _are_all_in_directories() else _packs_of_any_kind())


def project_urls(distribution: str) -> dict[str, str]:
    """The addresses that a distribution gives in its metadata, by their labels in small letters."""
    entries = _urls_in_directories(distribution) if _are_all_in_directories() else _urls_of_any_kind(distribution)
    parts = (entry.partition(",") for entry in entries)
    return {label.strip().lower(): url.strip().rstrip("/") for label, _, url in parts}


def _are_all_in_directories() -> bool:
    finders = [finder for finder in sys.meta_path if finder is not PathFinder]
    return not any(hasattr(finder, "find_distributions") for finder in finders) and not any(
        map(os.path.isfile, sys.path)
    )


def _packs_of_any_kind() -> Iterator[Pack]:
    from importlib.metadata import entry_points

    for entry in entry_points(group=GROUP):
        assert entry.dist is not None
        yield Pack(entry.name, entry.value, entry.dist.name)


def _urls_of_any_kind(distribution: str) -> Iterator[str]:
    from importlib.metadata import metadata

    return map(str, metadata(distribution).get_all("Project-URL") or ())


def _packs_in_directories() -> Iterator[Pack]:
    for distribution, place in _distributions():
        for entry, package in _entries(os.path.join(place, "entry_points.txt")):
            yield Pack(entry, package, distribution)


def _urls_in_directories(distribution: str) -> Iterator[str]:
    place = next((place for name, place in _distributions() if name == distribution), "")
    for name in ("METADATA", "PKG-INFO"):
        with suppress(OSError, ValueError), open(os.path.join(place, name), encoding="utf-8") as file:
            # An empty line ends the headers.
            for line in takewhile(str.strip, file):
                key, _, value = line.partition(":")
                if key == "Project-URL":
                    yield value


def _distributions() -> Iterator[tuple[str, str]]:
    """The names of the distributions in the directories of the path, and where their metadata stands."""
    seen: set[str] = set()
    for directory in dict.fromkeys(sys.path):
        try:
            names = os.listdir(directory or os.curdir)
        except OSError:
            continue
        for name in names:
            if not name.endswith((".dist-info", ".egg-info")):
                continue
            distribution = name.rpartition(".")[0].partition("-")[0]
            key = distribution.lower().replace(".", "_")
            # The first one on the path is the one that is imported.
            if key not in seen:
                seen.add(key)
                yield distribution, os.path.join(directory, name)


def _entries(path: str) -> Iterator[tuple[str, str]]:
    """The name and the value of each entry of the group in a file of entry points, if there is one."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, ValueError):
        return
    section = ""
    for line in map(str.strip, text.splitlines() if GROUP in text else ()):
        if line.startswith("["):
            section = line.strip("[]").strip()
        elif section == GROUP and "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            yield name.strip(), value.strip()
