from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from pipelint.model.batching import BatchSize, batch_sizes
from pipelint.model.finding import Finding, Region, Severity
from pipelint.model.function import Operation
from pipelint.model.pipeline import Pipeline
from pipelint.model.program import Program
from pipelint.model.purpose import Purpose, purpose, purpose_of_words
from pipelint.model.values import Literal
from pipelint.rule import Evidence, Example, Rule

_GENERATORS = ("flow", "flow_from_directory", "flow_from_dataframe", "TimeseriesGenerator")
_TRIALS = ("debug", "smoke", "overfit", "sanity", "dry_run", "toy")


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
            ds = tf.data.Dataset.from_tensor_slices((images, labels)).batch(BATCH).prefetch(tf.data.AUTOTUNE)
            model.fit(ds)
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "arrays given to fit",
            """
            from tensorflow import keras

            model = keras.Sequential([keras.layers.Dense(1)])
            model.fit(x, y, batch_size=1, epochs=10)
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "slices of ten rows in a loop",
            """
            from training import train_step

            import tensorflow as tf

            tf.random.set_seed(1)
            for i in range(0, len(x), 10):
                train_step(x[i:i + 10], y[i:i + 10])
            """,
            severity=Severity.ADVICE,
        ),
        Example(
            "images of 512 pixels",
            """
            import tensorflow as tf

            def load(path):
                return tf.image.resize(tf.io.decode_png(tf.io.read_file(path)), (512, 512))

            files = tf.data.Dataset.from_tensor_slices(paths)
            model.fit(files.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(2).prefetch(tf.data.AUTOTUNE))
            """,
            severity=Severity.ADVICE,
        ),
        Example(
            "validation does not train",
            """
            import tensorflow as tf

            val_ds = tf.data.Dataset.from_tensor_slices((images, labels)).batch(1).prefetch(tf.data.AUTOTUNE)
            model.evaluate(val_ds)
            """,
            silent=True,
        ),
        Example(
            "pairs that the next stage merges",
            """
            import tensorflow as tf

            def mix(images):
                return 0.5 * images[0] + 0.5 * images[1]

            ds = tf.data.Dataset.from_tensor_slices(images).batch(2).map(mix, num_parallel_calls=tf.data.AUTOTUNE)
            model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
            """,
            silent=True,
        ),
        Example(
            "multiplied by the number of replicas",
            """
            import tensorflow as tf

            strategy = tf.distribute.MirroredStrategy()
            ds = tf.data.Dataset.from_tensor_slices(images).batch(4 * strategy.num_replicas_in_sync)
            model.fit(ds.prefetch(tf.data.AUTOTUNE))
            """,
            silent=True,
        ),
    )
    evidence = Evidence(
        measured="a small MLP, 2 cores, tensorflow-cpu 2.21.0: 438 µs an example in batches of 1, 61 of 8, 19 of 32"
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for pipeline in program.pipelines:
            for size in batch_sizes(pipeline):
                if self._trains(pipeline, size):
                    yield from self._report(program, size.stage.name, size.examples, pipeline=pipeline)
        if program.legacy or not _uses_keras(program):
            return
        for operation in program.operations:
            yield from self._check_call(program, operation)

    def _trains(self, pipeline: Pipeline, size: BatchSize) -> bool:
        handed_out = pipeline.dataset is not None and any(
            consumer.kind == "handed out" for consumer in pipeline.dataset.consumers
        )
        if any(trial in guard.lower() for guard in size.stage.guards for trial in _TRIALS):
            return False
        found = purpose(pipeline, size.stage)
        # Out of sight, a default may be overridden, and a batch of one may only add an axis: both need a proof of training.
        if size.assumed or size.examples == 1 or not handed_out:
            return found is Purpose.TRAINING
        return found is not Purpose.EVALUATION

    def _check_call(self, program: Program, operation: Operation) -> Iterator[Finding]:
        owner, _, last = operation.name.rpartition(".")
        if last == "fit" and owner in ("keras.Model", "?", "class"):
            size = _integer(operation, "batch_size", "2" if owner == "keras.Model" else "")
            takes_dataset = any(
                consumer.region == operation.region for dataset in program.datasets for consumer in dataset.consumers
            )
            if size is not None and not takes_dataset:
                yield from self._report(program, operation.callee, size)
        elif last in _GENERATORS and (owner.startswith("keras.") or (owner == "?" and last != "flow")):
            size = _integer(operation, "batch_size", "2" if last == "flow" else "")
            if size is not None and _feeds_training(program, operation):
                yield from self._report(program, operation.callee, size)
        elif operation.loops:
            rows = [argument.rows for argument in operation.arguments.values() if argument.rows is not None]
            if rows and _is_train_call(program, operation):
                yield from self._report(program, operation.callee, max(rows), "slices")

    def _report(
        self, program: Program, region: Region, size: int, what: str = "batches", pipeline: Pipeline | None = None
    ) -> Iterator[Finding]:
        if not 0 < size < self.settings["advice"]:
            return
        severity = Severity.WARNING if size < self.settings["warning"] and not program.large_inputs else Severity.ADVICE
        reason = (
            "this program has large images or volumes, so memory may allow no more; if it does, use it"
            if program.large_inputs
            else "the fixed cost of a step is paid for few examples, and the device idles"
        )
        yield self.finding(
            region,
            f"training runs on {what} of {size}: {reason}",
            severity=pipeline.graded(severity) if pipeline is not None else severity,
        )


def _integer(operation: Operation, name: str, position: str) -> int | None:
    argument = operation.arguments.get(name) or operation.arguments.get(position)
    return argument.integer if argument is not None else None


def _uses_keras(program: Program) -> bool:
    used = {reference.name for reference in program.references} | {operation.name for operation in program.operations}
    return any(name.startswith(("keras.", "tensorflow.")) for name in used)


def _feeds_training(program: Program, operation: Operation) -> bool:
    """Whether a generator of batches is made for `fit`: inside the call, or under a name that does not deny it."""
    fits = [other.region for other in program.operations if other.name.endswith((".fit", ".fit_generator"))]
    if any(fit.start < operation.region.start and operation.region.end < fit.end for fit in fits):
        return True
    return bool(fits and operation.assigned) and not _evaluates(operation)


def _evaluates(operation: Operation) -> bool:
    texts = [str(argument.constant) for argument in operation.arguments.values() if isinstance(argument.constant, str)]
    for names in ([operation.assigned], texts, [operation.function or ""]):
        told = purpose_of_words(names)
        if told is not Purpose.UNKNOWN:
            return told is Purpose.EVALUATION
    ordered = operation.arguments.get("shuffle")
    return ordered is not None and ordered.value == Literal(False)


def _is_train_call(program: Program, operation: Operation) -> bool:
    owner, _, last = operation.name.rpartition(".")
    if owner == "user":
        steps = {other.function for other in program.operations if other.name.endswith(".apply_gradients")}
        return "train" in last.lower() or last in steps
    return "train" in last.lower() or (operation.under_tape and last in ("__call__", "?"))
