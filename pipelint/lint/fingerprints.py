"""What makes a finding the same one after other lines of its file have moved."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

from pipelint.lint.diagnostic import Diagnostic, Problem


def fingerprints(diagnostics: Sequence[Diagnostic]) -> list[str]:
    """One for each diagnostic, in the same order; no two are equal.

    They are made of the rule, the path, the source line without its spacing, and the number among equals.
    """
    places = sorted(range(len(diagnostics)), key=lambda index: diagnostics[index].order)
    made = _numbered([_identity(diagnostics[index]) for index in places])
    return [fingerprint for _, fingerprint in sorted(zip(places, made, strict=True))]


def problem_fingerprints(problems: Sequence[Problem]) -> list[str]:
    """The same for files that could not be checked."""
    return _numbered([("", problem.path, problem.message) for problem in problems])


def _identity(diagnostic: Diagnostic) -> tuple[str, str, str]:
    line = diagnostic.source[0] if diagnostic.source else ""
    return diagnostic.code, diagnostic.span.path, " ".join(line.split())


def _numbered(identities: Sequence[tuple[str, str, str]]) -> list[str]:
    seen: Counter[tuple[str, str, str]] = Counter()
    made = []
    for identity in identities:
        made.append(_digest(*identity, str(seen[identity])))
        seen[identity] += 1
    return made


def _digest(*parts: str) -> str:
    # Names of files that are not UTF-8 hold lone surrogates.
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
