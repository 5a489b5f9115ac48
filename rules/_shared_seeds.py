"""Random operations and layers of one mapped function that are meant to draw the same, by a seed that they share."""

from __future__ import annotations

from pipelint.rule import Call, Literal, Program, Region, Stage, TraceKind

_DRAWS = ("tensorflow.image.random_", "tensorflow.random.")
_LAYERS = ("keras.layers.Random",)


def shares_seeds(program: Program, stage: Stage) -> bool:
    """Whether several draws for one element, as for the frames of a film, have the same seed.

    Each counts its own draws, so that they agree only as long as one element is made after the other.
    """
    function = stage.function
    traces = [one for one in program.traces if function is not None and one.region == function.location]
    calls = [call for trace in traces if trace.kind is TraceKind.MAP for call in trace.calls]
    drawing = [call for call in calls if call.symbol.startswith(_DRAWS) and _seed(program, call)]
    if len({_seed(program, call) for call in drawing}) < len(drawing) or any(call.loops for call in drawing):
        return True
    layers = {call.symbol.removesuffix(".__call__") for call in calls if call.symbol.startswith(_LAYERS)}
    made = [(call.symbol, _seed(program, call)) for call in program.calls if call.symbol in layers]
    seeded = [(layer, seed) for layer, seed in made if seed]
    return len(set(seeded)) < len(seeded)


def _seed(program: Program, call: Call) -> str:
    """The seed that a draw or a layer is given, as written; "" without one."""
    seed = call.argument("seed")
    if seed is None or seed.value == Literal(None):
        return ""
    return str(seed.value.value) if isinstance(seed.value, Literal) else program.written(Region.of(seed.region))
