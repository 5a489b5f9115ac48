from __future__ import annotations

from collections.abc import Iterator

from pipelint.model.finding import Finding, Fix, Safety, Severity
from pipelint.model.pipeline import Pipeline, Stage
from pipelint.model.program import Program
from pipelint.model.values import AUTOTUNE, Argument, Literal, Symbol
from pipelint.rule import Evidence, Example, Rule

_PARAMETERS = ("num_parallel_calls", "num_parallel_reads")


class HardcodedParallelism(Rule):
    """A fixed number of parallel calls fits one machine; `tf.data.AUTOTUNE` fits each.

    ## What it finds
    `num_parallel_calls` or `num_parallel_reads` set to a number, or to the count of processors.

    ## Why it matters
    A number that suits one machine is too few threads on the next or too many on a busy one; with `tf.data.AUTOTUNE`
    TensorFlow chooses it at run time, per stage, by what each costs. 1 is a warning: it forbids the parallel calls that
    TensorFlow 2.6 and later give a stateless `map` by themselves, so it is worse than no number at all.

    ## When to ignore it
    When the number was measured on the machine that it runs on, or limits memory or connections on purpose. Silent for
    a parameter of the user's own function, which callers set.

    ## Fix safety
    Safe when the function is proven stateless, nothing sets `deterministic=False` and, for `interleave`, `cycle_length`
    is explicit: the elements stay bit-identical. Unsafe otherwise, and for `num_parallel_reads`, which decides the
    order of the records.

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

            ds = tf.data.TFRecordDataset(files).map(tf.io.parse_tensor, num_parallel_calls=1)
            model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
            """,
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).map(tf.io.parse_tensor, num_parallel_calls=tf.data.AUTOTUNE)
            model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "the count of processors",
            """
            import multiprocessing
            import tensorflow as tf

            AUTO = tf.data.AUTOTUNE
            ds = tf.data.Dataset.from_tensor_slices(images)
            ds = ds.map(tf.image.random_flip_left_right, multiprocessing.cpu_count())
            model.fit(ds.batch(32).prefetch(AUTO))
            """,
            """
            import multiprocessing
            import tensorflow as tf

            AUTO = tf.data.AUTOTUNE
            ds = tf.data.Dataset.from_tensor_slices(images)
            ds = ds.map(tf.image.random_flip_left_right, AUTO)
            model.fit(ds.batch(32).prefetch(AUTO))
            """,
            severity=Severity.ADVICE,
        ),
        Example(
            "parallel reads: their number decides the order",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files, num_parallel_reads=8)
            model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
            """,
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
            model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
            """,
            severity=Severity.ADVICE,
        ),
        Example(
            "AUTOTUNE, by its name and by its value",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
            ds = ds.map(resize, num_parallel_calls=-1)
            model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
            """,
            silent=True,
        ),
        Example(
            "a parameter that callers set",
            """
            import tensorflow as tf

            def make(files, workers=4):
                return tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=workers).batch(32)
            """,
            silent=True,
        ),
        Example(
            "one file has nothing to read in parallel",
            """
            import tensorflow as tf

            ds = tf.data.TFRecordDataset("train.tfrecord", num_parallel_reads=1)
            model.fit(ds.batch(32).prefetch(tf.data.AUTOTUNE))
            """,
            silent=True,
        ),
    )
    evidence = Evidence(measured="num_parallel_calls=1 runs like a sequential map: 1.2 to 1.9 times slower on 2 cores")

    def check(self, program: Program) -> Iterator[Finding]:
        for pipeline in program.all_pipelines:
            for stage in pipeline.stages:
                for parameter in _PARAMETERS:
                    argument = stage.argument(parameter)
                    if argument is not None and _is_fixed(argument) and not _reads_one_file(stage):
                        yield self._report(pipeline, stage, parameter, argument)

    def _report(self, pipeline: Pipeline, stage: Stage, parameter: str, argument: Argument) -> Finding:
        severity, message = self._grade(stage, parameter, argument)
        return self.finding(
            argument.region,
            message,
            severity=pipeline.graded(severity),
            fix=Fix(
                f"set {parameter}=tf.data.AUTOTUNE",
                Safety.SAFE if _keeps_elements(pipeline, stage, parameter) else Safety.UNSAFE,
                stage.set_argument(parameter, AUTOTUNE),
            ),
        )

    def _grade(self, stage: Stage, parameter: str, argument: Argument) -> tuple[Severity, str]:
        if isinstance(argument.value, Symbol):
            counted = argument.value.name.removesuffix("()")
            return (
                Severity.ADVICE,
                f"{parameter} is the machine's {counted}; tf.data.AUTOTUNE shares the cores among all stages",
            )
        if argument.integer != 1:
            return Severity.ADVICE, f"{parameter}={argument.integer} fits one machine; tf.data.AUTOTUNE fits each"
        if stage.function is not None and stage.function.python is not None and not stage.function.python.causes:
            return (
                Severity.ADVICE,
                f"{parameter}=1: no worse than leaving it out, since this {stage.op} runs Python code",
            )
        if stage.op == "map" and stage.stateless:
            return (
                Severity.WARNING,
                "num_parallel_calls=1 forbids what TensorFlow does by itself: a map without it is made parallel",
            )
        return Severity.WARNING, f"{parameter}=1 makes this {stage.op} run one at a time"


def _is_fixed(argument: Argument) -> bool:
    if argument.is_parameter:
        return False
    match argument.value:
        case Literal(assumed=False):
            return argument.integer is not None and argument.integer > 0
        case Symbol(name=name):
            return name.endswith("cpu_count()")
        case _:
            return False


def _reads_one_file(stage: Stage) -> bool:
    files = stage.argument("filenames")
    return files is not None and (isinstance(files.constant, str) or _is_single(files.constant))


def _is_single(constant: object) -> bool:
    return isinstance(constant, tuple) and len(constant) == 1


def _keeps_elements(pipeline: Pipeline, stage: Stage, parameter: str) -> bool:
    if parameter == "num_parallel_reads" or pipeline.may_reorder:
        return False
    if stage.op == "interleave":
        cycle = stage.argument("cycle_length")
        return cycle is not None and not cycle.is_autotune and stage.stateless
    return stage.op == "batch" or stage.stateless
