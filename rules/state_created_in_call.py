from __future__ import annotations

from pipelint.rule import (
    Call,
    Class,
    Example,
    Finding,
    Findings,
    Function,
    Program,
    Region,
    Related,
    Rule,
    Severity,
    Trace,
)

from ._made_state import VARIABLES, holds_indices, makes_state
from ._modules import traced_elsewhere


class StateCreatedInCall(Rule):
    """A layer with weights, or a variable, is made inside `call` or a `tf.function`.

    ## What it finds
    A layer of Keras that has weights, a `tf.Variable` or `add_weight` in the `call` of a layer or model, in a step of a
    model or in a `tf.function`, also in the functions that these call; all that one class makes together. With Keras 3
    also `Dropout` and its like, which keep the state of their seed.

    ## Why it matters
    Each call makes new weights: nothing trains them, nothing saves them, and the model computes with fresh random
    numbers. In a graph TensorFlow refuses it: `tf.function only supports singleton tf.Variables created on the first
    call`, so that `fit` raises an error. A variable of whole numbers in a row, as of `range(n)`, has nothing to train, and
    its values are right: a warning, since no graph takes it.

    ## When to ignore it
    When it is made only once: silent under any test, such as `if self.scale is None`, in a function whose decorator may see
    to that, beside `tf.init_scope`, and where the program calls `call` itself, as to build a functional model of it. Layers
    without weights, as `ReLU` or `Flatten`, do no harm there.

    ## Fix safety
    No fix: make the layer in `__init__`, keep it as an attribute, and call that; make weights in `build`.

    ## References
    - https://keras.io/guides/making_new_layers_and_models_via_subclassing/
    - https://www.tensorflow.org/guide/function#creating_tfvariables
    """

    code = "PIPE607"
    name = "state-created-in-call"
    severity = Severity.ERROR
    fix = "none"
    examples = (
        Example(
            "a layer that nothing trains",
            """
            import tensorflow as tf

            class Block(tf.keras.layers.Layer):
                def call(self, x):
                    return tf.nn.relu(tf.keras.layers.Dense(64)(x))
            """,
        ),
        Example(
            "a variable in a tf.function",
            """
            import tensorflow as tf

            @tf.function
            def counted(x):
                count = tf.Variable(0)
                count.assign_add(tf.shape(x)[0])
                return count

            for x in rows:
                counted(x)
            """,
        ),
        Example(
            "made once",
            """
            import tensorflow as tf

            class Block(tf.keras.layers.Layer):
                def __init__(self):
                    super().__init__()
                    self.dense = tf.keras.layers.Dense(64)
                    self.scale = None

                def call(self, x):
                    if self.scale is None:
                        self.scale = tf.Variable(1.0)
                    return self.dense(x) * self.scale
            """,
            silent=True,
        ),
        Example(
            "layers without weights",
            """
            import tensorflow as tf

            class Block(tf.keras.layers.Layer):
                def call(self, x):
                    return tf.keras.layers.Flatten()(tf.keras.layers.ReLU()(x))
            """,
            silent=True,
        ),
    )

    def check(self, program: Program) -> Findings:
        told: set[Region] = set()
        for trace in program.traces if program.runs_on_tensorflow else ():
            together: dict[tuple[Class | Function | None, bool], list[Call]] = {}
            for call in makes_state(program, trace):
                if call.name not in told:
                    told.add(call.name)
                    owner = call.function.owner if call.function is not None else None
                    together.setdefault((owner or call.function, holds_indices(program, call)), []).append(call)
            for (_, indices), calls in together.items():
                yield self._report(program, trace, calls, indices)

    def _report(self, program: Program, trace: Trace, calls: list[Call], indices: bool) -> Finding:
        call, *others = sorted(calls, key=lambda call: call.name.start)
        made = "a variable" if call.last_name in VARIABLES else f"a `{call.last_name}` layer"
        where = f"`{trace.title}`"
        if call.function is not None and call.function is not trace.function:
            where = f"`{call.function.title}`, which `{trace.title}` calls,"
        then = "and run eagerly its values are never trained; make it once, in __init__ or build"
        if indices:
            made, then = "a variable of whole numbers", "and tf.range or tf.constant gives the same without a variable"
        return self.finding(
            call.name,
            f"{where} makes {made} each time that it runs: a graph raises an error, {then}",
            severity=Severity.WARNING if indices else Severity.ERROR,
            related=(
                *(Related(other.name, "and so it does here") for other in others),
                *traced_elsewhere(program, trace, call.region),
            ),
        )
