"""Evaluates expressions to abstract values."""

from __future__ import annotations

import ast
from collections.abc import Hashable
from contextlib import ExitStack

from pipelint.knowledge import names
from pipelint.knowledge.configuration import FLAGS
from pipelint.knowledge.tensorflow_1 import DATASET_ATTRIBUTES
from pipelint.knowledge.tensors import ARRAY_ATTRIBUTES, STATIC_ATTRIBUTES
from pipelint.model.code import ReadBy
from pipelint.model.program import Reference
from pipelint.model.values import UNKNOWN, Array, Literal, Symbol, Text, Value
from pipelint.source.bindings import bound_names
from pipelint.static.abstract.bounds import bounded
from pipelint.static.abstract.compound import Compound
from pipelint.static.abstract.containers import chosen, functions_in, holds_functions, item_of
from pipelint.static.abstract.defaults import by_default
from pipelint.static.abstract.guards import guards_of
from pipelint.static.abstract.imported_modules import ModuleValue
from pipelint.static.abstract.machine import ANY, Machine
from pipelint.static.abstract.scopes import Scope
from pipelint.static.abstract.symbolic import is_tensor, may_be_symbolic, without_containers
from pipelint.static.abstract.traced_values import Formatted, Undecided
from pipelint.static.abstract.values import (
    TENSOR,
    BoundMethod,
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
from pipelint.static.facts import (
    array_dtypes,
    arrays,
    command_line_options,
    consumers,
    default_branches,
    dotted_names,
    events,
    listed_files,
    narrowing,
    records,
    slices,
)
from pipelint.static.interpret import assignments, calls, classes, functions, importing, operators, statements


def evaluate(machine: Machine, node: ast.expr) -> Value:
    """The value of an expression. A chain of calls is followed in a loop, however long it is."""
    links: list[ast.Call | ast.Attribute | ast.Subscript] = []
    while isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)):
        links.append(node)
        node = node.func if isinstance(node, ast.Call) else node.value
    value = _evaluate_plain(machine, node)
    for link in reversed(links):
        match link:
            case ast.Attribute():
                value = events.noted(machine, link, attribute(machine, value, link))
            case ast.Call():
                value = calls.call(machine, value, link)
            case ast.Subscript():
                value = _subscript(machine, value, link)
    value = bounded(value)
    machine.work.spend((value.extent[0] if isinstance(value, Compound) else 1) + len(machine.path))
    return value


def _evaluate_plain(machine: Machine, node: ast.expr) -> Value:
    match node:
        case ast.Constant(value=constant):
            return Literal(constant, written=node)
        case ast.Name(id=name):
            return events.noted(machine, node, dotted_names.named(machine, name))
        case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
            return _sequence(machine, items, type(node).__name__.lower())
        case ast.Dict(keys=keys, values=values):
            return _table(machine, keys, values)
        case ast.BinOp(left=left, op=op, right=right):
            return _binary(machine, left, op, right)
        case ast.UnaryOp(op=op, operand=operand):
            value = evaluate(machine, operand)
            classes.operate(machine, value)
            return operators.negated(value, op)
        case ast.BoolOp(values=values):
            return _any_or_all(machine, node, values)
        case ast.Compare():
            return _compared(machine, node)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return _conditional(machine, test, body, orelse)
        case ast.Lambda():
            return functions.define_lambda(machine, node)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            return _comprehension(machine, node)
        case ast.NamedExpr(target=target, value=value):
            result = evaluate(machine, value)
            assignments.bind(machine, target, result)
            return result
        case ast.Starred(value=value):
            return evaluate(machine, value)
        case ast.Await(value=value):
            return evaluate(machine, value)
        case ast.Yield(value=value) if value is not None:
            consumers.hand_out(machine, evaluate(machine, value), value, "yielded")
            return UNKNOWN
        case ast.YieldFrom(value=value):
            evaluate(machine, value)
            return UNKNOWN
        case ast.JoinedStr(values=values):
            return _joined(machine, values)
        case ast.Slice(lower=lower, upper=upper, step=step):
            for part in filter(None, (lower, upper, step)):
                evaluate(machine, part)
            return UNKNOWN
        case _:
            return UNKNOWN


def _any_or_all(machine: Machine, node: ast.BoolOp, values: list[ast.expr]) -> Value:
    """What `and` and `or` give; what stands behind a value that settles it is not looked at, as it never runs."""
    options: list[Value] = []
    settling = isinstance(node.op, ast.Or)
    with ExitStack() as tests:
        for value in values:
            options.append(evaluate(machine, value))
            if options[-1] == Literal(settling):
                return options[-1]
            tests.enter_context(narrowing.within(machine, value, holds=not settling))
    return TENSOR if any(is_tensor(without_containers(option)) for option in options) else _merged(options)


