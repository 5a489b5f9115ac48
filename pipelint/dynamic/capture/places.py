"""Where a call or a function stands in the user's source: from what Python keeps of a frame to a name in a file."""

from __future__ import annotations

import ast
import linecache
import os
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache, cached_property
from types import CodeType

from pipelint.dynamic.capture import interactive_cells
from pipelint.model.locations import Place

_GENERATED = "__autograph_generated_file"
_PIPELINT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep
_STANDARD = tuple({sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib")})
_INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")
_TENSORFLOW = tuple(f"{folder}tensorflow{os.sep}" for folder in _INSTALLED)
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Origin(Enum):
    """Whose code a file holds."""

    USER = auto()
    LIBRARY = auto()
    TENSORFLOW = auto()
    GENERATED = auto()
    """Written by autograph from somebody's function."""
    SYSTEM = auto()
    """The standard library and pipelint itself, which only pass calls on."""


@cache
def origin(filename: str) -> Origin:
    """Whose code stands in the file of this name."""
    if any(folder in filename for folder in _TENSORFLOW):
        return Origin.TENSORFLOW
    if os.path.basename(filename).startswith(_GENERATED):
        return Origin.GENERATED
    if filename.startswith(("<frozen", _PIPELINT)):
        return Origin.SYSTEM
    if any(folder in filename for folder in _INSTALLED):
        return Origin.LIBRARY
    if filename.startswith(_STANDARD):
        return Origin.SYSTEM
    if filename.startswith("<") and not linecache.getlines(filename):
        return Origin.LIBRARY
    return Origin.USER


@cache
def path_of(filename: str) -> str:
    """The file's path, settled when it is first seen, since a program may change its working directory."""
    name = interactive_cells.named_by_number(filename)
    return name if name.startswith("<") else os.path.abspath(name)


@dataclass(frozen=True)
class Site:
    """A call that was running: the code, the instruction in it, and the line."""

    code: CodeType
    instruction: int
    path: str
    line: int

    def place(self, op: str | None) -> Place:
        """Where the name stands that is called; where a function was handed over, the name of that function."""
        source = source_of(self.path)
        call = source.call_at(self.code, self.instruction)
        if call is None:
            calls = [node for node in source.calls if node.func.end_lineno == self.line and called_name(node) == op]
            place = source.name_of(calls[0]) if len(calls) == 1 else source.line(self.line)
            return Place(place.path, place.line, function=place.function)
        if op != called_name(call):
            for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
                if op is not None and _last_name(argument) == op:
                    return source.end_of(argument, op)
        return source.name_of(call)


@dataclass(frozen=True)
class TracedSite:
    """A call in code that autograph generated, with the user's line that autograph gives for it."""

    generated: Site
    path: str
    line: int

    def place(self, op: str | None) -> Place:
        """Where the user wrote the name that is called."""
        source, generated = source_of(self.path), source_of(self.generated.path)
        call = generated.call_at(self.generated.code, self.generated.instruction)
        if call is None:
            calls = [node for node in source.calls_near(self.line) if called_name(node) == op]
            place = source.name_of(calls[0]) if len(calls) == 1 else source.line(self.line)
            return Place(place.path, place.line, function=place.function)
        name = called_name(call)
        written = [node for node in generated.calls_near(call.lineno) if _is_converted(node)]
        nth = [node for node in written if called_name(node) == name].index(call)
        meant = source.calls_like([called_name(node) for node in written], self.line)
        same = [node for node in meant if called_name(node) == name]
        return source.name_of(same[nth]) if nth < len(same) else source.line(self.line)


def callee(call: ast.Call) -> ast.expr:
    """What is called, seen through the wrapping that autograph gives each call."""
    return call.args[0] if _is_converted(call) else call.func


def called_name(call: ast.Call) -> str | None:
    """The last name of what is called."""
    return _last_name(callee(call))


def loaded_name(node: ast.expr) -> str | None:
    """The variable behind autograph's `ag__.ld(variable)`."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="ag__"), attr="ld"), args=[ast.Name(id=name)]):
            return name
        case _:
            return None


def _is_converted(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "converted_call" and bool(call.args)


def _last_name(node: ast.expr) -> str | None:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return loaded_name(node)


def definition(code: CodeType) -> Place:
    """Where a function is defined: its name, or the `lambda`."""
    source = source_of(path_of(code.co_filename))
    node = source.definition(code)
    if node is None:
        return source.line(code.co_firstlineno)
    if isinstance(node, ast.Lambda):
        return source.span(node.lineno, node.col_offset, node.col_offset + len("lambda"))
    line, name = source.lines[node.lineno - 1].encode(), node.name.encode()
    start = line.find(name, line.find(b"def", node.col_offset) + len(b"def"))
    return source.span(node.lineno, start, start + len(name)) if start > 0 else source.line(node.lineno)


@cache
def source_of(path: str) -> SourceFile:
    """The source of a file or of a notebook's cell, parsed once."""
    return SourceFile(path, linecache.getlines(path))


def is_in_loop(place: Place) -> bool:
    """Whether a place stands in the body of a loop of its file."""
    loops = (node for node in ast.walk(source_of(place.path).tree) if isinstance(node, (ast.For, ast.While)))
    return any(loop.lineno <= place.line <= (loop.end_lineno or 0) for loop in loops)


class SourceFile:
    """The text of one file with its syntax tree, empty where it cannot be read or parsed."""

    def __init__(self, path: str, lines: list[str]) -> None:
        self.path = path
        self.lines = lines

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree."""
        try:
            return ast.parse("".join(self.lines))
        except (SyntaxError, ValueError, RecursionError):
            return ast.Module([], [])

    @cached_property
    def calls(self) -> list[ast.Call]:
        """Every call, in the order in which they end, which is that of running them along a chain."""
        return calls_in(self.tree)

    @cached_property
    def _calls_by_end(self) -> dict[tuple[int | None, int | None], ast.Call]:
        return {(call.end_lineno, call.end_col_offset): call for call in self.calls}

    @cached_property
    def definitions(self) -> list[_Definition]:
        """Every function and lambda, the outer before the inner."""
        return [node for node in ast.walk(self.tree) if isinstance(node, _Definition)]

    def call_at(self, code: CodeType, instruction: int) -> ast.Call | None:
        """The call that the instruction makes, None before Python 3.11 or where there is none."""
        position = next(iter(_positions(code, instruction // 2)), None)
        # The beginning of a method's call is not that of its expression, but the end is.
        return self._calls_by_end.get((position[1], position[3])) if position is not None else None

    def calls_near(self, line: int) -> list[ast.Call]:
        """The calls in the innermost statement that holds the line."""
        statements = self._statements(line)
        return calls_in(statements[0]) if statements else []

    def calls_like(self, names: list[str | None], line: int) -> list[ast.Call]:
        """The calls in the statement or the lambda at the line that makes calls of just these names."""
        for statement in self._statements(line):
            lambdas = [node for node in ast.walk(statement) if isinstance(node, ast.Lambda)]
            for node in (statement, *lambdas):
                calls = calls_in(node)
                if [called_name(call) for call in calls] == names:
                    return calls
        return self.calls_near(line)

    def _statements(self, line: int) -> list[ast.stmt]:
        """The statements that hold the line, the innermost first."""
        nodes = (node for node in ast.walk(self.tree) if isinstance(node, ast.stmt))
        return [node for node in nodes if node.lineno <= line <= (node.end_lineno or 0)][::-1]

    def definition(self, code: CodeType) -> _Definition | None:
        """The function or lambda that was compiled to this code."""
        found = [node for node in self.definitions if _is_definition(node, code)]
        if len(found) > 1:
            end = max(((last or 0, column or 0) for _, last, _, column in _positions(code)), default=(0, 0))
            found = [node for node in found if _end_of_body(node) == end] or found
        return found[-1] if found else None

    def name_of(self, call: ast.Call) -> Place:
        """The place of the name that is called."""
        return self.end_of(call.func, _last_name(call.func) or "")

    def end_of(self, node: ast.expr, name: str) -> Place:
        """The place of the name in which an expression ends."""
        line, end = node.end_lineno or node.lineno, node.end_col_offset or 0
        start = end - len(name.encode()) if name else (node.col_offset if node.lineno == line else 0)
        return self.span(line, start, end)

    def line(self, line: int) -> Place:
        """A whole line."""
        return Place(self.path, line, function=self._function_at(line))

    def span(self, line: int, start: int, end: int) -> Place:
        """A part of a line, given in bytes."""
        text = self.lines[line - 1].encode()
        first, last = (len(text[:offset].decode(errors="replace")) + 1 for offset in (start, end))
        return Place(self.path, line, first, last, self._function_at(line, start))

    def _function_at(self, line: int, column: int | None = None) -> str:
        name = ""
        for node in self.definitions:
            if isinstance(node, ast.Lambda):
                continue
            first, last = node.body[0], node.body[-1]
            at = (line, first.col_offset if column is None else column)
            if (first.lineno, first.col_offset) <= at < (last.end_lineno or 0, last.end_col_offset or 0):
                name = node.name
        return name


def calls_in(tree: ast.AST) -> list[ast.Call]:
    """The calls below a node, in the order in which they end."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return sorted(calls, key=lambda call: (call.end_lineno or 0, call.end_col_offset or 0))


def _positions(code: CodeType, skip: int = 0) -> Iterator[tuple[int | None, int | None, int | None, int | None]]:
    """First line, last line, first column and last column of the instructions behind the first ones."""
    positions = getattr(code, "co_positions", tuple)
    for index, position in enumerate(positions()):
        if index >= skip:
            yield position


def _end_of_body(node: _Definition) -> tuple[int | None, int | None]:
    last = node.body if isinstance(node, ast.Lambda) else node.body[-1]
    return last.end_lineno, last.end_col_offset


def _is_definition(node: _Definition, code: CodeType) -> bool:
    if isinstance(node, ast.Lambda):
        return code.co_name == "<lambda>" and node.lineno == code.co_firstlineno
    first = min((decorator.lineno for decorator in node.decorator_list), default=node.lineno)
    return node.name == code.co_name and first == code.co_firstlineno
