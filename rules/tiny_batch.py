from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pipelint.rule import (
    BATCH_LOADERS,
    TRIAL_RUNS,
    Call,
    Class,
    ConsumerKind,
    Evidence,
    Example,
    Findings,
    Location,
    Method,
    Pipeline,
    Program,
    Purpose,
    Rule,
    Severity,
    Stage,
    Symbol,
)

from ._batching import BatchSize, batch_sizes
from ._purpose import feeds_training, purpose
from ._step_loops import is_training_call


class TinyBatch(Rule):
    """A training batch of a few examples leaves the device idle.

    ## What it finds
    A small constant batch size in `batch`, `padded_batch`, `fit(batch_size=...)` or a loader of a training pipeline, or
    slices of a few rows that a loop gives to a training step.

    ## Why it matters
    Every step has a fixed cost: Python, the launch of each kernel, the copy to the device. With few examples in a batch
    that cost is paid for few examples. Batches below 8 are warnings, those of 8 to 15 advice (options `warning` and
    `advice`). Images of 512 pixels and more, and volumes, fill a device with few examples: there it is advice at most.

    ## When to ignore it
    When memory allows no more, or when the model needs it (instance normalisation, stateful RNNs): accumulate
    gradients, or use mixed precision. Silent for evaluation and prediction, for sizes that are not constant (multiplied
    by the number of replicas, read from flags), and for batches that a later stage takes apart or batches again.

    ## Fix safety
    No fix: another batch size is another training run, with another learning rate.

    ## References
    - https://www.tensorflow.org/guide/gpu_performance_analysis
    """

    code = "PIPE801"
    name = "tiny-batch"
    severity = Severity.WARNING
    fix = "none"
    options: ClassVar[Mapping[str, int]] = {"warning": 8, "advice": 16}
    examples = (
        Example(
            "a batch of four",
            """
            import tensorflow as tf

            BATCH = 4
            model.fit(tf.data.Dataset.from_tensor_slices((images, labels)).batch(BATCH))
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "arrays given to fit",
            """
            from tensorflow import keras

            model = keras.Sequential([keras.layers.Dense(1)])
            model.fit(x, y, batch_size=8)
            """,
            severity=Severity.ADVICE,
        ),
        Example(
            "validation does not train",
            """
            import tensorflow as tf

            model.evaluate(tf.data.Dataset.from_tensor_slices((images, labels)).batch(1))
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="tiny-batch")

    def check(self, program: Program) -> Findings:
        for pipeline in program.pipelines:
            for size in batch_sizes(pipeline):
                if _trains(pipeline, size):
                    severity = pipeline.graded(self._severity(program, size.examples))
                    yield from self._report(program, size.stage, size.examples, severity)
        if program.legacy or not program.uses_tensorflow:
            return
        for call in program.calls:
            examples, what = _size_of_call(program, call)
            severity = self._severity(program, examples)
            yield from self._report(program, call.name, examples, severity, what)

    def _severity(self, program: Program, size: int) -> Severity:
        return Severity.WARNING if size < self.settings["warning"] and not program.large_inputs else Severity.ADVICE

    def _report(
        self, program: Program, at: Stage | Location, size: int, severity: Severity, what: str = "batches"
    ) -> Findings:
        if 0 < size < self.settings["advice"]:
            reason = "the fixed cost of a step is paid for few examples, and the device idles"
            if program.large_inputs:
                reason = "this program has large images or volumes, so memory may allow no more; if it does, use it"
            yield self.finding(at, f"training runs on {what} of {size}: {reason}", severity=severity)


def _trains(pipeline: Pipeline, size: BatchSize) -> bool:
    if any(trial in guard.lower() for guard in size.stage.guards for trial in TRIAL_RUNS):
        return False
    handed_out = any(consumer.kind is ConsumerKind.ELSEWHERE for consumer in pipeline.consumers)
    found = purpose(pipeline, size.stage)
    # Out of sight, a default may be overridden, and a batch of one may only add an axis: both need a proof of training.
    if size.assumed or size.examples == 1 or not handed_out:
        return found is Purpose.TRAINING
    return found is not Purpose.EVALUATION


def _size_of_call(program: Program, call: Call) -> tuple[int, str]:
    """How many examples a call trains on at a time, and what holds them; 0 where it is not known, or does not train."""
    match call.callee:
        case Method(owner=None | Class() | Symbol(name="keras.Model"), name="fit"):
            return 0 if program.takes_dataset(call) else _batch_size(call), "batches"
    if call.last_name in BATCH_LOADERS and (
        call.library == "keras" or (call.on_unknown_object and call.last_name != "flow")
    ):
        return _batch_size(call) if feeds_training(program, call) else 0, "batches"
    rows = max((argument.rows or 0 for argument in call.arguments), default=0)
    return rows if rows and call.loops and is_training_call(program, call) else 0, "slices"


def _batch_size(call: Call) -> int:
    argument = call.argument("batch_size")
    return argument.integer or 0 if argument is not None else 0
