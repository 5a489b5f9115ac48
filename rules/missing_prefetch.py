from __future__ import annotations

from pipelint.rule import (
    AUTOTUNE,
    Append,
    Dataset,
    Evidence,
    Example,
    Finding,
    Findings,
    Fix,
    Program,
    Purpose,
    Related,
    Rule,
    Severity,
    Stage,
)

from ._automatic import Hindrance, hinders_prefetch
from ._definitions import by_definition, stages_of_its_own
from ._overlap import drops_prefetch, lacks_prefetch

_REASONS = {
    Hindrance.FUNCTION: ": iterated inside a tf.function, where TensorFlow inserts none",
    Hindrance.OPTIONS: ", and the options keep TensorFlow from inserting one",
    Hindrance.VERSION: ": TensorFlow {version} inserts none by itself (2.11 and later do)",
    Hindrance.FLOOR: "; TensorFlow {version}, the oldest that the project admits, inserts none, 2.11 and later do",
    Hindrance.IN_MEMORY: "; TensorFlow {version} inserts none, but the elements are in memory already",
    Hindrance.PARALLEL_TAIL: "; TensorFlow {version} inserts none, but makes the last map parallel, which works ahead",
    None: "; TensorFlow 2.11 and later insert one by themselves in Python loops and fit",
}


class MissingPrefetch(Rule):
    """A dataset is consumed without a `prefetch` behind its last transformation.

    ## What it finds
    A dataset that `fit`, `evaluate`, `predict`, a training loop or `iter` consumes, or that a function returns in
    batches, with no `prefetch` at its end: the consumer then waits while each batch is made.

    ## Why it matters
    TensorFlow 2.11 and later insert the prefetch by themselves where a dataset is iterated from Python: there this is
    advice. They do not when the dataset is iterated inside a `tf.function`, or when the options turn autotune, the
    default optimisations or `inject_prefetch` off: there it is a warning. So it is on older targets, except where the
    project admits newer ones too (`tensorflow>=2.4`), where TensorFlow makes the last map parallel (since 2.6), and
    where the elements are slices of arrays, with stateless functions at most.

    ## When to ignore it
    When memory is so short that not even one batch more fits. Silent where the last stage runs in parallel already
    (`num_parallel_calls`), for `experimental_distribute_dataset`, which prefetches to its devices, and for ready-made
    datasets (`tfds.load`, `image_dataset_from_directory`) with nothing behind them that costs. So it is for loops that
    only convert, write, show, count or cache the elements, and where a prefetch is there and dropped (PIPE110).

    ## Fix safety
    Safe: the elements and their order stay the same. Prefetch goes last, behind `batch`.

    ## References
    - https://www.tensorflow.org/guide/data_performance#prefetching
    """

    code = "PIPE101"
    name = "missing-prefetch"
    severity = Severity.WARNING
    fix = "safe"
    examples = (
        Example(
            "fit on a batched dataset",
            """
            import tensorflow as tf

            model.fit(tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).batch(64))
            """,
            """
            import tensorflow as tf

            model.fit(tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).batch(64).prefetch(tf.data.AUTOTUNE))
            """,
            severity=Severity.ADVICE,
        ),
        Example(
            "iterated inside a tf.function, where TensorFlow inserts nothing",
            """
            import tensorflow as tf

            @tf.function
            def train():
                for batch in tf.data.Dataset.range(1000).batch(32):
                    step(batch)
            """,
            """
            import tensorflow as tf

            @tf.function
            def train():
                for batch in tf.data.Dataset.range(1000).batch(32).prefetch(tf.data.AUTOTUNE):
                    step(batch)
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "the caller prefetches",
            """
            import tensorflow as tf

            def make(files):
                return tf.data.TFRecordDataset(files).batch(32)

            model.fit(make(["a", "b"]).prefetch(tf.data.AUTOTUNE))
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="missing-prefetch")

    def check(self, program: Program) -> Findings:
        looked_at = set(program.pipelines)
        lacking: list[Dataset] = []
        for dataset in program.datasets:
            variants = [pipeline for pipeline in dataset.variants if pipeline in looked_at]
            waits = any(not consumer.takes_all for consumer in dataset.consumers)
            if not waits or not variants or drops_prefetch(program, dataset):
                continue
            if dataset.complete and all(map(lacks_prefetch, variants)):
                lacking.append(dataset)
        for datasets in by_definition(lacking):
            yield self._report(program, datasets)

    def _report(self, program: Program, datasets: list[Dataset]) -> Finding:
        first, *others = datasets
        variants = [variant for dataset in datasets for variant in dataset.variants]
        name = first.consumers[0].name if first.handed_out else ""
        missing = f"{f'`{name}` hands out batches with ' if name else ''}no prefetch behind the last stage"
        hindrance = hinders_prefetch(program, variants)
        reason = _REASONS[hindrance].format(version=".".join(map(str, program.target)))
        trains = any(user.purpose is not Purpose.EVALUATION for dataset in datasets for user in dataset.consumers)
        fixable = not others or not stages_of_its_own(first)
        return self.finding(
            _end(first),
            missing + reason,
            severity=first.variants[0].graded(
                Severity.WARNING if hindrance and hindrance.costs and trains else Severity.ADVICE
            ),
            fix=Fix.safe("append .prefetch(AUTOTUNE)", Append(first, "prefetch", AUTOTUNE)) if fixable else None,
            related=tuple(Related(_end(other).name, "the same dataset again, without one") for other in others),
        )


def _end(dataset: Dataset) -> Stage:
    return max((pipeline.end for pipeline in dataset.variants), key=lambda end: end.name.order)
