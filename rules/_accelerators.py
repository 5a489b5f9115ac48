"""Whether a program says that it runs on an accelerator."""

from __future__ import annotations

import re

from pipelint.rule import Argument, Call, Literal, Program, Text

_ACCELERATOR = re.compile(r"(?<![a-z])[gt]pu(?![a-z])", re.IGNORECASE)
"""A kind of device in the name of one: `/GPU:0`, `/job:worker/device:TPU:1`."""


def accelerator_in_sight(program: Program) -> bool:
    """Whether a strategy, a device, a policy of mixed precision or XLA shows that the program has an accelerator."""
    return any(map(_shows_accelerator, program.calls))


def _shows_accelerator(call: Call) -> bool:
    compiled = call.keywords.get("jit_compile")
    if compiled is not None and compiled.value == Literal(True):
        return True
    first = call.positional[0] if call.positional else None
    match call.symbol:
        case "tensorflow.device" | "tensorflow.distribute.OneDeviceStrategy":
            return first is not None and _ACCELERATOR.search(_start(first)) is not None
        case "tensorflow.config.experimental.set_memory_growth":
            return True
        case symbol if symbol.startswith("tensorflow.distribute.") and symbol.endswith("Strategy"):
            return True
        case symbol if symbol.startswith("keras.mixed_precision."):
            return any(_start(argument).startswith("mixed_") for argument in call.arguments)
        case _:
            return False


def _start(argument: Argument) -> str:
    return argument.value.start if isinstance(argument.value, Text) else argument.text or ""
