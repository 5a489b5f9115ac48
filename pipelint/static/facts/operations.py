"""Records calls in the words of the model, and follows the functions that calls are given."""

from __future__ import annotations

import ast
from functools import lru_cache

from pipelint.knowledge import names
from pipelint.knowledge.deprecated import TENSORFLOW_1
from pipelint.knowledge.effects import GRAPH_CONTROL
from pipelint.knowledge.keras import SWITCHES, TRAINING_METHODS
from pipelint.knowledge.python_calls import RIVALS
from pipelint.knowledge.words import ROUNDS
from pipelint.model.function import Operation
from pipelint.model.values import UNKNOWN, Argument, Literal, Symbol, Text, Value
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.values import (
    STEP_RESULT,
    TENSOR,
    Call,
    Choice,
    DatasetValue,
    Foreign,
    Function,
    FunctionNode,
    Given,
    Instance,
    Iterating,
    Partial,
    Sequence,
    Tensor,
    alternatives,
    is_step_result,
    is_symbolic,
    is_tensor,
    is_variable,
)
from pipelint.static.facts import slices
from pipelint.static.interpret import expressions, functions


def _names_in(node: ast.Call) -> frozenset[str]:
    """The variables and attributes that a call's arguments name."""
    parts = (part for argument in (*node.args, *node.keywords) for part in ast.walk(argument))
    return frozenset(
        part.attr if isinstance(part, ast.Attribute) else part.id
        for part in parts
        if isinstance(part, (ast.Attribute, ast.Name))
    )


def record(machine: Machine, name: str, given: Call, receiver: Value | None = None) -> None:
    """Remember a call under its canonical name."""
    node = given.node
    if node is None:
        return
    values = [*given.values(), *([receiver] if receiver is not None else [])]
    machine.record(
        Operation(
            name,
            machine.region(node),
            machine.positions.attribute_name(node.func)
            if isinstance(node.func, ast.Attribute)
            else machine.region(node.func),
            arguments=_arguments(machine, given),
            receiver=model_value(receiver) if receiver is not None else Value(),
            expression=machine.region(node.func) if _is_imported(machine, node.func) else None,
            on_tensor=any(map(is_symbolic if machine.is_traced else is_tensor, values)),
            on_step_result=any(map(is_step_result, values)),
            on_outer_object=_is_outer(machine, node.func),
            assigned=machine.assigned.get(node, ""),
            names=_names_in(node) if name.rpartition(".")[2] in TRAINING_METHODS else frozenset(),
        )
    )


def _is_imported(machine: Machine, callee: ast.expr) -> bool:
    """Whether the callee is written as a name of a library: `np.sin`, not `self.activation`."""
    while isinstance(callee, ast.Attribute):
        callee = callee.value
    if not isinstance(callee, ast.Name):
        return False
    value = machine.lookup(callee.id)
    return isinstance(value, Symbol) or value is None


def _arguments(machine: Machine, given: Call) -> dict[str, Argument]:
    named = {**{str(index): item for index, item in enumerate(given.positional)}, **given.keywords}
    return {
        name: Argument(model_value(item.value), machine.region(item.node), slices.rows(machine, item.node))
        for name, item in named.items()
        if hasattr(item.node, "lineno")
    }


def model_value(value: Value) -> Value:
    """The value as rules see it: constants and names; anything else is a value of which nothing is known."""
    match value:
        case Literal() | Symbol() | Tensor() | Text():
            return value
        case Sequence(items=items, open_ended=False) if all(isinstance(item, Literal) for item in items):
            return Literal(tuple(item.value for item in items if isinstance(item, Literal)))
        case Instance(symbol=str() as symbol):
            return Symbol(f"{symbol}()")
        case _:
            return Value()


def _is_outer(machine: Machine, callee: ast.expr) -> bool:
    """Whether a method is called on an object that lives outside of the function being followed."""
    if not isinstance(callee, ast.Attribute):
        return False
    owner = callee.value
    while isinstance(owner, (ast.Attribute, ast.Subscript)):
        owner = owner.value
    if not isinstance(owner, ast.Name):
        return False
    value = machine.lookup(owner.id)
    if isinstance(value, Instance) and value.cls is not None:
        return value.number < machine.recorded_from
    scope = machine.scope.owner(owner.id)
    return scope is None or scope.number < machine.recorded_from


def outer_count(machine: Machine, node: ast.AugAssign, target: ast.Name | ast.Attribute) -> None:
    """Remember `counter += 1` on something that outlives the traced function."""
    if not machine.is_traced:
        return
    if isinstance(target, ast.Name):
        owner = machine.scope.owner(target.id)
        outlives = owner is not None and owner.number < machine.recorded_from
    else:
        outlives = _is_outer(machine, target)
    if not outlives:
        return
    before = expressions.evaluate(machine, target)
    added = expressions.evaluate(machine, node.value)
    if isinstance(added, Literal) and not is_tensor(before) and not is_variable(before):
        machine.record(
            Operation(
                f"counter.{ast.unparse(target)}", machine.region(node), machine.region(target), on_outer_object=True
            )
        )


