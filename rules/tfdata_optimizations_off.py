from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import (
    INJECT_PREFETCH,
    MAP_PARALLELIZATION,
    PREFETCHES,
    Evidence,
    Example,
    Findings,
    Literal,
    Pipeline,
    Program,
    Rule,
    Severity,
    Stage,
)

from ._little_data import has_few

_REWRITES = (MAP_PARALLELIZATION, INJECT_PREFETCH)
_SWITCHES = tuple(dict.fromkeys(option for rewrite in _REWRITES for option in rewrite.turned_off_by))


class TfdataOptimizationsOff(Rule):
    """Options of a dataset turn off what TensorFlow does by itself to make it faster.

    ## What it finds
    `autotune.enabled`, `apply_default_optimizations`, `map_parallelization` or `inject_prefetch` that is set to False
    in options which a dataset is given, where that dataset leaves something to TensorFlow: a `map` with a stateless
    function without `num_parallel_calls`, or an end without `prefetch`.

    ## Why it matters
    TensorFlow 2.6 and later make the calls of such maps parallel, and from 2.11 on put a prefetch at the end. With
    these options maps take one element at a time, and each step waits for its batch.

    ## When to ignore it
    When nothing shall run in parallel, as while debugging. Silent where the calls and the prefetch are written out:
    then the options made no difference where it was measured. Silent for few elements.

    The rule is off by default: no file of the 12,600 public ones that it was tried on sets one of them to False, and
    PIPE101 and PIPE201 tell what is lost there.

    ## Fix safety
    No fix: remove the option, or write `num_parallel_calls` and `prefetch` where they are wanted.

    ## References
    - https://www.tensorflow.org/api_docs/python/tf/data/experimental/OptimizationOptions
    """

    code = "PIPE205"
    name = "tfdata-optimizations-off"
    severity = Severity.WARNING
    fix = "none"
    default = False
    words = ("with_options",)
    examples = (
        Example(
            "no autotuning",
            """
            import tensorflow as tf

            options = tf.data.Options()
            options.autotune.enabled = False
            ds = tf.data.TFRecordDataset(files).map(tf.io.decode_jpeg).batch(32)
            model.fit(ds.with_options(options))
            """,
        ),
        Example(
            "all is written out",
            """
            import tensorflow as tf

            options = tf.data.Options()
            options.experimental_optimization.apply_default_optimizations = False
            ds = tf.data.TFRecordDataset(files).map(tf.io.decode_jpeg, num_parallel_calls=8).batch(32).prefetch(2)
            model.fit(ds.with_options(options))
            """,
            silent=True,
        ),
        Example(
            "other options",
            """
            import tensorflow as tf

            options = tf.data.Options()
            options.deterministic = False
            ds = tf.data.TFRecordDataset(files).map(tf.io.decode_jpeg).batch(32)
            model.fit(ds.with_options(options))
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="tfdata-optimizations-off")

    def check(self, program: Program) -> Findings:
        for pipeline in program.pipelines:
            lost = " and ".join(_lost(program, pipeline))
            for stage in pipeline.stages if lost and not has_few(program, pipeline) else ():
                off = [name for name in _SWITCHES if stage.options.get(name) == Literal(False)]
                if off and pipeline.turns_off(*off):
                    yield self.finding(
                        stage,
                        f"`{off[0]}` is turned off, so that TensorFlow does not {lost} by itself",
                        severity=pipeline.graded(Severity.WARNING),
                    )


def _lost(program: Program, pipeline: Pipeline) -> Iterator[str]:
    """What TensorFlow would do to a pipeline, and its options keep it from."""
    off = {
        rewrite: program.target >= rewrite.since and pipeline.turns_off(*rewrite.turned_off_by) for rewrite in _REWRITES
    }
    if off[MAP_PARALLELIZATION] and any(map(_is_made_parallel, pipeline.stages)):
        yield "make maps parallel"
    if off[INJECT_PREFETCH] and not any(stage.op in PREFETCHES for stage in pipeline.trunk):
        yield "prefetch batches"


def _is_made_parallel(stage: Stage) -> bool:
    works = stage.function is not None and not stage.function.selects
    return stage.op == "map" and works and stage.stateless and stage.omits("num_parallel_calls")
