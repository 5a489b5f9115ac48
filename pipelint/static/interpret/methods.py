"""What a call of a method gives, by what it is a method of."""

from __future__ import annotations

import ast
from collections.abc import Hashable
from dataclasses import replace

from pipelint.knowledge import names, signatures
from pipelint.knowledge.keras import BATCH_LOADERS
from pipelint.knowledge.python_calls import ENVIRONMENTS, RUN_BY_START
from pipelint.knowledge.tensors import STATIC_METHODS
from pipelint.model.definitions import Method
from pipelint.model.values import TENSOR_CLASS, UNKNOWN, Literal, Symbol, Value
from pipelint.static.abstract.containers import chosen, holds_callables, holds_functions, item_of, with_item
from pipelint.static.abstract.guards import NO_GUARDS
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.symbolic import is_step_result, may_be_symbolic
from pipelint.static.abstract.traced_values import Formatted, Undecided
from pipelint.static.abstract.values import (
    STEP_RESULT,
    TENSOR,
    Arguments,
    BoundMethod,
    ClassValue,
    Closure,
    DatasetValue,
    Foreign,
    Given,
    Instance,
    Iterating,
    Loading,
    Options,
    Sequence,
    Table,
    Tensor,
    alternatives,
    choice,
)
from pipelint.static.facts import (
    arrays,
    command_line_options,
    consumers,
    datasets,
    draws,
    events,
    given_functions,
    keras_classes,
    records,
    results_of_calls,
)
from pipelint.static.facts.trained_objects import LISTS_OF_WEIGHTS
from pipelint.static.interpret import assignments, calls, classes

_NEXT = ("get_next", "next", "__next__")
_RUNS = ("run", "experimental_run_v2")
"""How a strategy runs a function on its replicas, and how it did until TensorFlow 2.2."""
_COMBINES = ("reduce", "gather", "experimental_local_results")
"""Methods of strategies that make one result of what a step gave on each replica."""


def call_method(machine: Machine, receiver: Value, name: str, given: Arguments) -> Value:
    """What a method of the receiver gives."""
    if any(isinstance(option, DatasetValue) for _, option in alternatives(receiver)):
        return datasets.method(machine, receiver, name, given)
    match receiver:
        case Iterating() | Loading() if (
            name in _NEXT and given.node is not None and isinstance(given.node.func, ast.Attribute)
        ):
            return consumers.next_of(machine, receiver, given.node.func.value)
        case Tensor(elements=True):
            return datasets.method(machine, receiver, name, given)
        case Tensor():
            given_functions.note(machine, name, given)
            events.record(machine, Method(TENSOR_CLASS, name), given, receiver)
            machine.escaped.extend(value for value in given.values() if isinstance(value, Closure))
            if name == "numpy":
                return Foreign("numpy")
            return UNKNOWN if name in STATIC_METHODS else arrays.part_of(receiver)
        case Undecided() if name == "numpy" or receiver.is_tensor:
            # Of what traced code may be given, only a tensor has this method.
            receiver.decide()
            return call_method(machine, TENSOR, name, given)
        case Instance(symbol=str() as symbol):
            return _library_method(machine, receiver, symbol, name, given)
        case Instance(cls=None):
            events.record(machine, Method(None, name), given, receiver)
            return consumers.model_method(machine, name, given) or calls.unknown_call(machine, given)
        case Instance(cls=ClassValue() as cls):
            owner = keras_classes.MODEL if keras_classes.is_user_model(cls) else cls.identity
            events.record(machine, Method(owner, name), given, receiver)
            if name in ("add_weight", "add_variable") and keras_classes.is_network(cls):
                return Instance(symbol="tensorflow.Variable")
            if name == "start" and not RUN_BY_START.isdisjoint(keras_classes.outside_bases(cls)):
                return calls.apply(machine, classes.class_attribute(machine, cls, "run", receiver), Arguments(None))
            return consumers.model_method(machine, name, given) or calls.unknown_call(machine, given)
        case Foreign(library=package):
            given_functions.note(machine, name, given)
            library = Symbol("numpy.ndarray" if package == "numpy" else package)
            call = events.record(machine, Method(library, name), given, receiver)
            if call is not None and (call.plays or (name == "reset" and package in ENVIRONMENTS)):
                return results_of_calls.moved(call)
            if name == "to_tf_dataset":
                return datasets.external_source(machine, name, given)
            made = arrays.made_by(f"{package}.{name}", given)
            if call is not None and machine.is_traced and draws.is_draw(call.symbol):
                return Foreign("numpy", made, drawn=call)
            return Foreign("numpy", made) if made is not None else arrays.after_method(receiver, name, given)
        case Sequence() | Table() | Literal():
            return _container_method(machine, receiver, name, given)
        case _:
            return _unknown_method(machine, receiver, name, given)


