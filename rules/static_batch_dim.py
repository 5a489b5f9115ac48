from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import (
    BatchLength,
    Example,
    Findings,
    Literal,
    Program,
    Related,
    Rule,
    Severity,
    Stage,
    Trace,
    TraceKind,
)

_SETS_SHAPE = frozenset(
    {"ensure_shape", "reshape", "set_shape", "stack", "unstack", "concat", "gather", "boolean_mask"}
)
"""Functions and methods, by their last names, whose results may have a first axis of a length that is known."""
_KEEPS_SHAPE = frozenset({"cache", "filter", "prefetch", "repeat", "shard", "shuffle", "skip", "take", "with_options"})
"""Stages that pass elements on as they are."""


class StaticBatchDim(Rule):
    """A mapped function computes with the length of a batch that is not known while it is traced.

    ## What it finds
    Arithmetic with `x.shape[0]` in a function that is mapped after `batch` without `drop_remainder=True`.

    ## Why it matters
    The last batch may be smaller, so that the length of the first axis is no part of the shape: `x.shape[0]` is None, and
    arithmetic with it raises an error while the function is traced. `tf.shape(x)[0]` is the length of each batch.

    ## When to ignore it
    Silent where `drop_remainder` is given, and where the function gives a tensor another shape.

    ## Fix safety
    No fix: `tf.shape(x)[0]` is a tensor, and Python that takes a number does not take it.

    ## References
    - https://www.tensorflow.org/guide/tensor
    - https://www.tensorflow.org/api_docs/python/tf/data/Dataset#batch
    """

    code = "PIPE606"
    name = "static-batch-dim"
    severity = Severity.ERROR
    fix = "none"
    words = ("shape",)
    examples = (
        Example(
            "after batch",
            """
            import tensorflow as tf

            def weighted(x):
                return x * (1.0 / x.shape[0])

            ds = tf.data.Dataset.from_tensor_slices(rows).batch(32).map(weighted)
            model.fit(ds)
            """,
        ),
        Example(
            "the length of each batch",
            """
            import tensorflow as tf

            def weighted(x):
                return x * (1.0 / tf.cast(tf.shape(x)[0], tf.float32))

            ds = tf.data.Dataset.from_tensor_slices(rows).batch(32).map(weighted)
            model.fit(ds)
            """,
            silent=True,
        ),
        Example(
            "batches of one length",
            """
            import tensorflow as tf

            def weighted(x):
                return x * (1.0 / x.shape[0])

            ds = tf.data.Dataset.from_tensor_slices(rows).batch(32, drop_remainder=True).map(weighted)
            model.fit(ds)
            """,
            silent=True,
        ),
    )

    def check(self, program: Program) -> Findings:
        for trace in (one for one in program.traces if one.kind is TraceKind.MAP):
            lengths = [event for event in trace.events if isinstance(event, BatchLength) and not event.guards]
            if not lengths or any(one.last_name in _SETS_SHAPE for one in trace.calls):
                continue
            batches = next(_batches_before(program, trace), None)
            for event in lengths if batches is not None else ():
                x = event.tensor
                yield self.finding(
                    event.region,
                    f"`{x}.shape[0]` is None in a function that is mapped over batches whose last may be smaller: "
                    f"arithmetic with it raises an error; `tf.shape({x})[0]` is the length",
                    related=(Related(batches.name, "the batches are made here"),) if batches is not None else (),
                )


def _batches_before(program: Program, trace: Trace) -> Iterator[Stage]:
    """The stage that makes batches of unknown length before each map of a function; none where one map has no such."""
    maps = [
        stage
        for pipeline in program.all_pipelines
        for stage in pipeline.stages
        if stage.function is not None and trace.function is not None and stage.function.function is trace.function
    ]
    # A map between may give the batches another shape.
    found = [next((one for one in stage.straight_up() if one.op not in _KEEPS_SHAPE), None) for stage in maps]
    if all(before is not None and _leaves_rest(before) for before in found):
        yield from (before for before in found if before is not None)


def _leaves_rest(stage: Stage) -> bool:
    rest = stage.argument("drop_remainder")
    return stage.op == "batch" and not stage.hides_arguments and (rest is None or rest.value == Literal(False))
