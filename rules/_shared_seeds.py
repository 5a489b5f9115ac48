"""Random operations and layers of one mapped function that are meant to draw the same, by a seed that they share."""

from __future__ import annotations

from collections import Counter

from pipelint.rule import Call, Literal, Program, Region, Stage, once_a_program

_DRAWS = ("tensorflow.image.random_", "tensorflow.random.")
_LAYERS = ("keras.layers.Random",)


def shares_seeds(program: Program, stage: Stage) -> bool:
    """Whether several draws for one element, as for the frames of a film, have the same seed.

    Each counts its own draws, so that they agree only as long as one element is made after the other.
    """
    calls = [call for trace in program.mapped_traces(stage) for call in trace.calls]
    drawing = [call for call in calls if call.symbol.startswith(_DRAWS) and _seed(program, call)]
    if len({_seed(program, call) for call in drawing}) < len(drawing) or any(call.loops for call in drawing):
        return True
    layers = {call.symbol.removesuffix(".__call__") for call in calls if call.symbol.startswith(_LAYERS)}
    return not layers.isdisjoint(_layers_with_a_twin(program))


@once_a_program
def _layers_with_a_twin(program: Program) -> frozenset[str]:
    """The kinds of random layers of which the program makes several with the same seed."""
    made = [(call.symbol, _seed(program, call)) for call in program.calls if call.symbol.startswith(_LAYERS)]
    counted = Counter((layer, seed) for layer, seed in made if seed)
    return frozenset(layer for (layer, _), number in counted.items() if number > 1)


def _seed(program: Program, call: Call) -> str:
    """The seed that a draw or a layer is given, as written; "" without one."""
    seed = call.argument("seed")
    if seed is None or seed.value == Literal(None):
        return ""
    return str(seed.value.value) if isinstance(seed.value, Literal) else program.written(Region.of(seed.region))