def _unknown_method(machine: Machine, receiver: Value, name: str, given: Arguments) -> Value:
    """What a method gives of an object of which nothing is known."""
    call = events.record(machine, Method(None, name), given, receiver)
    consumed = consumers.model_method(machine, name, given)
    if consumed is not None:
        return consumed
    if name in BATCH_LOADERS:
        return Loading(call)
    if name in _RUNS and "args" in given.keywords:
        return _run_on_replicas(machine, given)
    if _combines_results(machine, name, given):
        return STEP_RESULT
    if name == "as_dataset":
        return datasets.external_source(machine, name, given)
    if call is not None and call.plays:
        return results_of_calls.moved(call)
    if (
        name in signatures.TRANSFORMATIONS
        and machine.scope.module.imports_tensorflow
        and not isinstance(receiver, Options)
    ):
        return datasets.method(machine, UNKNOWN, name, given)
    return calls.unknown_call(machine, given)


def _library_method(machine: Machine, receiver: Instance, symbol: str, name: str, given: Arguments) -> Value:
    owner = keras_classes.MODEL if keras_classes.is_model(symbol) else Symbol(symbol)
    given_functions.note(machine, name, given)
    call = events.record(machine, Method(owner, name), given, receiver)
    if (of_settings := records.call_method(machine, receiver, name, given)) is not None:
        return of_settings
    if (option := command_line_options.of_parser(machine, receiver, name, given)) is not None:
        return option
    if name == "as_dataset":
        return datasets.external_source(machine, name, given)
    if name in BATCH_LOADERS and names.root(symbol) == "keras":
        return Loading(call)
    if name in _RUNS and symbol.startswith("tensorflow.distribute."):
        return _run_on_replicas(machine, given)
    if name == "add" and symbol == "keras.Sequential" and given.positional:
        receiver.layers.append((machine.path, given.positional[0].value))
    consumed = consumers.model_method(machine, name, given)
    if consumed is not None:
        return consumed
    if symbol == "tensorflow.GradientTape" and name == "gradient":
        events.mark_step_result(machine, given)
        sources = given.get(1, "sources")
        if machine.is_traced and isinstance(sources, BoundMethod) and sources.name in LISTS_OF_WEIGHTS:
            return Sequence((TENSOR,), "list", open_ended=True)
    if name == "result" and symbol.startswith("keras.metrics.") and machine.loops and not machine.is_traced:
        # A metric is asked in a loop for what the steps of the loop have added to it.
        return STEP_RESULT
    if symbol.endswith("Session") and name == "run":
        return Foreign("numpy")
    if names.root(symbol) in ("tensorflow", "keras", "tensorflow_probability"):
        if keras_classes.is_static(symbol) or name in STATIC_METHODS:
            return UNKNOWN
        return STEP_RESULT if _combines_results(machine, name, given) else TENSOR
    return calls.unknown_call(machine, given)


def _combines_results(machine: Machine, name: str, given: Arguments) -> bool:
    """Whether a strategy makes one result of those that the replicas gave for a step."""
    return name in _COMBINES and not machine.is_traced and any(map(is_step_result, given.values()))


