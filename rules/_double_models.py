"""Programs that have models compute in float64, and whether they need that."""

from __future__ import annotations

from pipelint.rule import Call, Literal, Program, once_a_program

from ._accelerators import accelerator_in_sight
from ._purpose import trains
from ._step_loops import TAPE

_SETTERS = frozenset(
    {f"keras.{module}.set_floatx" for module in ("backend", "config")}
    | {"keras.config.set_dtype_policy"}
    | {f"keras.mixed_precision.set_{name}" for name in ("global_policy", "dtype_policy")}
)
"""What sets the dtype of all layers that are made later."""
DOUBLE = ("tensorflow.float64", "tensorflow.double")
"""Names by which a program shows that it computes in double precision."""
_MEANT = (*DOUBLE, "scipy.optimize.")
"""Names that show what the precision is for."""
_MATRICES = frozenset(f"keras.layers.{name}" for name in ("Dense", "GRU", "LSTM"))
_WIDE = 512
"""Units from which a layer took a processor longer with float64: at 1,024 several times, at 512 little (measured)."""


def sets_double(call: Call) -> bool:
    """Whether a call has all layers compute in float64."""
    return call.symbol in _SETTERS and any(argument.value == Literal("float64") for argument in call.arguments)


def trains_in_double(program: Program, call: Call) -> bool:
    """Whether a program trains models for which nothing speaks that they need float64."""
    is_test = call.function is not None and call.function.is_test
    if call.guards or is_test or not trains(program) or _needs_precision(program):
        return False
    return accelerator_in_sight(program) or any(map(_is_wide, program.calls))


def _is_wide(call: Call) -> bool:
    """Whether a call makes a layer that takes longer to compute than to start."""
    units = call.argument("units") or next(iter(call.positional), None)
    return call.symbol in _MATRICES and units is not None and (units.integer or 0) >= _WIDE


@once_a_program
def _needs_precision(program: Program) -> bool:
    """Whether names or derivatives speak for double precision, or a game is played, whose moves take the time."""
    named = any(reference.name.startswith(_MEANT) for reference in program.references)
    return named or any(call.plays or call.symbol == TAPE or call.symbol.startswith(_MEANT) for call in program.calls)
