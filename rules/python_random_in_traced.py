from __future__ import annotations

from pipelint.rule import (
    Call,
    Event,
    Example,
    Finding,
    Findings,
    Program,
    Region,
    Rule,
    Severity,
    Trace,
    TraceKind,
    display,
)

from ._modules import traced_elsewhere
from ._one_change import as_one_change
from ._python_calls import draws, graphs, severity_of
from ._random_draws import drawn_by_tensorflow, runs_once
from ._shown_on_purpose import is_shown


class PythonRandomInTraced(Rule):
    """A random number is drawn by Python or numpy in traced code: once, for all elements.

    ## What it finds
    `np.random`, `random` and the methods of their generators in a mapped function, a `tf.function` or a `train_step`,
    and in what these call. In `call` of a Keras class it is numpy-in-call.

    ## Why it matters
    TensorFlow runs the Python code once, to record a graph. The number that is drawn then is a constant of the graph:
    an augmentation written so turns every image by the same angle, in every epoch, and a GAN sees one noise vector.

    ## When to ignore it
    When one draw for the whole run is what you want; drawn outside of the function, the code says so. Silent inside
    `tf.py_function` and `tf.numpy_function`, after a constant seed in the same code, for a draw that is only the seed of
    a draw with a state of its own, or the first value of a `tf.Variable`, in a `tf.function` that is called once or that
    the script never gets to, and where it is shown: the function is written anew with draws of TensorFlow, or only tried out with a number.

    ## Fix safety
    Unsafe: other values are drawn, another one each time, as a float32 tensor (int32 for `randint`) where numpy gives
    float64. The map becomes stateful, so TensorFlow no longer makes it parallel by itself. Offered where the draw ends
    in arithmetic, in a call of TensorFlow or Keras, or in the test of an `if` statement that AutoGraph can turn into
    `tf.cond`, and where `tf.random.uniform` or `tf.random.normal` has the same distribution.

    ## References
    - https://www.tensorflow.org/guide/function#executing_python_side_effects
    - https://www.tensorflow.org/guide/random_numbers
    """

    code = "PIPE602"
    name = "python-random-in-traced"
    severity = Severity.ERROR
    fix = "unsafe"
    words = ("random",)
    examples = (
        Example(
            "an augmentation that is the same for all images",
            """
            import numpy as np
            import tensorflow as tf

            def augment(image):
                if np.random.rand() > 0.5:
                    image = tf.image.flip_left_right(image)
                return image * np.random.uniform(0.8, 1.2)

            ds = tf.data.Dataset.from_tensor_slices(tf.ones((4, 8, 8, 3))).map(augment)
            """,
            """
            import numpy as np
            import tensorflow as tf

            def augment(image):
                if tf.random.uniform([]) > 0.5:
                    image = tf.image.flip_left_right(image)
                return image * tf.random.uniform([], 0.8, 1.2)

            ds = tf.data.Dataset.from_tensor_slices(tf.ones((4, 8, 8, 3))).map(augment)
            """,
            count=2,
        ),
        Example(
            "a choice that Python makes once",
            """
            import random
            import tensorflow as tf

            @tf.function
            def step(x):
                return tf.square(x) if random.random() > 0.5 else tf.sqrt(x)
            """,
        ),
        Example(
            "inside numpy_function, where Python runs for each element",
            """
            import numpy as np
            import tensorflow as tf

            def noisy(x):
                return x + np.random.normal()

            ds = tf.data.Dataset.range(9).map(lambda x: tf.numpy_function(noisy, [x], tf.float64))
            """,
            silent=True,
        ),
        Example(
            "a seed of what draws each time",
            """
            import numpy as np
            import tensorflow as tf

            def flip(image):
                return tf.image.random_flip_left_right(image, seed=np.random.randint(100))

            ds = tf.data.Dataset.from_tensor_slices(tf.ones((4, 8, 8, 3))).map(flip)
            """,
            silent=True,
        ),
    )

    def check(self, program: Program) -> Findings:
        traces = graphs(program)
        elsewhere = {call.region for trace in traces if trace.kind is TraceKind.CALL for call in trace.calls}
        together: dict[object, dict[Region, Finding]] = {}
        for trace in traces:
            drawn = [call for call in trace.calls if draws(call) and not call.doubtful]
            for call in drawn if not is_shown(program, trace, _is_draw) else ():
                if call.region not in elsewhere and not runs_once(program, trace, call):
                    finding = self._report(program, trace, call)
                    # What no fix mends one by one is one change to one function.
                    change = call.region if finding.fix else (call.function, finding.severity)
                    together.setdefault(change, {}).setdefault(call.region, finding)
        yield from (as_one_change(findings.values(), "draw") for findings in together.values())

    def _report(self, program: Program, trace: Trace, call: Call) -> Finding:
        often = "element" if trace.kind is TraceKind.MAP else "call"
        message = (
            f"`{display(call.symbol)}` draws once, while the graph is recorded: {trace.reason}, and every {often} then "
            "gets that one draw"
        )
        fix, related = drawn_by_tensorflow(program, call, often), traced_elsewhere(program, trace, call.region)
        return self.finding(call.name, message, severity=severity_of(call, _is_draw), fix=fix, related=related)


def _is_draw(event: Event) -> bool:
    return isinstance(event, Call) and draws(event)
