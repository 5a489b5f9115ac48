"""Of YAML only what cannot be misread is read: the rest is None, or the whole file where it has more than that."""

from __future__ import annotations

import pytest

from pipelint.source.plain_settings import read_settings

READ = {
    "scalars": (
        "a: 8\nb: -0.5\nc: true\nd: some text\ne: 'quoted: text'\n",
        {"a": 8, "b": -0.5, "c": True, "d": "some text", "e": "quoted: text"},
    ),
    "nesting": ("a:\n  b:\n    c: 1\n  d: 2\ne: 3\n", {"a": {"b": {"c": 1}, "d": 2}, "e": 3}),
    "comments and empty lines": ("---\n# first\n\na: 1  # one\n", {"a": 1}),
    "lists": (
        "a:\n  - 1\n  - b: 2\n    c: 3\nd:\n- 4\ne: [1, 2]\nf: 5\n",
        {"a": {}, "d": {}, "e": None, "f": 5},
    ),
    "long texts": ("a: |\n  b: 1\n  c: 2\nd: 3\n", {"a": None, "d": 3}),
    "what readers disagree on": ("a: yes\nb: 010\nc: 1e3\nd: ~\ne: 12:30\nf: ${a}\n", dict.fromkeys("abcdef")),
}
NOT_READ = {
    "an anchor that is merged": "a: &a\n  b: 1\nc:\n  <<: *a\n",
    "no mapping": "just text\n",
    "tabs": "a:\n\tb: 1\n",
    "an indentation out of line": "a:\n    b: 1\n  c: 2\n",
    "a list over several lines": "a: [1,\nb]\n",
}


@pytest.mark.parametrize(("text", "settings"), READ.values(), ids=READ)
def test_plain_settings(text: str, settings: dict[str, object]) -> None:
    assert read_settings(text, is_json=False) == settings


@pytest.mark.parametrize("text", NOT_READ.values(), ids=NOT_READ)
def test_files_that_need_a_parser(text: str) -> None:
    assert read_settings(text, is_json=False) is None


def test_json() -> None:
    assert read_settings('{"a": {"b": 1}}', is_json=True) == {"a": {"b": 1}}
    assert read_settings("[1]", is_json=True) is None
    assert read_settings("{", is_json=True) is None
