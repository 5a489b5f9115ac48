"""Patterns as in .gitignore."""

from __future__ import annotations

import pytest

from pipelint.source.ignore_patterns import IgnorePatterns


@pytest.mark.parametrize(
    ("lines", "path", "ignored"),
    [
        (["*.py"], "a/b.py", True),
        (["/*.py"], "a/b.py", None),
        (["a/*.py"], "b/a/c.py", None),
        (["**/a/*.py"], "b/a/c.py", True),
        (["a/**/c.py"], "a/c.py", True),
        (["a/**/c.py"], "a/b/b/c.py", True),
        (["a/**"], "a/b/c.py", True),
        (["a/**"], "a", None),
        (["build/"], "build/x.py", True),
        (["build/"], "build", None),
        (["*.py", "!keep.py"], "keep.py", False),
        (["a/", "!a/keep.py"], "a/keep.py", True),
        (["# *.py"], "# *.py", None),
        (["\\#*.py"], "#a.py", True),
        (["a\\ "], "a ", True),
        (["a "], "a", True),
        (["[!a-c].py"], "d.py", True),
        (["[!a-c].py"], "b.py", None),
        (["x[d-c]"], "xd", None),
        (["[a"], "[a", None),
        (["[[:digit:]].py"], "7.py", True),
        (["a//b"], "a/b", None),
        (["/"], "a", None),
        (["[&&~~||]"], "~", True),
    ],
)
def test_what_they_match(lines: list[str], path: str, ignored: bool | None) -> None:
    assert IgnorePatterns("/project", lines).verdict(f"/project/{path}") is ignored


def test_many_stars_are_no_more_work_than_few() -> None:
    names = IgnorePatterns("/project", ["*a" * 60 + "*b"])
    assert names.verdict("/project/" + "a" * 250) is None
    assert names.verdict("/project/" + "a" * 250 + "b") is True
    folders = IgnorePatterns("/project", ["/**" + "/a/**" * 60 + "/b"])
    assert folders.verdict("/project" + "/a" * 300) is None
    assert folders.verdict("/project" + "/a" * 300 + "/b") is True
