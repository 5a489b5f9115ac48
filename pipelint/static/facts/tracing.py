"""The functions that TensorFlow traces, and the arguments with which it calls them."""

from __future__ import annotations

import ast
from dataclasses import replace

from pipelint.model.code import Trace, TraceKind
from pipelint.model.values import UNKNOWN, Literal, Value
from pipelint.source.tree_walk import walk
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.symbolic import undecided_in
from pipelint.static.abstract.traced_values import Undecided
from pipelint.static.abstract.values import (
    TENSOR,
    Arguments,
    Choice,
    Closure,
    DatasetValue,
    Foreign,
    Given,
    Instance,
    Partial,
    Sequence,
    Table,
    Tensor,
    choice,
    settled,
)

_PLAIN_TYPES = frozenset({"int", "bool", "str", "bytes", "float", "Callable", "None"})
_HOLD_OTHERS = frozenset(
    {"Ellipsis", "Iterable", "List", "Optional", "Sequence", "Tuple", "Union", "list", "tuple", "typing"}
)


def traced_arguments(function: Closure, kind: TraceKind) -> Arguments:
    """A call by TensorFlow itself, as far as its contract goes; of the rest only their use tells what they are.

    Keras gives a tensor to the first parameter of `call` and of the steps, and to `mask`, and a switch to `training`.
    """
    given: dict[str, Given] = {}
    signed = kind is TraceKind.FUNCTION and has_signature(function)
    for position, argument in enumerate(_open_parameters(function)):
        default = function.defaults.get(argument.arg)
        if _is_plain(argument) or (default is not None and settled(default) != Literal(None)):
            continue
        by_keras = kind is not TraceKind.FUNCTION
        if by_keras and argument.arg == "training":
            continue
        certain = signed or (by_keras and (position == 0 or argument.arg == "mask"))
        given[argument.arg] = Given(TENSOR if certain else Undecided(), ast.Constant(value=None))
    return Arguments(None, keywords=given, hides=True, tensors=True)


def _open_parameters(function: Closure) -> list[ast.arg]:
    """The parameters that a caller gives: all but the object that a method belongs to."""
    node = function.node
    bound = 1 if function.bound is not None and not function.is_static else 0
    return [*node.args.posonlyargs, *node.args.args][bound:] + node.args.kwonlyargs


def has_signature(function: Closure) -> bool:
    """Whether `tf.function` is given an input signature, by which every argument is a tensor."""
    decorators = [] if isinstance(function.node, ast.Lambda) else function.node.decorator_list
    return any(
        keyword.arg == "input_signature" and not isinstance(keyword.value, ast.Constant)
        for decorator in decorators
        if isinstance(decorator, ast.Call)
        for keyword in decorator.keywords
    )


def _is_plain(argument: ast.arg) -> bool:
    """Whether a parameter is by its annotation a plain Python value: `int`, `Optional[Tuple[int, int]]`, a callable."""
    if argument.annotation is None:
        return False
    leaves = {
        node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else str(node.value)
        for node in walk(argument.annotation)
        if isinstance(node, (ast.Name, ast.Attribute, ast.Constant))
    } - _HOLD_OTHERS
    return "Callable" in leaves or (bool(leaves) and leaves <= _PLAIN_TYPES)


def as_traced(function: Closure, given: Arguments) -> Arguments:
    """The arguments as a tf.function sees them: arrays as tensors, and what is not known as its use tells."""
    plain = {argument.arg for argument in _open_parameters(function) if _is_plain(argument)}

    def traced(item: Given, name: str) -> Given:
        return item if name in plain else Given(_inside(item.value), item.node)

    keywords = {name: traced(item, name) for name, item in given.keywords.items()}
    named = [*(argument.arg for argument in _open_parameters(function)), *[""] * len(given.positional)]
    return Arguments(given.node, tuple(map(traced, given.positional, named)), keywords, given.hides)


def _inside(value: Value) -> Value:
    """A value of the caller as a tf.function sees it."""
    match value:
        case Foreign(library="numpy") | Tensor(eager=True):
            return TENSOR
        case Sequence(items=items):
            return replace(value, items=tuple(map(_inside, items)))
        case _:
            return Undecided() if value is UNKNOWN else value


def decide_first(given: Arguments, most: int = 1) -> None:
    """What a network is called with is a tensor."""
    for undecided in undecided_in(*(item.value for item in given.positional[:most])):
        undecided.decide()


def tensors_for(function: Closure, element: Value = TENSOR) -> Arguments:
    """A call with a tensor for each parameter that has no default."""
    node = function.node
    positional = [*node.args.posonlyargs, *node.args.args]
    if function.bound is not None and not function.is_static:
        positional = positional[1:]
    required = positional[: len(positional) - len(node.args.defaults)]
    fits = isinstance(element, Sequence) and len(element.items) == len(required)
    values = [_part(item) for item in element.items] if isinstance(element, Sequence) and fits else []
    placeholder = ast.Constant(value=None)
    given = [Given(values[index] if values else _part(element), placeholder) for index in range(len(required))]
    if node.args.vararg is not None:
        given.append(Given(_part(element), placeholder))
    return Arguments(None, tuple(given))


def _part(element: Value) -> Value:
    """An element as the next function of a dataset is given it: tensors, whatever the last one made them of."""
    match element:
        case Tensor(elements=True) | DatasetValue():
            return element
        case Sequence(items=items, display="tuple"):
            return replace(element, items=tuple(map(_part, items)))
        case Table(items=items):
            return Table(tuple((key, _part(item)) for key, item in items))
        case _:
            return TENSOR


def trace(machine: Machine, function: Closure, kind: TraceKind, given: Arguments) -> tuple[Trace, Value]:
    """Follow a function as TensorFlow does when it traces it."""
    recorded = Trace(function.identity.title, kind, machine.region(function.node), function.identity)
    with machine.recording(recorded):
        value = machine.enter(function, given)
    if kind is not TraceKind.PYTHON:
        machine.traces.append(recorded)
    return recorded, value


def wrapped(function: Value, given: Arguments) -> Value:
    """What `tf.function` makes of a function, also of one with some of its arguments, and of one out of several."""
    match function:
        case Closure():
            function.identity.wrapped = True
            function.identity.signed = given.get(1, "input_signature") not in (None, Literal(None))
            return replace(function, traced=True)
        case Partial():
            return replace(function, function=wrapped(function.function, given))
        case Choice(options=options):
            return choice([(guards, wrapped(option, given)) for guards, option in options])
        case Instance():
            return Instance(symbol="tensorflow.types.experimental.PolymorphicFunction", arguments=given)
        case _:
            return function
