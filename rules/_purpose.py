"""What a pipeline is for, as far as its consumers and its names tell."""

from __future__ import annotations

from collections.abc import Iterable

from pipelint.rule import (
    Consumer,
    ConsumerKind,
    Event,
    Method,
    Pipeline,
    Program,
    Purpose,
    Stage,
    once_a_program,
    purpose_of_words,
)

_RUNS = frozenset({"compile", "evaluate", "predict", "test_on_batch", "predict_on_batch"})
_SETTINGS = ("tensorflow.config.", "tensorflow.debugging.")
_IN_SIGHT = frozenset({"builtins", "keras", "tensorflow"})
"""Libraries of which it is known what runs a model."""


def proven_purpose(pipeline: Pipeline) -> Purpose:
    """What the consumers of a pipeline take its elements for, by what they do."""
    proven = {consumer.purpose for consumer in pipeline.consumers if not consumer.purpose_by_name}
    return next((one for one in (Purpose.TRAINING, Purpose.EVALUATION) if one in proven), Purpose.UNKNOWN)


def named_purpose(pipeline: Pipeline, stage: Stage) -> Purpose:
    """What names say that this stage of a pipeline works for, from the nearest to the farthest: no proof."""
    consumers = pipeline.consumers
    by_name = {consumer.purpose for consumer in consumers if consumer.purpose_by_name}
    if by_name:
        return Purpose.TRAINING if Purpose.TRAINING in by_name else Purpose.EVALUATION
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


def only_evaluates(pipeline: Pipeline, stage: Stage) -> bool:
    """Whether a pipeline is proven to evaluate, or is named so where nothing in sight takes its elements."""
    proven = proven_purpose(pipeline)
    out_of_sight = all(consumer.kind is ConsumerKind.ELSEWHERE for consumer in pipeline.consumers)
    if proven is Purpose.UNKNOWN and out_of_sight:
        return named_purpose(pipeline, stage) is Purpose.EVALUATION
    return proven is Purpose.EVALUATION


def evaluates(pipelines: Iterable[Pipeline]) -> bool:
    """Whether the elements are proven to be taken for something else than to train."""
    consumers = [consumer for pipeline in pipelines for consumer in pipeline.outermost.consumers]
    return bool(consumers) and all(map(_evaluates, consumers))


def is_never_trained_on(program: Program, stage: Stage) -> bool:
    """Whether a model is proven to evaluate or predict what a stage gives, in whatever pipeline, and none to train.

    What is gathered in a list beside that, as the labels are, stays as it is then.
    """
    if stage.gives is None:
        return False
    ways = (variant for dataset in program.datasets for variant in dataset.variants)
    takers = [user for way in ways if any(one.gives == stage.gives for one in way.stages) for user in way.consumers]
    others = [user for user in takers if user.kind is not ConsumerKind.COLLECTION]
    return bool(others) and all(map(_evaluates, others))


def evaluates_beside_training(program: Program, pipelines: Iterable[Pipeline]) -> bool:
    """The same, by a program that also trains."""
    pipelines = tuple(pipelines)
    return evaluates(pipelines) and trains(program.near(pipelines[0].end.name))


@once_a_program
def trains(program: Program) -> bool:
    """Whether a program trains a model."""
    return any(call.fits or call.updates_weights for call in program.calls)


def _evaluates(consumer: Consumer) -> bool:
    return consumer.trains_nothing or (consumer.purpose is Purpose.EVALUATION and not consumer.purpose_by_name)


def only_converts(pipeline: Pipeline) -> bool:
    """Whether all that takes the elements converts, writes, shows or counts them: no model waits for them."""
    consumers = pipeline.outermost.consumers
    return bool(consumers) and not any(consumer.may_run_a_model for consumer in consumers)


def runs_models(program: Program) -> bool:
    """Whether a program compiles, trains or evaluates a model or goes through a dataset, rather than export one."""
    if any(consumer.kind is not ConsumerKind.ELSEWHERE for data in program.datasets for consumer in data.consumers):
        return True
    return any(
        call.fits or call.updates_weights or (isinstance(call.callee, Method) and call.last_name in _RUNS)
        for call in program.calls
    )


def trains_or_evaluates(program: Program) -> bool:
    """Whether a program has a model work on data, by its methods or in a loop of its own."""
    runs = _RUNS - {"compile"}
    return any(
        call.fits or call.updates_weights or (isinstance(call.callee, Method) and call.last_name in runs)
        for call in program.calls
    )


def leaves_model_alone(program: Program, event: Event) -> bool:
    """Whether a script sets something of a model, and neither runs one nor calls code out of sight that may do so."""
    script = program.module_at(event.region)
    later = [
        call
        for call in program.calls
        if call.region.start > event.region.end and program.module_at(call.region) is script
    ]
    unknown = any(call.library not in _IN_SIGHT or call.last_name == "__call__" for call in later)
    return event.function is None and not unknown and not trains_or_evaluates(program)


def only_shows_operations(program: Program, event: Event) -> bool:
    """Whether a script sets something and then runs single operations, no model: what it sets is what it shows."""
    later = (call.symbol for call in program.calls if call.region.start > event.region.end)
    computes = any(name.startswith("tensorflow.") and not name.startswith(_SETTINGS) for name in later)
    return event.function is None and computes and not runs_models(program)
