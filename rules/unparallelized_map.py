from __future__ import annotations

from pipelint.rule import (
    AUTOTUNE,
    AUTOTUNE_OPTIONS,
    DEFAULTS_OPTION,
    KEEPS,
    MAP_PARALLELIZATION,
    Effect,
    Evidence,
    Example,
    Finding,
    Findings,
    Fix,
    Literal,
    Pipeline,
    Program,
    Rule,
    Safety,
    SetArgument,
    Severity,
    Stage,
)

from ._automatic import outcome_of_stateless_map
from ._modules import defined_elsewhere
from ._passes import is_gathered_once
from ._purpose import only_converts

_REASONS = {Effect.RANDOM: "draws random numbers", Effect.PYTHON: "runs Python", Effect.STATE: "keeps state"}
_OPTIONS = {
    (*AUTOTUNE_OPTIONS, MAP_PARALLELIZATION.option): "map_parallelization or autotune",
    (DEFAULTS_OPTION,): "the default optimisations",
}


class UnparallelizedMap(Rule):
    """`Dataset.map` without `num_parallel_calls` runs one element at a time.

    ## What it finds
    A `map` that does not set `num_parallel_calls`.

    ## Why it matters
    TensorFlow 2.6 and later make a top-level `map` parallel by themselves, but only when its function is stateless. A
    function that draws random numbers, calls Python, looks up a table or uses a layer with weights stays sequential,
    and so does a `map` nested in `interleave` or `flat_map`, or with autotuning or `map_parallelization` off. There it
    is a warning; advice where TensorFlow repairs it, the function is not known, or the elements are listed just once.

    ## When to ignore it
    When the same seed must give the same random values in the same order: parallel calls give others. Silent
    with `synchronous=True`, under a parallel `interleave`, with op determinism, for a function that only picks parts, a
    `py_function` that only runs Python bytecode, and, as advice, for loops without a model.

    ## Fix safety
    Safe (bit-identical) where the function is proven stateless and nothing sets `deterministic=False`; else unsafe.

    ## References
    - https://www.tensorflow.org/guide/data_performance#parallelizing_data_transformation
    """

    code = "PIPE201"
    name = "unparallelized-map"
    severity = Severity.WARNING
    fix = "safe or unsafe"
    examples = (
        Example(
            "a random function",
            """
            import tensorflow as tf
            ds = tf.data.Dataset.from_tensor_slices(images)
            model.fit(ds.map(tf.image.random_flip_left_right).batch(32))
            """,
            """
            import tensorflow as tf
            ds = tf.data.Dataset.from_tensor_slices(images)
            model.fit(ds.map(tf.image.random_flip_left_right, num_parallel_calls=tf.data.AUTOTUNE).batch(32))
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "a stateless function, which TensorFlow makes parallel by itself",
            """
            import tensorflow as tf
            model.fit(tf.data.TFRecordDataset("train").map(tf.io.parse_tensor).batch(32))
            """,
            """
            import tensorflow as tf
            model.fit(tf.data.TFRecordDataset("train").map(tf.io.parse_tensor, num_parallel_calls=tf.data.AUTOTUNE).batch(32))
            """,
            severity=Severity.ADVICE,
        ),
        Example(
            "one element at a time on purpose",
            """
            import tensorflow as tf
            model.fit(tf.data.Dataset.range(1000).map(tf.random.uniform, synchronous=True).batch(32))
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="unparallelized-map")

    def check(self, program: Program) -> Findings:
        free = (pipeline for pipeline in program.all_pipelines if not program.near(pipeline.end.name).op_determinism)
        for pipeline in free:
            for stage in (one for one in pipeline.stages if one.op == "map" and _is_sequential(pipeline, one)):
                severity, reason = _judged(program, pipeline, stage)
                if severity is Severity.WARNING and is_gathered_once(program, pipeline):
                    severity, reason = Severity.ADVICE, f"{reason}, if only in a single pass"
                if severity is not Severity.ADVICE or not only_converts(pipeline):
                    yield self._report(program, stage, pipeline.graded(severity), reason, pipeline.may_reorder)

    def _report(self, program: Program, stage: Stage, severity: Severity, reason: str, may_reorder: bool) -> Finding:
        stateless = stage.function is not None and stage.function.stateless
        safety = Safety.SAFE if stateless and not may_reorder else Safety.UNSAFE
        fix = Fix("add num_parallel_calls=AUTOTUNE", safety, SetArgument(stage, "num_parallel_calls", AUTOTUNE))
        return self.finding(stage, reason, severity=severity, fix=fix, related=defined_elsewhere(program, stage))


def _is_sequential(pipeline: Pipeline, stage: Stage) -> bool:
    synchronous, outer, function = stage.argument("synchronous"), pipeline.nested_in, stage.function
    beside_others = outer is not None and outer.op == "interleave" and outer.has("num_parallel_calls")
    if beside_others or not stage.omits("num_parallel_calls") or (synchronous and synchronous.value == Literal(True)):
        return False
    python = function.python if function else None
    return not (function and function.selects) and (python is None or not python.resolved or bool(python.causes))


def _judged(program: Program, pipeline: Pipeline, stage: Stage) -> tuple[Severity, str]:
    function = stage.function
    cause = function.cause(*_REASONS) if function else None
    if cause is not None and function is not None:
        why = f"{function.label} {_REASONS[cause.effect]} ({cause.name}), so TensorFlow runs this map one element at a time"
        # A table or a layer costs little beside what is read and decoded, and a cache lets it be paid once.
        if cause.effect is Effect.STATE and any(later.op in KEEPS for later in stage.downstream()):
            return Severity.ADVICE, f"{why}, if only until the cache is filled"
        return Severity.WARNING, why
    if (outer := pipeline.nested_in) is not None:
        return Severity.WARNING, f"a map inside {outer.op} is never made parallel, and runs one element at a time"
    for options, what in _OPTIONS.items():
        if pipeline.turns_off(*options):
            return Severity.WARNING, f"this map runs one element at a time: the options turn {what} off"
    unknown = function.cause(Effect.UNKNOWN) if function else None
    if function is None or not function.resolved or unknown:
        name = unknown.name if unknown else function.name if function else None
        why = f"this map does not set num_parallel_calls, and what {f'`{name}`' if name else 'its function'} does"
        return Severity.ADVICE, f"{why} is not known: if it is stateful, TensorFlow runs it one element at a time"
    drawn = function.cause(Effect.DRAWN_ONCE)
    what = f"draws once, when it is traced ({drawn.name}, PIPE602)" if drawn else "is stateless"
    return Severity.ADVICE, f"{function.label} {what}, {outcome_of_stateless_map(program)}"
