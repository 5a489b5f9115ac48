"""How many files a program reads, as far as its values tell: one path, or a list of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pipelint.knowledge.python_calls import GLOBS, LIST_COPIES, LISTINGS, PATH_JOINS
from pipelint.knowledge.stages import FILES_PARAMETER, ONE_TO_ONE
from pipelint.model.values import UNKNOWN, Literal, Text, Value
from pipelint.source.tree_walk import walk
from pipelint.static.abstract.guards import Atom, expression_of
from pipelint.static.abstract.values import Arguments, DatasetValue, Sequence, alternatives

_WILDCARDS = "*?["
_PATH_TYPES = frozenset({"Path", "PathLike", "bytes", "str"})
_LIST_TYPES = frozenset({"list", "tuple"})
_ABOUT_ONE = frozenset({("isfile", True), ("is_file", True), ("isdir", False), ("is_dir", False)})
"""Tests that tell one file from a directory of them, and how they come out for one."""

_COUNTS_ONE = frozenset({(ast.Gt, 1, False), (ast.GtE, 2, False), (ast.Lt, 2, True), (ast.LtE, 1, True)})
"""Comparisons of a number of files, and how they come out for one."""


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
    if name in PATH_JOINS and not given.hides:
        parts = (part for item in given.positional for part in (Literal("/"), item.value))
        return joined(list(parts)[1:])
    return Text(start) if start and name in LIST_COPIES else None


def joined(parts: list[Value]) -> Value:
    """Strings one after the other: as much of the beginning and of the end as is known."""
    literals = [part for part in parts if isinstance(part, Literal) and isinstance(part.value, str)]
    if len(literals) == len(parts):
        return Literal("".join(map(text_of, parts)), assumed=any(part.assumed for part in literals))
    start = "".join(_while_known(parts))
    end = "".join([*_while_known(parts[::-1], ends=True)][::-1])
    return Text(start, end=end) if start or end else UNKNOWN


def _while_known(parts: list[Value], *, ends: bool = False) -> Iterator[str]:
    for part in parts:
        yield part.end if ends and isinstance(part, Text) else text_of(part)
        if not isinstance(part, Literal):
            return


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
        several: bool | None = _is_pattern(value)
    elif source.op == "from_tensor_slices" and isinstance(value, Sequence) and value.display == "tuple" and value.items:
        several = _several(value.items[0])
    else:
        several = _several(value)
    return False if any(_means_one(atom, given.node) for atom in source.guards) else several


def _means_one(atom: Atom, files: ast.expr) -> bool:
    """Whether a test tells that what is read is one file: `os.path.isfile(path)`, `len(files) == 1`."""
    match expression_of(atom.subject):
        case ast.Call(func=ast.Name(id="len"), args=[asked]):
            one = atom.holds and atom.constant == "1"
        case ast.Compare(ast.Call(func=ast.Name(id="len"), args=[asked]), [op], [ast.Constant(value=int() as count)]):
            one = (type(op), count, atom.holds) in _COUNTS_ONE
        case ast.Call(func=ast.Name(id="type"), args=[asked]):
            one = atom.holds and atom.constant in _PATH_TYPES
        case ast.Call(func=ast.Name(id="isinstance"), args=[asked, types]):
            names = {part.id if isinstance(part, ast.Name) else part.attr for part in _type_names(types)}
            one = names <= _PATH_TYPES if atom.holds else bool(names & _LIST_TYPES)
        case ast.Call(func=ast.Attribute(attr=name), args=[asked]) | ast.Call(func=ast.Attribute(asked, name), args=[]):
            one = (name, atom.holds) in _ABOUT_ONE
        case _:
            return False
    wanted = ast.unparse(asked)
    return one and any(isinstance(part, ast.expr) and ast.unparse(part) == wanted for part in walk(files))


def _type_names(types: ast.expr) -> list[ast.Name | ast.Attribute]:
    named = types.elts if isinstance(types, ast.Tuple) else [types]
    return [part for part in named if isinstance(part, (ast.Name, ast.Attribute))]


def _is_pattern(value: Value) -> bool:
    """Whether a pattern may match several files: all but a plain path, or one with a plain name of a file, may."""
    match value:
        case Literal(value=str() as text):
            return any(sign in text for sign in _WILDCARDS)
        case Text(start=start, end=end, several=False) if "/" in end:
            return any(sign in start + end for sign in _WILDCARDS)
        case _:
            return True


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
            ways = [(guards, option) for guards, option in alternatives(value) if option is not value]
            if any(option is UNKNOWN and any(map(_means_a_list, guards)) for guards, option in ways):
                return True
            known = {_several(option) for _, option in ways}
            return known.pop() if len(known) == 1 else None


def _means_a_list(atom: Atom) -> bool:
    """Whether a test tells a list of files from a single path: `type(files) is str`, `isinstance(files, list)`."""
    match expression_of(atom.subject):
        case ast.Call(func=ast.Name(id="type"), args=[_]):
            return atom.constant in (_LIST_TYPES if atom.holds else _PATH_TYPES)
        case ast.Call(func=ast.Name(id="isinstance"), args=[_, types]):
            names = {part.id if isinstance(part, ast.Name) else part.attr for part in _type_names(types)}
            return names <= (_LIST_TYPES if atom.holds else _PATH_TYPES)
        case _:
            return False
