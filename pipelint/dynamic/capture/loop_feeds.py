"""Which lines of a training loop make its batches: those whose values the line that trains is given."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

_Loop = ast.For | ast.AsyncFor | ast.While
_TAPE = "GradientTape"
_PUTS = frozenset({"append", "extend", "add", "insert", "update"})
"""Methods that put something into a variable."""


@dataclass(frozen=True)
class FedLoop:
    """A loop, the line in which it trains, and the lines that feed it."""

    node: _Loop
    line: int
    lines: frozenset[int]
    """Empty where the batch is made among the arguments of the call that trains."""

    @property
    def header(self) -> range:
        """The lines in which a turn begins."""
        return range(self.node.lineno, max(self.node.lineno + 1, self.node.body[0].lineno))

    @property
    def all_lines(self) -> range:
        """The lines of its header and its body."""
        return range(self.node.lineno, (self.node.body[-1].end_lineno or self.node.lineno) + 1)


def fed_loop(tree: ast.Module, line: int) -> FedLoop | None:
    """The innermost loop around a line that trains in which something new is made for it at each turn."""
    loops = _loops_around(tree, line)
    for loop in loops:
        if lines := frozenset(_feeding_lines(loop, line)):
            return FedLoop(loop, line, lines)
    in_place = any(_makes_arguments(statement) for loop in loops[:1] for statement in _at(loop, line))
    return FedLoop(loops[0], line, frozenset()) if in_place else None


def is_in_loop(tree: ast.Module, line: int) -> bool:
    """Whether a loop around a line, in its own function, comes back to it."""
    return bool(_loops_around(tree, line))


def _loops_around(tree: ast.Module, line: int) -> list[_Loop]:
    """The loops whose bodies hold the line in its own function, the innermost first."""
    found: list[_Loop] = []
    statements = list(tree.body)
    while statements:
        statement = next((each for each in statements if _holds(each, line)), None)
        if statement is None:
            break
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found = []
        elif isinstance(statement, _Loop) and any(_holds(each, line) for each in statement.body):
            found.insert(0, statement)
        statements = list(_blocks(statement))
    return found


def _holds(statement: ast.stmt, line: int) -> bool:
    return statement.lineno <= line <= (statement.end_lineno or statement.lineno)


def _blocks(statement: ast.stmt) -> Iterator[ast.stmt]:
    """The statements directly inside a statement."""
    for name in ("body", "orelse", "finalbody"):
        yield from getattr(statement, name, ())
    for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield from part.body


def _feeding_lines(loop: _Loop, line: int) -> Iterator[int]:
    """The lines of statements that give the line its values, from it backwards; those under a tape are the step's."""
    statements = [statement for statement in _in_order(loop.body) if statement.lineno <= line]
    needed: set[str] = set()
    for statement in reversed(statements):
        if _holds(statement, line):
            if not any(_blocks(statement)):
                needed |= _names(statement, ast.Load)
        elif isinstance(statement, (ast.With, ast.AsyncWith)):
            if _records(statement):
                needed |= _names(statement, ast.Load)
        elif _given(statement) & needed and not _is_recorded(statement, statements):
            needed |= _names(statement, ast.Load)
            yield from range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
    if isinstance(loop, (ast.For, ast.AsyncFor)) and _names(loop.target, ast.Store) & needed and not _counts(loop.iter):
        yield from range(loop.lineno, loop.iter.lineno + 1)


def _in_order(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        yield from _in_order(list(_blocks(statement)))


def _given(statement: ast.stmt) -> set[str]:
    """The variables that a statement gives a value, or puts something into."""
    match statement:
        case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
            return _names(statement, ast.Store) | set(_filled(statement))
        case ast.For(target=target) | ast.AsyncFor(target=target):
            return _names(target, ast.Store)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method))) if method in _PUTS:
            return {name}
        case _:
            return set()


def _filled(statement: ast.stmt) -> Iterator[str]:
    """The variables into which an assignment puts parts: `batch[i] = ...`."""
    for part in ast.walk(statement):
        match part:
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()):
                yield name


def _at(loop: _Loop, line: int) -> Iterator[ast.stmt]:
    """The statement without others in it that holds the line."""
    return (each for each in _in_order(loop.body) if _holds(each, line) and not any(_blocks(each)))


def _makes_arguments(statement: ast.stmt) -> bool:
    """Whether a call is given what other calls return, or parts of arrays."""
    calls = (part for part in ast.walk(statement) if isinstance(part, ast.Call))
    given = (argument for call in calls for argument in (*call.args, *(keyword.value for keyword in call.keywords)))
    return any(isinstance(part, (ast.Call, ast.Subscript)) for argument in given for part in ast.walk(argument))


def _names(node: ast.AST, context: type[ast.expr_context]) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, context)}


def _records(statement: ast.With | ast.AsyncWith) -> bool:
    """Whether it records operations for gradients."""
    return any(
        (isinstance(part, ast.Attribute) and part.attr == _TAPE) or (isinstance(part, ast.Name) and part.id == _TAPE)
        for item in statement.items
        for part in ast.walk(item.context_expr)
    )


def _is_recorded(statement: ast.stmt, statements: list[ast.stmt]) -> bool:
    tapes = (each for each in statements if isinstance(each, (ast.With, ast.AsyncWith)) and _records(each))
    return any(_holds(tape, statement.lineno) for tape in tapes)


def _counts(iterated: ast.expr) -> bool:
    """Whether a loop only counts its turns."""
    match iterated:
        case ast.Call(func=ast.Name(id="range")):
            return True
        case ast.Call(func=ast.Name(id="enumerate" | "reversed" | "tqdm"), args=[first, *_]):
            return _counts(first)
        case _:
            return False
