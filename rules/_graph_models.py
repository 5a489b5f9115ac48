"""Models that are graphs already, so that a call from Python dispatches little."""

from __future__ import annotations

from pipelint.rule import Call, Class, Function, Loop, Program, TraceKind

from ._light_models import ancestry, makers_of
from ._under_tapes import MODEL_CALL, led_to_under_tape

_GRAPHS_OF_OTHERS = frozenset({"tensorflow.saved_model.load", "tensorflow_hub.KerasLayer", "tensorflow_hub.load"})
"""What gives a model out of a file, which runs as the graph that it was saved as."""


def computes_in_a_graph(program: Program, tape: Call, loops: tuple[Loop, ...]) -> bool:
    """Whether what stands under a tape leaves the model to a graph: then only what is around that runs op by op."""
    calls = [call for call in led_to_under_tape(program, tape, loops) if call.trace is None]
    models = [call for call in calls if call.symbol == MODEL_CALL]
    if models:
        return all(runs_mostly_in_graphs(program, call) for call in models)
    traced = {trace.function for trace in program.traces if trace.kind is TraceKind.FUNCTION}
    return any(call.callee in traced for call in calls)


def leaves_only_the_rest(program: Program, tape: Call, loops: tuple[Loop, ...]) -> bool:
    """Whether each model under a tape is itself a graph, so that little but its loss and the update runs op by op."""
    models = [call for call in led_to_under_tape(program, tape, loops) if call.trace is None and _runs_model(call)]
    return bool(models) and all(is_graph(call) for call in models)


def _runs_model(call: Call) -> bool:
    by_name = isinstance(call.callee, Function) and call.callee.name == "call" and call.callee.owner is not None
    return by_name or call.symbol == MODEL_CALL


def runs_mostly_in_graphs(program: Program, model: Call) -> bool:
    """Whether the model that is called is a tf.function, is made of layers that are, or with one of TensorFlow Hub."""
    if is_graph(model):
        return True
    classes = (model.region, *(cls.location for cls in ancestry(model.receiver)))
    modules = [program.module_at(place) for place in classes]
    near = (cls for cls in program.classes if program.module_at(cls.location) in modules)
    if any(_is_traced(cls) for cls in near if _is_layer(cls)):
        return True
    made_in = {(program.module_at(maker.region), maker.function) for maker in makers_of(program, model)}
    hubs = (call for call in program.calls if call.symbol in _GRAPHS_OF_OTHERS)
    return any((program.module_at(hub.region), hub.function) in made_in for hub in hubs)


def is_graph(model: Call) -> bool:
    """Whether the model that is called is a tf.function, or hands all on to one."""
    cls = model.callee.owner if isinstance(model.callee, Function) else model.receiver
    return any(_is_traced(one) for one in ancestry(cls))


def _is_traced(cls: Class) -> bool:
    call = cls.methods.get("call")
    done_by = cls.methods.get(call.hands_on_to, call) if call is not None else None
    return done_by is not None and done_by.wrapped


def _is_layer(cls: Class) -> bool:
    """Whether a class is a part of models, rather than one of them."""
    return any(base.name.startswith("keras.layers.") for base in cls.library_bases())
