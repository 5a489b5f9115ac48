from __future__ import annotations

from pipelint.rule import (
    AUTOTUNE,
    CORE_COUNTS,
    Argument,
    Evidence,
    Example,
    Finding,
    Findings,
    Fix,
    Literal,
    Made,
    Pipeline,
    Program,
    Rule,
    Safety,
    SetArgument,
    Severity,
    Stage,
)

from ._idle_stages import is_idle
from ._modules import written_elsewhere


class HardcodedParallelism(Rule):
    """A fixed number of parallel calls fits one machine; `tf.data.AUTOTUNE` fits each.

    ## What it finds
    `num_parallel_calls` or `num_parallel_reads` set to a number, or to the count of processors.

    ## Why it matters
    What suits one machine is too few threads on the next; with `tf.data.AUTOTUNE` TensorFlow chooses at run time, per
    stage, by what each costs. On two cores, decoding with 2 to 64 calls was as fast as with `AUTOTUNE`, and with 1 took 1.7
    times as long. 1 is a warning: it forbids the parallel calls that TensorFlow 2.6 and later give a stateless `map` by
    themselves, so it is worse than no number at all.

    ## When to ignore it
    When the number was measured on the machine that it runs on, or limits memory or connections on purpose. Silent for
    a parameter of the user's own function, which callers set, and for a `tf.py_function` of plain Python code, which runs one
    call at a time in any case, as is 1 for any other, which may keep Python in turn. Other numbers than 1 are passed over from 16 on, beside `AUTOTUNE` in another case or in a comment at the call, in a file
    that uses Keras without TensorFlow, where a cache keeps the result, for trivial work, lookups and whole batches, few
    elements, an `interleave` that has no more inputs open, and loops without a model.

    ## Fix safety
    Safe when the function is proven stateless, nothing sets `deterministic=False` and, for `interleave`, `cycle_length`
    is explicit: the elements stay bit-identical. Else unsafe, as for `num_parallel_reads`, which decides the order.

    ## References
    - https://www.tensorflow.org/guide/data_performance#parallelizing_data_transformation
    """

    code = "PIPE202"
    name = "hardcoded-parallelism"
    severity = Severity.ADVICE
    fix = "safe or unsafe"
    examples = (
        Example(
            "one call at a time",
            """
            import tensorflow as tf
            model.fit(tf.data.TFRecordDataset(files).map(tf.io.parse_tensor, num_parallel_calls=1).batch(32))
            """,
            """
            import tensorflow as tf
            model.fit(tf.data.TFRecordDataset(files).map(tf.io.parse_tensor, num_parallel_calls=tf.data.AUTOTUNE).batch(32))
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "the count of processors, and a function that draws random numbers",
            """
            import os
            import tensorflow as tf
            model.fit(tf.data.Dataset.from_tensor_slices(x).map(tf.keras.layers.RandomFlip(), os.cpu_count()).batch(32))
            """,
            """
            import os
            import tensorflow as tf
            model.fit(tf.data.Dataset.from_tensor_slices(x).map(tf.keras.layers.RandomFlip(), tf.data.AUTOTUNE).batch(32))
            """,
            severity=Severity.ADVICE,
        ),
        Example(
            "AUTOTUNE, by its name and by its value",
            """
            import tensorflow as tf
            model.fit(tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE).batch(32, num_parallel_calls=-1))
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="hardcoded-parallelism")

    def check(self, program: Program) -> Findings:
        for pipeline in program.all_pipelines:
            for stage in pipeline.stages:
                for parameter in ("num_parallel_calls", "num_parallel_reads"):
                    argument = stage.argument(parameter)
                    if argument is not None and _is_fixed(argument) and not is_idle(program, pipeline, stage, argument):
                        yield self._report(program, pipeline, stage, parameter)

    def _report(self, program: Program, pipeline: Pipeline, stage: Stage, parameter: str) -> Finding:
        argument = stage.arguments[parameter]
        severity, message = _judged(stage, parameter, argument)
        safety = Safety.SAFE if _keeps_elements(pipeline, stage, parameter) else Safety.UNSAFE
        return self.finding(
            argument.region,
            message,
            severity=pipeline.graded(severity),
            fix=Fix(f"set {parameter}=AUTOTUNE", safety, SetArgument(stage, parameter, AUTOTUNE)),
            related=written_elsewhere(program, argument, stage.name),
            stage=stage,
        )


def _judged(stage: Stage, parameter: str, argument: Argument) -> tuple[Severity, str]:
    if isinstance(argument.value, Made):
        counted = f"{parameter} is the machine's {argument.value.symbol}"
        return Severity.ADVICE, f"{counted}; tf.data.AUTOTUNE shares the cores among all stages"
    if argument.integer != 1:
        return Severity.ADVICE, f"{parameter}={argument.integer} fits one machine; tf.data.AUTOTUNE fits each"
    message = f"{parameter}=1 makes this {stage.op} run one at a time"
    if stage.op == "map" and stage.stateless:
        message = "num_parallel_calls=1 forbids what TensorFlow does by itself: a map without it is made parallel"
    return Severity.WARNING, message


def _is_fixed(argument: Argument) -> bool:
    match argument.value:
        case Literal(assumed=False):
            return (argument.integer or 0) > 0 and not argument.is_parameter
        case Made(symbol=symbol):
            return symbol in CORE_COUNTS and not argument.is_parameter
    return False


def _keeps_elements(pipeline: Pipeline, stage: Stage, parameter: str) -> bool:
    if parameter == "num_parallel_reads" or pipeline.may_reorder:
        return False
    cycle = stage.argument("cycle_length")
    if stage.op == "interleave" and (cycle is None or cycle.is_autotune):
        return False
    return stage.op == "batch" or stage.stateless
