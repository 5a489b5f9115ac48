"""How wide the slices are that a loop cuts out of arrays: `x[i : i + k]`."""

from __future__ import annotations

import ast

from pipelint.knowledge.tensors import CONVERSIONS
from pipelint.model.values import Array, Literal, Value
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.values import Foreign, Sequence, Tensor

ARRAYS = (ast.Name, ast.Call, ast.Subscript, ast.BinOp, ast.List, ast.Tuple, ast.Dict)
"""The expressions that may name or make something with rows."""


def remember(machine: Machine, target: ast.expr, value: ast.expr) -> None:
    """Note what an assignment says of widths: of a slice that it names, or of the end of one (`end = start + k`)."""
    match target, value:
        case ((ast.Tuple(elts=targets) | ast.List(elts=targets)), (ast.Tuple(elts=values) | ast.List(elts=values))):
            if len(targets) == len(values):
                for part, item in zip(targets, values, strict=True):
                    remember(machine, part, item)
        case ast.Name(id=name), _:
            key = (machine.scope.number, name)
            machine.rows.pop(key, None)
            machine.sums.pop(key, None)
            machine.most_rows.pop(key, None)
            most = most_rows(machine, value)
            # A list may be made longer.
            if most is not None and not isinstance(value, ast.List):
                machine.most_rows[key] = most
            width = rows(machine, value)
            if width is not None:
                machine.rows[key] = width
            elif isinstance(value, ast.BinOp) or _is_minimum(value):
                machine.sums[key] = value


def rows(machine: Machine, node: ast.expr) -> int | None:
    """The constant number of rows of a slice, or of the variable that names one; None if there is none."""
    match node:
        case ast.Name(id=name):
            return machine.rows.get((machine.scope.number, name))
        case ast.Subscript(slice=ast.Slice(lower=ast.expr() as lower, upper=ast.expr() as upper, step=None)):
            return _width(machine, lower, upper)
        case ast.Subscript(slice=ast.Tuple(elts=[ast.Slice(lower=ast.expr() as lower, upper=ast.expr() as upper), *_])):
            return _width(machine, lower, upper)
        case ast.Call(args=[first, *_], func=ast.Attribute(attr=converted)) if converted in CONVERSIONS:
            return rows(machine, first)
        case ast.Call(args=[first, *_], func=ast.Attribute(attr="expand_dims")) if _is_behind_rows(node):
            return rows(machine, first)
        case _:
            return None


def most_rows(machine: Machine, node: ast.expr) -> int | None:
    """How many rows something has at most: a slice between constants, what is written out, and what is made of these.

    None if nothing tells.
    """
    match node:
        case ast.Name(id=name):
            known = machine.most_rows.get((machine.scope.number, name))
            return known if known is not None else _written(machine.lookup(name))
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Dict(values=parts):
            return _of_parts(machine, parts)
        case ast.BinOp(left=left, op=ast.Div() | ast.Sub(), right=ast.Constant()):
            # A list times a number is longer; no list is divided.
            return most_rows(machine, left)
        case ast.Subscript(value=value, slice=ast.Tuple(elts=[ast.Slice(lower=None, upper=None, step=None), *_])):
            return most_rows(machine, value)
        case ast.Subscript(slice=ast.Slice() as cut) | ast.Subscript(slice=ast.Tuple(elts=[ast.Slice() as cut, *_])):
            return most_of(machine, cut)
        case ast.Call(args=[first, *_], func=ast.Attribute(attr=converted)) if converted in CONVERSIONS:
            return most_rows(machine, first)
        case ast.Call(args=[first, *_], func=ast.Attribute(attr="expand_dims")) if _is_behind_rows(node):
            return most_rows(machine, first)
        case _:
            return None


def most_of(machine: Machine, cut: ast.Slice) -> int | None:
    """How many rows a slice between constants has at most; None if it is none."""
    lower = _integer(machine, cut.lower) if cut.lower is not None else 0
    upper = _integer(machine, cut.upper) if cut.upper is not None else None
    return None if lower is None or upper is None or not 0 <= lower <= upper else upper - lower


def _of_parts(machine: Machine, parts: list[ast.expr]) -> int | None:
    """The rows of a list that is written out, or those of the arrays that are together in one."""
    if parts and all(isinstance(part, (ast.Constant, ast.UnaryOp, ast.List, ast.Tuple)) for part in parts):
        return len(parts)
    known = [most_rows(machine, part) for part in parts]
    return max((rows for rows in known if rows is not None), default=None) if None not in known else None


def _written(value: Value | None) -> int | None:
    """The rows of a tensor or array of known size, or of a list that nobody has made longer."""
    match value:
        case Tensor(rows=int() as length) | Foreign(array=Array(shape=(int() as length, *_))):
            return length
        case Sequence(items=items, display="list", open_ended=False) if items and all(map(_is_plain, items)):
            return len(items)
        case _:
            return None


def _is_plain(value: Value) -> bool:
    return isinstance(value, (Literal, Sequence))


def _is_behind_rows(call: ast.Call) -> bool:
    """Whether a call adds an axis behind that of the rows: any but the first."""
    given = [*call.args[1:2], *(item.value for item in call.keywords if item.arg == "axis")]
    match given:
        case [ast.Constant(value=int() as place)]:
            return place > 0
        case [ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1))]:
            return True
        case _:
            return False


def _width(machine: Machine, lower: ast.expr, upper: ast.expr) -> int | None:
    if isinstance(upper, ast.Name):
        upper = machine.sums.get((machine.scope.number, upper.id), upper)
    if _is_minimum(upper) and isinstance(upper, ast.Call):
        upper = next((item for item in upper.args if isinstance(item, ast.BinOp)), upper)
    start = ast.unparse(lower)
    match upper:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            for base, added in ((left, right), (right, left)):
                if ast.unparse(base) == start:
                    return _integer(machine, added)
        case ast.BinOp(op=ast.Mult(), left=left, right=right):
            return _width_of_block(machine, lower, left, right)
    return None


def _width_of_block(machine: Machine, lower: ast.expr, left: ast.expr, right: ast.expr) -> int | None:
    """The width of `x[i * k : (i + 1) * k]`, the factors in any order."""
    if isinstance(lower, ast.Name):
        lower = machine.sums.get((machine.scope.number, lower.id), lower)
    if not isinstance(lower, ast.BinOp) or not isinstance(lower.op, ast.Mult):
        return None
    for next_, size in ((left, right), (right, left)):
        match next_:
            case ast.BinOp(left=ast.Name(id=counter), op=ast.Add(), right=ast.Constant(value=1)):
                factors = {ast.unparse(lower.left), ast.unparse(lower.right)}
                if factors == {counter, ast.unparse(size)}:
                    return _integer(machine, size)
    return None


def _integer(machine: Machine, node: ast.expr) -> int | None:
    if not isinstance(node, (ast.Constant, ast.Name, ast.Attribute)):
        return None
    match machine.evaluate(node):
        case Literal(value=int() as number) if not isinstance(number, bool):
            return number
        case _:
            return None


def _is_minimum(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "min"
