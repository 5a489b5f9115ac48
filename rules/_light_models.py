"""Models whose call from Python costs little: they are graphs for the most part, or have no layers worth one."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import Call, Class, Loop, Program, TraceKind, is_without_weights

from ._work_around_steps import MODEL_CALL, calls_under_tape

_GRAPHS_OF_OTHERS = frozenset({"tensorflow_hub.KerasLayer", "tensorflow_hub.load"})
"""What gives a model out of a file, which runs as the graph that it was saved as."""


def computes_in_a_graph(program: Program, tape: Call, loops: tuple[Loop, ...]) -> bool:
    """Whether what stands under a tape leaves the model to a graph: then only what is around that runs op by op."""
    calls = list(calls_under_tape(program, tape, loops))
    models = [call for call in calls if call.symbol == MODEL_CALL]
    if models:
        return all(runs_mostly_in_graphs(program, call) for call in models)
    traced = {trace.function for trace in program.traces if trace.kind is TraceKind.FUNCTION}
    return any(call.callee in traced for call in calls)


def runs_mostly_in_graphs(program: Program, model: Call) -> bool:
    """Whether the model that is called is a tf.function, is made of layers that are, or with one of TensorFlow Hub."""
    if any(_is_graph(cls) for cls in _ancestry(model.receiver)):
        return True
    classes = (model.region, *(cls.location for cls in _ancestry(model.receiver)))
    modules = [program.module_at(place) for place in classes]
    near = (cls for cls in program.classes if program.module_at(cls.location) in modules)
    if any(_is_graph(cls) for cls in near if _is_layer(cls)):
        return True
    made_in = {(program.module_at(maker.region), maker.function) for maker in _makers(program, model)}
    hubs = (call for call in program.calls if call.symbol in _GRAPHS_OF_OTHERS)
    return any((program.module_at(hub.region), hub.function) in made_in for hub in hubs)


def has_no_layers(program: Program, model: Call) -> bool:
    """Whether a model has nothing that a graph would speed up by much: layers without weights, or none at all."""
    makers = list(_makers(program, model))
    if model.receiver is None:
        return bool(makers) and all(_prepares(program, maker) for maker in makers)
    calls = {cls.methods["call"] for cls in _ancestry(model.receiver) if "call" in cls.methods}
    traces = [trace for trace in program.traces if trace.function in calls]
    return bool(traces) and not any(_may_run_layer(call) for trace in traces for call in trace.calls)


def _prepares(program: Program, maker: Call) -> bool:
    """Whether it makes a Sequential out of layers without weights that are all written there."""
    if maker.symbol != "keras.Sequential" or any(call.symbol == "keras.Sequential.add" for call in program.calls):
        return False
    inside = (call for call in program.calls if maker.region.holds(call.region))
    listed = [call for call in inside if call.region != maker.region]
    return bool(listed) and all(is_without_weights(call.symbol) for call in listed)


def _may_run_layer(call: Call) -> bool:
    return call.callee is None or call.last_name == "__call__"


def _makers(program: Program, model: Call) -> tuple[Call, ...]:
    return tuple(program.calls_at.get(model.made_at, ())) if model.made_at is not None else ()


def _ancestry(cls: Class | None) -> Iterator[Class]:
    """A class of the program and those of its bases that the program defines too."""
    if cls is not None:
        yield cls
        for base in cls.bases:
            yield from _ancestry(base) if isinstance(base, Class) else ()


def _is_graph(cls: Class) -> bool:
    return "call" in cls.methods and cls.methods["call"].wrapped


def _is_layer(cls: Class) -> bool:
    """Whether a class is a part of models, rather than one of them."""
    return any(base.name.startswith("keras.layers.") for base in cls.library_bases())
