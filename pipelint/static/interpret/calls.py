"""What a call gives, by what is called."""

from __future__ import annotations

import ast
from dataclasses import replace

from pipelint.knowledge import names, signatures
from pipelint.knowledge.higher_order import LOADS_OBJECTS
from pipelint.knowledge.keras import BATCH_LOADERS
from pipelint.knowledge.libraries import OWN_MODELS
from pipelint.knowledge.python_calls import AUGMENTING, CONTAINERS, CORE_COUNTS, NO_DATASETS, PROGRESS_BARS, RUNS_OVER
from pipelint.knowledge.tensor_arguments import computes
from pipelint.model.code import TraceKind
from pipelint.model.definitions import Class, Method
from pipelint.model.values import UNKNOWN, Literal, Symbol, Value
from pipelint.static.abstract.containers import element_of, holds_functions
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.symbolic import may_be_symbolic
from pipelint.static.abstract.traced_values import Undecided
from pipelint.static.abstract.values import (
    EAGER,
    NUMBER,
    TENSOR,
    Arguments,
    BoundMethod,
    Choice,
    ClassValue,
    Closure,
    DatasetValue,
    Foreign,
    Given,
    Instance,
    Iterating,
    Loading,
    Partial,
    Sequence,
    Table,
    Tensor,
    Transformation,
    alternatives,
)
from pipelint.static.facts import (
    consumers,
    datasets,
    effects,
    events,
    exclusive_ways,
    given_functions,
    keras_classes,
    layers,
    listed_files,
    loops,
    network_uses,
    results_of_calls,
    settings_files,
    traceable,
    tracing,
    trained_objects,
)
from pipelint.static.interpret import classes, expressions, functions, methods, special_calls

_MAKES_OBJECTS = frozenset({"tensorflow", "keras", "tensorflow_addons", "tensorflow_text", "tensorflow_probability"})
"""Packages whose classes call the functions that they are given not before their objects are called."""


def arguments(machine: Machine, node: ast.Call) -> Arguments:
    """Evaluate the arguments of a call."""
    positional: list[Given] = []
    keywords: dict[str, Given] = {}
    hides = False
    for item in node.args:
        value = expressions.evaluate(machine, item)
        if isinstance(item, ast.Starred):
            known = isinstance(value, Sequence) and not value.open_ended
            hides = hides or not known
            positional.extend(Given(part, item) for part in (value.items if isinstance(value, Sequence) else ()))
        elif not hides:
            positional.append(Given(value, item))
    for keyword in node.keywords:
        value = expressions.evaluate(machine, keyword.value)
        if keyword.arg is not None:
            keywords[keyword.arg] = Given(value, keyword.value)
        elif isinstance(value, Table) and all(isinstance(key, str) for key, _ in value.items):
            keywords.update((str(key), Given(item, keyword.value)) for key, item in value.items)
        else:
            hides = True
    return Arguments(node, tuple(positional), keywords, hides)


def call(machine: Machine, callee: Value, node: ast.Call) -> Value:
    """Follow a call in the source."""
    given = arguments(machine, node)
    if isinstance(callee, Symbol) and machine.recorder is not None and machine.may_be_another(node.func, callee):
        machine.lose_sight()
    if isinstance(callee, Symbol) and callee.name == "builtins.super":
        return _super(machine)
    return apply(machine, callee, given)


def apply(machine: Machine, callee: Value, given: Arguments) -> Value:
    """What the callee gives for these arguments."""
    match callee:
        case Closure():
            return _call_function(machine, callee, given)
        case ClassValue():
            events.record(machine, callee.identity, given)
            if "tensorflow.data.Dataset" in keras_classes.outside_bases(callee):
                return datasets.external_source(machine, "subclass", given)
            return classes.instantiate(machine, callee, given)
        case Partial():
            merged = {**callee.call.keywords, **given.keywords}
            positional = (*callee.call.positional, *given.positional)
            return apply(
                machine, callee.function, Arguments(given.node, positional, merged, given.hides or callee.call.hides)
            )
        case Symbol(name=name):
            return _call_symbol(machine, name, given)
        case BoundMethod(receiver=receiver, name=name):
            return methods.call_method(machine, receiver, name, given)
        case Instance():
            return _call_instance(machine, callee, given)
        case Transformation() if given.positional:
            return datasets.apply_transformation(machine, given.positional[0].value, callee, given)
        case Choice():
            options = list(alternatives(callee))
            # Nothing calls a constant: where it is the value, the call is not reached.
            reached = [option for option in options if not isinstance(option[1], Literal)]
            return exclusive_ways.called(machine, reached or options, given)
        case Foreign(library=library) if library in AUGMENTING:
            events.record(machine, Method(Symbol(library), "__call__"), given, callee)
            return callee
        case Tensor() | Foreign():
            # What a library gave, and what it does when it is called, is out of sight.
            events.record(machine, Method(None, "__call__"), given, callee)
            if any(map(holds_functions, given.values())):
                return UNKNOWN
            return TENSOR if isinstance(callee, Tensor) else callee
        case _ if callee is UNKNOWN and "training" in given.keywords and machine.loops and not machine.is_traced:
            if any(map(_is_trained, given.values())):
                return unknown_call(machine, given)  # a function of the program that is out of sight
            # Only Keras has calls with this argument, and only a model is called from a loop.
            return _call_instance(machine, Instance(symbol=keras_classes.MODEL.name, exact=False), given)
        case _:
            events.record(machine, None, given)
            return unknown_call(machine, given)


