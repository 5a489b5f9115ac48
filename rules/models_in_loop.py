from __future__ import annotations

from pipelint.rule import KERAS_3_SINCE, Call, Evidence, Example, Findings, Program, Region, Rule, Severity

_CLEARS = "clear_session"
_FEW = 10
"""Models that memory holds at once without harm: the folds of a validation."""


class ModelsInLoop(Rule):
    """A loop makes and trains a model in each turn, and Keras 2 keeps what it knows of all of them.

    ## What it finds
    `fit` in a loop that makes the model anew in each turn, of which no call of `clear_session` is in sight, in a
    program that runs with Keras 2, which is that of TensorFlow before 2.16.

    ## Why it matters
    Keras 2 keeps names, graphs and variables of models in a global state, which grows with each turn.
    `tf.keras.backend.clear_session()` at its beginning lets go of what the turns before have left.

    ## When to ignore it
    When the models are small, or the loop turns some ten times. The rule is off by default, and silent with Keras 3: on
    TensorFlow 2.21 the memory of a process that trained 25 small models in a loop grew by about 9 MB for each, and with
    `clear_session` by 8. To train each model in a process of its own is what helps there.

    ## Fix safety
    No fix: `clear_session` forgets all models, also those that the program still uses.

    ## References
    - https://www.tensorflow.org/versions/r2.15/api_docs/python/tf/keras/backend/clear_session
    """

    code = "PIPE806"
    name = "models-in-loop"
    severity = Severity.ADVICE
    fix = "none"
    default = False
    words = ("fit",)
    examples = (
        Example(
            "a search among models",
            """
            from tensorflow import keras

            for units in sizes:
                model = keras.Sequential([keras.layers.Dense(units), keras.layers.Dense(1)])
                model.compile("adam", "mse")
                model.fit(x, y, epochs=10)
            """,
            target=(2, 12),
        ),
        Example(
            "cleared",
            """
            from tensorflow import keras

            for units in sizes:
                keras.backend.clear_session()
                model = keras.Sequential([keras.layers.Dense(units), keras.layers.Dense(1)])
                model.compile("adam", "mse")
                model.fit(x, y, epochs=10)
            """,
            silent=True,
            target=(2, 12),
        ),
        Example(
            "Keras 3, which keeps little",
            """
            from tensorflow import keras

            for units in sizes:
                model = keras.Sequential([keras.layers.Dense(units), keras.layers.Dense(1)])
                model.compile("adam", "mse")
                model.fit(x, y, epochs=10)
            """,
            silent=True,
        ),
    )
    evidence = Evidence(
        source="https://www.tensorflow.org/versions/r2.15/api_docs/python/tf/keras/backend/clear_session"
    )

    def check(self, program: Program) -> Findings:
        told: set[Region] = set()
        for call in program.calls if program.newest < KERAS_3_SINCE else ():
            if call.name not in told and _trains_a_new_model(call) and not _is_cleared(program, call):
                told.add(call.name)
                yield self.finding(
                    call.name,
                    "each turn of this loop trains a new model, and Keras 2 keeps a state of all of them: call clear_session() of "
                    "keras.backend at the beginning of a turn",
                )


def _trains_a_new_model(call: Call) -> bool:
    loop = call.renewed_in if call.fits else None
    return loop is not None and not loop.few and (loop.at_most is None or loop.at_most > _FEW)


def _is_cleared(program: Program, call: Call) -> bool:
    return any(other.last_name == _CLEARS for other in program.near(call.region).calls)
