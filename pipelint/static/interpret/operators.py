"""What operators make of abstract values."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from dataclasses import replace

from pipelint.knowledge.python_calls import CORE_COUNTS
from pipelint.model.values import UNKNOWN, Literal, Text, Value
from pipelint.static.abstract.symbolic import is_step_result, is_symbolic, is_tensor, may_be_symbolic, undecided_in
from pipelint.static.abstract.traced_values import Formatted, GivenArray, Undecided
from pipelint.static.abstract.values import (
    EAGER,
    STEP_RESULT,
    TENSOR,
    ClassValue,
    Closure,
    DatasetValue,
    Foreign,
    Instance,
    Sequence,
    Tensor,
)
from pipelint.static.facts import arrays, listed_files

_FOLDED: dict[type[ast.operator], Callable[[int | float, int | float], int | float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Div: operator.truediv,
    ast.Mod: operator.mod,
}


def is_text(value: Value) -> bool:
    """Whether the value is known to be a string, so that `%` writes into it."""
    return isinstance(value, (Text, Formatted)) or (isinstance(value, Literal) and isinstance(value.value, str))


def folded(left: Value, op: ast.operator, right: Value) -> Value:
    """What arithmetic gives."""
    for operand in undecided_in(left, right) if isinstance(op, ast.MatMult) else ():
        # Of plain Python values none knows `@`.
        operand.decide()
    if isinstance(op, ast.Mod) and is_text(left):
        return Formatted((left, right)) if may_be_symbolic(right) else UNKNOWN
    if is_step_result(left) or is_step_result(right):
        return STEP_RESULT
    if isinstance(op, ast.Add) and (isinstance(left, Formatted) or isinstance(right, Formatted)):
        return Formatted((left, right))
    if is_symbolic(left) or is_symbolic(right):
        return _with_array(left, right)
    if is_tensor(left) or is_tensor(right):
        return EAGER
    if isinstance(left, Undecided) or isinstance(right, Undecided):
        return _undecided_result(left, op, right)
    match left, right:
        case Literal(value=int() | float() as a), Literal(value=int() | float() as b):
            fold = _FOLDED.get(type(op))
            if fold is None or (b == 0 and not isinstance(op, (ast.Add, ast.Sub, ast.Mult))):
                return UNKNOWN
            try:
                return Literal(fold(a, b), left.assumed or right.assumed, left.passed or right.passed)
            except OverflowError:
                return UNKNOWN
        case Literal(value=str() as a), Literal(value=str() as b) if isinstance(op, ast.Add):
            return Literal(a + b, assumed=left.assumed or right.assumed)
        case (Text(several=True) as listed, _) | (_, Text(several=True) as listed) if isinstance(op, ast.Add):
            return listed
        case ((Literal(value=str()) | Text()), _) if isinstance(op, ast.Add):
            return listed_files.joined([left, right])
        case Instance(symbol=symbol), Literal() if symbol in CORE_COUNTS:
            return left
        case Sequence(items=a), Sequence(items=b) if isinstance(op, ast.Add):
            return Sequence((*a, *b), left.display)
        case (Foreign(library="builtins"), _) | (_, Foreign(library="builtins")) if UNKNOWN in (left, right):
            return UNKNOWN
        case Foreign(), _:
            return arrays.quotient(left, right) if isinstance(op, ast.Div) else arrays.mixed(left, right)
        case _, Foreign():
            return arrays.mixed(right, left)
        case _, (Literal(value=str()) | Text()) if isinstance(op, ast.Add):
            return listed_files.joined([left, right])
        case _:
            return UNKNOWN


def _with_array(left: Value, right: Value) -> Value:
    """A tensor; of an array that a function is given, and of what is no tensor, eager code makes another array."""
    array, other = (left, right) if isinstance(left, GivenArray) else (right, left)
    if not isinstance(array, GivenArray) or (is_symbolic(other) and not isinstance(other, GivenArray)):
        return TENSOR
    return replace(array, fits=array.fits and other.fits) if isinstance(other, GivenArray) else array


def _undecided_result(left: Value, op: ast.operator, right: Value) -> Value:
    """What arithmetic gives of which nobody knows yet whether it is with tensors: the same kind, with a constant."""
    undecided, other = (left, right) if isinstance(left, Undecided) else (right, left)
    assert isinstance(undecided, Undecided)
    return undecided if isinstance(other, Literal) else undecided.part(type(op))


def negated(value: Value, op: ast.unaryop) -> Value:
    """What `not`, `-` and their like give."""
    match value, op:
        case Undecided(), ast.USub():
            return value
        case Tensor(), _:
            return value
        case Literal(value=constant, assumed=assumed), ast.Not():
            return Literal(not constant, assumed)
        case Literal(value=int() | float() as number, assumed=assumed), ast.USub():
            return Literal(-number, assumed)
        case _:
            return UNKNOWN


def compared(node: ast.Compare, values: list[Value]) -> Value:
    """What a comparison gives."""
    if any(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops):
        match values:
            case [Literal(value=a, assumed=False), Literal(value=b, assumed=False)]:
                return Literal((a is b) == isinstance(node.ops[0], ast.Is))
            case [DatasetValue() | Closure() | Instance() | ClassValue(), Literal(value=None)]:
                return Literal(isinstance(node.ops[0], ast.IsNot))
        return UNKNOWN
    if any(map(is_tensor, values)):
        return STEP_RESULT if any(map(is_step_result, values)) else TENSOR
    undecided = next(undecided_in(*values), None)
    if undecided is not None:
        return undecided.part(ast.Compare)
    match values, node.ops:
        case [Literal(value=a, assumed=False), Literal(value=b, assumed=False)], [ast.Eq()]:
            return Literal(a == b)
        case [Literal(value=a, assumed=False), Literal(value=b, assumed=False)], [ast.NotEq()]:
            return Literal(a != b)
        case [Literal(value=a, assumed=False), Sequence(items=items, open_ended=False)], [ast.In() | ast.NotIn() as op]:
            known = [item.value for item in items if isinstance(item, Literal) and not item.assumed]
            if len(known) == len(items):
                return Literal((a in known) == isinstance(op, ast.In))
    return UNKNOWN