def _is_trained(value: Value) -> bool:
    """Whether it is a model or an optimizer, which no model takes for input."""
    if not isinstance(value, Instance):
        return False
    symbol = value.symbol or ""
    of_user = value.cls is not None and keras_classes.is_network(value.cls)
    return of_user or keras_classes.is_model(symbol) or symbol.startswith("keras.optimizers.")


def unknown_call(machine: Machine, given: Arguments) -> Value:
    """What a call gives of which nothing is known: datasets and functions that it gets are out of sight from here."""
    consumers.hand_out_arguments(machine, given)
    for value in given.values():
        machine.let_go(value)
    machine.escaped.extend(value for value in given.values() if isinstance(value, Closure))
    if not machine.is_traced:
        return UNKNOWN
    if "training" in given.keywords:
        # Only Keras has calls with this argument: of a layer or a model that is made out of sight.
        tracing.decide_first(given)
        return _computed(machine, given)
    return Undecided() if any(map(may_be_symbolic, given.values())) else UNKNOWN


def _call_function(machine: Machine, function: Closure, given: Arguments) -> Value:
    events.record(machine, function.identity, given)
    given = trained_objects.handed_over(machine, function, given)
    if function.is_python:
        return effects.decorated_function(machine, function, given)
    traceable.note(machine, function, given)
    is_step = loops.is_training_step(function)
    if function.traced and not machine.is_traced:
        call = tracing.as_traced(function, given)
        _, value = tracing.trace(machine, function, TraceKind.FUNCTION, call)
        value = functions.out_of_graph(value)
        return functions.step_result(value) if machine.loops or is_step else value
    value = functions.call_function(machine, function, given)
    return functions.step_result(value) if is_step and machine.loops and not machine.is_traced else value


def _super(machine: Machine) -> Value:
    """What `super()` gives: the object, seen as one of its class's bases."""
    receiver = machine.lookup("self")
    if not isinstance(receiver, Instance) or receiver.cls is None:
        return UNKNOWN
    method = machine.frames[-1].function
    owner = method.owner if method is not None else None
    current = owner if owner is not None and owner.scope is machine.scope.parent else receiver.cls
    base = next((base for base in current.bases if isinstance(base, ClassValue)), None)
    if base is not None:
        return Instance(cls=base, number=receiver.number, itself=receiver)
    outside = next((base.name for base in current.bases if isinstance(base, Symbol)), None)
    return Instance(symbol=outside, number=receiver.number)


def _computed(machine: Machine, given: Arguments) -> Tensor:
    """What a layer or model makes of its input: a tensor, with a value where that has one."""
    made = EAGER if not machine.is_traced and network_uses.has_values(machine, given) else TENSOR
    return replace(made, predicted=True) if given.get(1, "training") == Literal(False) else made


def _call_instance(machine: Machine, instance: Instance, given: Arguments) -> Value:
    if instance.cls is not None:
        network = keras_classes.is_network(instance.cls)
        model = keras_classes.is_user_model(instance.cls)
        method = classes.class_attribute(machine, instance.cls, "call" if network else "__call__", instance)
        owner: Symbol | Class | None = instance.cls.identity
        followed = isinstance(method, (Closure, Choice))
        if model and not (machine.is_traced and followed):
            owner = keras_classes.MODEL
        elif not followed:
            owner = next(instance.cls.identity.library_bases(), None)
        events.record(machine, Method(owner, "__call__"), given, instance)
        if network:
            tracing.decide_first(given)
        if followed:
            # Outside of a traced function Keras traces the call by itself where it is traced at all.
            unnamed = replace(given, node=None)
            value = apply(machine, method, unnamed) if machine.is_traced or not network else TENSOR
            return _computed(machine, given) if network else value
        return _computed(machine, given) if network else unknown_call(machine, given)
    symbol = instance.symbol or ""
    parts = layers.parts_of(machine, instance) if machine.is_traced else None
    if parts is not None:
        events.record(machine, Method(Symbol(symbol), "__call__"), given, instance)
        machine.calls_left -= 1
        machine.layers_within.append(instance)
        for part in parts:
            apply(machine, part, given)
        machine.layers_within.pop()
        return TENSOR
    if instance.arguments is not None and any(map(holds_functions, instance.arguments.values())):
        machine.lose_sight()
    owner = keras_classes.MODEL if keras_classes.is_model(symbol) else Symbol(symbol)
    events.record(machine, Method(owner, "__call__"), given, instance)
    if computes(symbol):
        tracing.decide_first(given, most=1 if keras_classes.is_network_class(symbol) else 2)
    if symbol.startswith("keras.applications.") or names.root(symbol) in ("keras", "tensorflow"):
        return _computed(machine, given)
    return unknown_call(machine, given)


