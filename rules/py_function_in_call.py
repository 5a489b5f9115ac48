from __future__ import annotations

from pipelint.rule import PY_FUNCTIONS, Evidence, Example, Findings, Program, Region, Related, Rule, Severity, TraceKind

from ._modules import traced_elsewhere

_KINDS = (TraceKind.CALL, TraceKind.STEP)


class PyFunctionInCall(Rule):
    """The `call` of a layer or model leaves the graph for Python, by `py_function` or `numpy_function`.

    ## What it finds
    `tf.py_function` or `tf.numpy_function` in the `call` of a layer or model, in `train_step` and its like, also in the
    functions that these call.

    ## Why it matters
    Each step waits for the interpreter and its lock, copies the tensor from the device to numpy and back, and cannot be
    compiled. `numpy_function` has no gradient: layers before it are not trained, and Keras warns of that only once. A
    saved model has no more than the number of the Python function, which another process does not know.

    ## When to ignore it
    When there is no operation of TensorFlow for it, and the layer only evaluates or logs. With a small model on a
    processor a step took between as long and twice as long when it was measured; beside a large one nobody would see
    it. Silent in mapped functions, where PIPE503 says more.

    The rule is off by default, since no slowdown was shown for certain, and it was not tried on public code.

    ## Fix safety
    No fix: write it with operations of TensorFlow, or do it in the input pipeline.

    ## References
    - https://www.tensorflow.org/api_docs/python/tf/py_function
    - https://www.tensorflow.org/api_docs/python/tf/numpy_function
    """

    code = "PIPE605"
    name = "py-function-in-call"
    severity = Severity.ADVICE
    fix = "none"
    default = False
    words = ("py_function", "numpy_function", "py_func")
    examples = (
        Example(
            "numpy in a layer",
            """
            import numpy as np
            import tensorflow as tf

            class Wave(tf.keras.layers.Layer):
                def call(self, x):
                    return tf.numpy_function(np.sin, [x], tf.float32)
            """,
        ),
        Example(
            "in a function that it calls",
            """
            import tensorflow as tf

            def sharpen(x):
                return tf.py_function(sharpened, [x], tf.float32)

            class Net(tf.keras.Model):
                def call(self, x):
                    return self.head(sharpen(x))
            """,
        ),
        Example(
            "an operation of TensorFlow",
            """
            import tensorflow as tf

            class Wave(tf.keras.layers.Layer):
                def call(self, x):
                    return tf.sin(x)
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="py-function-in-call")

    def check(self, program: Program) -> Findings:
        told: set[Region] = set()
        for trace in program.traces if program.runs_on_tensorflow else ():
            for call in trace.calls if trace.kind in _KINDS else ():
                if call.symbol not in PY_FUNCTIONS or call.name in told or call.guards:
                    continue
                told.add(call.name)
                learns = (
                    ""
                    if call.last_name == "py_function"
                    else ", and has no gradient, so that layers before it are not trained"
                )
                related: tuple[Related, ...] = tuple(traced_elsewhere(program, trace, call.region))
                yield self.finding(
                    call.name,
                    f"`{trace.title}` leaves the graph for Python here: each step waits for the interpreter{learns}; write it with "
                    "operations of TensorFlow",
                    related=related,
                )