def _joined(machine: Machine, parts: list[ast.expr]) -> Value:
    """The value of an f-string: as much of its ends as is known, or in traced code what it shows."""
    values: list[Value] = []
    shown: list[Value] = []
    for part in parts:
        value: Value = Literal(part.value) if isinstance(part, ast.Constant) else UNKNOWN
        if isinstance(part, ast.FormattedValue):
            value = evaluate(machine, part.value)
            shown.append(value)
            events.host_read(machine, part.value, value, ReadBy.STRING)
            classes.operate(machine, value)
            if part.format_spec is not None:
                evaluate(machine, part.format_spec)
            if part.format_spec is not None or part.conversion != -1:
                value = UNKNOWN
        values.append(value)
    text = listed_files.joined(values)
    return Formatted((text, *shown)) if machine.is_traced and any(map(may_be_symbolic, shown)) else text


def _sequence(machine: Machine, items: list[ast.expr], display: str) -> Value:
    values: list[Value] = []
    open_ended = False
    for item in items:
        value = evaluate(machine, item)
        if isinstance(item, ast.Starred):
            open_ended = True
            values.extend(value.items if isinstance(value, Sequence) else [value])
        else:
            values.append(value)
    made = Sequence(tuple(values), display, open_ended)
    return made if display == "tuple" else machine.contained(made)


def _table(machine: Machine, keys: list[ast.expr | None], values: list[ast.expr]) -> Value:
    items: list[tuple[object, Value]] = []
    for key, item in zip(keys, values, strict=True):
        value = evaluate(machine, item)
        known = evaluate(machine, key) if key is not None else UNKNOWN
        constant = known.value if isinstance(known, Literal) and isinstance(known.value, Hashable) else None
        items.extend(value.items if key is None and isinstance(value, Table) else [(constant, value)])
    return machine.contained(Table(tuple(items)))


def _binary(machine: Machine, left: ast.expr, op: ast.operator, right: ast.expr) -> Value:
    chain = [(op, right)]
    while isinstance(left, ast.BinOp):
        chain.append((left.op, left.right))
        left = left.left
    value = evaluate(machine, left)
    events.note_batch_length(machine, left)
    for link, node in reversed(chain):
        operand = evaluate(machine, node)
        events.note_batch_length(machine, node)
        classes.operate(machine, value, operand)
        if isinstance(link, ast.Mod) and operators.is_text(value):
            events.host_read(machine, node, operand, ReadBy.STRING)
        array_dtypes.note(machine, node, value, operand)
        value = bounded(operators.folded(value, link, operand))
        events.note_operator(machine, node, value)
    return value


def _compared(machine: Machine, node: ast.Compare) -> Value:
    values = [evaluate(machine, item) for item in (node.left, *node.comparators)]
    if not any(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops):
        classes.operate(machine, *values)
        array_dtypes.note(machine, node, *values)
    return operators.compared(node, values)


def _conditional(machine: Machine, test: ast.expr, body: ast.expr, orelse: ast.expr) -> Value:
    value = evaluate(machine, test)
    events.host_read(machine, test, value, ReadBy.TEST)
    truth = classes.test(machine, value)
    if truth is not None and not statements.is_switch(machine, test):
        return evaluate(machine, body if truth else orelse)
    holds, fails = (guards_of(test, narrowing.scope_of(machine, test), holds=way) for way in (True, False))
    default_branches.note(machine, holds | fails)
    narrowing.note(machine, holds | fails)
    with machine.within(holds), narrowing.within(machine, test, holds=True):
        first = evaluate(machine, body)
    with machine.within(fails), narrowing.within(machine, test, holds=False):
        second = evaluate(machine, orelse)
    return choice([(holds, first), (fails, second)])


def _merged(values: list[Value]) -> Value:
    return choice((frozenset(), value) for value in values)


