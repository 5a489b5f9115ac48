"""Follows assignments: to names, attributes and items, of one value or of several at once."""

from __future__ import annotations

import ast
from collections.abc import Hashable
from dataclasses import replace

from pipelint.model.program import Reference
from pipelint.model.values import UNKNOWN, Literal, Value
from pipelint.static.abstract.containers import holds_callables, holds_functions, opened, with_item
from pipelint.static.abstract.imported_modules import ModuleValue
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.scopes import Scope
from pipelint.static.abstract.traced_values import Undecided
from pipelint.static.abstract.values import (
    Choice,
    ClassValue,
    DatasetValue,
    Foreign,
    Instance,
    Options,
    Sequence,
    Table,
    Tensor,
    alternatives,
    choice,
)
from pipelint.static.facts import arrays, environment, events, naming, records, slices, trained_objects
from pipelint.static.interpret import classes, expressions, importing


def assign(machine: Machine, targets: list[ast.expr], value: ast.expr) -> None:
    """Follow `a = b = value`."""
    if isinstance(targets[0], (ast.Tuple, ast.List)):
        machine.taken_apart[value] = len(targets[0].elts)
    result = expressions.evaluate(machine, value)
    for target in targets:
        slices.remember(machine, target, value)
        bind(machine, target, result)


def delete(machine: Machine, targets: list[ast.expr]) -> None:
    """Follow `del`."""
    for target in targets:
        if isinstance(target, ast.Name):
            machine.assign(target.id, UNKNOWN)
        else:
            expressions.evaluate(machine, _loaded(target))


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
                option_name = f"{holder.path}.{name}".lstrip(".")
                machine.references.append(Reference(f"tensorflow.data.Options.{option_name}", machine.region(target)))
            events.note_switch(machine, target, value)
            set_attribute(machine, holder, name, value)
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
            return [arrays.part_of(value)] * count
        case Undecided():
            return [value.part(index) for index in range(count)]
        case DatasetValue(op="load"):
            # tfds.load gives a list for a list of splits, and a pair with its info.
            return [value] * count
        case Choice():
            options = list(alternatives(value))
            fitting = [option for option in options if isinstance(option[1], (Sequence, Tensor))]
            if any(holds_functions(option) for _, option in fitting):
                fitting = options
            parts = [(guards, _taken_apart(option, targets)) for guards, option in fitting or options]
            return [choice((guards, part[index]) for guards, part in parts) for index in range(count)]
        case _:
            return [UNKNOWN] * count


def set_attribute(machine: Machine, owner: Value, name: str, value: Value) -> None:
    """Give an object's attribute its value."""
    match owner:
        case Instance() if records.is_record(owner):
            records.fill(machine, owner, [(name, value)])
        case ModuleValue(source=source) if (module := importing.followed(machine, source)) is not None:
            machine.store.set((module.number, name), value)
        case Instance(number=number):
            machine.store.set((number, name), trained_objects.attribute(owner, name, value))
        case ClassValue(scope=Scope(number=number)):
            machine.store.set((number, name), value)
        case Options(path=path, number=number):
            machine.store.set((number, f"{path}.{name}".lstrip(".")), value)
        case ModuleValue():
            importing.set_attribute(machine, owner, name, value)
        case Choice():
            for _, option in alternatives(owner):
                set_attribute(machine, option, name, value)


def _set_item(machine: Machine, owner: ast.expr, index: Value, value: Value) -> None:
    container = expressions.evaluate(machine, owner)
    classes.operate(machine, container)
    key = index.value if isinstance(index, Literal) and isinstance(index.value, Hashable) else None
    if container == environment.ENVIRONMENT:
        environment.set_variable(machine, key, value, owner)
    for _, option in alternatives(container):
        if isinstance(option, Instance) and records.is_record(option):
            records.fill(machine, option, [(key, value)])
        if isinstance(option, Table) or (isinstance(option, Sequence) and holds_callables(option)):
            change(machine, owner, option, with_item(option, key, value))


def change(machine: Machine, owner: ast.expr, before: Sequence | Table, after: Sequence | Table) -> None:
    """Give a container, which this expression names, other items."""
    if before.number is not None:
        machine.change(after)
    elif isinstance(owner, (ast.Name, ast.Attribute)):
        bind(machine, owner, after)


def augment(machine: Machine, node: ast.AugAssign, target: ast.expr, value: ast.expr) -> None:
    """Follow `target += value` and its like."""
    if isinstance(target, (ast.Name, ast.Attribute)):
        events.outer_count(machine, node, target, value)
    operand = ast.BinOp(left=_loaded(target), op=node.op, right=value)
    ast.copy_location(operand, node)
    before = expressions.evaluate(machine, operand.left) if isinstance(target, (ast.Name, ast.Attribute)) else UNKNOWN
    after = expressions.evaluate(machine, operand)
    if isinstance(before, (Sequence, Table)) and before.number is not None:
        # In place: whoever else has it sees it grow.
        after = replace(after if isinstance(after, (Sequence, Table)) else opened(before), number=before.number)
        machine.change(after)
    bind(machine, target, after)


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
