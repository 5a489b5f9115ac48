"""Programs that compute in float16 by a global policy, and what they leave to it that float16 is too coarse for."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import Call, Class, Literal, Program, Region, Symbol

from ._purpose import trains

_SETTERS = frozenset(
    {f"keras.mixed_precision.{name}" for name in ("set_global_policy", "set_dtype_policy", "experimental.set_policy")}
    | {"keras.config.set_dtype_policy"}
)
_LAYERS = frozenset({"keras.layers.Dense", "keras.layers.Activation"})
_SOFTMAX = (
    Literal("softmax"),
    *(Symbol(f"{name}.softmax") for name in ("keras.activations", "tensorflow.nn", "keras.ops")),
)
_SCALES = frozenset({"LossScaleOptimizer", "get_scaled_loss", "scale_loss"})


def half_policies(program: Program) -> Iterator[Call]:
    """The calls that have all layers of a program that trains compute in float16, whatever it is told."""
    # Of a function that is followed twice the first time counts.
    for call in {call.region: call for call in reversed(program.calls) if call.symbol in _SETTERS}.values():
        first = next(call.arguments, None)
        half = first is not None and first.value == Literal("mixed_float16") and not call.guards
        if half and program.runs_on_tensorflow and trains(program.near(call.region)):
            yield call


def half_probabilities(program: Program, policy: Call) -> Iterator[Call]:
    """The layers with a softmax that are left to the policy, in code that may run with it."""
    for call in {call.region: call for call in _after(program, policy) if call.symbol in _LAYERS}.values():
        told = any(argument.value in _SOFTMAX for argument in call.arguments)
        own = call.hides_arguments or "dtype" in call.keywords
        if told and not own and not call.guards and call.trace is None and not _is_of_a_layer(call):
            yield call


def _after(program: Program, policy: Call) -> list[Call]:
    """The calls that run with a policy: those behind it, up to one that sets another."""
    calls = program.near(policy.region).calls
    later = calls[calls.index(policy) + 1 :]
    ends = next((number for number, call in enumerate(later) if call.symbol in _SETTERS), None)
    return list(later[:ends])


def _is_of_a_layer(call: Call) -> bool:
    """Whether a class of the program makes it, which may use it anywhere: as in an attention."""
    return call.function is not None and call.function.owner is not None


def unscaled_steps(program: Program, policy: Call) -> Iterator[Call]:
    """The calls by which functions of one's own apply gradients, where nothing scales the loss."""
    if any(call.last_name in _SCALES for call in program.near(policy.region).calls):
        return
    told: set[Region] = set()
    for call in _after(program, policy):
        owner = call.function.owner if call.function is not None else None
        if call.last_name == "apply_gradients" and call.name not in told and not _is_a_model(owner):
            told.add(call.name)
            yield call


def _is_a_model(owner: Class | None) -> bool:
    return owner is not None and any(base.name.startswith("keras.") for base in owner.library_bases())
