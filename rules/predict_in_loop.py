from __future__ import annotations

from pipelint.rule import Call, Evidence, Example, Findings, LoopOver, Program, Region, Related, Rule, Severity

from ._fed_back import is_fed_back
from ._predictions import Little, Prediction, predictions_in_loops

_ITSELF = "call the model itself, {call}, best in a tf.function"
_INSTEAD = {
    Little.MOVE: _ITSELF,
    Little.STEP: _ITSELF,
    Little.ROW: "give it all rows at once, or call the model itself, {call}",
    Little.BATCH: "give it the dataset as a whole, or call the model itself, {call}",
}
_BAR_SINCE = (2, 9)
"""Where `verbose` of `predict` was "auto" for the first time, and no longer 0."""


class PredictInLoop(Rule):
    """`predict` or `evaluate` is called for a little input in each turn of a loop.

    ## What it finds
    `model.predict(x)` or `model.evaluate(x, y)` in a Python loop, where x is known to be one row or the batch of a
    dataset that the loop runs over; `predict` in a loop that plays in an environment, or beside each training step.

    ## Why it matters
    Each call makes a dataset of its input, starts an iterator, runs callbacks and draws a progress bar: some tens of
    milliseconds before the model does anything. Both are made for a whole data set at once. `model(x, training=False)`
    is made for a few rows; it gives a tensor, of which `.numpy()` makes the array that `predict` gives.

    ## When to ignore it
    When the loop turns seldom, or the model takes much longer than that by itself. Advice for the batches of a dataset
    outside of training, in loops over something else than a range, an environment or a dataset (a camera), and
    where each turn draws what is played: there a turn may take as long for other reasons; and over the rows and columns of
    patches that one array was cut into, which are soon over. Silent in loops over files that each turn reads, over models,
    folds and epochs, for the batches of a dataset that is shuffled, which a second pass gives in another order, or that is
    left before its end, beside stateful layers, in loops that turn a hundred times at most, ask a user or sleep for a second,
    under a test such as `step % 100 == 0`, where the answer is plotted, in loops over files that write a picture for each,
    for batches whose results each turn writes to files one by one, and in programs that have parts for TensorFlow 1.

    ## Fix safety
    No fix: a model with several outputs gives a list of tensors, and predicting all at once needs the loop rewritten.

    ## References
    - https://keras.io/api/models/model_training_apis/#predict-method
    - https://keras.io/getting_started/faq/#whats-the-difference-between-model-methods-predict-and-call
    """

    code = "PIPE803"
    name = "predict-in-loop"
    severity = Severity.WARNING
    fix = "none"
    words = ("predict", "evaluate")
    examples = (
        Example(
            "row by row",
            """
            import numpy as np
            from tensorflow import keras

            model = keras.models.load_model("model.keras")
            for i in range(len(rows)):
                scores.append(model.predict(np.expand_dims(rows[i], 0)))
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "a move in an environment",
            """
            import gymnasium as gym
            from tensorflow import keras

            env = gym.make("CartPole-v1")
            model = keras.models.load_model("policy.keras")
            state, _ = env.reset()
            done = False
            while not done:
                action = model.predict(state[None]).argmax()
                state, reward, done, truncated, info = env.step(action)
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "batch by batch",
            """
            import tensorflow as tf

            model = tf.keras.models.load_model("model.keras")
            for x, y in tf.data.Dataset.from_tensor_slices((images, labels)).batch(32):
                answers.append(model.predict(x))
            """,
            severity=Severity.ADVICE,
        ),
        Example(
            "all at once, for each of some models",
            """
            from tensorflow import keras

            for path in paths:
                answers[path] = keras.models.load_model(path).predict(images)
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="predict-in-loop")

    def check(self, program: Program) -> Findings:
        for first, *others in predictions_in_loops(program) if program.runs_on_tensorflow else ():
            call, little = first.call, first.little
            # What a camera, or a test of the last answer, ends has no rows that could come all at once.
            one_by_one = call.loops[-1].over is LoopOver.WHILE or is_fed_back(program, call)
            models = {_model(program, one) for one in (first, *others)}
            model = models.pop() if len(models) == 1 else "model"
            instead = (_ITSELF if one_by_one else _INSTEAD[little]).format(call=f"`{model}(x, training=False)`")
            costs = (
                "a dataset, callbacks and a progress bar" if _shows_bar(program, call) else "a dataset and callbacks"
            )
            yield self.finding(
                call.name,
                f"{call.last_name} is called {little.value} in each turn of a loop, and sets up {costs} each time; {instead}",
                severity=Severity.WARNING if first.alone and little is not Little.BATCH else Severity.ADVICE,
                related=tuple(Related(other.call.name, "so it is here, in the same loop") for other in others),
            )


def _shows_bar(program: Program, call: Call) -> bool:
    """Whether a call shows how far it is: by itself it does so since TensorFlow 2.9."""
    verbose = call.argument("verbose")
    return program.oldest >= _BAR_SINCE if verbose is None else verbose.constant != 0


def _model(program: Program, prediction: Prediction) -> str:
    """The model as it is written there, where that is short."""
    call = prediction.call
    written = program.written(Region(call.region.start, call.name.start)).removesuffix(".")
    return written if written.replace(".", "").isidentifier() else "model"
