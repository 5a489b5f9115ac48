"""Loops in which what a model answers becomes a part of what it is asked next."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipelint.rule import Call, Program, Region

_SET = re.compile(r"\s*([\w.]+(?:\s*,\s*[\w.]+)*)\s*(=(?!=)|[-+*/|&%]+=)(.*)", re.DOTALL)
"""`window = np.append(window[1:], answer)`, and `text += answer`"""
_ITEM_SET = re.compile(r"\s*([\w.]+)(\[.*?\]\s*[-+*/|&%]*=(?!=).*)", re.DOTALL)
"""`answers[i] = answer`"""
_ADDED = re.compile(r"\s*([\w.]+)\.(?:add|append|appendleft|extend|insert|put)(\(.*)", re.DOTALL)
_TURN = re.compile(r"\s*for\s+([\w\s,()]+?)\s+in\b(.*)", re.DOTALL)
_COMMENT = re.compile(r"#.*")
_OPEN, _CLOSED = "([{", ")]}"


def is_fed_back(program: Program, call: Call) -> bool:
    """Whether a loop gives a call what it has made of earlier answers."""
    loop = call.loops[-1]
    if not loop.region.holds(call.region):
        return False
    given = " ".join(program.written(one.region) for one in call.arguments if isinstance(one.region, Region))
    asking = _COMMENT.sub("", program.written(call.region))
    statements = list(_statements(_COMMENT.sub("", program.written(loop.region))))
    # What the first turn makes of the answer is what the second begins with.
    from_answers = set[str]()
    for statement in statements * 2:
        if asking in statement and not from_answers.isdisjoint(_words(given)):
            return True
        _follow(statement, asking, from_answers)
    return False


def _follow(statement: str, asking: str, from_answers: set[str]) -> None:
    """Add what a statement makes of answers to the variables that come of them, and take out what it sets anew."""
    for form in (_SET, _ITEM_SET, _ADDED, _TURN):
        if found := form.match(statement):
            targets = {name.rpartition(".")[2] for name in re.findall(r"[\w.]+", found[1])}
            value = found[found.re.groups]
            if asking in value or not from_answers.isdisjoint(_words(value)):
                from_answers |= targets
            elif form is _SET and found[2] == "=":
                from_answers -= targets
            return


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def _statements(text: str) -> Iterator[str]:
    """The lines of a loop, those together that brackets hold together."""
    pending, depth = "", 0
    for line in text.splitlines(keepends=True):
        pending += line
        depth += sum(map(line.count, _OPEN)) - sum(map(line.count, _CLOSED))
        if depth <= 0:
            yield pending
            pending, depth = "", 0
