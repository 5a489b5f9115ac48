"""What a symbol does, found by calling it in graphs with many kinds of arguments."""

from __future__ import annotations

import contextlib
import functools
import inspect
import io
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from pipelint.knowledge.effect_table import Condition, Effects, SymbolEffects
from pipelint.knowledge.generate import graph_effects
from pipelint.knowledge.generate.public_symbols import methods_of
from pipelint.knowledge.generate.recipes import CALLS, INSTANCES
from pipelint.knowledge.generate.sample_arguments import Maker, Sample, parameters_of, sample, samples_of

_DECIDING: dict[str, tuple[bool | int, ...]] = {"training": (True, False), "seed": (1,)}
"""Parameters that decide about effects though their defaults are no booleans, and what they are tried with."""
_NUMBERS = (0.5, 2)
"""What arguments are tried with that are None or a number by default: a rate, a factor, a count."""
_KINDS = 4
"""With so many kinds of tensors each symbol is traced, of those that it takes."""
_STATEFUL = frozenset({"random", "state", "python"})

Call = Callable[[Sample], Effects | None]
"""Traces a call with these arguments; None where it cannot be traced."""


@functools.cache
def _writer() -> Any:
    """A summary only has an effect where a writer is there to take it."""
    import tempfile

    import tensorflow as tf

    return tf.summary.create_file_writer(tempfile.mkdtemp())


def traced(make_call: Callable[[], Any]) -> Effects | None:
    """The effects of the graph that a call gives, None where it fails."""
    import tensorflow as tf

    graph = tf.__internal__.FuncGraph("traced")
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            with _writer().as_default(step=0), graph.as_default():
                result = make_call()
                if hasattr(result, "__enter__"):
                    with result:
                        tf.no_op()
                parts = tf.nest.flatten(result)
            gives_dataset = any(isinstance(part, tf.data.Dataset) for part in parts)
            return graph_effects.effects_of(graph, gives_dataset=gives_dataset)
        except KeyboardInterrupt:
            raise
        except BaseException:  # noqa: BLE001 -- whatever a library raises for arguments that it does not take
            return None


def _applied(function: Any, given: Sample) -> Any:
    return function(*(make() for make in given.positional), **{name: make() for name, make in given.keywords.items()})


def entry_of_function(names: Iterable[str], function: Any) -> SymbolEffects | None:
    """What a function with these names does, None where no call of it could be traced."""

    def call(given: Sample) -> Effects | None:
        return traced(lambda: _applied(function, given))

    recipes = [recipe for name in names for recipe in CALLS.get(name, ())]
    return _entry(recipes, function, call, parameters_of(function) or [])


def _entry(recipes: list[Sample], shaped: Any, call: Call, parameters: list[inspect.Parameter]) -> SymbolEffects | None:
    """What a call does: by recipes if there are any, else by what the signature of `shaped` tells."""
    worked = _worked(recipes, shaped, call)
    return _entry_from(worked, call, parameters) if worked else None


def _worked(recipes: list[Sample], shaped: Any, call: Call) -> dict[Sample, Effects]:
    """The calls that can be traced: as many kinds as are asked for, or up to the first that proves a state."""
    for samples in [recipes] if recipes else [samples_of(shaped), samples_of(shaped, by_names=False)]:
        found: dict[Sample, Effects] = {}
        for given in samples:
            effects = call(given)
            if effects is not None:
                found[given] = effects
                if len(found) == _KINDS or effects & _STATEFUL:
                    break
        if found:
            return found
    return {}


def _entry_from(worked: dict[Sample, Effects], call: Call, parameters: list[inspect.Parameter]) -> SymbolEffects:
    usual = frozenset[str]().union(*worked.values())
    conditions = []
    for position, parameter in enumerate(parameters):
        place = -1 if parameter.kind is parameter.KEYWORD_ONLY else position
        for value in _other_values(parameter):
            effects = _with_value(parameter.name, value, worked, call, position)
            if effects != usual:
                conditions.append(Condition(parameter.name, place, value, effects))
    return SymbolEffects(usual, tuple(conditions))


def _other_values(parameter: inspect.Parameter) -> tuple[bool | int | None, ...]:
    if parameter.name in _DECIDING and parameter.default in (None, False, True):
        return tuple(value for value in _DECIDING[parameter.name] if value is not parameter.default)
    if isinstance(parameter.default, bool):
        return (not parameter.default,)
    return (None,) if parameter.default is None or isinstance(parameter.default, (int, float)) else ()


def _with_value(name: str, value: bool | int | None, worked: dict[Sample, Effects], call: Call, place: int) -> Effects:
    """What calls do with another value of an argument; `unknown` where a switch cannot be traced."""
    free = [given for given in worked if len(given.positional) <= place and name not in given.keywords]
    usual = frozenset[str]().union(*worked.values())
    if value is None:
        # Only what a number there adds is of interest: most of such arguments take something else.
        tried = (call(given.with_keyword(name, number)) for given in free[:1] for number in _NUMBERS)
        return usual.union(*(effects for effects in tried if effects is not None))
    found = [effects for given in free if (effects := call(given.with_keyword(name, value))) is not None]
    return frozenset[str]().union(*found) if found else frozenset({"unknown"})


