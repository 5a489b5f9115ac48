"""Version constraints as pip, Poetry and conda write them: the lowest and the highest version that one admits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from pipelint.model.tensorflow_version import Version

TENSORFLOW = r"tensorflow(?:[-_.](?:cpu|gpu|macos|intel))?(?![\w.-])"
"""A pattern of the names under which it is installed; case does not matter."""
_COMPARATOR = re.compile(r"(?P<operator>[<>=!~^]*) ?v?(?P<major>\d{1,4})(?:\.(?P<minor>\d{1,4}))?(?=[.*+\s=a-z-]|\Z)")
_PATCH = re.compile(r"\.(?P<number>\d{1,9})")
_LOWER_BOUNDS = frozenset({"", "=", "==", "===", ">=", ">", "~=", "~", "^"})
_NEWEST_MAJOR = 9  # larger numbers are dates or mistakes


def lower_bound(constraint: str) -> Version | None:
    """The lowest version that a constraint such as `>=2.4,<3`, `~=2.9`, `^2.8` or `=2.9=build` admits."""
    alternatives = [
        max((one.version for one in part if one.operator in _LOWER_BOUNDS), default=None)
        for part in _comparators(constraint)
    ]
    bounds = [bound for bound in alternatives if bound is not None]
    return min(bounds) if len(bounds) == len(alternatives) else None


def upper_bound(constraint: str) -> Version | None:
    """The highest minor version that a constraint such as `==2.4.1`, `~=2.9.1` or `>=2.4,<2.11` admits.

    None where it admits every later one of its major version: `>=2.4`, `~=2.9`, `^2.8`, `<3`.
    """
    alternatives = [
        min((bound for one in part if (bound := one.highest) is not None), default=None)
        for part in _comparators(constraint)
    ]
    bounds = [bound for bound in alternatives if bound is not None]
    return max(bounds) if len(bounds) == len(alternatives) else None


class _Comparator(NamedTuple):
    operator: str
    version: Version
    parts: int
    """How many numbers are written: 2 for `~=2.9`, which admits 2.10, 3 for `~=2.9.1`, which does not."""
    patched: bool
    """Whether the third of them is more than 0: `<2.9.1` admits 2.9, and `<2.9.0` does not."""

    @property
    def highest(self) -> Version | None:
        major, minor = self.version
        match self.operator:
            case "<=" | "" | "=" | "==" | "===" | "~" if self.parts > 1:
                return self.version
            case "~=" if self.parts > 2:
                return self.version
            case "<" if self.patched:
                return self.version
            case "<" if minor > 0:
                return major, minor - 1
            case _:
                return None


def _comparators(constraint: str) -> Iterator[list[_Comparator]]:
    """The comparisons that hold together, for each alternative."""
    for alternative in re.split(r"\|+", constraint):
        # One space for many, so that the patterns need not look for their ends.
        parts = re.split(r",| (?=[<>=!~^])", " ".join(alternative.split()))
        found = [_COMPARATOR.match(part.strip()) for part in parts]
        yield [_comparator(one) for one in found if one and int(one["major"]) <= _NEWEST_MAJOR]


def _comparator(found: re.Match[str]) -> _Comparator:
    patch = _PATCH.match(found.string, found.end())
    return _Comparator(
        found["operator"],
        (int(found["major"]), int(found["minor"] or 0)),
        1 + (found["minor"] is not None) + (patch is not None),
        patch is not None and patch["number"].strip("0") != "",
    )
