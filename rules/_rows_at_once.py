"""Calls of `tf.map_fn` whose function TensorFlow could run once for all rows."""

from __future__ import annotations

from pipelint.rule import VECTORIZED, Call, Event, Fix, Program, Region, ReplaceCall, Symbol, Trace

_TAKEN = frozenset({"fn", "elems", "dtype", "fn_output_signature", "name"})
"""Arguments without which `tf.vectorized_map` does the same; the others are about memory, which it takes more of."""
_POSITIONAL = 2
"""As many of them as may stand without their names."""


def may_run_at_once(program: Program, trace: Trace, call: Call) -> bool:
    """Whether all that the function does is known to run for all rows at once."""
    if call.hides_arguments or len(call.positional) > _POSITIONAL or not _TAKEN.issuperset(call.keywords):
        return False
    inside = _done_by_function(program, trace, call)
    known = all(isinstance(event, Call) and event.symbol in VECTORIZED for event in inside)
    return bool(inside) and known and _gives_tensors(call)


def _done_by_function(program: Program, trace: Trace, call: Call) -> list[Event]:
    """What happens in a lambda that `map_fn` is given, or in a function by its name."""
    given = call.keywords.get("fn") or next(iter(call.positional), None)
    if given is None:
        return []
    place = Region.of(given.region)
    name = program.written(place)
    functions = {event.function for event in trace.events if event.function is not None and event.function.name == name}
    return [event for event in trace.events if place.holds(event.region) or event.function in functions]


def _gives_tensors(call: Call) -> bool:
    """Whether what it is told of its results is no more than a dtype."""
    told = [call.keywords[name].value for name in ("dtype", "fn_output_signature") if name in call.keywords]
    return all(isinstance(value, Symbol) for value in told)


def vectorized(call: Call) -> Fix | None:
    """The same by `tf.vectorized_map`."""
    given = dict(zip(("fn", "elems"), call.positional, strict=False)) | dict(call.keywords)
    if "fn" not in given or "elems" not in given:
        return None
    arguments = (("", given["fn"].region), ("", given["elems"].region))
    return Fix.unsafe("use tf.vectorized_map", ReplaceCall(call, "tensorflow.vectorized_map", arguments))
