from __future__ import annotations

from pipelint.rule import Call, Evidence, Example, Findings, Program, Region, Related, Rule, Severity

from ._few_rows import has_counted_rows
from ._light_models import is_plain

_EACH_BATCH = frozenset({"on_batch_begin", "on_batch_end", "on_train_batch_begin", "on_train_batch_end"})
"""What a callback does at each batch, which would come once for several."""
_OF_COMPILE = ("steps_per_execution", "run_eagerly")


class StepsPerExecution(Rule):
    """`fit` calls the graph of a small model once for each step.

    ## What it finds
    `compile` without `steps_per_execution`, of a model of one or two plain dense layers that is fitted to an array or
    data set of a thousand rows and more.

    ## Why it matters
    Between two steps `fit` goes back to Python: it asks for the next batch, calls the graph and the callbacks, and
    counts. Where a step takes no longer than that, `compile(steps_per_execution=32)` takes 32 steps in one call of the
    graph.

    ## When to ignore it
    When a step takes some milliseconds, as it does for most models: then nothing is to be had. Since that depends on
    the machine, the rule is off by default. Silent for other models, for few rows, and where a callback of the program
    looks at each batch.

    ## Fix safety
    No fix: the number belongs to the data. Callbacks, the progress bar and `steps_per_epoch` then count groups of
    steps.

    ## References
    - https://keras.io/api/models/model_training_apis/#compile-method
    """

    code = "PIPE805"
    name = "steps-per-execution"
    severity = Severity.ADVICE
    fix = "none"
    default = False
    words = ("compile",)
    examples = (
        Example(
            "two layers on many rows",
            """
            from tensorflow import keras

            (x, y), _ = keras.datasets.mnist.load_data()
            model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(32), keras.layers.Dense(10)])
            model.compile("sgd", "mse")
            model.fit(x, y, epochs=10)
            """,
        ),
        Example(
            "several steps at once",
            """
            from tensorflow import keras

            (x, y), _ = keras.datasets.mnist.load_data()
            model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(32), keras.layers.Dense(10)])
            model.compile("sgd", "mse", steps_per_execution=32)
            model.fit(x, y, epochs=10)
            """,
            silent=True,
        ),
        Example(
            "a model that works",
            """
            from tensorflow import keras

            (x, y), _ = keras.datasets.mnist.load_data()
            model = keras.Sequential([keras.layers.Conv2D(32, 3), keras.layers.Flatten(), keras.layers.Dense(10)])
            model.compile("sgd", "mse")
            model.fit(x, y, epochs=10)
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="steps-per-execution")

    def check(self, program: Program) -> Findings:
        told: set[Region] = set()
        for fit in program.calls if program.runs_on_tensorflow else ():
            compiled = _compiled_for(program, fit) if fit.last_name == "fit" else None
            if compiled is None or compiled.name in told or not is_plain(program, fit):
                continue
            if has_counted_rows(program, next(fit.arguments, None)) and not _looks_at_batches(program):
                told.add(compiled.name)
                yield self.finding(
                    compiled.name,
                    "fit calls the graph of this small model once for each step; with steps_per_execution it takes several in one call",
                    related=(Related(fit.name, "it is fitted here"),),
                )


def _compiled_for(program: Program, fit: Call) -> Call | None:
    """The call of `compile` before a `fit` of the same model that leaves the number of steps at its default."""
    for call in program.calls:
        if call.last_name == "compile" and call.made_at is not None and call.made_at == fit.made_at:
            given = call.hides_arguments or any(name in call.keywords for name in _OF_COMPILE)
            return None if given else call
    return None


def _looks_at_batches(program: Program) -> bool:
    return any(not _EACH_BATCH.isdisjoint(cls.methods) for cls in program.classes)