def _comprehension(machine: Machine, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Value:
    targets = frozenset().union(*(bound_names([ast.Expr(generator.target)]) for generator in node.generators))
    with machine.in_scope(Scope(machine.scope, targets)):
        for generator in node.generators:
            iterated = evaluate(machine, generator.iter)
            classes.operate(machine, iterated)
            consumers.collect(machine, iterated, generator.iter)
            assignments.bind(machine, generator.target, consumers.element(machine, iterated))
            for test in generator.ifs:
                evaluate(machine, test)
        if isinstance(node, ast.DictComp):
            evaluate(machine, node.key)
            return machine.contained(Table(((None, evaluate(machine, node.value)),)))
        return machine.contained(Sequence((evaluate(machine, node.elt),), "list", open_ended=True))


def attribute(machine: Machine, value: Value, node: ast.Attribute) -> Value:
    """The value of `value.name`."""
    match value:
        case Symbol(name=name) if (
            name in FLAGS and (default := command_line_options.flag(machine, node.attr)) is not None
        ):
            return default
        case Symbol(name=name):
            symbol = names.canonical(f"{name}.{node.attr}")
            machine.references.append(Reference(symbol, machine.region(node), guarded=machine.is_for_some_versions))
            return Symbol(symbol)
        case ModuleValue(source=source):
            found = importing.attribute(machine, value, node.attr)
            if found is None and source.is_bare:
                return attribute(machine, Symbol(source.name), node)
            return found or UNKNOWN
        case DatasetValue() if node.attr in DATASET_ATTRIBUTES:
            value.legacy = True
            return UNKNOWN
        case DatasetValue() if node.attr == "element_spec":
            machine.use(value)
            return UNKNOWN
        case DatasetValue():
            return BoundMethod(value, node.attr)
        case Tensor():
            return UNKNOWN if node.attr in STATIC_ATTRIBUTES else BoundMethod(value, node.attr)
        case Undecided() if node.attr in ARRAY_ATTRIBUTES:
            value.decide()
            return UNKNOWN
        case Instance(symbol=None):
            return _setting(machine, value.number, node.attr, classes.instance_attribute(machine, value, node.attr))
        case Instance():
            known = records.read(machine, value, node.attr)
            return _setting(machine, value.number, node.attr, known or BoundMethod(value, node.attr))
        case ClassValue():
            found = classes.class_attribute(machine, value, node.attr, value)
            return _setting(machine, value.scope.number, node.attr, found)
        case Options(path=path, number=number):
            option = f"{path}.{node.attr}".lstrip(".")
            machine.references.append(Reference(f"tensorflow.data.Options.{option}", machine.region(node)))
            return Options(option, number)
        case Foreign(array=Array(shape=tuple() as lengths)) if node.attr == "shape":
            return Sequence(tuple(UNKNOWN if length is None else Literal(length) for length in lengths))
        case Foreign():
            return BoundMethod(value, node.attr)
        case Choice():
            options = [(guards, attribute(machine, option, node)) for guards, option in alternatives(value)]
            methods = [option for _, option in options if isinstance(option, BoundMethod)]
            if methods and all(isinstance(method.receiver, DatasetValue) for method in methods):
                return BoundMethod(value, node.attr)
            return choice(options)
        case _:
            return BoundMethod(value, node.attr)


def _setting(machine: Machine, holder: int, name: str, value: Value) -> Value:
    """What an attribute gives: one that is there to be set decides nothing by its first value."""
    if machine.store.get((holder, ANY)) is not None:
        return by_default(value)
    match value:
        case Literal(value=bool() | str() | None) if name in machine.changes.switches:
            return by_default(value)
        case _:
            return value


def _subscript(machine: Machine, value: Value, node: ast.Subscript) -> Value:
    index = evaluate(machine, node.slice)
    classes.operate(machine, value)
    events.item_read(machine, node, value, index)
    if isinstance(value, Instance) and records.is_record(value) and isinstance(index, Literal):
        return records.read(machine, value, str(index.value)) or UNKNOWN
    if isinstance(value, Table) and not isinstance(index, Literal) and holds_functions(value):
        return machine.current(choice(chosen(value.items, node.slice, machine.scope.number)))
    if isinstance(value, Foreign) and isinstance(node.slice, ast.Slice):
        return machine.current(arrays.rows_of(value, slices.most_of(machine, node.slice)))
    return machine.current(_item(value, index, node))


def _item(value: Value, index: Value, node: ast.Subscript) -> Value:
    match value, index:
        case Sequence(items=items, open_ended=False), Literal(value=int() as position) if (
            -len(items) <= position < len(items)
        ):
            return items[position]
        case Sequence(items=items), _ if isinstance(node.slice, ast.Slice):
            return Sequence(items, value.display, open_ended=True)
        case Text(several=True), _ if isinstance(node.slice, ast.Slice) and not listed_files.is_one(node.slice):
            return value
        case Sequence(items=items, open_ended=open_ended), _ if items and (open_ended or holds_functions(value)):
            return _merged(list(items))
        case Table(), Literal(value=key):
            return item_of(value, key)
        case Table(items=items), _ if items:
            return _merged([item for _, item in items])
        case Tensor(), _ if _keeps_rows(node.slice):
            return value
        case ((Tensor() | Foreign()), _):
            return arrays.part_of(value, index)
        case DatasetValue(op="load"), _:
            return value
        case Choice(), _:
            return choice((guards, _indexed(option, index)) for guards, option in alternatives(value))
        case Undecided(), _ if isinstance(node.slice, ast.Tuple) and any(map(_is_slice, node.slice.elts)):
            value.decide()
            return TENSOR
        case Undecided(), _:
            return value.part(index.value if isinstance(index, Literal) else ast.Subscript)
        case _:
            return UNKNOWN


def _keeps_rows(index: ast.expr) -> bool:
    """Whether an index takes all rows, each with other axes or some of them: `x[:, None]`."""
    match index:
        case ast.Tuple(elts=[ast.Slice(lower=None, upper=None, step=None), *_]):
            return True
        case _:
            return False


def _is_slice(node: ast.expr) -> bool:
    """Whether an index among several is one that only arrays and tensors know."""
    return isinstance(node, ast.Slice) or (isinstance(node, ast.Constant) and node.value is ...)


def _indexed(value: Value, index: Value) -> Value:
    match value, index:
        case Sequence(items=items), Literal(value=int() as position) if -len(items) <= position < len(items):
            return items[position]
        case Table(), Literal(value=key):
            return item_of(value, key)
        case ((Sequence() | Table()), _) if holds_functions(value):
            return _merged(list(functions_in(value)))
        case ((Tensor() | Foreign()), _):
            return arrays.part_of(value, index)
        case _:
            return UNKNOWN
