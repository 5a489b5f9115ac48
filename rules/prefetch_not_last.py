from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pipelint.model.finding import Edit, Finding, Fix, Related, Safety, Severity
from pipelint.model.pipeline import BATCHING, FREE, Pipeline, Stage
from pipelint.model.program import Program
from pipelint.model.values import AUTOTUNE, Symbol
from pipelint.rule import Evidence, Example, Rule

_PREFETCHES = frozenset({"prefetch", "prefetch_to_device", "copy_to_device"})
_WORK = frozenset({"map", "filter", "batch", "padded_batch", "map_and_batch"})
_OPTIONS = (
    "autotune.enabled",
    "experimental_optimization.autotune",
    "experimental_optimization.apply_default_optimizations",
    "experimental_optimization.inject_prefetch",
)


class PrefetchNotLast(Rule):
    """`prefetch` stands before stages that do work, so that the consumer still waits for those.

    ## What it finds
    A `map`, `filter`, `batch` or `padded_batch` behind the only `prefetch` of a pipeline.

    ## Why it matters
    `prefetch` overlaps what stands before it with what comes behind. Stages behind it run while the consumer waits,
    and before `batch` the buffer holds single elements. TensorFlow 2.11 and later insert a prefetch at the end by
    themselves where a dataset is iterated from Python, so there this is advice. They do not inside a `tf.function`, nor when the
    options turn autotune, the default optimisations or `inject_prefetch` off; there, and on older targets, it is a
    warning.

    ## When to ignore it
    When an early prefetch decouples a slow reader on purpose and memory forbids a second one. Silent with a later
    prefetch, and where only `repeat`, `take` or `with_options` follow.

    ## Fix safety
    Safe: the elements and their order stay the same. A buffer of so many single elements that moves behind `batch`
    would hold as many batches, so its size is left to TensorFlow then.

    ## References
    - https://www.tensorflow.org/guide/data_performance#prefetching
    """

    code = "PIPE102"
    name = "prefetch-not-last"
    severity = Severity.WARNING
    fix = "safe"
    examples = (
        Example(
            "prefetch before batch, in one chain",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).map(parse).prefetch(tf.data.AUTOTUNE).batch(32)
            model.fit(ds)
            """,
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).map(parse).batch(32).prefetch(tf.data.AUTOTUNE)
            model.fit(ds)
            """,
            severity=Severity.ADVICE,
        ),
        Example(
            "iterated inside a tf.function, where TensorFlow inserts none",
            """
            import tensorflow as tf

            @tf.function
            def train_epoch(ds):
                for batch in ds:
                    step(batch)

            ds = tf.data.TFRecordDataset(files)
            ds = ds.prefetch(1000)
            ds = ds.batch(32)
            train_epoch(ds)
            """,
            """
            import tensorflow as tf

            @tf.function
            def train_epoch(ds):
                for batch in ds:
                    step(batch)

            ds = tf.data.TFRecordDataset(files)
            ds = ds.batch(32)
            ds = ds.prefetch(tf.data.AUTOTUNE)
            train_epoch(ds)
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "a chain of lines",
            """
            import tensorflow as tf

            ds = (
                tf.data.TFRecordDataset(files)
                .prefetch(tf.data.AUTOTUNE)  # read ahead
                .padded_batch(32)
                .repeat()
            )
            model.fit(ds, steps_per_epoch=100)
            """,
            """
            import tensorflow as tf

            ds = (
                tf.data.TFRecordDataset(files)
                .padded_batch(32)
                .repeat()
                .prefetch(tf.data.AUTOTUNE)  # read ahead
            )
            model.fit(ds, steps_per_epoch=100)
            """,
            severity=Severity.WARNING,
            target=(2, 10),
        ),
        Example(
            "followed only by stages that pass elements on",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).batch(32).prefetch(tf.data.AUTOTUNE).repeat().take(100)
            model.fit(ds)
            """,
            silent=True,
        ),
        Example(
            "a later prefetch",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).prefetch(8).map(parse).batch(32).prefetch(tf.data.AUTOTUNE)
            model.fit(ds)
            """,
            silent=True,
        ),
        Example(
            "the caller prefetches",
            """
            import tensorflow as tf

            def records(files):
                return tf.data.TFRecordDataset(files).prefetch(8).batch(32)

            model.fit(records(["a", "b"]).prefetch(tf.data.AUTOTUNE))
            """,
            silent=True,
        ),
    )
    evidence = Evidence(measured="default optimisations off, tensorflow-cpu 2.21.0: 2.0 times slower; on defaults 1.0")

    def check(self, program: Program) -> Iterator[Finding]:
        for pipeline in program.pipelines:
            consumers = pipeline.dataset.consumers if pipeline.dataset else ()
            if consumers and all(consumer.kind in ("distribute", "collect") for consumer in consumers):
                continue
            prefetches = [stage for stage in pipeline.trunk if stage.op in _PREFETCHES]
            if not prefetches or prefetches[-1].op != "prefetch":
                continue
            work = [stage for stage in prefetches[-1].downstream() if stage.op in _WORK]
            if work:
                yield self._report(program, pipeline, prefetches[-1], work)

    def _report(self, program: Program, pipeline: Pipeline, prefetch: Stage, work: list[Stage]) -> Finding:
        severity, reason = self._grade(program, pipeline, work[-1])
        ops = " and ".join(f"`{op}`" for op in dict.fromkeys(stage.op for stage in work))
        buffer = prefetch.argument("buffer_size")
        counts_elements = buffer is not None and not buffer.is_autotune and any(stage.op in BATCHING for stage in work)
        replacing: dict[str, Symbol] = {"buffer_size": AUTOTUNE} if counts_elements else {}
        return self.finding(
            prefetch.name,
            f"{ops} behind the only prefetch {'run' if len(work) > 1 else 'runs'} while the consumer waits; {reason}",
            severity=pipeline.graded(severity),
            fix=Fix("move prefetch to the end", Safety.SAFE, partial(_moved, prefetch, replacing)),
            related=(Related(work[-1].name, "this stage is not overlapped with the consumer"),),
        )

    def _grade(self, program: Program, pipeline: Pipeline, last: Stage) -> tuple[Severity, str]:
        if last.has("num_parallel_calls"):
            return (
                Severity.ADVICE,
                f"the parallel `{last.op}` buffers its own results, but the prefetch does no good here",
            )
        consumers = pipeline.dataset.consumers if pipeline.dataset else ()
        if any(consumer.in_tf_function for consumer in consumers):
            return Severity.WARNING, "iterated inside a tf.function, where TensorFlow inserts no other"
        if pipeline.turns_off(*_OPTIONS):
            return Severity.WARNING, "the options keep TensorFlow from inserting one at the end"
        if program.target < (2, 11):
            version = ".".join(map(str, program.target))
            return Severity.WARNING, f"TensorFlow {version} inserts none at the end by itself (2.11 and later do)"
        return Severity.ADVICE, "TensorFlow 2.11 and later insert one at the end by themselves in Python loops and fit"


def _moved(prefetch: Stage, replacing: dict[str, Symbol]) -> tuple[Edit, ...]:
    """The edits that move the prefetch to the end, or else before the stages there that only pass elements on."""
    for stage in reversed(list(prefetch.downstream())):
        edits = prefetch.move_after(stage, **replacing)()
        if edits or stage.op not in FREE:
            return edits
    return ()
