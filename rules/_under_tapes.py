"""What is called under gradient tapes in loops."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import Call, Function, Loop, Method, Program

MODEL_CALL = "keras.Model.__call__"
_UNDER_TAPES = frozenset(
    f"keras.Model.{name}"
    for name in ("__call__", "call", "compiled_loss", "compute_loss", "compute_metrics", "get_layer")
)
"""The methods of Keras' own models that are called under tapes."""


def calls_under_tapes(program: Program, loops: tuple[Loop, ...]) -> list[Call]:
    """What is called under any tape in these loops, by whatever function."""
    return [call for call in program.calls if call.under_tape and call.loops[: len(loops)] == loops]


def calls_under_tape(program: Program, tape: Call, loops: tuple[Loop, ...]) -> Iterator[Call]:
    """What the function of a tape calls under one, in these loops."""
    return (call for call in calls_under_tapes(program, loops) if call.function is tape.function)


def led_to_under_tape(program: Program, tape: Call, loops: tuple[Loop, ...]) -> Iterator[Call]:
    """What runs under a tape in these loops, in the function that has it and in those that this calls there."""
    under = calls_under_tapes(program, loops)
    reached = {tape.function}
    while (
        more := {call.callee for call in under if call.function in reached and isinstance(call.callee, Function)}
        - reached
    ):
        reached |= more
    return (call for call in under if call.function in reached)


def is_out_of_sight(program: Program, tape: Call, loops: tuple[Loop, ...]) -> bool:
    """Whether nobody knows if what stands under a tape is a graph already, and no model is called beside it.

    That is a method which a model has that Keras does not give it, or of unknown objects, where nothing else is called.
    """
    calls = [call for call in led_to_under_tape(program, tape, loops) if call.library != "builtins"]
    if not calls or any(call.symbol == MODEL_CALL for call in calls):
        return False
    of_others = all(call.on_unknown_object and call.last_name != "__call__" for call in calls)
    return of_others or any(map(_is_added_method, calls))


def _is_added_method(call: Call) -> bool:
    of_model = isinstance(call.callee, Method) and call.symbol == f"keras.Model.{call.last_name}"
    return of_model and call.symbol not in _UNDER_TAPES
