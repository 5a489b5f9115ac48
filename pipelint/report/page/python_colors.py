"""Python source with its words marked up, so that a page can colour them.

A sieve of its own rather than `tokenize`: cells of notebooks have magics, files may be broken, and an excerpt begins
anywhere.
"""

from __future__ import annotations

import keyword
import re
from bisect import bisect_left, bisect_right
from functools import lru_cache

from pipelint.report.page.assets import shown

_WORD = re.compile(
    r"""(?P<comment>\#[^\n]*)
    | (?P<string>(?i:[rbfut]{0,2})(?:\"{3}[\s\S]*?\"{3}|'{3}[\s\S]*?'{3}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))
    | (?P<number>\d[\w.]*)
    | (?P<keyword>[^\W\d]\w*)""",
    re.VERBOSE,
)
_KEYWORDS = frozenset(keyword.kwlist)


def colored(text: str, start: int, end: int) -> str:
    """A stretch of a program as HTML."""
    words = _words(text)
    parts, done = [], start
    first = bisect_right(words, start, key=lambda word: word[1])
    last = bisect_left(words, end, key=lambda word: word[0])
    for opening, closing, kind in words[first:last]:
        begin, stop = max(opening, start), min(closing, end)
        parts += [shown(text[done:begin]), f'<span class="{kind}">{shown(text[begin:stop])}</span>']
        done = stop
    return "".join([*parts, shown(text[done:end])])


@lru_cache(maxsize=8)
def _words(text: str) -> list[tuple[int, int, str]]:
    """What has a colour: where it begins and ends, and what it is."""
    return [
        (*found.span(), kind)
        for found in _WORD.finditer(text)
        if (kind := found.lastgroup or "") != "keyword" or found.group() in _KEYWORDS
    ]
