"""Calls of `tf.map_fn` whose function TensorFlow could run once for all rows."""

from __future__ import annotations

from pipelint.rule import VECTORIZED, Call, Fix, Literal, Program, Region, ReplaceCall, Symbol, Trace

_TAKEN = frozenset({"fn", "elems", "dtype", "fn_output_signature", "name"})
"""Arguments without which `tf.vectorized_map` does the same; the others are about memory, which it takes more of."""


def may_run_at_once(program: Program, trace: Trace, call: Call) -> bool:
    """Whether all that the function calls is known to run for all rows at once."""
    if (
        call.hides_arguments
        or not _TAKEN.issuperset(call.keywords)
        or len(call.positional) > 2
        or not _gives_tensors(call)
    ):
        return False
    inside = [one.symbol for one in _calls_of_function(program, trace, call)]
    return bool(inside) and VECTORIZED.issuperset(inside)


def _gives_tensors(call: Call) -> bool:
    """Whether what it is told of its results is no more than a dtype."""
    told = (call.keywords.get("dtype"), call.keywords.get("fn_output_signature"))
    return all(
        argument is None or isinstance(argument.value, Symbol) or argument.value == Literal(None) for argument in told
    )


def _calls_of_function(program: Program, trace: Trace, call: Call) -> list[Call]:
    given = call.keywords.get("fn") or next(iter(call.positional), None)
    if given is None:
        return []
    place = Region.of(given.region)
    name = program.written(place)
    return [
        one
        for one in trace.calls
        if place.holds(one.region) or (one.function is not None and one.function.name == name)
    ]


def vectorized(call: Call) -> Fix | None:
    """The same by `tf.vectorized_map`."""
    given = dict(zip(("fn", "elems"), call.positional, strict=False)) | dict(call.keywords)
    if "fn" not in given or "elems" not in given:
        return None
    arguments = (("", given["fn"].region), ("", given["elems"].region))
    return Fix.unsafe("use tf.vectorized_map", ReplaceCall(call, "tensorflow.vectorized_map", arguments))
