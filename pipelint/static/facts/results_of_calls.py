"""What calls of libraries give: tensors, facts that are known while tracing, arrays, Python values."""

from __future__ import annotations

import ast

from pipelint.knowledge import names
from pipelint.knowledge.python_calls import GENERATORS, NEEDS_NO_VALUES, NEEDS_VALUES
from pipelint.knowledge.words import SHAPE_CALLS
from pipelint.model.values import UNKNOWN, Literal, Symbol, Value
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.values import (
    EAGER,
    NUMBER,
    STEP_RESULT,
    TENSOR,
    Arguments,
    Foreign,
    Instance,
    Table,
    is_step_result,
    is_symbolic,
    is_tensor,
)
from pipelint.static.facts import arrays, keras_classes, naming

_PLAIN_TYPES = {f"builtins.{kind.__name__}": kind for kind in (str, int, float, bool, bytes)}


def tensor_of(machine: Machine, name: str, given: Arguments) -> Value:
    """What a function of TensorFlow or Keras gives: mostly a tensor, for some a fact that is known when tracing."""
    if keras_classes.is_static(name):
        return UNKNOWN
    if name.startswith("tensorflow.random.") and ("Generator.from_" in name or name.endswith("get_global_generator")):
        return Instance(symbol="tensorflow.random.Generator")
    if any(map(is_step_result, given.values())):
        return STEP_RESULT
    return TENSOR if machine.is_traced else EAGER


def builtin_result(name: str, given: Arguments) -> Value:
    """What a builtin gives."""
    values = list(given.values())
    match name, values:
        case "int" | "float" | "str" | "bool", [Literal(value=str() | int() | float() as constant, assumed=assumed)]:
            try:
                converted = {"int": int, "float": float, "str": str, "bool": bool}[name](constant)
            except ValueError:
                return UNKNOWN
            return Literal(converted, assumed)
        case "int" | "float" | "bool", [first] if is_tensor(first):
            return NUMBER
        case "isinstance", [Literal(value=constant, assumed=False), Symbol(name=kind)] if kind in _PLAIN_TYPES:
            return Literal(isinstance(constant, _PLAIN_TYPES[kind]))
        case "dict", _:
            return Table(tuple((key, item.value) for key, item in given.keywords.items()))
        case "range", _:
            bounds = [value.value for value in values if isinstance(value, Literal) and not value.assumed]
            numbers = [bound for bound in bounds if isinstance(bound, int)]
            known = 0 < len(numbers) == len(values) <= 3 and 0 not in numbers[2:]
            return Foreign("builtins.range", turns=len(range(*numbers)) if known else None)
        case "abs" | "sum" | "max" | "min" | "round" | "pow", [first, *_] if is_tensor(first):
            return TENSOR
        case _:
            return UNKNOWN


def foreign(machine: Machine, name: str, given: Arguments) -> Value:
    """What a function of a library gives that has no tensors."""
    root, last = names.root(name), name.rpartition(".")[2]
    computed = machine.is_traced and root in NEEDS_VALUES and last not in NEEDS_NO_VALUES
    if computed and any(map(is_symbolic, given.values())):
        # What was computed from a tensor still stands for it.
        return TENSOR
    return Foreign(GENERATORS.get(name, root), arrays.made_by(name, given))


def names_a_shape(node: ast.Call | None) -> bool:
    """Whether a function of which only the name is known seems to tell a shape or a type."""
    name = naming.last_name(node.func if node is not None else None) or ""
    return any(word in name.lower() for word in SHAPE_CALLS)
