from __future__ import annotations

from pipelint.rule import (
    MAPS,
    Cause,
    Effect,
    Evidence,
    Example,
    Findings,
    MappedFunction,
    Pipeline,
    Program,
    Related,
    Rule,
    Severity,
    Stage,
)

from ._caching import is_cached_later, may_be_cached
from ._passes import is_evaluated_once
from ._purpose import only_converts
from ._replaceable_python import is_replaceable
from ._work_in_python import costs_little, judge_python


class PyFunctionInMap(Rule):
    """The mapped function leaves the graph and runs Python for each element.

    ## What it finds
    A `map` whose function reaches `tf.py_function` or `tf.numpy_function`.

    ## Why it matters
    Each element waits for the one Python interpreter: its lock keeps the calls sequential, whatever
    `num_parallel_calls` says, and tensors are copied out and back. TensorFlow cannot optimise the function, and the dataset
    cannot be saved or run in another process.

    ## When to ignore it
    When the function must stay as it is for a result that other code has to the bit. Told only where operations of
    TensorFlow can do all that it is known to do, so that nothing stays in Python: a warning where it decodes or resizes
    images or decodes sound, advice where it reads tables of text or computes with numpy. Silent where anything else is
    called (formats that TensorFlow does not read, warps and draws of other libraries, parsers, a network) or where it is
    not known what the function does; for what only a switch turns on; where a cache keeps what it gives, or a setting may
    ask for one, so that only the first epoch pays; where a loop only converts or writes the elements, so that no model
    waits, or a model evaluates them once. `pipelint profile` tells it of each that takes much of the time, and what
    helps: TFRecord files that are written once, a cache, or threads for what waits.

    ## References
    - https://www.tensorflow.org/guide/data#applying_arbitrary_python_logic
    - https://www.tensorflow.org/api_docs/python/tf/numpy_function
    """

    code = "PIPE503"
    name = "py-function-in-map"
    severity = Severity.WARNING
    fix = "none"
    words = ("map",)
    examples = (
        Example(
            "PIL decodes each image",
            """
            import numpy as np
            import tensorflow as tf
            from PIL import Image

            def read(path):
                return np.array(Image.open(path.numpy()).resize((224, 224)))

            ds = tf.data.Dataset.list_files("*.jpg").map(lambda path: tf.py_function(read, [path], tf.uint8))
            model.fit(ds.batch(32))
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "a format that TensorFlow does not read",
            """
            import pydicom
            import tensorflow as tf

            def read(path):
                return pydicom.dcmread(path.numpy()).pixel_array

            ds = tf.data.Dataset.list_files("*.dcm").map(lambda path: tf.py_function(read, [path], tf.int16))
            model.fit(ds.batch(8))
            """,
            silent=True,
        ),
        Example(
            "a function of the graph",
            """
            import tensorflow as tf

            def load(path):
                return tf.io.decode_image(tf.io.read_file(path), expand_animations=False)

            model.fit(tf.data.Dataset.list_files("*.jpg").map(load).batch(32))
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="py-function-in-map")

    def check(self, program: Program) -> Findings:
        for pipeline in program.all_pipelines:
            for stage in pipeline.stages:
                if stage.op in MAPS and stage.function is not None:
                    yield from self._report(program, pipeline, stage, stage.function)

    def _report(self, program: Program, pipeline: Pipeline, stage: Stage, function: MappedFunction) -> Findings:
        causes = [cause for cause in function.causes if cause.effect is Effect.PYTHON]
        if not causes or costs_little(stage, function.python):
            return
        cause = _calling(causes, function.python)
        severity, reason = judge_python(stage, function.python)
        # A measurement tells by itself that it matters.
        if is_cached_later(stage) or (stage.cost is None and not _is_worth_it(program, pipeline, stage)):
            return
        python = function.python.name if function.python is not None else None
        behind = f"{cause.name} of `{python}`" if python else cause.name
        yield self.finding(
            stage,
            f"{function.label} leaves the graph for Python ({behind}) at each element: {reason}",
            severity=pipeline.graded(severity),
            related=(Related(cause.location, f"{cause.name} is called here"),),
        )


def _is_worth_it(program: Program, pipeline: Pipeline, stage: Stage) -> bool:
    """Whether operations of the graph take all of the work out of Python, and a model waits for it again and again."""
    python = stage.function.python if stage.function is not None else None
    if may_be_cached(program, stage) or only_converts(pipeline) or is_evaluated_once(program, pipeline):
        return False
    return is_replaceable(program, python)


def _calling(causes: list[Cause], python: MappedFunction | None) -> Cause:
    """The call that is given this Python function: the nearest that begins before it."""
    before = [cause for cause in causes if python is not None and cause.location.order <= python.location.order]
    return max(before, key=lambda cause: cause.location.order, default=causes[0])
