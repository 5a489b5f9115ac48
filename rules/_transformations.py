"""The deprecated transformations that are given to `apply`, and the methods of a dataset that mean the same."""

from __future__ import annotations

from collections.abc import Sequence

from pipelint.rule import (
    AUTOTUNE,
    EXPERIMENTAL_AUTOTUNE,
    METHODS_INSTEAD,
    RENAMED,
    Argument,
    Call,
    Literal,
    Location,
    NewCall,
    Program,
    Region,
    Symbol,
    display,
)

_EXPERIMENTAL = "tensorflow.data.experimental."
_NO_PLACE = frozenset({"num_parallel_batches", "buffer_output_elements", "prefetch_input_elements"})
"""Arguments that no method has a place for."""
_Arguments = tuple[tuple[str, Location | Symbol | Literal], ...]


def deprecated_by_module(program: Program) -> list[tuple[Call, ...]]:
    """The calls of each deprecated function in each module, from top to bottom: those that a fix replaces, and others."""
    guarded = {reference.region.end for reference in program.references if reference.guarded}
    found: dict[object, dict[Region, Call]] = {}
    for call in sorted(program.calls, key=lambda call: call.region.start):
        name = call.symbol.removeprefix(_EXPERIMENTAL)
        if call.symbol != name in METHODS_INSTEAD and Region.of(call.name).end not in guarded:
            together = (program.module_at(call.region), name, bool(methods_instead(call)))
            # A function that is called twice is followed twice.
            found.setdefault(together, {}).setdefault(call.region, call)
    return [tuple(calls.values()) for calls in found.values()]


def what_does_the_same(program: Program, calls: Sequence[Call]) -> str:
    """The methods that stand for a deprecated function, in words that follow `Dataset.`."""
    methods = METHODS_INSTEAD[calls[0].last_name].methods
    if not program.works_with(RENAMED[EXPERIMENTAL_AUTOTUNE.name].since, calls[0].region):
        methods = methods.replace(display(AUTOTUNE.name), display(EXPERIMENTAL_AUTOTUNE.name))
    in_any_order = any(call.argument("sloppy") for call in calls)
    return f"{methods} does the same{', with `deterministic` the opposite of `sloppy`' if in_any_order else ''}"


def methods_instead(transformation: Call) -> tuple[NewCall, ...]:
    """The methods that replace the transformation, none where its arguments have no place there."""
    name = transformation.last_name
    if (same := METHODS_INSTEAD[name].same) and not transformation.hides_arguments:
        positional: _Arguments = tuple(("", argument.region) for argument in transformation.positional)
        return (NewCall(same, positional + tuple((key, item.region) for key, item in transformation.keywords.items())),)
    parameters = transformation.parameters
    given = {**dict(zip(parameters, transformation.positional, strict=False)), **transformation.keywords}
    too_many = len(transformation.positional) > len(parameters)
    if too_many or not set(parameters[:1]) <= set(given) <= set(parameters) - _NO_PLACE:
        return ()

    def passed(*names: str) -> _Arguments:
        """The arguments as they are written, the first without its name."""
        return tuple(("" if name == names[0] else name, given[name].region) for name in names if name in given)

    match name:
        case "unbatch":
            return (NewCall("unbatch"),)
        case "shuffle_and_repeat":
            return (NewCall("shuffle", passed("buffer_size", "seed")), NewCall("repeat", passed("count")))
        case "map_and_batch" if "batch_size" in given:
            calls = given["num_parallel_calls"].region if "num_parallel_calls" in given else AUTOTUNE
            mapped = (*passed("map_func"), ("num_parallel_calls", calls))
            return (NewCall("map", mapped), NewCall("batch", passed("batch_size", "drop_remainder")))
        case "parallel_interleave":
            sloppy = _flag(given.get("sloppy"))
            if sloppy is None:
                return ()
            parallel: _Arguments = (("num_parallel_calls", AUTOTUNE),)
            any_order: _Arguments = (("deterministic", Literal(False)),) if sloppy else ()
            return (NewCall("interleave", passed("map_func", "cycle_length", "block_length") + parallel + any_order),)
        case _:
            return ()


def _flag(sloppy: Argument | None) -> bool | None:
    """What is written for the order of elements; None where callers choose it, or it is not known."""
    if sloppy is None:
        return False
    chosen = sloppy.is_parameter or (
        isinstance(sloppy.value, Literal) and (sloppy.value.assumed or sloppy.value.passed)
    )
    return sloppy.constant if isinstance(sloppy.constant, bool) and not chosen else None
