"""Which names are bound at a place, whatever way the program took there."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Set
from functools import cached_property

from pipelint.knowledge import names
from pipelint.rewrite.syntax import AnyFunction, Syntax, first_line
from pipelint.source.bindings import bound_names, function_names

_Fact = str | tuple[str, str]
"""A name that is bound; ("tf", "tensorflow") if it is where the package can be loaded; ("", "tensorflow") if it is."""
_State = frozenset[_Fact] | None
"""What holds on every way to a place; None where there is no way."""
_IMPORTS = (ast.Import, ast.ImportFrom)
_TRIES = (ast.Try, getattr(ast, "TryStar", ast.Try))
_NOWHERE: frozenset[_Fact] = frozenset()


class SurelyBound:
    """Follows some names of a program through all its statements; one that is set to None does not count as bound."""

    def __init__(self, syntax: Syntax, followed: Set[str]) -> None:
        self._syntax = syntax
        self._followed = followed
        self._before: dict[ast.stmt, frozenset[_Fact]] = {}
        self._told: dict[int, frozenset[str]] = {}
        self._breaks: list[list[_State]] = []
        self._around_class: _State = None
        self._block(syntax.tree.body, _NOWHERE)

    def at(self, offset: int) -> frozenset[str]:
        """The names that are bound wherever the expression at this offset is evaluated, or it fails anyway."""
        if offset not in self._told:
            self._told[offset] = self._at(offset)
        return self._told[offset]

    def _at(self, offset: int) -> frozenset[str]:
        statement = self._statement_at(offset)
        if statement is None:
            return frozenset()
        facts = self._before[statement] | self._reads(_run_with(statement)) | self._reads_around(statement, offset)
        plain = {fact for fact in facts if isinstance(fact, str)}
        loaded = {fact[0] for fact in facts if not isinstance(fact, str) and ("", fact[1]) in facts}
        return frozenset(plain | loaded) - {""}

    def _statement_at(self, offset: int) -> ast.stmt | None:
        """The innermost statement at an offset, or the one that the line goes on with."""
        text = self._syntax.text
        while text[offset : offset + 1] in (" ", "\t"):
            offset += 1
        places = self._places
        for start, end, statement in reversed(places[: bisect_right(places, offset, key=lambda place: place[0])]):
            if start <= offset <= end:
                return statement
        return None

    @cached_property
    def _places(self) -> list[tuple[int, int, ast.stmt]]:
        positions = self._syntax.positions
        places = []
        for node in self._before:
            start = positions.start(first_line(node)) + node.col_offset if _decorators(node) else None
            region = positions.region(node)
            places.append((region.start if start is None else start, region.end, node))
        return sorted(places, key=lambda place: place[0])

    def _reads_around(self, statement: ast.stmt, offset: int) -> frozenset[_Fact]:
        """What is read with one of the expressions around an offset, the bodies of lambdas included."""
        found: set[_Fact] = set()
        pending: list[ast.AST] = list(_run_with(statement))
        while pending:
            node = pending.pop()
            if isinstance(node, ast.expr):
                if not self._syntax.positions.region(node).start <= offset <= self._syntax.positions.region(node).end:
                    continue
                found |= self._reads([node])
            pending.extend(ast.iter_child_nodes(node))
        return frozenset(found)

    def _reads(self, expressions: Iterable[ast.expr]) -> frozenset[_Fact]:
        """The names that are read whenever these expressions are evaluated."""
        read: set[str] = set()
        pending: list[ast.AST] = list(expressions)
        while pending:
            node = pending.pop()
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                read.add(node.id)
            pending.extend(_evaluated(node))
        return frozenset(read & self._followed)

    def _block(self, body: Iterable[ast.stmt], state: _State) -> _State:
        for node in body:
            state = self._statement(node, state)
        return state

    def _statement(self, node: ast.stmt, state: _State) -> _State:
        """What holds behind a statement."""
        if state is None:
            self._statement(node, _NOWHERE)
            return None
        self._before[node] = self._before.get(node, state) & state
        state |= self._reads(_run_with(node))
        match node:
            case ast.If():
                return _joined(self._block(node.body, state), self._block(node.orelse, state))
            case ast.For() | ast.AsyncFor() | ast.While():
                return self._loop(node, state)
            case ast.With() | ast.AsyncWith():
                behind = self._block(node.body, state)
                return _joined(behind, self._failed(node.body, state)) if any(map(_suppresses, node.items)) else behind
            case ast.Match():
                ends = [self._block(case.body, state) for case in node.cases]
                return _joined(*ends, None if _takes_all(node.cases[-1]) else state)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._function(node, state)
            case ast.ClassDef():
                outside, breaks = self._around_class, self._breaks
                self._around_class, self._breaks = state if outside is None else outside, []
                self._block(node.body, state)
                self._around_class, self._breaks = outside, breaks
            case ast.Break() if self._breaks:  # `ast` takes one outside of a loop as well.
                self._breaks[-1].append(state)
        if isinstance(node, _TRIES):
            return self._try(node, state)
        return None if _leaves(node) else self._bound_by(node, state)

    def _bound_by(self, node: ast.stmt, state: frozenset[_Fact]) -> frozenset[_Fact]:
        if isinstance(node, (AnyFunction, ast.ClassDef)):
            return state
        if lost := _lost([node]):
            return _without(state, lost)
        bound = bound_names([node]) & self._followed
        return state | bound | (self._loaded(node) if isinstance(node, _IMPORTS) else _NOWHERE)

    def _loaded(self, node: ast.Import | ast.ImportFrom) -> frozenset[_Fact]:
        """What an import binds, where its package can be loaded, and that it has been."""
        if isinstance(node, ast.ImportFrom):
            root = names.root(node.module) if node.module and not node.level else "."
            return frozenset({("", root), *((name, root) for name in bound_names([node]) & self._followed)})
        roots = {alias.asname or alias.name.partition(".")[0]: names.root(alias.name) for alias in node.names}
        return frozenset(
            {*(("", root) for root in roots.values()), *(item for item in roots.items() if item[0] in self._followed)}
        )

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, state: frozenset[_Fact]) -> _State:
        start = _without(state, _lost(node.body))  # Each round may begin with what the one before has lost.
        self._breaks.append([])
        self._block(node.body, start)
        breaks = self._breaks.pop()
        is_endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and bool(node.test.value)
        return _joined(*breaks, None if is_endless else self._block(node.orelse, start))

    def _try(self, node: ast.Try, state: frozenset[_Fact]) -> _State:
        ends = [self._block(node.orelse, self._block(node.body, state))]
        failed = self._failed(node.body, state)
        first = failed - state
        for handler in node.handlers:
            end = self._block(handler.body, failed)
            ends.append(None if end is None else _without(end, {handler.name or ""}) | first)
        self._block(node.finalbody, _without(state, _lost([node])))
        return self._block(node.finalbody, _joined(*ends))

    def _failed(self, body: list[ast.stmt], state: frozenset[_Fact]) -> frozenset[_Fact]:
        """What holds when some statement of a block has failed: if it was an import, of a package that is not there."""
        first = self._loaded(body[0]) if isinstance(body[0], _IMPORTS) else _NOWHERE
        return _without(state, _lost(body)) | {fact for fact in first if fact[0]}

    def _function(self, node: AnyFunction, state: frozenset[_Fact]) -> None:
        """Follow the body of a function, which runs at some time after its definition."""
        outside, breaks = self._around_class, self._breaks
        later = {name for name, line in self._lost_last.items() if line > node.lineno}
        entry = _without(state if outside is None else outside, function_names(node)[0] | later)
        self._around_class, self._breaks = None, []
        self._block(node.body, entry)
        self._around_class, self._breaks = outside, breaks

    @cached_property
    def _lost_last(self) -> dict[str, int]:
        """The last line in which each name is deleted or set to None."""
        lines: dict[str, int] = {}
        for node in ast.walk(self._syntax.tree):
            for name in _lost_by(node):
                lines[name] = max(lines.get(name, 0), getattr(node, "lineno", 0))
        return lines


def _joined(*states: _State) -> _State:
    """What holds whichever of the ways was taken."""
    ways = [state for state in states if state is not None]
    return frozenset.intersection(*ways) if ways else None


def _without(state: frozenset[_Fact], lost: Set[str]) -> frozenset[_Fact]:
    if not lost:
        return state
    return frozenset(fact for fact in state if (fact if isinstance(fact, str) else fact[0]) not in lost)


def _lost(body: Iterable[ast.stmt]) -> frozenset[str]:
    """The names that statements may delete or set to None."""
    return frozenset(name for statement in body for node in ast.walk(statement) for name in _lost_by(node))


def _lost_by(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Assign(targets=targets, value=ast.Constant(value=None)):
            yield from bound_names([ast.Expr(target) for target in targets])
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=None)):
            yield name
        case ast.Delete(targets=targets):
            yield from bound_names([ast.Expr(target) for target in targets])
        case ast.ExceptHandler(name=str(name)):
            yield name


def _run_with(node: ast.stmt) -> Iterator[ast.expr]:
    """The expressions that are evaluated whenever a statement runs, for a compound one those of its header."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from (*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults))
        case ast.ClassDef():
            yield from (*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords))
        case ast.With() | ast.AsyncWith():
            yield from (item.context_expr for item in node.items)
        case ast.AnnAssign():
            yield from [node.value] if node.value else []
        case ast.Assert():
            yield node.test
        case _:
            yield from (child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))


