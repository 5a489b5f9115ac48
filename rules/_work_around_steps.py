"""What a program does under the tape of a training step and around it, beside which a graph of the step may not pay."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import (
    Call,
    Class,
    Function,
    Loop,
    LoopOver,
    Program,
    TraceKind,
    speaks_of_eager,
)

from ._step_loops import TAPE

MODEL_CALL = "keras.Model.__call__"
_GRAPHS_OF_OTHERS = frozenset({"tensorflow_hub.KerasLayer", "tensorflow_hub.load"})
"""What gives a model out of a file, which runs as the graph that it was saved as."""


def does_much_more(program: Program, loops: tuple[Loop, ...]) -> bool:
    """Whether each turn of the innermost loop also trains a model on all of its data, or plays a whole game.

    Beside that one step costs nothing, nor do a few: so the loops around count too, where those in them turn a few times.
    """
    *_, innermost = loops
    around = [loop for depth, loop in enumerate(loops[:-1], 1) if all(inner.few for inner in loops[depth:])]
    for call in program.calls:
        if innermost in call.loops and (call.fits or call.updates_weights or call.plays):
            inner = call.loops[call.loops.index(innermost) + 1 :]
            if call.fits or (call.plays and inner) or any(one.over is LoopOver.DATASET for one in inner):
                return True
        if call.plays and any(loop in call.loops[:-1] for loop in around):
            return True
    return False


def plays_under(program: Program, tape: Call) -> bool:
    """Whether an environment is played under the tape, which no graph can hold."""
    return any(call.plays for call in calls_under_tape(program, tape, tape.loops))


def is_shown_in_a_graph(program: Program, tape: Call) -> bool:
    """Whether the same file does the same under a tape in a graph: then it shows both, one after the other."""
    does = _written_under(program, tape)
    return bool(does) and any(
        _written_under(program, other) == does
        for other in program.calls
        if other.symbol == TAPE
        and other.trace
        and other.region != tape.region
        and program.module_at(other.region) is program.module_at(tape.region)
    )


def _written_under(program: Program, tape: Call) -> set[str]:
    calls = calls_under_tape(program, tape, tape.loops)
    return {"".join(program.written(call.region).split()) for call in calls if call.trace is tape.trace}


def calls_under_tape(program: Program, tape: Call, loops: tuple[Loop, ...]) -> Iterator[Call]:
    """What the function of a tape calls under one, in these loops."""
    for call in program.calls:
        if call.under_tape and call.function is tape.function and call.loops[: len(loops)] == loops:
            yield call


def is_eager_on_purpose(program: Program, call: Call) -> bool:
    """Whether the file of a call speaks of running eagerly, as those do that teach it or keep to it."""
    return speaks_of_eager(program.module_at(call.region).text)


def computes_in_a_graph(program: Program, tape: Call, loops: tuple[Loop, ...]) -> bool:
    """Whether what stands under a tape leaves the model to a graph: then only what is around that runs op by op."""
    calls = list(calls_under_tape(program, tape, loops))
    models = [call for call in calls if call.symbol == MODEL_CALL]
    if models:
        return all(runs_mostly_in_graphs(program, call) for call in models)
    traced = {trace.function for trace in program.traces if trace.kind is TraceKind.FUNCTION}
    return any(call.callee in traced for call in calls)


def runs_mostly_in_graphs(program: Program, model: Call) -> bool:
    """Whether the model that is called is made with one of TensorFlow Hub, or of layers that are tf.functions."""
    here = program.module_at(model.region)
    own = (cls for cls in program.classes if program.module_at(cls.location) is here and "call" in cls.methods)
    if any(cls.methods["call"].wrapped for cls in own if _is_layer(cls)):
        return True
    makers = program.calls_at.get(model.made_at, ()) if model.made_at is not None else ()
    made_in = {(program.module_at(maker.region), maker.function) for maker in makers}
    hubs = (call for call in program.calls if call.symbol in _GRAPHS_OF_OTHERS)
    return any((program.module_at(hub.region), hub.function) in made_in for hub in hubs)


def _is_layer(cls: Class) -> bool:
    """Whether a class is a part of models, rather than one of them."""
    return any(base.name.startswith("keras.layers.") for base in cls.library_bases())


def leads_to(program: Program, start: Function | None, goal: Function | None) -> bool:
    """Whether a function calls another one, itself or by those that it calls."""
    seen: set[Function | None] = {start}
    reached = set(seen)
    while reached and goal not in seen:
        calls = (call.callee for call in program.calls if call.function in reached)
        reached = {callee for callee in calls if isinstance(callee, Function) and callee not in seen}
        seen |= reached
    return goal in seen