def _run_on_replicas(machine: Machine, given: Arguments) -> Value:
    """What `strategy.run(step, args=(x,))` gives: it calls the step."""
    step, passed = given.get(0, "fn"), given.get(1, "args")
    if not isinstance(step, Closure) or given.node is None:
        return calls.unknown_call(machine, given)
    known = passed.items if isinstance(passed, Sequence) and not passed.open_ended else ()
    positional = tuple(Given(item, given.node) for item in known)
    return calls.apply(machine, step, Arguments(given.node, positional, hides=not known))


def _container_method(machine: Machine, receiver: Value, name: str, given: Arguments) -> Value:
    events.record(machine, Method(_builtin_class(receiver), name), given, receiver)
    first = given.positional[0].value if given.positional else UNKNOWN
    key = first.value if isinstance(first, Literal) and isinstance(first.value, Hashable) else None
    match receiver, name:
        case Literal(value=str()), "format" if any(map(may_be_symbolic, given.values())):
            return Formatted((receiver, *given.values()))
        case Table(), "get" | "pop" | "setdefault" if given.positional:
            default = given.positional[1].value if len(given.positional) > 1 else Literal(None)
            return _looked_up(machine, receiver, name, key, default, given)
        case Table(items=items), "values":
            return Sequence(tuple(item for _, item in items), "list", open_ended=True)
        case Table(items=items), "items":
            return Sequence(tuple(Sequence((UNKNOWN, item)) for _, item in items), "list", open_ended=True)
        case Table(), "update":
            pairs = first.items if isinstance(first, Table) else [(None, UNKNOWN)] * len(given.positional)
            named = [(keyword, item.value) for keyword, item in given.keywords.items()]
            _change(
                machine, receiver, Table((*receiver.items, *pairs, *named, *[(None, UNKNOWN)] * given.hides)), given
            )
            return Literal(None)
        case Sequence(display="list" | "set", items=items), "append" | "extend" | "insert" | "add" if given.positional:
            added = machine.current(given.positional[-1].value)
            more = added.items if name == "extend" and isinstance(added, Sequence) else (added,)
            _change(machine, receiver, Sequence((*items, *more), receiver.display, receiver.open_ended), given)
            return Literal(None)
        case Sequence(items=items), "pop" if items:
            return choice((NO_GUARDS, item) for item in items)
        case ((Sequence() | Table()), "copy"):
            return machine.contained(receiver)
        case _:
            given_functions.note(machine, name, given)
            consumers.hand_out_arguments(machine, given)
            return UNKNOWN


def _looked_up(machine: Machine, table: Table, name: str, key: object, default: Value, given: Arguments) -> Value:
    """What `get`, `pop` and `setdefault` give: what stands under the key, or else the default."""
    if any(known == key for known, _ in table.items if key is not None):
        return machine.current(item_of(table, key))
    if name == "setdefault":
        _change(machine, table, with_item(table, key, default), given)
    unknown = [(known, item) for known, item in table.items if known is None or key is None]
    if not unknown and not holds_callables(default):
        return UNKNOWN
    if holds_functions(table):
        options = chosen(unknown, given.positional[0].node, machine.scope.number)
        return choice([*options, (NO_GUARDS, default)])
    return choice((NO_GUARDS, option) for option in (*(item for _, item in unknown), default))


def _change(machine: Machine, before: Sequence | Table, after: Sequence | Table, given: Arguments) -> None:
    if given.node is not None and isinstance(given.node.func, ast.Attribute):
        assignments.change(machine, given.node.func.value, before, replace(after, number=before.number))


def _builtin_class(value: Value) -> Symbol:
    match value:
        case Sequence(display=display):
            return Symbol(f"builtins.{display}")
        case Literal(value=constant):
            return Symbol(f"builtins.{type(constant).__name__}")
        case _:
            return Symbol("builtins.dict")
