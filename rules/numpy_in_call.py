from __future__ import annotations

from pipelint.rule import (
    NO_GRADIENT,
    Call,
    Example,
    Finding,
    Findings,
    Program,
    Rule,
    Severity,
    Trace,
    TraceKind,
    display,
)

from ._modules import traced_elsewhere
from ._python_calls import draws, graphs, instead, reads_values, severity_of, stops_gradient
from ._random_draws import rounds


class NumpyInCall(Rule):
    """numpy, OpenCV or PIL works on a tensor inside `call` of a Keras layer or model.

    ## What it finds
    Inside `call` of a subclass of a Keras `Layer` or `Model`, and in the methods and functions that it calls: a numpy,
    OpenCV or PIL function that is given a tensor, and random numbers drawn with `np.random` or `random`.

    ## Why it matters
    Keras traces `call` into a graph. A tensor of a graph has no value, so `fit` raises `NotImplementedError` or a
    `TypeError`. Run eagerly, the call works, but the gradient stops there: the variables before it get `None` and never
    train. A random number is drawn once, while the graph is recorded, and every batch then sees the same one.

    ## When to ignore it
    When the layer is only ever called eagerly and nothing before it is trained. Silent where the program shows that,
    for numpy on what is known while tracing (`x.shape`, dtypes, constants, attributes set in `__init__`), in
    `__init__`, `build` and `get_config`, inside `tf.py_function` and `tf.numpy_function`, under a test such as
    `isinstance(x, np.ndarray)` and for what it chose for arrays, for a draw that only rounds a number in `int(...)`, for
    the numpy interfaces of TensorFlow and JAX, for what has no gradient (`np.argmax`) where nothing in sight traces the
    layer, and, where it runs eagerly, for sizes (`np.eye(n)`) and under `@tf.custom_gradient`.

    ## Fix safety
    Unsafe: the function of TensorFlow (of `keras.ops` in a file that uses Keras alone) keeps the dtype of its input, where
    numpy may give float64. Offered where both take the arguments alike, as `np.sin(x)` and `np.mean(x, axis=1)`.

    ## References
    - https://www.tensorflow.org/guide/function#executing_python_side_effects
    - https://keras.io/guides/making_new_layers_and_models_via_subclassing/
    """

    code = "PIPE604"
    name = "numpy-in-call"
    severity = Severity.ERROR
    fix = "unsafe"
    examples = (
        Example(
            "numpy on the inputs of a layer",
            """
            import numpy as np
            import tensorflow as tf

            class Wave(tf.keras.layers.Layer):
                def call(self, inputs):
                    return np.sin(inputs) * np.pi
            """,
            """
            import numpy as np
            import tensorflow as tf

            class Wave(tf.keras.layers.Layer):
                def call(self, inputs):
                    return tf.sin(inputs) * np.pi
            """,
        ),
        Example(
            "a random number that is drawn once, in a method that call reaches",
            """
            import numpy as np
            import tensorflow as tf

            class Noisy(tf.keras.Model):
                def call(self, x):
                    return x + self.noise()

                def noise(self):
                    return np.random.normal(0.0, 0.1)
            """,
        ),
        Example(
            "what is known while tracing: shapes, dtypes, constants, attributes",
            """
            import numpy as np
            import tensorflow as tf

            class Flat(tf.keras.layers.Layer):
                def __init__(self, units):
                    super().__init__()
                    self.units = units

                def call(self, x):
                    x = tf.cast(tf.reshape(x, [-1, np.prod(x.shape[1:])]), np.float32)
                    return x / np.sqrt(self.units) + np.log(2.0)
            """,
            silent=True,
        ),
        Example(
            "inside numpy_function, where there are values",
            """
            import numpy as np
            import tensorflow as tf

            class Sorted(tf.keras.layers.Layer):
                def call(self, x):
                    return tf.numpy_function(lambda array: np.sort(array), [x], tf.float32)
            """,
            silent=True,
        ),
    )

    def check(self, program: Program) -> Findings:
        traced = graphs(program)
        for trace in program.traces:
            trains = not trace.only_eager or trace.under_tape
            for call in trace.calls if trace.kind is TraceKind.CALL and trains else ():
                unseen = trace not in traced or (call.last_name in NO_GRADIENT and not trace.in_sight)
                harmless = unseen and not stops_gradient(trace, call)
                drawn = draws(call) and trace in traced and not rounds(program, trace, call)
                if not call.doubtful and ((reads_values(call) and not harmless) or drawn):
                    yield self._report(program, trace, call, eager=trace not in traced)

    def _report(self, program: Program, trace: Trace, call: Call, *, eager: bool) -> Finding:
        where = f"inside `{trace.title}`"
        if call.function is not None and call.function is not trace.function:
            where = f"in `{call.function.name}`, which `{trace.title}` calls,"
        severity = severity_of(call, lambda other: isinstance(other, Call) and (draws(other) or reads_values(other)))
        related = traced_elsewhere(program, trace, call.region)
        if draws(call):
            message = (
                f"`{display(call.symbol)}` {where} draws one number while the graph is recorded, and every batch then "
                "sees that one: draw with tf.random or keras.random"
            )
            return self.finding(call.name, message, severity=severity, related=related)
        other, fix = instead(program, call)
        comes = "it raises when Keras traces the call"
        if stops_gradient(trace, call):
            comes = f"{'run eagerly, as here,' if eager else f'{comes}, and run eagerly'} it stops the gradient"
        message = f"`{display(call.symbol)}` {where} works on a tensor: {comes}{other}"
        return self.finding(call.name, message, severity=severity, fix=fix, related=related)
