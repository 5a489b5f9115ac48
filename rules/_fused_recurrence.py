"""Recurrent layers that the fused kernels of cuDNN do not compute."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import Call, Literal, Program, Symbol, Value

from ._accelerators import accelerator_in_sight
from ._purpose import trains

_LAYERS = frozenset({"keras.layers.LSTM", "keras.layers.GRU"})
_FUSED: dict[str, tuple[Value, ...]] = {
    "activation": (
        Literal("tanh"),
        Symbol("keras.activations.tanh"),
        Symbol("tensorflow.nn.tanh"),
        Symbol("tensorflow.tanh"),
    ),
    "recurrent_activation": (Literal("sigmoid"), Symbol("keras.activations.sigmoid"), Symbol("tensorflow.nn.sigmoid")),
    "recurrent_dropout": (Literal(0), Literal(0.0)),
    "unroll": (Literal(False),),
    "use_bias": (Literal(True),),
    "reset_after": (Literal(True),),
}
"""The arguments that matter, with the values that the kernels compute."""


def unfused_layers(program: Program) -> Iterator[tuple[Call, str]]:
    """The layers with such an argument in a program that trains on an accelerator, with the argument as written."""
    for call in {call.region: call for call in program.calls if call.symbol in _LAYERS}.values():
        near = program.near(call.region)
        reason = _reason(call)
        if reason and not call.guards and trains(near) and accelerator_in_sight(near):
            yield call, reason


def _reason(call: Call) -> str:
    for name, fused in _FUSED.items():
        argument = call.keywords.get(name)
        known = argument is not None and isinstance(argument.value, (Literal, Symbol)) and not argument.is_assumed
        if argument is not None and known and argument.value not in fused:
            value = argument.value.name if isinstance(argument.value, Symbol) else repr(argument.constant)
            return f"{name}={value}"
    return ""