def _call_symbol(machine: Machine, name: str, given: Arguments) -> Value:
    method = name.removeprefix("tensorflow.data.Dataset.")
    if method in signatures.TRANSFORMATIONS and given.positional:
        first, *rest = given.positional
        return datasets.method(
            machine, first.value, method, Arguments(given.node, tuple(rest), given.keywords, given.hides)
        )
    if name in special_calls.SPECIAL:
        events.record(machine, Symbol(name), given)
        return special_calls.SPECIAL[name](machine, given)
    source = datasets.source(machine, name, given)
    if source is not None:
        events.record(machine, Symbol(name), given)
        return source
    root, last = names.root(name), name.rpartition(".")[2]
    if name.startswith("tensorflow.data.experimental.") and last in signatures.EXPERIMENTAL_TRANSFORMATIONS:
        events.record(machine, Symbol(name), given)
        return Transformation(last, given)
    if last == "trange":
        return results_of_calls.builtin_result(machine, "range", given)
    if last in PROGRESS_BARS and given.positional:
        return _runs_over(machine, given, "progress")
    if name in RUNS_OVER:
        return _runs_over(machine, given, last)
    return _call_library(machine, name, root, last, given)


def _call_library(machine: Machine, name: str, root: str, last: str, given: Arguments) -> Value:
    recorded = events.record(machine, Symbol(name), given)
    listed = listed_files.given_by(name, given)
    if listed is not None:
        return listed
    settings = settings_files.given_by(machine, name, given)
    if settings is not None:
        return settings
    followed = given_functions.of_python(machine, name, given)
    if followed is not None:
        return followed
    if name in CONTAINERS and given.positional:
        consumers.collect(machine, given.positional[0].value, given.positional[0].node)
        return _copied(machine, given.positional[0].value, last)
    if name == "builtins.next" and given.positional:
        return consumers.next_of(machine, given.positional[0].value, given.positional[0].node)
    if name in LOADS_OBJECTS:
        return Foreign(name)
    makes_object = root in _MAKES_OBJECTS and last[:1].isupper()
    if not makes_object:
        given_functions.follow(machine, name, given)
    if root == "tensorflow" and not name.startswith("tensorflow.io.gfile"):
        if last[:1].isupper():
            return Instance(symbol=name, arguments=given)
        return results_of_calls.tensor_of(machine, name, given)
    if root == "keras" and last in BATCH_LOADERS:
        return Loading(recorded)
    if (
        keras_classes.is_layer(name)
        or keras_classes.is_model(name)
        or (root.startswith("keras") and last[:1].isupper())
    ):
        return Instance(symbol=name, arguments=given)
    if root in ("keras", "tensorflow_addons", "tensorflow_text", "tensorflow_probability"):
        made = Instance(symbol=name, arguments=given)
        return made if last[:1].isupper() else results_of_calls.tensor_of(machine, name, given)
    if name in CORE_COUNTS:
        return Instance(symbol=name)
    if root in NO_DATASETS:
        return results_of_calls.foreign(machine, name, given, recorded)
    if root == "builtins":
        consumers.builtin(machine, last, given)
        result = results_of_calls.builtin_result(machine, last, given)
        return machine.contained(result) if isinstance(result, Table) else result
    unknown = unknown_call(machine, given)
    return Instance(symbol=name) if root in OWN_MODELS and last[:1].isupper() else unknown


def _copied(machine: Machine, value: Value, kind: str) -> Value:
    """`list(xs)` and its like."""
    if not isinstance(value, Sequence):
        return UNKNOWN
    made = replace(value, display=kind if kind in ("tuple", "set") else "list", number=None)
    return made if kind == "tuple" else machine.contained(made)


def _runs_over(machine: Machine, given: Arguments, kind: str) -> Value:
    inputs = [item.value for item in given.positional]
    if "iterable" in given.keywords:
        inputs.append(given.keywords["iterable"].value)
    if kind == "iter" and inputs and given.positional:
        return consumers.iterator(inputs[0])
    found: list[Value] = []
    for value in inputs:
        if isinstance(value, Iterating):
            found.extend(value.datasets)
        elif any(isinstance(option, DatasetValue) for _, option in alternatives(value)):
            found.append(value)
    if kind == "progress" and inputs and not found:
        return inputs[0]
    elements = [element_of(value) for value in inputs]
    element = _wrapped_element(kind, elements)
    if not found:
        tells = kind == "enumerate" or any(part is not UNKNOWN for part in elements)
        return Sequence((element,), "list", open_ended=True) if tells else UNKNOWN
    return Iterating(tuple(found), element)


def _wrapped_element(kind: str, elements: list[Value]) -> Value:
    match kind:
        case "enumerate":
            return Sequence((NUMBER, elements[0])) if elements else UNKNOWN
        case "zip":
            return Sequence(tuple(elements))
        case _:
            return elements[0] if elements else UNKNOWN
