from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import (
    AUTOTUNE,
    BATCHING,
    FREE,
    PREFETCHES,
    Evidence,
    Example,
    Finding,
    Findings,
    Fix,
    MoveAfter,
    Pipeline,
    Program,
    Related,
    Rule,
    Severity,
    Stage,
)

from ._automatic import Hindrance, hinders_prefetch, needs_no_prefetch, works_without
from ._light_elements import does_little
from ._overlap import is_waited_for, selects

_WORK = frozenset({"map", "filter", "batch", "padded_batch", "map_and_batch"})
_REASONS = {
    Hindrance.FUNCTION: "a loop inside a tf.function, where TensorFlow inserts no other",
    Hindrance.OPTIONS: "the options keep TensorFlow from inserting one at the end",
    Hindrance.VERSION: "TensorFlow {version} inserts none at the end by itself (2.11 and later do)",
    Hindrance.FLOOR: "TensorFlow {version}, the oldest that the project admits, inserts none at the end, 2.11 and later do",
    Hindrance.IN_MEMORY: "TensorFlow {version} inserts none at the end, but the elements are in memory already",
    None: "TensorFlow 2.11 and later insert one at the end by themselves in Python loops and fit",
}
_WAITS = (Hindrance.FUNCTION, Hindrance.OPTIONS, Hindrance.VERSION)


class PrefetchNotLast(Rule):
    """`prefetch` stands before stages that do work, so that the consumer still waits for those.

    ## What it finds
    A `map`, `filter`, `batch` or `padded_batch` after the only `prefetch` of a pipeline.

    ## Why it matters
    `prefetch` overlaps what stands before it with what comes after. Stages after it run while the consumer waits,
    and before `batch` the buffer holds single elements. TensorFlow 2.11 and later insert a prefetch at the end by
    themselves where a dataset is iterated from Python: this is advice, and so it is on older targets. It is a warning
    inside a `tf.function`, and where the options turn that off.

    ## When to ignore it
    When an early prefetch decouples a slow reader on purpose and memory forbids a second one. Silent with a later one,
    where only `repeat`, `take`, `with_options` or a trivial map follow, where the last stage runs in parallel or TensorFlow
    makes it so, which works ahead, where a cache in memory gives all but batches, for a single evaluation, for less than
    1000 elements and, unless that is known to cost, for rows or small pictures out of memory.

    ## Fix safety
    Safe: elements and order stay. A buffer that counted single elements has its size left to TensorFlow after `batch`.

    ## References
    - https://www.tensorflow.org/guide/data_performance#prefetching
    """

    code = "PIPE102"
    name = "prefetch-not-last"
    severity = Severity.WARNING
    fix = "safe"
    words = ("prefetch",)
    examples = (
        Example(
            "prefetch before batch",
            """
            import tensorflow as tf
            model.fit(tf.data.TFRecordDataset(files).map(parse).prefetch(tf.data.AUTOTUNE).batch(32))
            """,
            """
            import tensorflow as tf
            model.fit(tf.data.TFRecordDataset(files).map(parse).batch(32).prefetch(tf.data.AUTOTUNE))
            """,
            severity=Severity.ADVICE,
        ),
        Example(
            "iterated inside a tf.function, where TensorFlow inserts none, and a buffer that counted single elements",
            """
            import tensorflow as tf
            @tf.function
            def train(files):
                for batch in tf.data.TFRecordDataset(files).prefetch(1000).batch(32):
                    step(batch)
            """,
            """
            import tensorflow as tf
            @tf.function
            def train(files):
                for batch in tf.data.TFRecordDataset(files).batch(32).prefetch(tf.data.AUTOTUNE):
                    step(batch)
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "followed only by stages that pass elements on",
            """
            import tensorflow as tf
            model.fit(tf.data.TFRecordDataset(files).batch(32).prefetch(tf.data.AUTOTUNE).repeat().take(100))
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="prefetch-not-last", by_itself="prefetch-not-last-by-itself")

    def check(self, program: Program) -> Findings:
        for pipeline in program.pipelines:
            last = next((stage for stage in reversed(pipeline.trunk) if stage.op in PREFETCHES), None)
            after = last.downstream() if last and last.op == "prefetch" else ()
            costly = (stage for stage in after if not selects(stage) and not does_little(program, stage))
            work = [stage for stage in costly if stage.op in _WORK]
            waits = bool(work) and not work[-1].has("num_parallel_calls") and is_waited_for(program, pipeline)
            if last and waits and not needs_no_prefetch(program, [pipeline]) and not works_without(program, pipeline):
                yield self._report(program, pipeline, last, work)

    def _report(self, program: Program, pipeline: Pipeline, prefetch: Stage, work: list[Stage]) -> Finding:
        hindrance = hinders_prefetch(program, [pipeline])
        reason = _REASONS[hindrance].format(version=".".join(map(str, program.target)))
        severity = Severity.WARNING if hindrance and hindrance.costs else Severity.ADVICE
        ops = " and ".join(dict.fromkeys(f"`{stage.op}`" for stage in work))
        waits = f"{ops} after the only prefetch {'run' if len(work) > 1 else 'runs'} while the consumer waits"
        told = waits if hindrance in _WAITS else f"this prefetch does nothing for {ops} after it"
        buffer = prefetch.argument("buffer_size")
        counts_elements = buffer is not None and not buffer.is_autotune and any(stage.op in BATCHING for stage in work)
        move = MoveAfter(prefetch, tuple(_ends(prefetch)), (("buffer_size", AUTOTUNE),) * counts_elements)
        return self.finding(
            prefetch,
            f"{told}; {reason}",
            severity=pipeline.graded(severity),
            fix=Fix.safe("move prefetch to the end" + ", with AUTOTUNE" * counts_elements, move),
            related=(Related(work[-1].name, "the last stage, where a prefetch belongs"),),
        )


def _ends(prefetch: Stage) -> Iterator[Stage]:
    """Where the prefetch belongs: behind the last stage, or else before those at the end that only pass elements on."""
    for stage in reversed(list(prefetch.downstream())):
        yield stage
        if stage.op not in FREE:
            return