def entries_of_class(names: tuple[str, ...], cls: type, method: str | None = None) -> dict[str, SymbolEffects]:
    """What it does to make an object of a class with these names (under ""), and to call its methods, or this one."""
    found: dict[str, SymbolEffects] = {}
    ways = [way for name in names for way in INSTANCES.get(name, ())]
    made: SymbolEffects | None = None
    recipes = [recipe for name in names for recipe in CALLS.get(name, ())]
    possible = recipes or ([*samples_of(cls), *samples_of(cls, by_names=False)] if not ways else [])
    working = (given for given in possible if traced(functools.partial(_applied, cls, given)) is not None)
    samples = list(islice(working, len(recipes) or 1))
    if samples:
        made = _entry(samples, cls, lambda given: traced(lambda: _applied(cls, given)), [])
        ways += [functools.partial(_applied, cls, given) for given in samples]
    elif ways:
        made = _entry([sample()], cls, lambda _: traced(ways[0]), [])
    if made is not None:
        found[""] = made
    switched = [functools.partial(_applied, cls, given) for given in _switched(cls, samples)]
    for tried in _methods_to_try(cls):
        if method in (None, tried):
            entry = _entry_of_method(names, cls, tried, [*ways, *switched] if tried == "__call__" else ways)
            if entry is not None:
                found[tried] = entry
    return found


def _switched(cls: type, samples: list[Sample]) -> list[Sample]:
    """The first way to make an object with other values of each argument: what it does when called may hang on them."""
    changed = []
    for parameter in parameters_of(cls) or []:
        for value in _other_values(parameter):
            values = _NUMBERS if value is None else (value,)
            changed += [given.with_keyword(parameter.name, one) for given in samples[:1] for one in values]
    return changed


def _methods_to_try(cls: type) -> list[str]:
    """All public ones; of a layer only the call, since its others serve those who make models."""
    import keras
    import tensorflow as tf

    if issubclass(cls, keras.layers.Layer):
        return ["__call__"]
    inherits = issubclass(cls, (tf.data.Dataset, tf.TypeSpec)) and cls is not tf.data.Dataset
    if inherits or cls.__module__ == "numpy":
        # They are the methods of another class, which has its own entries or needs none.
        return []
    return methods_of(cls)


def _entry_of_method(names: tuple[str, ...], cls: type, method: str, ways: list[Maker]) -> SymbolEffects | None:
    unbound = getattr(cls, "call" if method == "__call__" and hasattr(cls, "call") else method)
    parameters = parameters_of(unbound) or []
    is_static = isinstance(inspect.getattr_static(cls, method), (staticmethod, classmethod))
    recipes = [recipe for name in names for recipe in CALLS.get(f"{name}.{method}", ())]
    if is_static:
        return _entry(recipes, unbound, lambda given: traced(lambda: _applied(unbound, given)), parameters)
    shaped = _with_parameters(parameters[1:])
    entries = []
    for way in ways:
        call = functools.partial(_method_call, method, way)
        worked = _worked(recipes, shaped, call)
        if worked:
            entries.append(_entry_from(worked, call, parameters[1:]))
            if entries[-1].effects & _STATEFUL:
                break
            # What one object takes, another one made a little differently takes as well.
            recipes = recipes or list(worked)
    return _merged(entries)


def _method_call(method: str, way: Maker, given: Sample) -> Effects | None:
    """A call of a method on an object that was made before the graph or, where that fails, in it."""
    effects = None
    with contextlib.suppress(Exception):
        instance = way()
        effects = traced(lambda: _applied(getattr(instance, method), given))
    return effects if effects is not None else traced(lambda: _applied(getattr(way(), method), given))


def _with_parameters(parameters: list[inspect.Parameter]) -> Any:
    def shaped() -> None:
        """Stands for a method without its object."""

    shaped.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return shaped


def _merged(entries: list[SymbolEffects]) -> SymbolEffects | None:
    """One entry for all ways to make the object."""
    if not entries:
        return None
    conditions = {(item.parameter, item.value): item for entry in entries for item in entry.conditions}
    usual = frozenset[str]().union(*(entry.effects for entry in entries))
    merged = []
    for key, item in conditions.items():
        same = [
            other.effects for entry in entries for other in entry.conditions if (other.parameter, other.value) == key
        ]
        effects = frozenset[str]().union(*same)
        if len(same) < len(entries):
            effects |= usual
        if effects != usual:
            merged.append(item._replace(effects=effects))
    return SymbolEffects(usual, tuple(merged))
