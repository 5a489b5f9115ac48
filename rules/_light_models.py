"""Models whose call from Python costs little: they have few layers, or none."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import Call, Class, Function, Loop, Program, is_without_weights

from ._under_tapes import MODEL_CALL, calls_under_tapes

_NO_MODELS = frozenset({"builtins", "keras", "math", "numpy", "tensorflow"})
"""Libraries whose functions run no models but those that are in sight."""
_DENSE = "keras.layers.Dense"
_PLAIN = {
    _DENSE,
    "keras.Input",
    *(f"keras.layers.{name}" for name in ("Activation", "Dropout", "Flatten", "Input", "ReLU")),
}
"""Layers that are an operation or two each."""
_FEW_CALLS = 30
"""Calls that are taken to be no more than such layers, where a network is written out by hand (an estimate)."""
_LAMBDA = "keras.layers.Lambda"
_FEW = 2
"""Dense layers with which a step of ten rows took 5 ms op by op with SGD and 11 ms with Adam (measured once)."""


def has_few_layers(program: Program, loops: tuple[Loop, ...], *, at_all: bool = True) -> bool:
    """Whether all that tapes in these loops train is known to be variables without any model, or, if it may have layers at
    all, a few plain ones.
    """
    under = calls_under_tapes(program, loops)
    models = [call for call in under if call.symbol == MODEL_CALL]
    in_sight = all(call in models or call.library in _NO_MODELS or isinstance(call.callee, Function) for call in under)
    few = len({call.region for call in under}) <= _FEW_CALLS and all(call.loops == loops for call in under)
    return in_sight and few and all(at_all and _is_plain(_layers(program, model)) for model in models)


def is_plain(program: Program, model: Call) -> bool:
    """Whether the model whose method is called is known to be a few plain layers."""
    return _is_plain(_layers(program, model))


def _is_plain(layers: list[str]) -> bool:
    """Whether there are layers, few of them compute, and none does so step by step or on pictures."""
    return bool(layers) and set(layers) <= _PLAIN and layers.count(_DENSE) <= _FEW


def _layers(program: Program, model: Call) -> list[str]:
    """The layers of a model by their symbols, as far as all are in sight; empty where one may not be."""
    if model.receiver is not None:
        calls = {cls.methods["call"] for cls in ancestry(model.receiver) if "call" in cls.methods}
        traced = (call for trace in program.traces if trace.function in calls for call in trace.calls)
        run = {call.region: call for call in traced if _may_run_layer(call)}.values()
        looped = any(call.loops for call in run)
        return [] if looped else [call.symbol.removesuffix(".__call__") for call in run]
    makers = {maker.region: maker for maker in makers_of(program, model)}.values()
    if any(maker.symbol != "keras.Sequential" for maker in makers) or _is_added_to(program):
        return []
    inside = {call.region: call for maker in makers for call in program.calls if maker.region.holds(call.region)}
    return [call.symbol for region, call in inside.items() if region not in {maker.region for maker in makers}]


def has_no_layers(program: Program, model: Call) -> bool:
    """Whether a model has nothing that a graph would speed up by much: layers without weights, or none at all."""
    makers = list(makers_of(program, model))
    if model.receiver is None:
        return bool(makers) and all(_prepares(program, maker) for maker in makers)
    calls = {cls.methods["call"] for cls in ancestry(model.receiver) if "call" in cls.methods}
    traces = [trace for trace in program.traces if trace.function in calls]
    return bool(traces) and not any(_may_run_layer(call) for trace in traces for call in trace.calls)


def _prepares(program: Program, maker: Call) -> bool:
    """Whether it makes a Sequential out of layers without weights that are all written there."""
    if maker.symbol != "keras.Sequential" or _is_added_to(program):
        return False
    inside = (call for call in program.calls if maker.region.holds(call.region))
    listed = [call for call in inside if call.region != maker.region]
    # What a Lambda runs is written out there, and keeps no weights unless it is a model.
    run = [call for call in listed if any(one.symbol == _LAMBDA and one.region.holds(call.region) for one in listed)]
    others = [call for call in listed if call not in run]
    return (
        bool(listed)
        and not any(call.symbol == MODEL_CALL for call in run)
        and all(is_without_weights(call.symbol) for call in others)
    )


def _is_added_to(program: Program) -> bool:
    return any(call.symbol == "keras.Sequential.add" for call in program.calls)


def _may_run_layer(call: Call) -> bool:
    return call.callee is None or call.last_name == "__call__"


def makers_of(program: Program, model: Call) -> tuple[Call, ...]:
    return tuple(program.calls_at.get(model.made_at, ())) if model.made_at is not None else ()


def ancestry(cls: Class | None) -> Iterator[Class]:
    """A class of the program and those of its bases that the program defines too."""
    if cls is not None:
        yield cls
        for base in cls.bases:
            yield from ancestry(base) if isinstance(base, Class) else ()