def noted(machine: Machine, node: ast.Name | ast.Attribute, value: Value) -> Value:
    """The value itself; that traced code reads a variable is remembered."""
    if machine.is_traced and is_variable(value):
        region = machine.region(node)
        machine.record(Operation("tensorflow.Variable.read", region, region))
    return value


def note_switch(machine: Machine, target: ast.Attribute, value: Value) -> None:
    """Remember an assignment that switches something on or off, as a call with one argument."""
    if target.attr in SWITCHES:
        region = machine.region(target)
        given = {"0": Argument(model_value(value), region)}
        name = machine.positions.attribute_name(target)
        machine.record(Operation(f"keras.Model.{target.attr}", region, name, arguments=given))


def mark_step_result(machine: Machine, given: Call) -> None:
    """What gradients are taken of, in a loop outside of traced code, is the result of a step."""
    node = given.positional[0].node if given.positional else None
    if isinstance(node, ast.Name) and machine.loops and not machine.is_traced:
        value = machine.lookup(node.id)
        if value is UNKNOWN or isinstance(value, Tensor):
            machine.assign(node.id, STEP_RESULT)


def loop_kind(over: Value, node: ast.expr) -> str:
    """Over what a loop runs."""
    match over:
        case Iterating():
            return "dataset"
        case DatasetValue(proven=True):
            return "dataset"
        case Choice():
            kinds = {loop_kind(option, node) for _, option in alternatives(over)}
            return "dataset" if "dataset" in kinds else kinds.pop()
        case Foreign(library="builtins.range"):
            return "range"
        case _:
            callee = node.func if isinstance(node, ast.Call) else None
            return "range" if isinstance(callee, ast.Name) and callee.id in ("range", "trange") else "other"


def counts_epochs(target: ast.expr, iterated: ast.expr) -> bool:
    """Whether a loop counts epochs, folds or models rather than steps, judged by its names."""
    words = " ".join(node.id for part in (target, iterated) for node in ast.walk(part) if isinstance(node, ast.Name))
    words += " ".join(node.attr for node in ast.walk(iterated) if isinstance(node, ast.Attribute))
    return any(word in words.lower() for word in ROUNDS)


@lru_cache(maxsize=4096)
def _calls_of(node: FunctionNode) -> frozenset[str]:
    """The last names that a function's body calls."""
    called = (sub.func for sub in ast.walk(node) if isinstance(sub, ast.Call))
    return frozenset(
        func.attr if isinstance(func, ast.Attribute) else func.id
        for func in called
        if isinstance(func, (ast.Attribute, ast.Name))
    )


def is_training_step(function: Function) -> bool:
    """Whether a function computes gradients and applies them."""
    called = _calls_of(function.node)
    return bool({"apply_gradients", "apply", "minimize"} & called) and "GradientTape" in called


def visit_graph_functions(machine: Machine, name: str, given: Call) -> None:
    """Follow the functions given to graph control flow (`tf.cond`, `tf.map_fn`): they are traced too."""
    if name.rpartition(".")[2] not in GRAPH_CONTROL:
        return
    for item in given.values():
        for function in item.items if isinstance(item, Sequence) else (item,):
            called = function.function if isinstance(function, Partial) else function
            if isinstance(called, Function):
                functions.call_function(machine, called, tensors_for(called))


def tensors_for(function: Function, element: Value = TENSOR) -> Call:
    """A call with a tensor for each parameter that has no default."""
    node = function.node
    positional = [*node.args.posonlyargs, *node.args.args]
    if function.bound is not None and not function.is_static:
        positional = positional[1:]
    required = positional[: len(positional) - len(node.args.defaults)]
    values = list(element.items) if isinstance(element, Sequence) and len(element.items) == len(required) else []
    placeholder = ast.Constant(value=None)
    given = [Given(values[index] if values else _part(element), placeholder) for index in range(len(required))]
    if node.args.vararg is not None:
        given.append(Given(_part(element), placeholder))
    return Call(None, tuple(given))


def _part(element: Value) -> Value:
    return element if isinstance(element, Tensor) else TENSOR


def note_import(machine: Machine, node: ast.Import | ast.ImportFrom) -> None:
    """Remember which libraries are there."""
    modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
    if isinstance(node, ast.ImportFrom) and node.level:
        return
    for module in modules:
        package = names.root(module)
        machine.imports_tensorflow |= package in ("tensorflow", "tensorflow_datasets")
        machine.rivals |= package in RIVALS


def is_legacy(tree: ast.Module) -> bool:
    """Whether a program is written for TensorFlow 1: sessions, placeholders, one-shot iterators."""
    modules: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "tensorflow.compat":
            modules.update(f"tensorflow.compat.{alias.name}" for alias in node.names)
        if isinstance(node, ast.Attribute) and node.attr in TENSORFLOW_1:
            owner = node.value
            if node.attr == "make_one_shot_iterator" or (
                isinstance(owner, ast.Name) and owner.id in ("tf", "tensorflow")
            ):
                return True
            # Newer code calls it through compat.v1 so that it runs under either version.
            if isinstance(owner, ast.Attribute) and owner.attr == "v1" and node.attr != "enable_eager_execution":
                return True
    return "tensorflow.compat.v1" in modules and not modules & {"tensorflow", "tensorflow.compat.v2"}
