"""How many files a program reads, as far as its values tell: one path, or a list of them."""

from __future__ import annotations

import ast

from pipelint.knowledge.python_calls import GLOBS, LIST_COPIES, LISTINGS, PATH_JOINS
from pipelint.knowledge.stages import FILES_PARAMETER, ONE_TO_ONE
from pipelint.model.values import Literal, Text, Value
from pipelint.static.abstract.values import Arguments, DatasetValue, Sequence, alternatives


def given_by(name: str, given: Arguments) -> Value | None:
    """What a function that makes or lists paths gives, with what is known of their beginning; None for any other."""
    first = given.positional[0].value if given.positional else Value()
    start = text_of(first)
    if name in GLOBS:
        return Text(start, several=_is_pattern(first))
    if name in LISTINGS:
        return Text("", several=True)
    if name in LIST_COPIES and isinstance(first, Text):
        return first
    return Text(start) if start and name in PATH_JOINS | LIST_COPIES else None


def text_of(value: Value) -> str:
    """The string, or as much of its beginning as is known."""
    match value:
        case Literal(value=str() as text) | Text(start=text):
            return text
        case _:
            return ""


def is_one(part: ast.Slice) -> bool:
    """Whether a slice of a list takes one item: `[:1]`, `[-1:]`."""
    ends = [ast.unparse(end) if end is not None else "" for end in (part.lower, part.upper)]
    return ends in (["", "1"], ["0", "1"], ["-1", ""])


def gives_several(source: DatasetValue) -> bool | None:
    """Whether a source reads, lists or slices several files; None where that is not known."""
    given = source.arguments.get(FILES_PARAMETER.get(source.op, ""))
    if given is None:
        return None
    value = given.value
    if source.op == "list_files":
        return _is_pattern(value)
    if source.op == "from_tensor_slices" and isinstance(value, Sequence) and value.display == "tuple" and value.items:
        return _several(value.items[0])
    return _several(value)


def _is_pattern(value: Value) -> bool:
    """Whether a pattern may match several files: all but a plain path may."""
    plain = isinstance(value, Literal) and isinstance(value.value, str)
    return not plain or any(sign in text_of(value) for sign in "*?[")


def _several(value: Value) -> bool | None:
    match value:
        case Literal(value=str()):
            return False
        case Text(several=several):
            return several
        case Sequence(items=items, open_ended=open_ended):
            return open_ended or len(items) > 1 or any(map(_several, items)) if items else None
        case DatasetValue(op=op, inputs=(below,)) if op in ONE_TO_ONE or op == "repeat":
            return _several(below)
        case DatasetValue():
            return gives_several(value)
        case _:
            known = {_several(option) for _, option in alternatives(value) if option is not value}
            return known.pop() if len(known) == 1 else None
