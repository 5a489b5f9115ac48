from __future__ import annotations

from pipelint.rule import (
    BATCHING,
    Call,
    ConsumerKind,
    Example,
    Findings,
    Location,
    Pipeline,
    Program,
    Related,
    Rule,
    Severity,
)

from ._order_of_examples import is_in_order, is_of_no_account
from ._passes import fit_at, passes_of


class UnshuffledTraining(Rule):
    """A model is fitted for several epochs to slices of arrays that nothing shuffles.

    ## What it finds
    `fit` for more than one epoch with a dataset of `from_tensor_slices`, where no stage shuffles, and nothing in the
    program shuffles, draws or splits at random what it is made of.

    ## Why it matters
    `fit` shuffles arrays in every epoch, but it never shuffles a dataset: each epoch has the same batches in the same order,
    and where files or rows are sorted, as by class, whole batches have one label. Training converges worse for it. Keras 3
    only warns that it ignores `shuffle`, and does so beside every dataset, shuffled or not.

    ## When to ignore it
    When the order is meant: sentences of a text, examples from easy to hard, measurements in time. When the arrays
    come shuffled and epochs are few, little is lost. Silent for windows, recurrent layers, records and other sources whose
    order is not in sight, a single epoch, one batch of everything, epochs of so many steps of what repeats, where anything
    is shuffled or drawn at random nearby, where several `fit` take the dataset, as to compare models on the same batches,
    and beside a `fit` to arrays.

    ## References
    - https://keras.io/api/models/model_training_apis/#fit-method
    - https://www.tensorflow.org/guide/data#randomly_shuffling_input_data
    """

    code = "PIPE406"
    name = "unshuffled-training"
    severity = Severity.ADVICE
    fix = "none"
    words = ("fit",)
    examples = (
        Example(
            "slices of arrays",
            """
            import tensorflow as tf

            ds = tf.data.Dataset.from_tensor_slices((images, labels)).batch(32)
            model.fit(ds, epochs=10)
            """,
        ),
        Example(
            "shuffled before batch",
            """
            import tensorflow as tf

            ds = tf.data.Dataset.from_tensor_slices((images, labels)).shuffle(10_000).batch(32)
            model.fit(ds, epochs=10)
            """,
            silent=True,
        ),
        Example(
            "the arrays are split at random",
            """
            import tensorflow as tf
            from sklearn.model_selection import train_test_split

            train_x, test_x, train_y, test_y = train_test_split(x, y)
            model.fit(tf.data.Dataset.from_tensor_slices((train_x, train_y)).batch(32), epochs=10)
            """,
            silent=True,
        ),
    )

    def check(self, program: Program) -> Findings:
        told: set[Location] = set()
        for pipeline in program.pipelines:
            fit = _only_fit(program, pipeline)
            passes = passes_of(fit)
            batch = next((stage for stage in reversed(pipeline.trunk) if stage.op in BATCHING), None)
            if fit is None or passes is None or passes < 2 or batch is None or fit.name in told:
                continue
            if not _goes_on(pipeline, fit) and _is_unshuffled(program, pipeline):
                told.add(fit.name)
                yield self.finding(
                    fit.name,
                    f"`fit` does not shuffle a dataset: {passes} epochs get the same batches in the same order; "
                    f"shuffle before `{batch.op}`",
                    related=(Related(batch.name, "the batches are made here"),),
                )


def _only_fit(program: Program, pipeline: Pipeline) -> Call | None:
    """The `fit` that takes a dataset; None where several do, as where models are compared on the same batches."""
    fits = [user.region for user in pipeline.consumers if user.kind is ConsumerKind.FIT]
    return fit_at(program, fits[0]) if len(fits) == 1 else None


def _goes_on(pipeline: Pipeline, fit: Call) -> bool:
    """Whether an epoch begins where the last one ended: so many steps of an iterator that is never made anew."""
    return "steps_per_epoch" in fit.keywords and any(stage.op == "repeat" for stage in pipeline.stages)


def _is_unshuffled(program: Program, pipeline: Pipeline) -> bool:
    dataset = pipeline.dataset
    if dataset is None or not is_in_order(program, dataset) or is_of_no_account(program, pipeline):
        return False
    # A program that fits to arrays and their targets as well shows the ways to feed a model.
    return not any(call.fits and len(call.positional) > 1 for call in program.near(pipeline.end.name).calls)
