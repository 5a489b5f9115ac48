"""How often the elements of a pipeline are asked for."""

from __future__ import annotations

from pipelint.rule import Call, Location, Pipeline, Program


def fits(program: Program) -> dict[Location, Call]:
    """The calls of `fit`, by their places."""
    return {call.region: call for call in program.calls if call.last_name == "fit"}


def epochs(fit: Call) -> int | None:
    """How often a `fit` goes through its dataset; None where that is not known."""
    given = fit.argument("epochs")
    if given is not None:
        return given.integer
    return None if fit.hides_arguments else 1


def is_read_once(program: Program, pipeline: Pipeline) -> bool:
    """Whether a single `fit` of one epoch is all that takes the elements, so that no epoch can be like another."""
    if len(pipeline.consumers) != 1 or any(stage.op == "repeat" for stage in pipeline.stages):
        return False
    fit = fits(program).get(pipeline.consumers[0].region)
    return fit is not None and epochs(fit) == 1 and not fit.loops
