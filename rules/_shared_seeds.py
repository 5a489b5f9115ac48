"""Random operations of one mapped function that are meant to draw the same, by a seed that they share."""

from __future__ import annotations

from pipelint.rule import Argument, Call, Literal, Program, Region, Stage, TraceKind

_DRAWS = ("tensorflow.image.random_", "tensorflow.random.")


def shares_seeds(program: Program, stage: Stage) -> bool:
    """Whether several draws for one element, as for the frames of a film, have the same seed.

    Each counts its own draws, so that they agree only as long as one element is made after the other.
    """
    function = stage.function
    traces = [one for one in program.traces if function is not None and one.region == function.location]
    seeded = [
        (
            call,
            program.written(Region.of(seed.region)) if not isinstance(seed.value, Literal) else str(seed.value.value),
        )
        for trace in traces
        if trace.kind is TraceKind.MAP
        for call in trace.calls
        if (seed := _seed(call)) is not None
    ]
    seeds = [seed for _, seed in seeded]
    return len(set(seeds)) < len(seeds) or any(call.loops for call, _ in seeded)


def _seed(call: Call) -> Argument | None:
    """The seed that a draw is given."""
    seed = call.argument("seed") if call.symbol.startswith(_DRAWS) else None
    return seed if seed is not None and seed.value != Literal(None) else None
