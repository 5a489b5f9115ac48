"""What calls of libraries give: tensors, facts that are known while tracing, arrays, Python values."""

from __future__ import annotations

import ast
from dataclasses import replace

from pipelint.knowledge import names
from pipelint.knowledge.python_calls import ENVIRONMENTS, GENERATORS, NEEDS_NO_VALUES, NEEDS_VALUES, PARTS_OF_A_MOVE
from pipelint.knowledge.tensor_arguments import TENSOR_KEYWORDS, tensors_of
from pipelint.knowledge.tensors import ALWAYS_OUTSIDE, GIVES_LISTS, IN_A_GRAPH, TENSOR_TESTS, TENSOR_TYPES
from pipelint.model.code import Call
from pipelint.model.values import UNKNOWN, Array, Literal, Symbol, Value
from pipelint.static.abstract.frames import Frame
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.symbolic import (
    is_prediction,
    is_step_result,
    is_symbolic,
    is_tensor,
    may_be_symbolic,
    undecided_in,
)
from pipelint.static.abstract.traced_values import Formatted, TensorTest
from pipelint.static.abstract.values import (
    EAGER,
    NUMBER,
    STEP_RESULT,
    TENSOR,
    Arguments,
    Foreign,
    Instance,
    Sequence,
    Table,
    Tensor,
)
from pipelint.static.facts import array_dtypes, arrays, draws, keras_classes
from pipelint.static.facts.dotted_names import symbol_of

_PLAIN_TYPES = {f"builtins.{kind.__name__}": kind for kind in (str, int, float, bool, bytes)}


def tensor_of(machine: Machine, name: str, given: Arguments) -> Value:
    """What a function of TensorFlow or Keras gives: mostly a tensor, for some a fact that is known when tracing."""
    if name in IN_A_GRAPH and (machine.is_traced or name in ALWAYS_OUTSIDE):
        return Literal(IN_A_GRAPH[name] == machine.is_traced)
    if name in TENSOR_TESTS and machine.is_traced:
        return TensorTest()
    if (loaded := arrays.of_data_set(name, given)) is not None:
        return loaded
    if keras_classes.is_static(name):
        return UNKNOWN
    if name.startswith("tensorflow.random.") and ("Generator.from_" in name or name.endswith("get_global_generator")):
        return Instance(symbol="tensorflow.random.Generator")
    _decide(name, given)
    array_dtypes.note_call(machine, name, given)
    if any(map(is_step_result, given.values())):
        return STEP_RESULT
    if name in GIVES_LISTS:
        return Sequence((TENSOR if machine.is_traced else EAGER,), "list", open_ended=True)
    made = TENSOR if machine.is_traced else arrays.tensor_made_by(name, given)
    return replace(made, predicted=True) if any(map(is_prediction, given.values())) else made


def answer_in_a_graph(machine: Machine, frame: Frame) -> Value | None:
    """What a function tells while a graph is recorded that asks TensorFlow for it, and else, without it, says no."""
    returns = frame.return_nodes if machine.is_traced else []
    asked = [value for value, node in returns if _asks_for_graphs(machine, node)]
    others = (value for _, value in frame.returns if value not in asked)
    return asked[0] if asked and all(isinstance(value, Literal) and value.value is False for value in others) else None


def _asks_for_graphs(machine: Machine, node: ast.expr) -> bool:
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=ast.Call(func=function)) | ast.Call(func=function):
            return symbol_of(machine, function) in IN_A_GRAPH
        case _:
            return False


def _decide(name: str, given: Arguments) -> None:
    """What a function of TensorFlow computes from is a tensor; of the items of a list some may be numbers."""
    count = tensors_of(name)
    data = [item.value for item in given.positional[:count]]
    if count:
        data += [item.value for keyword, item in given.keywords.items() if keyword in TENSOR_KEYWORDS]
    for undecided in undecided_in(*(value for value in data if not isinstance(value, Sequence))):
        undecided.decide()


def builtin_result(machine: Machine, name: str, given: Arguments) -> Value:
    """What a builtin gives."""
    values = list(given.values())
    match name, values:
        case "hasattr", [Tensor() as tensor, Literal(value="numpy")] if machine.is_traced and is_symbolic(tensor):
            return Literal(False)
        case "int" | "float" | "str" | "bool", [Literal(value=str() | int() | float() as constant, assumed=assumed)]:
            try:
                converted = {"int": int, "float": float, "str": str, "bool": bool}[name](constant)
            except ValueError:
                return UNKNOWN
            return Literal(converted, assumed)
        case "int" | "float" | "bool", [first] if is_tensor(first):
            return NUMBER
        case "len", [Foreign(array=Array(shape=(int() as length, *_)))]:
            return Literal(length)
        case "isinstance", [_, Symbol(name=kind)] if machine.is_traced and kind in TENSOR_TYPES:
            return TensorTest()
        case "isinstance", [Literal(value=constant, assumed=False), Symbol(name=kind)] if kind in _PLAIN_TYPES:
            return Literal(isinstance(constant, _PLAIN_TYPES[kind]))
        case "dict", _:
            return Table(tuple((key, item.value) for key, item in given.keywords.items()))
        case "str" | "format", _ if any(map(may_be_symbolic, values)):
            return Formatted(tuple(values))
        case "range", _:
            bounds = [value.value for value in values if isinstance(value, Literal) and not value.assumed]
            numbers = [bound for bound in bounds if isinstance(bound, int)]
            known = 0 < len(numbers) == len(values) <= 3 and 0 not in numbers[2:]
            return Foreign("builtins.range", turns=len(range(*numbers)) if known else None)
        case "abs" | "sum" | "max" | "min" | "round" | "pow", [first, *_] if is_tensor(first):
            return TENSOR
        case _:
            return UNKNOWN


def moved(call: Call) -> Value:
    """What an environment gives: an observation, then Python's numbers (the reward, whether it is over) and more."""
    observed = Foreign("numpy") if call.library in ENVIRONMENTS else UNKNOWN
    if call.last_name != "step" or call.parts not in PARTS_OF_A_MOVE:
        return observed
    return Sequence((observed, *[NUMBER] * (call.parts - 2), UNKNOWN))


def foreign(machine: Machine, name: str, given: Arguments, call: Call | None = None) -> Value:
    """What a function of a library gives that has no tensors, and by which call."""
    root, last = names.root(name), name.rpartition(".")[2]
    computed = machine.is_traced and root in NEEDS_VALUES and last not in NEEDS_NO_VALUES
    if computed and any(map(is_symbolic, given.values())):
        # What was computed from a tensor still stands for it.
        return TENSOR
    undecided = next(undecided_in(*given.values()), None) if computed else None
    if undecided is not None:
        return undecided.part(name)
    if (made_up := arrays.made_up(name, given)) is not None:
        return made_up
    drawn = call if machine.is_traced and draws.is_draw(name) else None
    if machine.is_traced and name in GENERATORS and _are_constants(given):
        # One with a constant seed that is made here draws the same each time, traced or not.
        return Foreign(root)
    return Foreign(GENERATORS.get(name, root), arrays.made_by(name, given), drawn=drawn)


def _are_constants(given: Arguments) -> bool:
    values = list(given.values())
    return bool(values) and all(isinstance(value, Literal) and value.value is not None for value in values)
