from __future__ import annotations

from collections.abc import Iterator

from pipelint.model.finding import Finding, Fix, Safety, Severity
from pipelint.model.pipeline import FREE, Dataset, Pipeline, Stage
from pipelint.model.program import Program
from pipelint.model.values import AUTOTUNE
from pipelint.rule import Evidence, Example, Rule

_PREFETCHES = frozenset({"prefetch", "prefetch_to_device", "copy_to_device"})
_READY_MADE = frozenset(
    {
        "load", "image_dataset_from_directory", "text_dataset_from_directory", "audio_dataset_from_directory",
        "make_csv_dataset", "make_batched_features_dataset",
    }
)  # fmt: skip
_IN_MEMORY = FREE | {"cache", "shuffle", "prefetch", "concatenate", "zip"}
_OPTIONS = (
    "autotune.enabled",
    "experimental_optimization.autotune",
    "experimental_optimization.apply_default_optimizations",
    "experimental_optimization.inject_prefetch",
)


class MissingPrefetch(Rule):
    """A dataset is consumed without a `prefetch` behind its last transformation.

    ## What it finds
    A dataset that `fit`, `evaluate`, `predict`, a training loop or `iter` consumes, or that a function returns in
    batches, with no `prefetch` at its end: the consumer then waits while each batch is made.

    ## Why it matters
    TensorFlow 2.11 and later insert the prefetch by themselves where a dataset is iterated from Python, so there this is
    advice. They do not when the dataset is iterated inside a `tf.function`, or when the options turn autotune, the
    default optimisations or `inject_prefetch` off; there, and on older targets, it is a warning.

    ## When to ignore it
    When memory is so short that not even one batch more fits. Silent where the last stage runs in parallel already
    (`num_parallel_calls`), for `experimental_distribute_dataset`, which prefetches to its devices, and for ready-made
    datasets (`tfds.load`, `image_dataset_from_directory`) with nothing behind them that costs.

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

            ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).batch(64)
            model.fit(ds, epochs=3)
            """,
            """
            import tensorflow as tf

            ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).batch(64).prefetch(tf.data.AUTOTUNE)
            model.fit(ds, epochs=3)
            """,
            severity=Severity.ADVICE,
        ),
        Example(
            "iterated inside a tf.function, where TensorFlow inserts nothing",
            """
            import tensorflow as tf

            @tf.function
            def train_epoch(ds):
                for batch in ds:
                    step(batch)

            train_epoch(tf.data.Dataset.range(1000).batch(32))
            """,
            """
            import tensorflow as tf

            @tf.function
            def train_epoch(ds):
                for batch in ds:
                    step(batch)

            train_epoch(tf.data.Dataset.range(1000).batch(32).prefetch(tf.data.AUTOTUNE))
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "a stage that only some runs have: added where the dataset is returned",
            """
            import tensorflow as tf

            def make(files, training):
                ds = tf.data.TFRecordDataset(files)
                ds = ds.batch(32)
                if training:
                    ds = ds.repeat()
                return ds
            """,
            """
            import tensorflow as tf

            def make(files, training):
                ds = tf.data.TFRecordDataset(files)
                ds = ds.batch(32)
                if training:
                    ds = ds.repeat()
                return ds.prefetch(tf.data.AUTOTUNE)
            """,
            severity=Severity.ADVICE,
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
        Example(
            "the last stage runs in parallel",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).batch(32).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
            model.fit(ds)
            """,
            silent=True,
        ),
        Example(
            "a look at the first batches",
            """
            import tensorflow as tf

            for batch in tf.data.TFRecordDataset(files).batch(32).take(2):
                show(batch)
            """,
            silent=True,
        ),
    )
    evidence = Evidence(
        measured="iterated inside a tf.function, or with autotune off: 1.9 times slower; in `fit` on 2.21: 1.0"
    )

    def check(self, program: Program) -> Iterator[Finding]:
        looked_at = set(map(id, program.pipelines))
        for dataset in program.datasets:
            variants = [pipeline for pipeline in dataset.variants if id(pipeline) in looked_at]
            waits = any(consumer.kind not in ("distribute", "collect") for consumer in dataset.consumers)
            if waits and variants and dataset.complete and all(map(self._lacks_prefetch, variants)):
                yield self._report(program, dataset, variants)

    def _lacks_prefetch(self, pipeline: Pipeline) -> bool:
        trunk = pipeline.trunk
        if any(stage.op in _PREFETCHES for stage in trunk) or not pipeline.end.inputs:
            return False
        working = [stage for stage in trunk if not stage.is_source and stage.op not in FREE]
        if all(stage.op in (_READY_MADE if not stage.inputs else _IN_MEMORY) for stage in pipeline.stages):
            return False
        if working and working[-1].has("num_parallel_calls"):
            return False
        return not (len(trunk[0].inputs) > 1 and not working and all(map(_ends_in_prefetch, trunk[0].inputs)))

    def _report(self, program: Program, dataset: Dataset, variants: list[Pipeline]) -> Finding:
        last = max((pipeline.end for pipeline in variants), key=lambda stage: stage.name)
        severity, reason = self._grade(program, dataset, variants)
        return self.finding(
            last.name,
            reason,
            severity=variants[0].graded(severity),
            fix=Fix("append .prefetch(tf.data.AUTOTUNE)", Safety.SAFE, dataset.append("prefetch", AUTOTUNE)),
        )

    def _grade(self, program: Program, dataset: Dataset, variants: list[Pipeline]) -> tuple[Severity, str]:
        missing = "no prefetch behind the last stage"
        if dataset.handed_out:
            name = dataset.consumers[0].name
            missing = f"`{name}` hands out batches with {missing}" if name else missing
        if any(consumer.in_tf_function for consumer in dataset.consumers):
            return Severity.WARNING, f"{missing}: iterated inside a tf.function, where TensorFlow inserts none"
        if any(pipeline.turns_off(*_OPTIONS) for pipeline in variants):
            return Severity.WARNING, f"{missing}, and the options keep TensorFlow from inserting one"
        if program.target < (2, 11):
            version = ".".join(map(str, program.target))
            return Severity.WARNING, f"{missing}: TensorFlow {version} inserts none by itself (2.11 and later do)"
        return Severity.ADVICE, f"{missing}; TensorFlow 2.11 and later insert one by themselves in Python loops and fit"


def _ends_in_prefetch(stage: Stage) -> bool:
    return stage.op in _PREFETCHES or (stage.op in FREE and any(map(_ends_in_prefetch, stage.inputs)))
