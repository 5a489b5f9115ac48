"""Follows statements: assignments, branches, loops, returns."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterable
from types import NoneType

from pipelint.knowledge import names
from pipelint.model.code import Loop, LoopOver, ReadBy
from pipelint.model.program import Reference
from pipelint.model.values import UNKNOWN, Literal, Symbol, Value
from pipelint.source.bindings import bound_names, imported
from pipelint.static.abstract.guards import NO_GUARDS, Guards, guards_of
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.scopes import Writes
from pipelint.static.abstract.traced_values import Undecided
from pipelint.static.abstract.values import (
    NUMBER,
    STEP_RESULT,
    TENSOR,
    Choice,
    Closure,
    DatasetValue,
    Foreign,
    Instance,
    Iterating,
    Options,
    Sequence,
    Table,
    Tensor,
    alternatives,
    choice,
)
from pipelint.static.facts import (
    consumers,
    default_branches,
    environment,
    events,
    imported_libraries,
    loops,
    naming,
    narrowing,
    slices,
    trained_objects,
)
from pipelint.static.interpret import expressions, functions


def execute(machine: Machine, body: Iterable[ast.stmt]) -> bool:
    """Follow statements; False if control never reaches their end."""
    return all(_execute_one(machine, statement) for statement in body)


def _execute_one(machine: Machine, node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=value):
            consumers.statement(machine, node, expressions.evaluate(machine, value))
        case ast.Assign(targets=targets, value=value):
            _assign(machine, targets, value)
        case ast.AnnAssign(target=target, value=value, annotation=annotation):
            declared = functions.annotated(machine, annotation)
            bind(machine, target, expressions.evaluate(machine, value) if value is not None else declared)
        case ast.AugAssign(target=target, value=value):
            _augment(machine, node, target, value)
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
            return _try(machine, body, handlers, orelse, final)
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            machine.assign(node.name, functions.define(machine, node))
        case ast.ClassDef():
            machine.assign(node.name, functions.define_class(machine, node))
        case ast.Import() | ast.ImportFrom():
            _import(machine, node)
        case ast.Match(subject=subject, cases=cases):
            return _match(machine, subject, cases)
        case ast.Raise(exc=error):
            if error is not None:
                expressions.evaluate(machine, error)
            return False
        case ast.Assert(test=test):
            expressions.evaluate(machine, test)
        case ast.Break() | ast.Continue():
            return False
        case _ if hasattr(node, "handlers"):  # try/except* of Python 3.11
            return _try(machine, node.body, node.handlers, node.orelse, node.finalbody)  # type: ignore[attr-defined]
        case _:
            pass
    return True


def _assign(machine: Machine, targets: list[ast.expr], value: ast.expr) -> None:
    if isinstance(targets[0], (ast.Tuple, ast.List)):
        machine.taken_apart[value] = len(targets[0].elts)
    result = expressions.evaluate(machine, value)
    for target in targets:
        slices.remember(machine, target, value)
        bind(machine, target, result)


def bind(machine: Machine, target: ast.expr, value: Value) -> None:
    """Give an assignment target its value, taking tuples apart."""
    for _, option in alternatives(value) if isinstance(value, (DatasetValue, Choice)) else ():
        if isinstance(option, DatasetValue):
            option.variables.add(naming.variable(target))
    match target:
        case ast.Name(id=name):
            machine.assign(name, trained_objects.named(machine, name, value))
        case ast.Starred(value=inner):
            bind(machine, inner, Sequence((value,), "list", open_ended=True))
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            for part, item in zip(targets, _taken_apart(value, targets), strict=True):
                bind(machine, part, item)
        case ast.Attribute(value=owner, attr=name):
            holder = expressions.evaluate(machine, owner)
            if isinstance(holder, Options):
                machine.references.append(Reference(f"tensorflow.data.Options.{name}", machine.region(target)))
            events.note_switch(machine, target, value)
            _set_attribute(machine, holder, name, value)
        case ast.Subscript(value=owner, slice=index):
            _set_item(machine, owner, expressions.evaluate(machine, index), value)


def _taken_apart(value: Value, targets: list[ast.expr]) -> list[Value]:
    count = len(targets)
    match value:
        case Sequence(items=items, open_ended=False) if len(items) == count:
            return list(items)
        case Sequence(items=items, open_ended=True) if len(items) == 1:
            return [items[0]] * count
        case Tensor() | Foreign():
            return [value] * count
        case Undecided():
            return [value.part(index) for index in range(count)]
        case DatasetValue(op="load"):
            # tfds.load gives a list for a list of splits, and a pair with its info.
            return [value] * count
        case Choice():
            options = list(alternatives(value))
            fitting = [option for option in options if isinstance(option[1], (Sequence, Tensor))]
            parts = [(guards, _taken_apart(option, targets)) for guards, option in fitting or options]
            return [choice((guards, part[index]) for guards, part in parts) for index in range(count)]
        case _:
            return [UNKNOWN] * count


def _set_attribute(machine: Machine, owner: Value, name: str, value: Value) -> None:
    match owner:
        case Instance(number=number):
            machine.store.set((number, name), trained_objects.attribute(owner, name, value))
        case Options(path=path, number=number):
            machine.store.set((number, f"{path}.{name}".lstrip(".")), value)
        case Choice():
            for _, option in alternatives(owner):
                _set_attribute(machine, option, name, value)


def _set_item(machine: Machine, owner: ast.expr, index: Value, value: Value) -> None:
    table = expressions.evaluate(machine, owner)
    key = index.value if isinstance(index, Literal) and isinstance(index.value, Hashable) else None
    if isinstance(table, Table) and isinstance(owner, (ast.Name, ast.Attribute)):
        bind(machine, owner, Table((*(item for item in table.items if item[0] != key or key is None), (key, value))))
    elif table == environment.ENVIRONMENT:
        environment.set_variable(machine, key, value)


def _augment(machine: Machine, node: ast.AugAssign, target: ast.expr, value: ast.expr) -> None:
    if isinstance(target, (ast.Name, ast.Attribute)):
        events.outer_count(machine, node, target)
    operand = ast.BinOp(left=_loaded(target), op=node.op, right=value)
    ast.copy_location(operand, node)
    bind(machine, target, expressions.evaluate(machine, operand))


def _loaded(target: ast.expr) -> ast.expr:
    match target:
        case ast.Name(id=name):
            loaded: ast.expr = ast.Name(id=name, ctx=ast.Load())
        case ast.Attribute(value=value, attr=name):
            loaded = ast.Attribute(value=value, attr=name, ctx=ast.Load())
        case ast.Subscript(value=value, slice=index):
            loaded = ast.Subscript(value=value, slice=index, ctx=ast.Load())
        case _:
            return target
    return ast.copy_location(loaded, target)


def _return(machine: Machine, node: ast.expr | None) -> None:
    value = expressions.evaluate(machine, node) if node is not None else Literal(None)
    frame = machine.frames[-1]
    frame.returns.append((machine.path - frame.base, value))
    if node is not None:
        frame.return_nodes.append((value, node))


def _branch(machine: Machine, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]) -> bool:
    value = expressions.evaluate(machine, test)
    events.host_read(machine, test, value, ReadBy.TEST)
    truth = machine.truth(value)
    if truth is not None and not _is_switch(machine, test):
        return execute(machine, body if truth else orelse)
    scope = machine.scope.number
    holds, fails = guards_of(test, scope), guards_of(test, scope, holds=False)
    default_branches.note(machine, holds | fails)
    start = len(machine.events)
    with narrowing.within(machine, test, holds=True):
        first_writes, first_ends = _branch_writes(machine, holds, body)
    middle = len(machine.events)
    with narrowing.within(machine, test, holds=False):
        second_writes, second_ends = _branch_writes(machine, fails, orelse)
    loops.mark_traced_twins(machine.events[start:middle], machine.events[middle:])
    if first_ends and second_ends:
        _merge(machine, [(holds, first_writes), (fails, second_writes)])
    elif first_ends or second_ends:
        narrowing.narrow(machine, test, holds=first_ends)
        for key, written in (first_writes if first_ends else second_writes).items():
            machine.store.set(key, written)
        machine.path |= holds if first_ends else fails
    return first_ends or second_ends


def _is_switch(machine: Machine, test: ast.expr) -> bool:
    """Whether a test depends on a constant of the module, which users flip: then both branches are looked at."""
    named = {node.id for node in ast.walk(test) if isinstance(node, ast.Name)} - {"__name__"}
    of_module = (machine.lookup(name) for name in named if machine.scope.owner(name) is machine.module)
    return any(not isinstance(value, (Symbol, Closure, NoneType)) for value in of_module)


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
        machine.store.set(key, _grown_list([value for _, value in known]) or choice(known))


def _grown_list(values: list[Value]) -> Value | None:
    """The longer of two lists of which one is the beginning of the other, as after a loop that appends."""
    lists = [value for value in values if isinstance(value, Sequence) and value.display == "list"]
    if len(lists) < len(values) or not lists:
        return None
    longest = max(lists, key=lambda value: len(value.items))
    if all(longest.items[: len(value.items)] == value.items for value in lists):
        return Sequence(longest.items, "list", open_ended=len({len(value.items) for value in lists}) > 1)
    return None


def _for(machine: Machine, node: ast.For | ast.AsyncFor, target: ast.expr, iterated: ast.expr) -> None:
    over = expressions.evaluate(machine, iterated)
    loop = loops.for_loop(node, over, machine.region(node), machine.tests)
    _forget_constants(machine, node.body)
    machine.store.push()
    bind(machine, target, element_of(over))
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
    _forget_constants(machine, body)
    value = expressions.evaluate(machine, test)
    events.host_read(machine, test, value, ReadBy.TEST)
    loop = Loop(machine.region(node), LoopOver.WHILE, guards=machine.tests, growing=loops.growing_names(body))
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
    endless = machine.truth(value) is True and not any(isinstance(sub, ast.Break) for sub in ast.walk(node))
    return execute(machine, orelse) and not endless


def _forget_constants(machine: Machine, body: list[ast.stmt]) -> None:
    """What a loop reassigns has no one value in its body."""
    for name in bound_names(body):
        known = machine.lookup(name)
        if isinstance(known, Literal):
            is_number = isinstance(known.value, (int, float)) and not isinstance(known.value, bool)
            machine.assign(name, NUMBER if is_number else UNKNOWN)


def element_of(value: Value) -> Value:
    """What a loop over the value gives each time."""
    match value:
        case DatasetValue(element=element, proven=proven):
            return element if proven else UNKNOWN
        case Iterating(element=element):
            return element
        case Sequence(items=items) if items:
            return choice((NO_GUARDS, item) for item in items)
        case Tensor(step_result=True):
            return STEP_RESULT
        case Tensor():
            return TENSOR
        case Foreign(library=library):
            return NUMBER if library == "builtins.range" else value
        case Undecided():
            return value.part(ast.For)
        case Choice():
            return choice((guards, element_of(option)) for guards, option in alternatives(value))
        case _:
            return UNKNOWN


def _with(machine: Machine, items: list[ast.withitem], body: list[ast.stmt]) -> bool:
    tapes = 0
    for item in items:
        value = expressions.evaluate(machine, item.context_expr)
        if isinstance(value, Instance) and value.symbol == "tensorflow.GradientTape":
            tapes += 1
        if item.optional_vars is not None:
            bind(machine, item.optional_vars, value if isinstance(value, Instance) else UNKNOWN)
    machine.tape_depth += tapes
    ends = execute(machine, body)
    machine.tape_depth -= tapes
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
            guards = guards_of(equals, machine.scope.number)
        for name in bound_names([ast.Match(subject=subject, cases=[ast.match_case(case.pattern, None, [])])]):
            machine.assign(name, UNKNOWN)
        outcomes.append((guards, *_branch_writes(machine, guards, case.body)))
    ending = [(guards, writes) for guards, writes, ends in outcomes if ends]
    _merge(machine, [*ending, (NO_GUARDS, {})])
    return True


def _import(machine: Machine, node: ast.Import | ast.ImportFrom) -> None:
    for name, symbol in imported(node).items():
        machine.assign(name, symbol)
    if isinstance(node, ast.ImportFrom) and not node.level:
        for alias in node.names:
            name = names.canonical(f"{node.module}.{alias.name}")
            machine.references.append(Reference(name, machine.positions.region(alias), imported=True))
    if isinstance(node, ast.ImportFrom) and node.names[0].name == "*" and node.module:
        machine.star_imports.append(names.canonical(node.module))
    imported_libraries.note_import(machine, node)
