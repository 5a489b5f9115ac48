from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import (
    KEEPS,
    MAPS,
    Call,
    Cause,
    Effect,
    Evidence,
    Example,
    Findings,
    Pipeline,
    Program,
    Related,
    Rule,
    Severity,
    Stage,
)

from ._passes import fit_at

_KEEPS = KEEPS | {"load"}


class UncachedEpochs(Rule):
    """Files are read or decoded anew in every epoch of `fit`, and nothing caches the result.

    ## What it finds
    A `map` whose function reads or decodes files, in a pipeline without `cache` or `snapshot` that `fit` goes through
    several times (`epochs` greater than 1).

    ## Why it matters
    The same files give the same elements in each epoch. A `cache()` after the `map` keeps them in memory, and one with a
    file name keeps them on disk: from the second epoch on nothing is read or decoded.

    ## When to ignore it
    When the decoded elements do not fit, in memory or on a fast disk: a decoded photograph takes ten times the space
    of its JPEG file. That is why the rule is off by default. Silent where the same function also draws random numbers, which a
    cache would freeze.

    ## References
    - https://www.tensorflow.org/guide/data_performance#caching
    """

    code = "PIPE306"
    name = "uncached-epochs"
    severity = Severity.ADVICE
    fix = "none"
    default = False
    examples = (
        Example(
            "each epoch decodes the same images",
            """
            import tensorflow as tf

            def load(path):
                return tf.io.decode_jpeg(tf.io.read_file(path))

            ds = tf.data.Dataset.list_files("*.jpg").map(load).batch(32)
            model.fit(ds, epochs=10)
            """,
            severity=Severity.ADVICE,
        ),
        Example(
            "decoded once, then shuffled anew",
            """
            import tensorflow as tf

            def load(path):
                return tf.io.decode_jpeg(tf.io.read_file(path))

            ds = tf.data.Dataset.list_files("*.jpg", shuffle=False).map(load).cache().shuffle(1000).batch(32)
            model.fit(ds, epochs=10)
            """,
            silent=True,
        ),
        Example(
            "one epoch",
            """
            import tensorflow as tf

            ds = tf.data.Dataset.list_files("*.txt").map(tf.io.read_file).batch(32)
            model.fit(ds)
            """,
            silent=True,
        ),
        Example(
            "each epoch crops elsewhere",
            """
            import tensorflow as tf

            def load(path):
                return tf.image.random_crop(tf.io.decode_jpeg(tf.io.read_file(path)), (96, 96, 3))

            ds = tf.data.Dataset.list_files("*.jpg").map(load).batch(32)
            model.fit(ds, epochs=10)
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="uncached-epochs")

    def check(self, program: Program) -> Findings:
        for pipeline in program.pipelines:
            fits = (fit_at(program, user.region) for user in pipeline.consumers)
            epochs = [_epochs(fit) for fit in fits if fit is not None]
            if (most := max(epochs, default=1)) > 1 and not any(stage.op in _KEEPS for stage in pipeline.stages):
                yield from self._report(pipeline, most)

    def _report(self, pipeline: Pipeline, most: int) -> Findings:
        working = [(stage, cause) for stage in pipeline.stages for cause in _repeated(stage)]
        if working and not any(_is_random(stage) for stage in _up_to(working[-1][0])):
            stage, cause = working[-1]
            yield self.finding(
                stage,
                f"{cause.name} does the same work in each of the {most} epochs; a cache after this {stage.op}, and "
                "before any shuffle, does it once if the elements fit",
                related=(Related(cause.location, f"{cause.name} is called here"),),
            )


def _epochs(fit: Call) -> int:
    given = fit.argument("epochs")
    return given.integer or 1 if given is not None else 1


def _repeated(stage: Stage) -> Iterator[Cause]:
    """What a map, or a map inside an interleave or flat_map, reads or decodes."""
    for part in (stage, *stage.inner_stages):
        cause = part.cause(Effect.DECODE, Effect.READ) if part.op in MAPS else None
        if cause is not None:
            yield cause


def _up_to(stage: Stage) -> tuple[Stage, ...]:
    upstream = (stage, *stage.upstream())
    return (*upstream, *(part for above in upstream for part in above.inner_stages))


def _is_random(stage: Stage) -> bool:
    return stage.op in MAPS and stage.cause(Effect.RANDOM) is not None