def _evaluated(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of an expression that are evaluated whenever it is."""
    match node:
        case ast.BoolOp(values=[first, *_]):
            yield first
        case ast.IfExp(test=test):
            yield test
        case ast.Compare(left=left, comparators=[second, *_]):
            yield from (left, second)
        case ast.Lambda(args=arguments):
            yield from (*arguments.defaults, *filter(None, arguments.kw_defaults))
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            yield node.generators[0].iter
        case _:
            yield from ast.iter_child_nodes(node)


def _decorators(node: ast.stmt) -> list[ast.expr]:
    return getattr(node, "decorator_list", [])


def _takes_all(case: ast.match_case) -> bool:
    return case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None


def _suppresses(item: ast.withitem) -> bool:
    """Whether a `with` goes on behind its block where that fails: `suppress(ImportError)`."""
    match item.context_expr:
        case ast.Call(func=ast.Name(id="suppress") | ast.Attribute(attr="suppress")):
            return True
        case _:
            return False


def _leaves(node: ast.stmt) -> bool:
    """Whether what stands behind a statement is not reached from it."""
    match node:
        case ast.Raise() | ast.Return() | ast.Continue() | ast.Break():
            return True
        case ast.Expr(value=ast.Call(func=ast.Name(id="exit") | ast.Attribute(value=ast.Name(id="sys"), attr="exit"))):
            return True
        case _:
            return False
