"""Switches of TensorFlow that are for debugging, and that hold for all that runs after them."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import Call, Literal, Program, display

EAGER = "runs every tf.function as plain Python"
LOG = "tf.debugging.set_log_device_placement(True)"
SWITCHES = {
    "tf.config.run_functions_eagerly(True)": EAGER,
    "tf.config.experimental_run_functions_eagerly(True)": EAGER,
    "tf.data.experimental.enable_debug_mode()": "runs every dataset eagerly, one element at a time",
    "tf.debugging.enable_check_numerics()": "checks the result of every operation",
    LOG: "writes a line for every operation that is placed",
}
"""What each does, as a user writes it."""
_FLAGS = (Literal(True), Literal(False))


def switched_on(program: Program) -> Iterator[tuple[str, Call, tuple[Call, ...]]]:
    """The switches that a module turns on for good: as written, the first call and those that do it again."""
    found: dict[object, dict[object, Call]] = {}
    for call in program.calls:
        written = _written(call) if not call.guards else ""
        if written in SWITCHES and not _is_turned_off(program, call, written):
            found.setdefault((program.module_at(call.region), written), {}).setdefault(call.region, call)
    for calls in found.values():
        first, *others = calls.values()
        yield _written(first), first, tuple(others)


def has_comment_above(program: Program, call: Call) -> bool:
    """Whether a line of comment stands above a call: it tells why that is there, and would be left behind."""
    module = program.module_at(call.region)
    *_, above, _ = ["", *module.text[: call.region.start - module.start].split("\n")]
    return above.lstrip().startswith("#")


def _is_turned_off(program: Program, call: Call, written: str) -> bool:
    off = written.replace("(True)", "(False)").replace(".enable_", ".disable_")
    return any(_written(other) == off for other in program.near(call.region).calls)


def _written(call: Call) -> str:
    """The call as a user writes it, with its first argument where that is True or False."""
    first = next(call.arguments, None)
    given = next((str(flag.value) for flag in _FLAGS if first is not None and first.value == flag), "")
    return f"{display(call.symbol)}({given})"
