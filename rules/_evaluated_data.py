"""Which pipelines give data that is only evaluated with, and what they share with those that train."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import SPLITS, Consumer, ConsumerKind, Pipeline, Program, Purpose, Stage, once_a_program

from ._purpose import proven_purpose


def is_only_evaluated(pipeline: Pipeline) -> bool:
    """Whether all that takes the elements evaluates a model with them, and not only predicts."""
    consumers = pipeline.consumers
    predicts = all(user.kind is ConsumerKind.PREDICT for user in consumers)
    return not predicts and all(map(_evaluates, consumers))


def _evaluates(consumer: Consumer) -> bool:
    told = consumer.trains_nothing or not consumer.purpose_by_name
    return consumer.purpose is Purpose.EVALUATION and told


def is_trained_on(program: Program, stage: Stage) -> bool:
    """Whether the same elements that come out of a stage are trained on, and not only another part of them."""
    if any(later.op in SPLITS for later in stage.downstream()):
        return False
    return stage.gives is not None and stage.gives in {one.gives for one in _training_stages(program)}


def serves_training(program: Program, stage: Stage) -> bool:
    """Whether the same call of the source also stands in a pipeline that is trained on."""
    return stage.call in {one.call for one in _training_stages(program)}


@once_a_program
def _training_stages(program: Program) -> tuple[Stage, ...]:
    return tuple(_stages_of_training(program))


def _stages_of_training(program: Program) -> Iterator[Stage]:
    for pipeline in (variant for dataset in program.datasets for variant in dataset.variants):
        if proven_purpose(pipeline) is Purpose.TRAINING:
            yield from pipeline.stages
