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
    Pipeline,
    Program,
    Purpose,
    Related,
    Rule,
    Safety,
    Severity,
)

from ._automatic import Hindrance, hinders_prefetch, is_moot, loops_over_python, needs_no_prefetch
from ._definitions import by_definition, stages_of_its_own
from ._modules import by_home, end_of, place_of
from ._overlap import lacking_prefetch

_REASONS = {
    Hindrance.FUNCTION: ": a loop inside a tf.function, where TensorFlow inserts none",
    Hindrance.OPTIONS: ", and the options keep TensorFlow from inserting one",
    Hindrance.VERSION: ": TensorFlow {version} inserts none by itself{newer}",
    Hindrance.FLOOR: "; TensorFlow {version}, the oldest that the project admits, inserts none{newer}",
    Hindrance.IN_MEMORY: "; TensorFlow {version} inserts none, but the elements are in memory already",
    Hindrance.PARALLEL_TAIL: "; TensorFlow {version} inserts none, but makes the last map parallel, which works ahead",
    Hindrance.FUSED_TAIL: "; TensorFlow {version} inserts none, but fuses the last map with batch, which works ahead",
    Hindrance.CACHED: "; TensorFlow inserts none here, but from the second pass on the elements come from memory",
    None: "; TensorFlow 2.11 and later insert one by themselves in Python loops and fit",
}


class MissingPrefetch(Rule):
    """A dataset is consumed without a `prefetch` after its last transformation.

    ## What it finds
    A dataset that `fit`, `evaluate`, `predict`, a training loop or `iter` consumes, or that a function returns in
    batches, with no `prefetch` at its end: the consumer then waits while each batch is made.

    ## Why it matters
    TensorFlow 2.11 and later insert the prefetch by themselves where a dataset is iterated from Python, or make the last
    map parallel or fuse it with `batch`, which works ahead: silent there, but for advice on large rows of arrays, and where
    only the oldest version that a project admits does not. A warning where a `tf.function` loops over it (not by `iter`), and
    where options turn autotune, the defaults or `inject_prefetch` off, if a model is trained; advice on older targets.

    ## When to ignore it
    When memory is so short that not even one batch more fits. Silent where the last stage runs in parallel already
    (`num_parallel_calls`), under a strategy, which prefetches, for ready-made datasets (`tfds.load`) with nothing costly
    after them, loops that only convert, write, show, count or cache or that save a picture in each turn, a prefetch that
    is dropped (PIPE110) or is a comment, a single evaluation, arrays, what a `cache()` has in memory, single examples that
    it has in a file, and code that never runs.

    ## Fix safety
    Safe: the elements and their order stay the same. Prefetch goes last, after `batch`. Unsafe where TensorFlow inserts
    none and a loop takes what Python makes: asked for earlier, a replay buffer would not have the same elements.

    ## References
    - https://www.tensorflow.org/guide/data_performance#prefetching
    """

    code = "PIPE101"
    name = "missing-prefetch"
    severity = Severity.WARNING
    fix = "safe or unsafe"
    examples = (
        Example(
            "fit on a batched dataset, with a TensorFlow that inserts none",
            """
            import tensorflow as tf
            model.fit(tf.data.TFRecordDataset(files).shuffle(1000).batch(64))
            """,
            """
            import tensorflow as tf
            model.fit(tf.data.TFRecordDataset(files).shuffle(1000).batch(64).prefetch(tf.data.AUTOTUNE))
            """,
            severity=Severity.ADVICE,
            target=(2, 10),
        ),
        Example(
            "a loop inside a tf.function, where TensorFlow inserts nothing, over what Python makes",
            """
            import tensorflow as tf
            @tf.function
            def train():
                for batch in tf.data.Dataset.from_generator(play, tf.float32).batch(32):
                    step(batch)
            """,
            """
            import tensorflow as tf
            @tf.function
            def train():
                for batch in tf.data.Dataset.from_generator(play, tf.float32).batch(32).prefetch(tf.data.AUTOTUNE):
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
    evidence = Evidence(pair="missing-prefetch", by_itself="missing-prefetch-by-itself")

    def check(self, program: Program) -> Findings:
        for group in (one for home in by_home(program, lacking_prefetch(program)) for one in by_definition(home)):
            variants = [variant for dataset in group for variant in dataset.variants]
            if not needs_no_prefetch(program, variants) and not is_moot(program, variants):
                yield self._report(program, group, variants)

    def _report(self, program: Program, datasets: list[Dataset], variants: list[Pipeline]) -> Finding:
        first, *others = datasets
        end, at = end_of(first), place_of(program, first)
        built = [Related(end.name, "the last stage, where a prefetch is missing")] if at != end.name else []
        places = dict.fromkeys(place for other in others if (place := place_of(program, other)) != at)
        name = first.consumers[0].name if first.handed_out else ""
        given = first.handed_out and first.consumers[0].passed_on
        whose = f"`{name}` {'is given' if given else 'hands out'} batches with " if name else ""
        hindrance = hinders_prefetch(program, variants)
        # How an unknown function takes them, and so what newer versions do there, nobody knows.
        reason = _REASONS[hindrance] if hindrance or not given else ", so that it may wait for each"
        reason = reason.format(version=".".join(map(str, program.target)), newer=" (2.11 and later do)" * (not given))
        users = [user for dataset in datasets for user in dataset.consumers]
        trains = any(user.purpose is not Purpose.EVALUATION and not user.trains_nothing for user in users)
        severity = Severity.WARNING if hindrance and hindrance.costs and trains else Severity.ADVICE
        # Where TensorFlow inserts one by itself or works ahead, Python code is asked ahead of time in any case.
        early = hindrance is not None and not hindrance.works_ahead and any(map(loops_over_python, datasets))
        title = "append .prefetch(AUTOTUNE)" + ", which asks the Python code for elements ahead of time" * early
        fix = Fix(title, Safety.UNSAFE if early else Safety.SAFE, Append(first, "prefetch", AUTOTUNE))
        return self.finding(
            at,
            f"{whose}no prefetch after the last stage{reason}",
            severity=first.variants[0].graded(severity),
            fix=fix if not others or not stages_of_its_own(first) else None,
            related=(*built, *(Related(place, "the same dataset again, without one") for place in places)),
            stage=end,
        )
