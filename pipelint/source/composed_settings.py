"""Settings that hydra composes of several files: those that a list of defaults names, each under its package."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass

from pipelint.source.plain_settings import Settings, read_settings, without_comment

TextOf = Callable[[str], str | None]
"""Gives the text of a file by its name, which has no suffix; None for one that is out of sight."""
Package = tuple[str, ...]
"""The keys under which the settings of a file stand."""
Part = tuple[Package, Settings | None]
"""What one file says, None where that is not understood."""

MOST_FILES = 64
"""How many files settings are composed of at most: people have a few dozen groups, and a circle has to end."""
_HEADER = re.compile(r"#+\s*@(\w+) +([\w.]+)")
_ITEM = re.compile(r"(?:(optional|override) +)?([\w/-]+)(?:\.yaml)?(?:@([\w.]+))?(?: *:(?: +(.*))?)?")
_OPTION = re.compile(r"[\w./-]+")
_KEYWORD = re.compile(r"_[a-z]+_")
_NOTHING = ("null", "~")


@dataclass(frozen=True)
class _Item:
    """An item of a list of defaults: a file, or the one that is chosen of a group."""

    written: str
    """The path of the file or of the group, from the root if it begins with a slash."""
    package: str | None
    is_group: bool
    option: str | None = None
    """The file of the group, "" for none of them; None for what is not understood."""
    keyword: str = ""

    @property
    def is_self(self) -> bool:
        """Whether it stands for what the file itself says."""
        return self.written == "_self_"

    def default_package(self, around: Package) -> Package:
        """Where the settings stand if nobody says otherwise."""
        path = self.written if self.is_group else posixpath.dirname(self.written)
        return (*around, *filter(None, path.split("/")))


def compose(name: str, text_of: TextOf) -> Settings | None:
    """The settings under this name with all that they are composed of; None if nothing of them is understood.

    As of hydra 1.1 to 1.3: a file whose list does not say where it stands itself comes behind all that it names.
    """
    composed: Settings = {}
    directory = posixpath.dirname(name)
    file = _File(name, directory, tuple(filter(None, directory.split("/"))), None)
    for package, settings in _Composition(text_of).parts(file):
        if settings is not None:
            _merge(_at(composed, package), settings)
        elif package:
            _at(composed, package[:-1])[package[-1]] = None
        else:
            composed.clear()
    return composed or None


@dataclass(frozen=True)
class _File:
    name: str
    directory: str
    """Where what it names is looked for."""
    default: Package
    package: Package | None
    """Where its settings stand, whatever it says of that itself."""
    is_optional: bool = False


class _Composition:
    def __init__(self, text_of: TextOf) -> None:
        self._text_of = text_of
        self._overrides: dict[tuple[str, str | None], str | None] = {}
        self._files_left = MOST_FILES

    def parts(self, file: _File) -> list[Part]:
        """What a file and those that it names say, the last of them counts."""
        if not self._files_left:
            return [(file.default, None)]
        self._files_left -= 1
        text = self._text_of(file.name)
        if text is None and file.is_optional:
            return []
        package = file.package if file.package is not None else _own_package(text or "", file.default)
        settings = read_settings(text, is_json=False) if text is not None else None
        items = _items(text) if text is not None else None
        if package is None or settings is None or items is None:
            return [(file.default if package is None else package, None)]
        settings.pop("defaults", None)
        own: Part = (package, settings)
        for item in items:
            if item.keyword == "override":
                # Those of a file count before those of the files that it names.
                self._overrides.setdefault((_joined(file.directory, item.written), item.package), item.option)
        parts: list[Part] = [] if any(item.is_self for item in items) else [own]
        # An override holds for what stands before it.
        for item in reversed(items):
            if item.keyword != "override":
                parts[:0] = [own] if item.is_self else self._named(item, file.directory, package)
        return parts

    def _named(self, item: _Item, directory: str, around: Package) -> list[Part]:
        default = item.default_package(around)
        package = _package(item.package, around) if item.package is not None else None
        path = _joined(directory, item.written)
        option = self._overrides.get((path, item.package), item.option) if item.is_group else path
        if option == "":
            return []
        if option is None or (package is None and item.package is not None):
            return [(default if package is None else package, None)]
        is_optional = item.keyword == "optional"
        if item.is_group:
            return self.parts(_File(f"{path}/{option}", path, default, package, is_optional))
        return self.parts(_File(path, posixpath.dirname(path), default, package, is_optional))


def _joined(directory: str, path: str) -> str:
    return path.lstrip("/") if path.startswith("/") else posixpath.join(directory, path)


def _own_package(text: str, default: Package) -> Package | None:
    """Where a file says that its settings stand: `# @package _global_` before all others of its lines."""
    for line in filter(None, map(str.strip, text.splitlines())):
        header = _HEADER.fullmatch(line)
        if header is None:
            break
        if header[1] == "package":
            return _package(header[2], ())
    return default


def _package(written: str, around: Package) -> Package | None:
    """The keys that a package names; None for keywords that mean one thing in one version and another in the next."""
    first, *rest = written.split(".")
    named = (*rest,) if first in ("_global_", "_here_") else (first, *rest)
    if any(_KEYWORD.fullmatch(part) for part in named):
        return None
    return named if first == "_global_" else (*around, *named)


def _items(text: str) -> list[_Item] | None:
    """The list of defaults, None if one of them is not understood as an item at all."""
    items: list[_Item] = []
    depth: int | None = None
    lines = iter(filter(None, (without_comment(line) for line in text.splitlines())))
    opening = next((line for line in lines if re.match("defaults *:", line)), "defaults:")
    if opening.replace(" ", "") != "defaults:":
        return [] if opening.replace(" ", "") == "defaults:[]" else None
    for line in lines:
        indent = len(line) - len(line.lstrip(" "))
        if not indent and not line.startswith("-"):
            break
        depth = indent if depth is None else depth
        if indent > depth and items:
            # A list of options.
            items[-1] = _Item(items[-1].written, items[-1].package, is_group=True)
            continue
        item = _item(line.strip().removeprefix("-").strip()) if indent == depth and line.strip()[0] == "-" else None
        if item is None:
            return None
        items.append(item)
    return items


def _item(written: str) -> _Item | None:
    match = _ITEM.fullmatch(written.replace('"', "").replace("'", ""))
    if match is None:
        return None
    keyword, path, package, option = match.groups()
    if ":" not in written:
        return _Item(path, package, is_group=False, keyword=keyword or "")
    chosen = option.removesuffix(".yaml") if option and _OPTION.fullmatch(option) else None
    return _Item(path, package, True, "" if option in _NOTHING else chosen, keyword or "")


def _at(settings: Settings, package: Package) -> Settings:
    """The settings under these keys, where there were none yet, or none that are understood, new ones."""
    for key in package:
        inner = settings.get(key)
        if not isinstance(inner, dict):
            inner = settings[key] = {}
        settings = inner
    return settings


def _merge(into: Settings, settings: Settings) -> None:
    for key, value in settings.items():
        before = into.get(key)
        if isinstance(before, dict) and isinstance(value, dict) and value:
            _merge(before, value)
        else:
            into[key] = value
