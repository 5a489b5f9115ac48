"""Patterns as in .gitignore, matched in time that is linear in the path, however many stars they have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

_CLASS = re.compile(r"\[(?P<not>[!^]?)(?P<members>\]?(?:\\.|\[:\w+:\]|[^\]\\])*)\]", re.DOTALL)
_ANY_NAMES = "**"
_SEVERAL_STARS = re.compile(r"\*{2,}")


class IgnorePatterns:
    """Patterns that are relative to a directory, which is given as an absolute path with slashes."""

    def __init__(self, directory: str, lines: Iterable[str]) -> None:
        self._prefix = f"{directory.rstrip('/')}/"
        self._patterns = [pattern for line in lines if (pattern := _pattern(line)) is not None]
        self._directories: dict[tuple[str, ...], bool] = {}

    def verdict(self, path: str, is_directory: bool = False) -> bool | None:
        """Whether they match a path, refuse it with `!`, or say nothing about it."""
        if not path.startswith(self._prefix):
            return None
        names = tuple(path[len(self._prefix) :].strip("/").split("/"))
        # What is in a directory that is ignored is ignored with it.
        if any(self._ignores(names[:length]) for length in range(1, len(names))):
            return True
        return self._last(names, is_directory)

    def _ignores(self, directory: tuple[str, ...]) -> bool:
        if directory not in self._directories:
            self._directories[directory] = self._last(directory, is_directory=True) is True
        return self._directories[directory]

    def _last(self, names: tuple[str, ...], is_directory: bool) -> bool | None:
        """What the last pattern says that matches."""
        return next((not p.refuses for p in reversed(self._patterns) if p.matches(names, is_directory)), None)


@dataclass(frozen=True)
class _Pattern:
    globs: tuple[re.Pattern[str] | None, ...]
    """One for each name of a path, None for any number of names."""
    refuses: bool
    only_directories: bool

    def matches(self, path: Sequence[str], is_directory: bool) -> bool:
        if self.only_directories and not is_directory:
            return False
        if len(self.globs) == 2 and self.globs[0] is None and self.globs[1] is not None:
            return self.globs[1].fullmatch(path[-1]) is not None  # as most are, and each file is asked about
        return _matches(self.globs, path)


def _pattern(line: str) -> _Pattern | None:
    """The pattern of a line; None for a comment, an empty line, and what git takes as never matching."""
    text = line.rstrip("\r\n")
    bare = text.rstrip(" ")
    # A space behind a backslash belongs to the name.
    escaped = (len(bare) - len(bare.rstrip("\\"))) % 2 and bare != text
    text = f"{bare} " if escaped else bare
    if text.startswith("#"):
        return None
    refuses = text.startswith("!")
    text = text[refuses:]
    only_directories = text.endswith("/")
    anchored = "/" in text.rstrip("/")
    names = [_ANY_NAMES if _SEVERAL_STARS.fullmatch(name) else name for name in _names(text)]
    if "" in names:
        return None  # no path has a name without a letter
    if not anchored:
        names.insert(0, _ANY_NAMES)
    if names[-1] == _ANY_NAMES and anchored:
        names.append("*")  # all that is inside, but not the directory itself
    try:
        globs = tuple(None if name == _ANY_NAMES else re.compile(_expression(name), re.DOTALL) for name in names)
    except re.error:
        return None
    return _Pattern(globs, refuses, only_directories)


def _names(text: str) -> list[str]:
    return text.removeprefix("/").removesuffix("/").split("/")


def _matches(globs: Sequence[re.Pattern[str] | None], names: Sequence[str]) -> bool:
    """Whether globs match all names; where one fails, only the last run of any names may have been too short."""
    at = name = 0
    run: tuple[int, int] | None = None
    while name < len(names):
        glob = globs[at] if at < len(globs) else None
        if at < len(globs) and glob is None:
            run = (at, name)
            at += 1
        elif glob is not None and glob.fullmatch(names[name]):
            at, name = at + 1, name + 1
        elif run is not None:
            run = (run[0], run[1] + 1)
            at, name = run[0] + 1, run[1]
        else:
            return False
    return all(glob is None for glob in globs[at:])


def _expression(glob: str) -> str:
    """A regular expression for one name. What a star takes is settled as soon as what follows it is found."""
    pieces: list[str] = [""]
    for part in _parts(glob):
        if part is None:
            if pieces[-1] or len(pieces) == 1:
                pieces.append("")
        else:
            pieces[-1] += part
    first, *rest = pieces
    if not rest:
        return first
    # Python 3.10 has no atomic groups: a lookahead is one, and the reference takes what it saw.
    middle = "".join(f"(?=(?P<s{index}>.*?{piece}))(?P=s{index})" for index, piece in enumerate(rest[:-1]))
    return f"{first}{middle}.*{rest[-1]}"


def _parts(glob: str) -> Iterator[str | None]:
    """The expression of each character, None for a star."""
    at = 0
    while at < len(glob):
        character = glob[at]
        members = _CLASS.match(glob, at) if character == "[" else None
        at += 1
        if character == "*":
            yield None
        elif character == "?":
            yield "."
        elif members is not None:
            at = members.end()
            yield f"[{'^' if members['not'] else ''}{_escaped(members['members'])}]"
        elif character == "[":
            raise re.error("a class that does not end")
        elif character == "\\":
            yield re.escape(glob[at : at + 1])
            at += 1
        else:
            yield re.escape(character)


def _escaped(members: str) -> str:
    """The members of a class, without what only regular expressions know in them."""
    plain = re.sub(r"\\(.)", lambda found: re.escape(found[1]), members, flags=re.DOTALL)
    kept = re.sub(r"\\.|[\[\]&~|^]", lambda found: found[0] if len(found[0]) == 2 else f"\\{found[0]}", plain)
    return re.sub(r"\\\[:(\w+):\\?\]", lambda found: _POSIX.get(found[1], ""), kept)


_POSIX = {"alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "upper": "A-Z", "lower": "a-z", "space": r"\s"}
