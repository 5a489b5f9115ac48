"""The functions that TensorFlow traces, and the arguments with which it calls them."""

from __future__ import annotations

import ast
import re

from pipelint.knowledge.words import SETTING_STARTS, SETTINGS, TENSORS, parts_of
from pipelint.model.code import Trace, TraceKind
from pipelint.model.values import UNKNOWN, Literal, Value
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.values import (
    TENSOR,
    Arguments,
    Closure,
    Foreign,
    Given,
    Sequence,
    Tensor,
    settled,
)

_PLAIN_TYPE = re.compile(
    r"(?:(?:typing\.)?(?:Optional|Tuple|List|Sequence|Union|Iterable|tuple|list)\[)*"
    r"(?:(?:int|bool|str|float|None|\.\.\.)(?:, | \| )?)+\]*(?: \| None)?|(?:typing\.)?Callable.*"
)


def traced_arguments(function: Closure, kind: TraceKind) -> Arguments:
    """A call by TensorFlow itself: tensors for the parameters that have no other default than None.

    A tf.function takes plain Python values as well, so there a parameter must look like a tensor.
    """
    node = function.node
    given: dict[str, Given] = {}
    bound = 1 if function.bound is not None and not function.is_static else 0
    for argument in [*node.args.posonlyargs, *node.args.args][bound:] + node.args.kwonlyargs:
        default = function.defaults.get(argument.arg)
        if default is not None and settled(default) != Literal(None):
            continue
        if is_tensor_name(argument) if kind is TraceKind.FUNCTION else not is_setting(argument):
            given[argument.arg] = Given(TENSOR, ast.Constant(value=None))
    return Arguments(None, keywords=given, hides=True, tensors=True)


def is_tensor_name(argument: ast.arg) -> bool:
    """Whether a parameter is by its name or annotation a tensor, as far as one can tell."""
    if argument.annotation is not None and "Tensor" in ast.unparse(argument.annotation):
        return True
    return not is_setting(argument) and bool(TENSORS.intersection(parts_of(argument.arg)))


def is_setting(argument: ast.arg) -> bool:
    """Whether a parameter is by its name or annotation a plain Python value, not a tensor."""
    if argument.annotation is not None and _PLAIN_TYPE.fullmatch(ast.unparse(argument.annotation)):
        return True
    words = parts_of(argument.arg)
    return bool(SETTINGS.intersection(words)) or words[0] in SETTING_STARTS


def as_traced(function: Closure, given: Arguments) -> Arguments:
    """The arguments as a tf.function sees them: arrays as tensors, and what is not known by the parameter's name."""
    given_to = function.node.args
    parameters = [*given_to.posonlyargs, *given_to.args, *given_to.kwonlyargs]
    by_name = {argument.arg: argument for argument in parameters}
    bound = 1 if function.bound is not None and not function.is_static else 0

    def tensor(item: Given, parameter: ast.arg | None) -> Given:
        array = isinstance(item.value, Foreign) and item.value.library == "numpy"
        eager = isinstance(item.value, Tensor) and item.value.eager
        guessed = item.value is UNKNOWN and parameter is not None and is_tensor_name(parameter)
        return Given(TENSOR, item.node) if array or eager or guessed else item

    keywords = {name: tensor(item, by_name.get(name)) for name, item in given.keywords.items()}
    names_of_positional = [*parameters[bound:], *[None] * len(given.positional)]
    positional = tuple(map(tensor, given.positional, names_of_positional))
    return Arguments(given.node, positional, keywords, given.hides)


def tensors_for(function: Closure, element: Value = TENSOR) -> Arguments:
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
    return Arguments(None, tuple(given))


def _part(element: Value) -> Value:
    return element if isinstance(element, Tensor) else TENSOR


def trace(machine: Machine, function: Closure, kind: TraceKind, given: Arguments) -> tuple[Trace, Value]:
    """Follow a function as TensorFlow does when it traces it."""
    recorded = Trace(function.identity.title, kind, machine.region(function.node), function.identity)
    with machine.recording(recorded):
        value = machine.enter(function, given)
    if kind is not TraceKind.PYTHON:
        machine.traces.append(recorded)
    return recorded, value
