"""The arguments with which TensorFlow calls the functions that it traces."""

from __future__ import annotations

import ast
import re

from pipelint.knowledge.words import SETTING_STARTS, SETTINGS, TENSORS, parts_of
from pipelint.model.values import UNKNOWN, Literal
from pipelint.static.abstract.values import TENSOR, Call, Foreign, Function, Given, Tensor, settled

_PLAIN_TYPE = re.compile(
    r"(?:(?:typing\.)?(?:Optional|Tuple|List|Sequence|Union|Iterable|tuple|list)\[)*"
    r"(?:(?:int|bool|str|float|None|\.\.\.)(?:, | \| )?)+\]*(?: \| None)?|(?:typing\.)?Callable.*"
)


def traced_arguments(function: Function, kind: str) -> Call:
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
        if is_tensor_name(argument) if kind == "function" else not is_setting(argument):
            given[argument.arg] = Given(TENSOR, ast.Constant(value=None))
    return Call(None, keywords=given, hides=True, tensors=True)


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


def as_traced(function: Function, given: Call) -> Call:
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
    return Call(given.node, positional, keywords, given.hides)
