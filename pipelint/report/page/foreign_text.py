"""Text that is not ours, made fit to be shown: messages, paths and source may hold anything."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Control characters but the tab, marks that turn the reading direction or show nothing, and halves of surrogate pairs.
HIDDEN = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_CODE = re.compile(r"`([^`\n]+)`")


def escaped(text: str) -> str:
    r"""The text with every hidden character written out as Python would: `\x1b`, `\u202e`."""
    return HIDDEN.sub(lambda match: match.group().encode("unicode_escape").decode(), text)


def shortened(text: str, most: int) -> str:
    """The text, or its beginning with an ellipsis where it is longer than `most` characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def pieces(message: str) -> Iterator[tuple[bool, str]]:
    """The parts of a message: whether a part is code, which stands between backticks, and its text."""
    done = 0
    for match in _CODE.finditer(message):
        if match.start() > done:
            yield False, message[done : match.start()]
        yield True, match.group(1)
        done = match.end()
    if done < len(message):
        yield False, message[done:]
