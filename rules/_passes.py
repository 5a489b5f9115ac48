"""How often the elements of a pipeline are asked for."""

from __future__ import annotations

from pipelint.rule import Call, Consumer, ConsumerKind, Location, Pipeline, Program, Region

_MANY_EPOCHS = 10
"""Measured on ratings that were shuffled whole before: in up to eight epochs it made no difference to the error whether
batches were the same in each of them.
"""


def fit_at(program: Program, place: Location) -> Call | None:
    """The call of `fit` at a place, as it was followed last."""
    return next((call for call in reversed(program.calls_at.get(place, ())) if call.last_name == "fit"), None)


def passes_of(fit: Call | None) -> int | None:
    """How often `fit` goes through its data, where that is written or left at its default."""
    if fit is None or fit.loops:
        return None
    epochs = fit.argument("epochs")
    if epochs is None:
        return None if fit.hides_arguments else 1
    return None if epochs.is_assumed else epochs.integer


def has_few_epochs(program: Program, pipeline: Pipeline) -> bool:
    """Whether every `fit` that takes the elements is known to go through them only a few times."""
    fits = [fit for consumer in pipeline.consumers if (fit := fit_at(program, consumer.region))]
    passes = [passes_of(fit) for fit in fits]
    return bool(fits) and all(number is not None and number < _MANY_EPOCHS for number in passes)


def is_read_once(program: Program, pipeline: Pipeline) -> bool:
    """Whether a single `fit` that says nothing of epochs takes the elements, so that no epoch can be like another.

    A number of epochs that is written down is there to be raised, even where it is 1.
    """
    if len(pipeline.consumers) != 1 or any(stage.op == "repeat" for stage in pipeline.stages):
        return False
    fit = fit_at(program, pipeline.consumers[0].region)
    return fit is not None and not (fit.argument("epochs") or fit.hides_arguments or fit.loops)


def is_passed_once(program: Program, pipeline: Pipeline) -> bool:
    """Whether a `fit` of one epoch or a loop, in no other loop, is all that takes the elements."""
    if len(pipeline.consumers) != 1 or any(stage.op == "repeat" for stage in pipeline.stages):
        return False
    consumer = pipeline.consumers[0]
    fit = fit_at(program, consumer.region)
    if fit is not None:
        return passes_of(fit) == 1
    return _is_single_loop(program, consumer)


def _is_single_loop(program: Program, consumer: Consumer) -> bool:
    """Whether it is a loop of Python that no other loop is around."""
    if not isinstance(consumer.region, Region):
        return False  # a program that ran tells its loops by itself
    inside_another = any(loop.region.holds(consumer.region) for event in program.events for loop in event.loops[1:])
    # What is traced has only the loops of its own graph.
    return consumer.kind is ConsumerKind.LOOP and not consumer.in_tf_function and not inside_another


def is_gathered_once(program: Program, pipeline: Pipeline) -> bool:
    """Whether all elements are put in one list or sum, outside of any loop, and nothing else takes them."""
    consumers = pipeline.outermost.consumers
    if not consumers or any(consumer.kind is not ConsumerKind.COLLECTION for consumer in consumers):
        return False
    loops = {loop.region for event in program.events for loop in event.loops}
    return not any(loop.holds(Region.of(consumer.region)) for loop in loops for consumer in consumers)


def is_evaluated_once(program: Program, pipeline: Pipeline) -> bool:
    """Whether a model only evaluates or predicts the elements, outside of any loop: no later pass could be spared work."""
    consumers = pipeline.outermost.consumers
    return bool(consumers) and all(_is_one_evaluation(program, consumer) for consumer in consumers)


def _is_one_evaluation(program: Program, consumer: Consumer) -> bool:
    if consumer.kind is ConsumerKind.LOOP:
        return consumer.trains_nothing and _is_single_loop(program, consumer)
    # The validation data of `fit`, which has no call of its own, is evaluated in each epoch.
    calls = [call for call in program.calls_at.get(consumer.region, ()) if call.last_name == consumer.kind.value]
    evaluates = consumer.kind in (ConsumerKind.EVALUATE, ConsumerKind.PREDICT)
    return evaluates and bool(calls) and not any(call.loops for call in calls)
