"""Functions that Keras runs in a graph where nothing keeps it from that, and that need the values of tensors."""

from __future__ import annotations

from pipelint.rule import Function, Method, Program

_GIVEN = ("keras.losses.", "keras.metrics.", "keras.Loss", "keras.Metric")
"""Classes whose objects a program gives to `compile`."""


def value_reader(program: Program) -> Function | None:
    """A function that calls `.numpy()`, and that Keras may call: of a loss or metric, or one that nobody in sight calls."""
    called = {call.callee for call in program.calls}
    for call in program.calls:
        function = call.function
        if call.last_name != "numpy" or not isinstance(call.callee, Method) or function is None or call.trace:
            continue
        bases = [base.name for base in function.owner.library_bases()] if function.owner else []
        if function not in called and (function.owner is None or any(base.startswith(_GIVEN) for base in bases)):
            return function
    return None
