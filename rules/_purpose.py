"""What a pipeline is for, as far as its consumers and its names tell."""

from __future__ import annotations

from pipelint.rule import Literal, Operation, Pipeline, Program, Purpose, Stage, purpose_of_words


def purpose(pipeline: Pipeline, stage: Stage) -> Purpose:
    """What this stage of a pipeline works for: its consumers decide, then names, from the nearest to the farthest."""
    consumers = pipeline.consumers
    if any(consumer.role == "training" for consumer in consumers):
        return Purpose.TRAINING
    if any(consumer.role == "evaluation" for consumer in consumers):
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


def feeds_training(program: Program, loader: Operation) -> bool:
    """Whether a call that makes batches does so for `fit`: inside that call, or under a name that does not deny it.

    What a function makes may reach `fit` under another name; what the program itself makes does so under its own.
    """
    fits = [other for other in program.operations if other.name.endswith((".fit", ".fit_generator"))]
    if any(fit.region.start < loader.region.start and loader.region.end < fit.region.end for fit in fits):
        return True
    names = {variable.rpartition(".")[2] for variable in loader.assigned.split()}
    reaches = bool(fits and names) if loader.function else any(names & fit.names for fit in fits)
    return reaches and _purpose_of_loader(loader) is not Purpose.EVALUATION


def _purpose_of_loader(loader: Operation) -> Purpose:
    constants = (argument.constant for argument in loader.arguments.values())
    texts = [constant for constant in constants if isinstance(constant, str)]
    for names in ([loader.assigned], texts, [loader.function or ""]):
        told = purpose_of_words(names)
        if told is not Purpose.UNKNOWN:
            return told
    ordered = loader.arguments.get("shuffle")
    return Purpose.EVALUATION if ordered is not None and ordered.value == Literal(False) else Purpose.UNKNOWN
