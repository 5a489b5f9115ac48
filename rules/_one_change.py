"""Faults that are mended together: one finding tells all of them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from pipelint.rule import Finding, Related


def as_one_change(findings: Collection[Finding], what: str) -> Finding:
    """One finding for faults of one function, of one kind, that no fix mends one by one: it is to be written anew."""
    first, *others = sorted(findings, key=lambda finding: finding.region.start)
    if not others:
        return first
    count = (
        f"another {what} of this function does"
        if len(others) == 1
        else f"{len(others)} other {what}s of this function do"
    )
    related = tuple(Related(other.location, f"this {what} too") for other in others)
    return replace(first, message=f"{first.message}; {count} the same", related=first.related + related)
