from __future__ import annotations

from pipelint.rule import Evidence, Example, Findings, Program, Region, Rule, Severity

from ._single_steps import fits_of_single_steps


class FitInLoop(Rule):
    """`fit` is called for a single training step in each turn of a loop.

    ## What it finds
    `model.fit(x, y)` for one epoch in a Python loop, where x is a slice of no more rows than a batch, the batch of a dataset that the loop runs
    over, or what an agent has seen in some moves in an environment.

    ## Why it matters
    Each call makes a dataset of its input, starts an iterator, sets up callbacks and a history: some tens of milliseconds before
    the first step. `fit` is made for a whole data set and many epochs. `train_on_batch` takes one step and no more.

    ## When to ignore it
    When the loop turns seldom, or a step takes much longer than that. Silent for several epochs, with callbacks or validation data, which
    `train_on_batch` does not take, in loops that turn a hundred times at most or make the model anew, under a test such as
    `step % 100 == 0`, and once a game.

    ## Fix safety
    No fix: `train_on_batch` gives the loss in place of a history, and takes all rows in one step.

    ## References
    - https://keras.io/api/models/model_training_apis/#trainonbatch-method
    """

    code = "PIPE804"
    name = "fit-in-loop"
    severity = Severity.WARNING
    fix = "none"
    words = ("fit",)
    examples = (
        Example(
            "slices of an array",
            """
            from tensorflow import keras

            model = keras.models.load_model("model.keras")
            for i in range(0, len(x), 32):
                model.fit(x[i : i + 32], y[i : i + 32], verbose=0)
            """,
        ),
        Example(
            "batches of a dataset",
            """
            import tensorflow as tf

            model = tf.keras.models.load_model("model.keras")
            for x, y in tf.data.TFRecordDataset(files).map(parse).batch(32):
                model.fit(x, y, epochs=1, verbose=0)
            """,
        ),
        Example(
            "single steps",
            """
            from tensorflow import keras

            model = keras.models.load_model("model.keras")
            for i in range(0, len(x), 32):
                model.train_on_batch(x[i : i + 32], y[i : i + 32])
            """,
            silent=True,
        ),
        Example(
            "a fit for each fold",
            """
            from sklearn.model_selection import KFold
            from tensorflow import keras

            for train, test in KFold(5).split(x):
                model = keras.Sequential([keras.layers.Dense(1)])
                model.compile("adam", "mse")
                model.fit(x[train], y[train])
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="fit-in-loop")

    def check(self, program: Program) -> Findings:
        told: set[Region] = set()
        for call, little in fits_of_single_steps(program) if program.runs_on_tensorflow else ():
            if call.name not in told:
                told.add(call.name)
                yield self.finding(
                    call.name,
                    f"fit is called for {little} in each turn of a loop, and sets up a dataset, callbacks and a history each "
                    "time; train_on_batch takes one step without them",
                )
