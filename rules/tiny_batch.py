from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pipelint.rule import Evidence, Example, Findings, Program, Related, Rule, Severity, Stage

from ._modules import given_elsewhere, written_elsewhere
from ._reasons_for_few import is_meant, may_be_meant
from ._small_examples import are_small
from ._training_batches import training_batches


class TinyBatch(Rule):
    """A training batch of a few examples leaves the device idle.

    ## What it finds
    A small constant batch size in `batch`, `padded_batch`, `fit(batch_size=...)` or a loader of a training pipeline, or
    slices of a few rows that a loop gives to a training step, where it is known that there are a thousand examples or
    more (the number is written, or it is a data set of Keras or scikit-learn) and that an example is small (a row, or a
    picture of less than 224 pixels).

    ## Why it matters
    Every step has a fixed cost: Python, the launch of each kernel, the copy to the device. With few examples in a batch
    that cost is paid for few examples. Batches below 8 are warnings, those of 8 to 15 advice (options `warning` and
    `advice`).

    ## When to ignore it
    When memory allows no more, or when the model needs it: accumulate gradients, or use mixed precision. A comment, or
    a size that is a dimension of tensors too, may speak for few: then what would be a warning is advice, and advice is
    not given. Advice at most for a default that callers out of sight, the command line or a file of settings may
    override, and where only names tell that it trains; nothing then for one at a time. Silent where few are right
    (inputs with an axis of any length, volumes, stateful layers, large language models; one at a time out of a
    generator, with networks that normalise each example, and with those that are trained against each other), for
    evaluation and prediction, in a test that asserts something, where the program writes out no more than 64 steps, for
    sizes that are not constant (multiplied by the number of replicas), for batches that a later stage takes apart or
    batches again, and where another branch makes larger ones.

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
            (images, labels), _ = tf.keras.datasets.cifar10.load_data()
            model.fit(tf.data.Dataset.from_tensor_slices((images, labels)).batch(BATCH))
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "arrays given to fit",
            """
            from tensorflow import keras

            (x, y), _ = keras.datasets.mnist.load_data()
            model = keras.Sequential([keras.layers.Dense(1)])
            model.fit(x, y, batch_size=8)
            """,
            severity=Severity.ADVICE,
        ),
        Example(
            "nobody knows how many examples there are",
            """
            from tensorflow import keras

            model = keras.Sequential([keras.layers.Dense(1)])
            model.fit(x, y, batch_size=8)
            """,
            silent=True,
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
        for batch in training_batches(program, enough=self.settings["advice"]):
            if batch.examples >= self.settings["advice"] or is_meant(program, batch):
                continue
            if not (batch.counted and are_small(program, batch)):
                continue
            intended = may_be_meant(program, batch)
            certain = batch.proven and batch.examples < self.settings["warning"]
            if intended and not certain:
                continue
            given = given_elsewhere(program, batch.size)
            at = given or batch.place
            made = (
                [Related(batch.at.name, "the batches are made here")] if given and isinstance(batch.at, Stage) else []
            )
            yield self.finding(
                at,
                f"{'training runs on' if batch.trains else 'as it seems for training,'} {batch.kind} of {batch.examples}"
                f"{' by default' if batch.assumed else ''}: "
                + (intended or "the fixed cost of a step is paid for few examples, and the device idles"),
                severity=Severity.WARNING if certain and not intended else Severity.ADVICE,
                related=(*made, *written_elsewhere(program, batch.size, at)),
                stage=batch.at if isinstance(batch.at, Stage) else None,
            )
