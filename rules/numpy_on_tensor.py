from __future__ import annotations

from pipelint.rule import Call, Event, Example, Finding, Findings, Program, Rule, Severity, Trace, TraceKind, display

from ._modules import traced_elsewhere
from ._python_calls import graphs, instead, reads_values, severity_of


class NumpyOnTensor(Rule):
    """A tensor of traced code is given to numpy, OpenCV or PIL, or asked for its value.

    ## What it finds
    `.numpy()`, a numpy function, OpenCV or PIL on a tensor inside a mapped function, a `tf.function` or a `train_step`.

    ## Why it matters
    TensorFlow runs such a function once, with tensors that have no value yet, to record a graph. `.numpy()` raises
    `AttributeError` there, and numpy raises `NotImplementedError`: cannot convert a symbolic tensor.

    ## When to ignore it
    When the function never runs as a graph. Silent for shapes, dtypes and constants, inside `tf.py_function` and
    `tf.numpy_function`, under tests such as `tf.executing_eagerly()` or of what `compile(run_eagerly=...)` is given,
    where the program turns tracing off, in a network that it only ever calls eagerly, under options of `call` that
    Keras leaves at their defaults, and, but for mapped functions, under options of the command line that are off by
    default, as those for a look at values. A warning where a test chooses one of several functions to be called there,
    and another of them is harmless. What numpy does in `call` of a Keras layer is numpy-in-call.

    ## Fix safety
    Unsafe: the function of TensorFlow keeps the dtype of its input, where numpy may give float64. Offered where both take
    the arguments alike.

    ## References
    - https://www.tensorflow.org/guide/function
    """

    code = "PIPE603"
    name = "numpy-on-tensor"
    severity = Severity.ERROR
    fix = "unsafe"
    examples = (
        Example(
            "numpy in a mapped function",
            """
            import numpy as np
            import tensorflow as tf

            def scale(image, label):
                return np.log(image + 1.0), label

            ds = tf.data.Dataset.from_tensor_slices((images, labels)).map(scale)
            """,
            """
            import numpy as np
            import tensorflow as tf

            def scale(image, label):
                return tf.math.log(image + 1.0), label

            ds = tf.data.Dataset.from_tensor_slices((images, labels)).map(scale)
            """,
        ),
        Example(
            "the value of a loss in a tf.function",
            """
            import tensorflow as tf

            @tf.function
            def step(x, y):
                loss = tf.reduce_mean(tf.square(model(x) - y))
                return loss.numpy()
            """,
        ),
        Example(
            "constants, dtypes and static shapes",
            """
            import numpy as np
            import tensorflow as tf

            def scale(image):
                height = np.prod(image.shape[:2])
                return tf.cast(image, np.float32) * np.sqrt(2.0) / height

            ds = tf.data.Dataset.from_tensor_slices(images).map(scale)
            """,
            silent=True,
        ),
        Example(
            "inside py_function there are values",
            """
            import numpy as np
            import tensorflow as tf

            def load(path):
                return np.load(path.numpy())

            ds = tf.data.Dataset.list_files("*.npy").map(lambda path: tf.py_function(load, [path], tf.float32))
            """,
            silent=True,
        ),
        Example(
            "eager code",
            """
            import numpy as np
            import tensorflow as tf

            for x in tf.data.Dataset.range(3):
                print(np.sqrt(x), x.numpy())
            """,
            silent=True,
        ),
    )

    def check(self, program: Program) -> Findings:
        calls = [call for trace in program.traces if trace.kind is TraceKind.CALL for call in trace.calls]
        elsewhere = {call.region for call in calls if reads_values(call)}
        for trace in graphs(program):
            for call in trace.calls:
                if call.region not in elsewhere and _needs_value(call) and not (call.doubtful or call.asked_for):
                    yield self._report(program, trace, call)

    def _report(self, program: Program, trace: Trace, call: Call) -> Finding:
        severity, related = severity_of(call, _needs_value), traced_elsewhere(program, trace, call.region)
        if _takes_value(call):
            because = f"{trace.reason}, and its tensors have no value while it is recorded"
            message = f"`.numpy()` has nothing to read here: {because}"
            return self.finding(call.name, message, severity=severity, related=related)
        other, fix = instead(program, call)
        because = f"{trace.reason}, and its tensors have none while it is recorded"
        message = f"`{display(call.symbol)}` needs a value: {because}{other}"
        return self.finding(call.name, message, severity=severity, fix=fix, related=related)


def _needs_value(event: Event) -> bool:
    return isinstance(event, Call) and (_takes_value(event) or reads_values(event))


def _takes_value(call: Call) -> bool:
    return call.symbol == "tensorflow.Tensor.numpy" and call.on_tensor
