"""What a pipeline is for, as far as its consumers and its names tell."""

from __future__ import annotations

from pipelint.rule import Call, Literal, Pipeline, Program, Purpose, Stage, purpose_of_words


def purpose(pipeline: Pipeline, stage: Stage) -> Purpose:
    """What this stage of a pipeline works for: its consumers decide, then names, from the nearest to the farthest."""
    consumers = pipeline.consumers
    if any(consumer.purpose is Purpose.TRAINING for consumer in consumers):
        return Purpose.TRAINING
    if any(consumer.purpose is Purpose.EVALUATION for consumer in consumers):
        return Purpose.EVALUATION
    for names in (
        [consumer.variable for consumer in consumers],
        [name for later in (stage, *stage.downstream()) for name in later.variables],
        [stage.receiver, *(later.receiver for later in stage.downstream())],
        [text for other in (stage, *stage.upstream()) for value in other.arguments.values() for text in value.texts],
        [earlier.receiver for earlier in stage.upstream()],
        [consumer.name for consumer in consumers],
        [stage.built_in],
    ):
        told = purpose_of_words(names)
        if told is not Purpose.UNKNOWN:
            return told
    return Purpose.UNKNOWN


def feeds_training(program: Program, loader: Call) -> bool:
    """Whether a call that makes batches does so for `fit`: inside that call, or under a name that does not deny it.

    What a function makes may reach `fit` under another name; what the program itself makes does so under its own.
    """
    fits = [call for call in program.calls if call.last_name in ("fit", "fit_generator")]
    if any(fit.region != loader.region and fit.region.holds(loader.region) for fit in fits):
        return True
    names = {word for variable in loader.assigned for word in variable.split()}
    reaches = bool(fits and names) if loader.function else any(names & fit.mentions for fit in fits)
    return reaches and _purpose_of_loader(loader) is not Purpose.EVALUATION


def _purpose_of_loader(loader: Call) -> Purpose:
    texts = [argument.constant for argument in loader.arguments if isinstance(argument.constant, str)]
    function = loader.function.name if loader.function is not None else None
    for names in (loader.assigned, texts, [function or ""]):
        told = purpose_of_words(names)
        if told is not Purpose.UNKNOWN:
            return told
    ordered = loader.argument("shuffle")
    return Purpose.EVALUATION if ordered is not None and ordered.value == Literal(False) else Purpose.UNKNOWN
