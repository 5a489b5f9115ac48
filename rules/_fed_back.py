"""Loops in which what a model answers becomes a part of what it is asked next."""

from __future__ import annotations

import re

from pipelint.rule import Call, Program, Region

_ITEM_SET = re.compile(r"(?m)^\s*(\w+)\[.*?\]\s*=(?!=)(.*)$")
"""`answers[i] = answer`"""
_MADE_OF_ITSELF = re.compile(r"(?m)^\s*(\w+)\s*=(?!=).*\b\1\b")
"""`window = np.append(window[1:], answer)`"""


def is_fed_back(program: Program, call: Call) -> bool:
    """Whether a loop reads the answers that it has kept, or gives a call what each turn makes of what it was."""
    loop = call.loops[-1]
    if not loop.region.holds(call.region):
        return False
    text = program.written(loop.region)
    given = " ".join(program.written(one.region) for one in call.arguments if isinstance(one.region, Region))
    answers = {call.last_name, *re.findall(rf"(?m)^\s*(\w+)\s*=(?!=).*\b{call.last_name}\(", text)}
    kept = {name for name, value in _ITEM_SET.findall(text) if not answers.isdisjoint(re.findall(r"\w+", value))}
    elsewhere = _ITEM_SET.sub("", text)
    read_too = any(re.search(rf"\b{name}\b", elsewhere) for name in kept)
    return read_too or any(re.search(rf"\b{name}\b", given) for name in _MADE_OF_ITSELF.findall(text))
