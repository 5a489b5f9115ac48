"""Programs as files: newlines, byte order marks, declared encodings, cut and damaged bytes."""

from __future__ import annotations

import random

NEWLINES = ("\n",) * 8 + ("\r\n", "\r\n", "\r")
DECLARED = (
    "latin-1",
    "cp1252",
    "utf-8",
    "utf-8-sig",
    "koi8-r",
    "shift_jis",
    "iso2022_jp",
    "utf-7",
    "ascii",
    "gbk",
    "hz",
)
NO_ENCODINGS = (
    "idna",
    "punycode",
    "rot13",
    "base64",
    "undefined",
    "raw_unicode_escape",
    "utf-16",
    "nonsense",
    "uu",
    "mbcs",
)


def in_bytes(rng: random.Random, text: str) -> bytes:
    """The bytes of a file: most are plain UTF-8, as most files are."""
    text = text.replace("\n", rng.choice(NEWLINES))
    chance = rng.random()
    if chance < 0.85:
        return text.encode("utf-8", "replace")
    if chance < 0.9:
        return b"\xef\xbb\xbf" + text.encode("utf-8", "replace")
    if chance < 0.95:
        encoding = rng.choice(DECLARED)
        return f"# -*- coding: {encoding} -*-\n".encode() + text.encode(encoding, "replace")
    if chance < 0.97:
        return f"#!/bin/python\n# vim: set fileencoding={rng.choice(NO_ENCODINGS)} :\n{text}".encode("utf-8", "replace")
    return _damaged(rng, text.encode("utf-8", "replace"))


def _damaged(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    noise = bytes(rng.randrange(256) for _ in range(rng.randint(0, 4)))
    return rng.choice((data[:at], data[:at] + noise + data[at:], data[:at] + noise, data.replace(b"\n", b"\r\n", 3)))
