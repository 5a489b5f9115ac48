"""Calls of what Keras 3, or the TensorFlow that comes with it, no longer has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pipelint.rule import (
    DEFAULT_RATES,
    FUNCTION_ARGUMENTS,
    GENERATES_FROM_FILES,
    GONE_NAMES,
    IGNORED_BY_OPTIMIZERS,
    ITERATOR_METHODS,
    LEARNING_RATE,
    NEVER_NONE,
    REMOVED_METHODS,
    RENAMED_METHODS,
    RENAMED_OF_METRICS,
    TAKES_NO_WORKERS,
    WORKER_ARGUMENTS,
    Call,
    Fix,
    Literal,
    Location,
    Method,
    Program,
    Reference,
    Region,
    RemoveArgument,
    RenameArgument,
    RenameAttributes,
    Severity,
    Symbol,
    Together,
)

from ._keras_3 import KERAS_3, ignores_learning_rate, runs_on, runs_on_keras_3

WORDS = (
    *(name for methods in REMOVED_METHODS.values() for name in methods),
    *RENAMED_METHODS,
    *RENAMED_OF_METRICS,
    *WORKER_ARGUMENTS,
    *LEARNING_RATE,
    *FUNCTION_ARGUMENTS,
    *ITERATOR_METHODS,
    *(name.rpartition(".")[2] for name in GONE_NAMES),
    IGNORED_BY_OPTIMIZERS,
    NEVER_NONE,
    "validation_split",
    "ImageDataGenerator",
)
"""One of these stands in each file that has what is looked for here."""


class Removed(NamedTuple):
    """A use of what is gone, or going."""

    call: Call
    place: Location
    message: str
    old: str = ""
    new: str = ""
    """The names of the method or of the keyword argument, where it has another one now; no new one to leave it out."""
    severity: Severity = Severity.ERROR
    raises: bool = True
    """Whether Keras 3 runs it, and raises an error."""


def removed_by(program: Program, call: Call) -> Iterator[Removed]:
    """What a call uses that is gone, or going, in all versions that may run it."""
    for name in FUNCTION_ARGUMENTS if call.symbol == "tensorflow.function" else ():
        new, since = FUNCTION_ARGUMENTS[name]
        if name in call.keywords and runs_on(program, call, since):
            message = f"`{name}` of tf.function is called `{new}`; the old name logs a deprecation"
            yield Removed(call, call.keywords[name].region, message, name, new, Severity.ADVICE, raises=False)
    for found in _removed(program, call):
        if runs_on_keras_3(program, call):
            yield found
        elif found.old in LEARNING_RATE and ignores_learning_rate(program, call):
            yield _ignored(found)


def _ignored(found: Removed) -> Removed:
    message = f"optimizers since TensorFlow 2.11 ignore `{found.old}` and train with their default: use `{found.new}`"
    is_default = found.call.keywords[found.old].constant == DEFAULT_RATES.get(found.call.last_name)
    severity = Severity.ADVICE if is_default else found.severity
    return found._replace(message=message, severity=severity, raises=False)


def _removed(program: Program, call: Call) -> Iterator[Removed]:
    name = call.last_name
    match call.callee:
        case Method() if name in RENAMED_METHODS:
            message = f"{name} is called {RENAMED_METHODS[name]} since TensorFlow 2.2, and is gone"
            yield Removed(call, call.name, message, name, RENAMED_METHODS[name])
        case Method(owner=Symbol(name="tensorflow.data.Dataset")) if name in ITERATOR_METHODS:
            yield Removed(call, call.name, f"datasets of TensorFlow 2 have no {name}: iter(dataset) gives the same")
        case Method(owner=Symbol(name="keras.Model") as owner) | Method(owner=None as owner):
            # Most models of other libraries have these methods too, but none for generators, queues and processes.
            instead = REMOVED_METHODS["keras.Model"].get(name)
            if instead is not None and (owner is not None or name.endswith("_generator")):
                yield Removed(call, call.name, f"models of {KERAS_3} have no {name}: {instead}")
            if name in TAKES_NO_WORKERS and (owner is not None or call.keywords.keys() & set(WORKER_ARGUMENTS[1:])):
                yield from _argument(program, call)
        case Method(owner=Symbol(name=kind)) if kind.startswith("keras.metrics.") and name in RENAMED_OF_METRICS:
            new = RENAMED_OF_METRICS[name]
            message = f"metrics of {KERAS_3} have no {name}: it is called {new} since TensorFlow 2.5"
            yield Removed(call, call.name, message, name, new)
        case Method(owner=Symbol(name=kind)) if kind.startswith("keras.optimizers."):
            instead = REMOVED_METHODS["keras.optimizers"].get(name)
            if instead is not None:
                yield Removed(call, call.name, f"optimizers of {KERAS_3} have no {name}: {instead}")
        case Symbol(name=symbol) if symbol.startswith("keras.optimizers."):
            yield from _of_optimizer(call)


def _of_optimizer(call: Call) -> Iterator[Removed]:
    """What an optimizer is made with that has another name or no effect, or raises an error."""
    for old, new in LEARNING_RATE.items():
        if old in call.keywords:
            message = f"optimizers of {KERAS_3} take `{new}`, and raise an error for `{old}`"
            if call.positional or new in call.keywords:
                # It comes first in every optimizer. Keras 2 took `lr` then; which is meant, the author knows.
                both = f"{message}; this one is given both: keep the one that is meant"
                yield Removed(call, call.keywords[old].region, both)
            else:
                yield Removed(call, call.keywords[old].region, message, old, new)
    small = call.keywords.get(NEVER_NONE)
    if small is not None and small.value == Literal(None):
        message = f"the first step of an optimizer of {KERAS_3} raises an error for `{NEVER_NONE}=None`: leave it out"
        yield Removed(call, small.region, message, NEVER_NONE)
    ignored = call.keywords.get(IGNORED_BY_OPTIMIZERS)
    if ignored is not None and not (isinstance(ignored.value, Literal) and not ignored.constant):
        message = (
            f"optimizers of {KERAS_3} ignore `{IGNORED_BY_OPTIMIZERS}`, and the learning rate stays as it is: give a "
            "schedule as learning_rate, such as keras.optimizers.schedules.InverseTimeDecay"
        )
        yield Removed(call, ignored.region, message, severity=Severity.WARNING, raises=False)


def _argument(program: Program, call: Call) -> Iterator[Removed]:
    given = [name for name in WORKER_ARGUMENTS if name in call.keywords]
    if given:
        names = " and ".join(f"`{name}`" for name in given)
        message = f"{call.last_name} of {KERAS_3} takes no {names}: these are for the PyDataset that it is given"
        yield Removed(call, call.keywords[given[0]].region, message)
    split = call.keywords.get("validation_split") if call.last_name == "fit" else None
    if split is not None and program.takes_dataset(call):
        message = "`validation_split` raises an error for a dataset: split that by take and skip"
        yield Removed(call, split.region, message)


def from_top_to_bottom(uses: Mapping[Location, Removed]) -> list[Removed]:
    """Uses by their places, in the order in which these are written."""
    return [uses[place] for place in sorted(uses, key=lambda place: Region.of(place).start)]


def renaming(uses: Sequence[Removed]) -> Fix | None:
    """What renames the same thing wherever a module uses it, or leaves it out; None where it is gone under any name."""
    old, new = uses[0].old, uses[0].new
    calls = tuple(use.call for use in uses)
    if not new:
        return Fix.safe("leave it out", Together(tuple(RemoveArgument(call, old) for call in calls))) if old else None
    if old in calls[0].keywords:
        return Fix.safe(f"rename it to {new}", RenameArgument(calls, old, new))
    named = tuple(Reference(old, Region(call.region.start, call.name.end)) for call in calls)
    return Fix.safe(f"rename it to {new}", RenameAttributes(named, new))


def about_generator(program: Program, call: Call) -> str:
    """What is to be said of an ImageDataGenerator."""
    here = program.module_at(call.region)
    beside = (other for other in program.calls if program.module_at(other.region) is here)
    reads = any(other.last_name in GENERATES_FROM_FILES for other in beside)
    does = "reads, decodes and augments" if reads else "augments"
    return (
        f"ImageDataGenerator is deprecated, and {does} in one thread of Python, to which {KERAS_3} gives no workers; "
        f"{'image_dataset_from_directory' if reads else 'a tf.data.Dataset'} with Keras layers mapped over it runs in "
        "parallel"
    )
