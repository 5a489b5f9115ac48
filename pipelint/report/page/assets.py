"""What the pages that stand by themselves share: assets, the policy they are held to, and text made safe."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from html import escape
from importlib import resources

from pipelint.report.page.foreign_text import HIDDEN, pieces, shortened

_ASSETS = resources.files("pipelint.report")
_LONGEST_MESSAGE = 2_000
_MARKER = re.compile(r"\{\{ (\w+) \}\}")
_PARTS = re.compile(r"[^/_]*[/_]+|[^/_]+")


def asset(*names: str) -> str:
    """Files below `report/`, one behind the other."""
    return "\n".join(_ASSETS.joinpath(name).read_text("utf-8") for name in names)


def filled(page: str, values: Mapping[str, str], *, style: str, script: str) -> str:
    """The page. A policy lets the browser run this script and use this style, and load nothing at all."""
    every = {**values, "policy": _policy(style, script), "style": style, "script": script}
    # In one pass: what stands in the source must not be taken for a marker.
    return _MARKER.sub(lambda match: every[match.group(1)], page)


def message(text: str) -> str:
    """A message with its code as code."""
    text = shortened(text, _LONGEST_MESSAGE)
    return "".join(f"<code>{shown(part)}</code>" if is_code else shown(part) for is_code, part in pieces(text))


def breakable(path: str) -> str:
    """A path with places where it may break."""
    return "<wbr>".join(shown(part) for part in _PARTS.findall(path))


def shown(text: str) -> str:
    """The text as text: nothing in it is markup, and what would not be seen is named."""
    return HIDDEN.sub(_named, escape(text))


def _named(match: re.Match[str]) -> str:
    return f'<span class="hidden-character">U+{ord(match.group()):04X}</span>'


def _policy(style: str, script: str) -> str:
    rules = {
        "default-src": "'none'",
        "style-src": _hash(style),
        "script-src": _hash(script),
        "base-uri": "'none'",
        "form-action": "'none'",
        "require-trusted-types-for": "'script'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
