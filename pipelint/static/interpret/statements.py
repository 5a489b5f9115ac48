"""Follows statements: assignments, branches, loops, returns."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from types import NoneType

from pipelint.knowledge.python_calls import ENDS_PROGRAM
from pipelint.model.code import Call, ReadBy
from pipelint.model.values import UNKNOWN, Literal, Symbol
from pipelint.source.bindings import bound_names, names_of_body
from pipelint.source.tree_walk import inner_parts, walk
from pipelint.static.abstract.containers import joined
from pipelint.static.abstract.guards import NO_GUARDS, Guards, guards_of
from pipelint.static.abstract.imported_modules import ModuleValue
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.opened_files import OpenFile
from pipelint.static.abstract.scopes import Writes
from pipelint.static.abstract.values import (
    NUMBER,
    Closure,
    Instance,
    Iterating,
    Partial,
    Tensor,
    choice,
)
from pipelint.static.facts import (
    caught_errors,
    consumers,
    counters,
    default_branches,
    events,
    loops,
    narrowing,
    traceable,
    version_guards,
)
from pipelint.static.interpret import assignments, classes, expressions, functions, importing


def execute(machine: Machine, body: Iterable[ast.stmt]) -> bool:
    """Follow statements; False if control never reaches their end."""
    for statement in body:  # noqa: SIM110 - it is the hottest loop of all, and `all` costs a generator each time
        if not _execute_one(machine, statement):
            return False
    return True


def _execute_one(machine: Machine, node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=value):
            consumers.statement(machine, node, expressions.evaluate(machine, value))
            return not (isinstance(value, ast.Call) and _ends_program(machine, value))
        case ast.Assign(targets=targets, value=value):
            counters.note(machine, node)
            assignments.assign(machine, targets, value)
        case ast.AnnAssign(target=target, value=value, annotation=annotation):
            declared = functions.annotated(machine, annotation)
            given = expressions.evaluate(machine, value) if value is not None else declared
            assignments.bind(machine, target, given)
        case ast.AugAssign(target=target, value=value):
            assignments.augment(machine, node, target, value)
        case ast.Return(value=value):
            _return(machine, value)
            return False
        case ast.If(test=test, body=body, orelse=orelse):
            return _branch(machine, test, body, orelse)
        case ast.For(target=target, iter=iterated) | ast.AsyncFor(target=target, iter=iterated):
            _for(machine, node, target, iterated)
        case ast.While(test=test, body=body, orelse=orelse):
            return _while(machine, node, test, body, orelse)
        case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
            return _with(machine, items, body)
        case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=final):
            ends = _try(machine, body, handlers, orelse, final)
            consumers.forget_probe(machine, node)
            return ends
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            machine.assign(node.name, functions.define(machine, node))
        case ast.ClassDef():
            machine.assign(node.name, classes.define_class(machine, node))
        case ast.Import() | ast.ImportFrom():
            importing.follow(machine, node)
        case ast.Match(subject=subject, cases=cases):
            return _match(machine, subject, cases)
        case ast.Raise(exc=error, cause=cause):
            _raise(machine, error, cause)
            return False
        case ast.Assert(test=test, msg=message):
            expressions.evaluate(machine, test)
            _raise(machine, message)
        case ast.Delete(targets=targets):
            assignments.delete(machine, targets)
        case ast.Break() | ast.Continue():
            return False
        case _ if hasattr(node, "handlers"):  # try/except* of Python 3.11
            return _try(machine, node.body, node.handlers, node.orelse, node.finalbody)  # type: ignore[attr-defined]
        case _:
            pass
    return True


def _ends_program(machine: Machine, call: ast.Call) -> bool:
    """Whether a call that was just followed ends the program, whatever tests come out as.

    Where a test decides, what follows is taken for code without one: most of these tests are for wrong arguments. And
    whoever runs the cells of a notebook goes on with the next.
    """
    last = machine.events[-1] if machine.events else None
    if not isinstance(last, Call) or last.symbol not in ENDS_PROGRAM or last.region != machine.region(call):
        return False
    frame = machine.frames[-1]
    return machine.path == frame.base and not (machine.cell_ends and frame.node is None)


def _return(machine: Machine, node: ast.expr | None) -> None:
    value = expressions.evaluate(machine, node) if node is not None else Literal(None)
    frame = machine.frames[-1]
    frame.returns.append((machine.path - frame.base, value))
    if node is not None:
        frame.return_nodes.append((value, node))


def _raise(machine: Machine, *parts: ast.expr | None) -> None:
    start = len(machine.events)
    for part in filter(None, parts):
        expressions.evaluate(machine, part)
    for event in machine.events[start:]:
        event.for_an_error = True


def _branch(machine: Machine, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]) -> bool:
    value = expressions.evaluate(machine, test)
    events.host_read(machine, test, value, ReadBy.TEST)
    truth = classes.test(machine, value)
    if truth is not None and not is_switch(machine, test):
        return execute(machine, body if truth else orelse)
    scope = narrowing.scope_of(machine, test)
    holds, fails = guards_of(test, scope), guards_of(test, scope, holds=False)
    default_branches.note(machine, holds | fails)
    narrowing.note(machine, holds | fails)
    version_guards.note(machine, test, holds | fails)
    start = len(machine.events)
    with narrowing.within(machine, test, holds=True):
        first_writes, first_ends = _branch_writes(machine, holds, body)
    middle = len(machine.events)
    with narrowing.within(machine, test, holds=False):
        second_writes, second_ends = _branch_writes(machine, fails, orelse)
    first, second = machine.events[start:middle], machine.events[middle:]
    loops.mark_traced_twin(first, second)
    loops.mark_traced_twin(second, first)
    if first_ends and second_ends:
        _merge(machine, [(holds, first_writes), (fails, second_writes)])
    elif first_ends or second_ends:
        narrowing.narrow(machine, test, holds=first_ends)
        for key, written in (first_writes if first_ends else second_writes).items():
            machine.store.set(key, written)
        machine.path |= holds if first_ends else fails
    return first_ends or second_ends


def is_switch(machine: Machine, test: ast.expr) -> bool:
    """Whether a test depends on what users or other code flip: then both branches are looked at.

    That is a constant of the module, and an attribute whose first value says nothing of later ones.
    """
    for node in (test, *inner_parts(test)):
        match node:
            case ast.Name(id=name) if name != "__name__" and _is_of_module(machine, name):
                if not isinstance(machine.lookup(name), (Symbol, Closure, ModuleValue, NoneType)):
                    return True
            case ast.Attribute(attr=name) if name in machine.changes.switches:
                return True
            case ast.Attribute(value=ast.Name(id=owner), attr=name):
                module = machine.lookup(owner)
                if isinstance(module, ModuleValue) and isinstance(importing.attribute(machine, module, name), Literal):
                    return True
    return False


def _is_of_module(machine: Machine, name: str) -> bool:
    owner = machine.scope.owner(name)
    return owner is not None and owner.is_module


def _branch_writes(machine: Machine, guards: Guards, body: list[ast.stmt]) -> tuple[Writes, bool]:
    machine.store.push()
    try:
        with machine.within(guards):
            ends = execute(machine, body)
    finally:
        writes = machine.store.pop()
    return writes, ends


def _merge(machine: Machine, branches: list[tuple[Guards, Writes]]) -> None:
    """Join what branches wrote; a name that only some of them bind keeps the value that it has there."""
    for key in dict.fromkeys(key for _, writes in branches for key in writes):
        before = machine.store.get(key)
        options = [(guards, writes.get(key, before)) for guards, writes in branches]
        known = [(guards, value) for guards, value in options if value is not None]
        machine.store.set(key, joined([value for _, value in known]) or choice(known))


def _for(machine: Machine, node: ast.For | ast.AsyncFor, target: ast.expr, iterated: ast.expr) -> None:
    over = expressions.evaluate(machine, iterated)
    classes.operate(machine, over)
    _forget_constants(machine, node)
    loop = loops.for_loop(machine, node, over)
    machine.store.push()
    assignments.bind(machine, target, consumers.element(machine, over))
    machine.loops.append(loop)
    first = len(machine.events)
    path = machine.path
    execute(machine, node.body)
    machine.path = path
    machine.loops.pop()
    body = machine.events[first:]
    loop.epochs = loops.counts_epochs(loop, body)
    consumers.iterated(machine, loop, body)
    consumers.loop(machine, node, over, body)
    writes = machine.store.pop()
    _merge(machine, [(NO_GUARDS, writes), (NO_GUARDS, {})])
    execute(machine, node.orelse)


def _while(machine: Machine, node: ast.While, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]) -> bool:
    _forget_constants(machine, node)
    value = expressions.evaluate(machine, test)
    events.host_read(machine, test, value, ReadBy.TEST)
    loop = loops.while_loop(machine, node)
    machine.loops.append(loop)
    machine.store.push()
    path = machine.path
    first = len(machine.events)
    execute(machine, body)
    machine.path = path
    writes = machine.store.pop()
    machine.loops.pop()
    loop.epochs = loops.counts_epochs(loop, machine.events[first:])
    consumers.iterated(machine, loop, machine.events[first:])
    _merge(machine, [(NO_GUARDS, writes), (NO_GUARDS, {})])
    endless = classes.test(machine, value) is True and not any(isinstance(sub, ast.Break) for sub in walk(node))
    return execute(machine, orelse) and not endless


def _forget_constants(machine: Machine, loop: loops.LoopNode) -> None:
    """What a loop reassigns has no one value in its body: a constant none, a function perhaps another one."""
    for name in names_of_body(loop):
        value = machine.lookup(name)
        if isinstance(value, Literal):
            is_number = isinstance(value.value, (int, float)) and not isinstance(value.value, bool)
            machine.assign(name, NUMBER if is_number else UNKNOWN)
        elif isinstance(value, (Closure, Partial)):
            machine.assign(name, choice([(NO_GUARDS, value), (NO_GUARDS, UNKNOWN)]))


def _with(machine: Machine, items: list[ast.withitem], body: list[ast.stmt]) -> bool:
    tapes = 0
    for item in items:
        first = len(machine.events)
        value = expressions.evaluate(machine, item.context_expr)
        events.note_device(machine, machine.events[first:], item.context_expr, body)
        classes.operate(machine, value)
        if isinstance(value, Instance) and value.symbol == "tensorflow.GradientTape":
            tapes += 1
            traceable.note_tape(machine, item.context_expr, lambda: execute(machine, body))
        if item.optional_vars is not None:
            known = isinstance(value, (Instance, Iterating, OpenFile))
            assignments.bind(machine, item.optional_vars, value if known else UNKNOWN)
    machine.tape_depth += tapes
    before = len(machine.events)
    ends = execute(machine, body)
    machine.tape_depth -= tapes
    caught_errors.note(machine, items, machine.events[before:])
    if tapes and machine.loops and not machine.is_traced:
        _mark_step_results(machine, body)
    return ends


def _mark_step_results(machine: Machine, body: list[ast.stmt]) -> None:
    """What is computed under a tape in a loop is the result of a step, though no function returns it."""
    for name in bound_names(body):
        value = machine.lookup(name)
        if isinstance(value, Tensor):
            machine.assign(name, functions.step_result(value))


def _try(
    machine: Machine,
    body: list[ast.stmt],
    handlers: list[ast.ExceptHandler],
    orelse: list[ast.stmt],
    final: list[ast.stmt],
) -> bool:
    for handler in handlers:
        if handler.type is not None:
            expressions.evaluate(machine, handler.type)
        if handler.name is not None:
            machine.assign(handler.name, UNKNOWN)
    # Each way out is an alternative; which of them runs depends on no test.
    ways = [[*body, *orelse], *(handler.body for handler in handlers)]
    outcomes = [_branch_writes(machine, NO_GUARDS, way) for way in ways]
    _merge(machine, [(NO_GUARDS, writes) for writes, ends in outcomes if ends])
    ends = any(ends for _, ends in outcomes)
    return execute(machine, final) and ends


def _match(machine: Machine, subject: ast.expr, cases: list[ast.match_case]) -> bool:
    expressions.evaluate(machine, subject)
    outcomes: list[tuple[Guards, Writes, bool]] = []
    for case in cases:
        guards = NO_GUARDS
        if isinstance(case.pattern, ast.MatchValue):
            equals = ast.Compare(left=subject, ops=[ast.Eq()], comparators=[case.pattern.value])
            guards = guards_of(equals, narrowing.scope_of(machine, equals))
        for name in bound_names([ast.Match(subject=subject, cases=[ast.match_case(case.pattern, None, [])])]):
            machine.assign(name, UNKNOWN)
        if case.guard is not None:
            expressions.evaluate(machine, case.guard)
        outcomes.append((guards, *_branch_writes(machine, guards, case.body)))
    ending = [(guards, writes) for guards, writes, ends in outcomes if ends]
    _merge(machine, [*ending, (NO_GUARDS, {})])
    return True
