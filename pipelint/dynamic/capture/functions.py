"""The function that a stage applies: who wrote it, what it does, and whether TensorFlow takes it for stateful."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from types import FunctionType, MethodType
from typing import Any

from pipelint.dynamic.capture import places, symbols
from pipelint.dynamic.capture.constants import closure_of
from pipelint.dynamic.capture.places import Origin
from pipelint.dynamic.capture.python_effects import causes_in, names_seen
from pipelint.knowledge import graph_ops
from pipelint.model.definitions import Cause, Effect, MappedFunction
from pipelint.model.locations import Location


def of_stage(op: str, parts: tuple[Any, ...], place: Location) -> MappedFunction | None:
    """What is known of the user's function that a stage made of these datasets applies; None where it has none.

    What has no place of its own stands at that of the stage.
    """
    wrappers = [wrapper for part in parts for wrapper in part._functions()]
    if op == "from_generator":
        return _generator(wrappers, place)
    for wrapper in wrappers:
        function = _written(wrapper._func)
        if function is not None:
            return _traced(function, wrapper, place)
    return None


def datasets_seen(wrapper: Any) -> list[Any]:
    """The datasets outside a stage's function that it can refer to."""
    function = _function_of(_written(wrapper._func))
    seen = names_seen(function).values() if function is not None else ()
    return [value for value in seen if hasattr(type(value), "_variant_tensor")]


def is_stateful(graph: Any, *, returns_dataset: bool = False) -> bool:
    """Whether TensorFlow takes a traced function for stateful, as its map_parallelization does."""
    return any(_op_is_stateful(op, graph) for op in _operations(graph, returns_dataset=returns_dataset))


def _op_is_stateful(op: Any, graph: Any) -> bool:
    if not op.op_def.is_stateful or op.type == "Assert":
        return False
    return op.type not in graph_ops.BRANCHES or any(is_stateful(inner) for inner in graph_ops.called_graphs(op, graph))


def _traced(function: Any, wrapper: Any, place: Location) -> MappedFunction:
    graph, returns_dataset = wrapper.function.graph, _returns_dataset(wrapper)
    causes: dict[Cause, None] = {}
    python: MappedFunction | None = None
    for op, asserts in _all_operations(graph, returns_dataset=returns_dataset):
        effect = _effect(op, asserts=asserts)
        if effect is None:
            continue
        call = symbols.call_behind(op)
        if call.draws_seed:
            effect = Effect.RANDOM
        causes[Cause(effect, call.name, call.place or place)] = None
        if effect is Effect.PYTHON and python is None:
            python = _python_behind(op, place)
    stateful = is_stateful(graph, returns_dataset=returns_dataset)
    location = _place(function) or place
    return MappedFunction(_name(function), location, True, tuple(causes), python, stateful=stateful)


def _effect(op: Any, *, asserts: bool) -> Effect | None:
    if op.type in graph_ops.PYTHON:
        return Effect.PYTHON
    if op.type in graph_ops.READS:
        return Effect.READ
    if graph_ops.decodes(op.type):
        return Effect.DECODE
    if not op.op_def.is_stateful or op.type in graph_ops.HOLDS_FUNCTIONS or (op.type == "Assert" and not asserts):
        return None
    return Effect.RANDOM if graph_ops.draws_random_numbers(op.type) else Effect.STATE


def _all_operations(graph: Any, *, returns_dataset: bool, asserts: bool = False) -> Iterator[tuple[Any, bool]]:
    """The operations, those of functions that are called included, and whether an assert among them counts as state."""
    for op in _operations(graph, returns_dataset=returns_dataset):
        yield op, asserts
        for inner in graph_ops.called_graphs(op, graph):
            counts = asserts or op.type == "StatefulPartitionedCall"
            yield from _all_operations(inner, returns_dataset=False, asserts=counts)


def _operations(graph: Any, *, returns_dataset: bool) -> Iterator[Any]:
    """Those of the function itself: the datasets that it returns are stages of their own."""
    for op in graph.get_operations():
        if not (returns_dataset and graph_ops.makes_dataset(op.type)):
            yield op


def _returns_dataset(wrapper: Any) -> bool:
    import tensorflow as tf

    return any(isinstance(spec, tf.data.DatasetSpec) for spec in tf.nest.flatten(wrapper.output_structure))


def _python_behind(op: Any, place: Location) -> MappedFunction | None:
    function = _called_python(op)
    return _python(function, place) if function is not None else None


def python_name(op: Any) -> str | None:
    """The name of the Python function that an operation calls; None where it has none."""
    function = _called_python(op)
    return _name(function) if function is not None else None


def _called_python(op: Any) -> Any:
    from tensorflow.python.ops import script_ops

    return _written(script_ops._py_funcs._funcs.get(op.get_attr("token").decode()))


def _python(function: Any, place: Location) -> MappedFunction:
    code, location = _function_of(function), _place(function) or place
    causes = tuple(causes_in(code, location)) if code else ()
    # One in which no call is seen may be one that computes, or one that cannot be looked into.
    return MappedFunction(_name(function), location, bool(causes), causes, stateful=True)


def _generator(wrappers: list[Any], place: Location) -> MappedFunction | None:
    """The generator that `from_generator` was given, which only the functions that TensorFlow wraps around it know."""
    for wrapper in wrappers:
        start = closure_of(wrapper._func).get("get_iterator_id_fn")
        state = closure_of(start).get("generator_state") if start is not None else None
        if state is not None:
            python = _python(_written(state._generator) or state._generator, place)
            cause = Cause(Effect.PYTHON, "tf.data.Dataset.from_generator", place)
            return MappedFunction(python.name, python.location, True, (cause,), python, stateful=True)
    return None


def _written(function: Any) -> Any:
    """What the user handed over, out of the wrappers around it; None where TensorFlow made it up."""
    while True:
        if isinstance(function, functools.partial):
            function = function.func
        elif isinstance(function, MethodType) and symbols.public_name(function) is None:
            function = function.__func__
        elif hasattr(function, "python_function"):
            function = function.python_function
        elif type(function).__name__ == "EagerFunc":
            function = function._func
        elif hasattr(function, "__wrapped__") and symbols.public_name(function) is None:
            function = function.__wrapped__
        elif _is_internal(function):
            held = (_written(inner) for inner in _held(function))
            return next((inner for inner in held if inner is not None), None)
        else:
            return function


def _is_internal(function: Any) -> bool:
    code = getattr(function, "__code__", None)
    if code is None or places.origin(code.co_filename) is not Origin.TENSORFLOW:
        return False
    return symbols.public_name(function) is None


def _held(function: Any) -> Iterator[Any]:
    """The functions that a function closes over, itself left out."""
    for content in closure_of(function).values():
        if callable(content) and not isinstance(content, type) and content is not function:
            yield content


def _function_of(function: Any) -> FunctionType | None:
    """The Python function that runs, for an object that of its class."""
    if isinstance(function, FunctionType):
        return function
    for method in ("call", "__call__"):
        found = getattr(type(function), method, None)
        if isinstance(found, FunctionType):
            return found
    return None


def _name(function: Any) -> str | None:
    public = symbols.public_name(function)
    if public is not None:
        return public
    name = getattr(function, "__name__", None) or type(function).__name__
    return None if name == "<lambda>" else name


def _place(function: Any) -> Location | None:
    found = _function_of(function)
    if found is None or places.origin(found.__code__.co_filename) is not Origin.USER:
        return None
    return places.definition(found.__code__)
