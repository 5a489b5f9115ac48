"""Random operations and layers of one mapped function that are meant to draw the same, by a seed that they share."""

from __future__ import annotations

from collections import Counter

from pipelint.rule import Call, Literal, Program, Region, Stage, once_a_program

_OF_IMAGES = "tensorflow.image.random_"
_DRAWS = (_OF_IMAGES, "tensorflow.random.")
_LAYERS = ("keras.layers.Random",)


def shares_seeds(program: Program, stage: Stage) -> bool:
    """Whether several draws for one element, as for the frames of a film, have the same seed.

    Each counts its own draws, so that they agree only as long as one element is made after the other.
    """
    drawing = _seeded(program, stage, _DRAWS)
    shared = len({_seed(program, call) for call in drawing}) < len(drawing) or any(call.loops for call in drawing)
    return shared or has_twin_layers(program, stage)


def has_twin_layers(program: Program, stage: Stage) -> bool:
    """Whether a random layer has a twin with the same seed, as for an image and its mask."""
    calls = (call for trace in program.mapped_traces(stage) for call in trace.calls)
    layers = {call.symbol.removesuffix(".__call__") for call in calls if call.symbol.startswith(_LAYERS)}
    return not layers.isdisjoint(_layers_with_a_twin(program))


def changes_images_alike(program: Program, stage: Stage) -> bool:
    """Whether one function of tf.image changes several images, as one and its mask, by the same seed."""
    drawing = _seeded(program, stage, (_OF_IMAGES,))
    kinds = Counter((call.symbol, _seed(program, call)) for call in drawing)
    return any(number > 1 for number in kinds.values()) or any(call.loops for call in drawing)


def _seeded(program: Program, stage: Stage, names: tuple[str, ...]) -> list[Call]:
    """The draws of a mapped function that are given a seed, by the beginnings of their names."""
    calls = (call for trace in program.mapped_traces(stage) for call in trace.calls)
    return [call for call in calls if call.symbol.startswith(names) and _seed(program, call)]


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
