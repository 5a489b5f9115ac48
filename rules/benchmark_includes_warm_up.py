from __future__ import annotations

from pipelint.rule import Evidence, Example, Findings, Program, Related, Rule, Severity

from ._first_runs import first_run_in, runs_on_made_up_data, shown_timings


class BenchmarkIncludesWarmUp(Rule):
    """A time that is measured and shown includes what happens only once.

    ## What it finds
    A stretch between two readings of a clock whose difference is printed or logged, in a program that runs on made-up
    data and so is there to be timed, where the stretch holds the first `fit`, `evaluate` or `predict`, the first call of
    a model or of a `tf.function`, or the first pass over a dataset.

    ## Why it matters
    The first time, TensorFlow traces functions, makes variables, chooses kernels, allocates memory, and fills buffers.
    That takes from tenths of a second to a minute, so that the figure says little of the steps that follow: with a few of
    them, the slower of two programs may look like the faster.

    ## When to ignore it
    When the first time is what the figure is about. Silent in programs that read data, where it is the time of a whole
    training; where the same ran before; and for a time that a loop takes in each turn.

    ## Fix safety
    No fix: run one step or one epoch before the clock starts, or time each epoch and leave the first out.

    ## References
    - https://www.tensorflow.org/guide/function#tracing
    - https://www.tensorflow.org/guide/data_performance
    """

    code = "PIPE902"
    name = "benchmark-includes-warm-up"
    severity = Severity.ADVICE
    fix = "none"
    words = ("time()", "perf_counter", "monotonic", "process_time")
    examples = (
        Example(
            "the first epoch",
            """
            import time
            import numpy as np
            from tensorflow import keras

            x, y = np.random.rand(1000, 8), np.random.rand(1000, 1)
            model = keras.Sequential([keras.layers.Dense(1)])
            model.compile("adam", "mse")
            start = time.time()
            model.fit(x, y)
            print(f"{time.time() - start:.2f} s")
            """,
        ),
        Example(
            "the first pass over a dataset",
            """
            import time
            import numpy as np
            import tensorflow as tf

            ds = tf.data.Dataset.from_tensor_slices(np.random.rand(1000, 8)).batch(32)
            start = time.perf_counter()
            for batch in ds:
                step(batch)
            seconds = time.perf_counter() - start
            print("seconds:", seconds)
            """,
        ),
        Example(
            "a step before",
            """
            import time
            import numpy as np
            from tensorflow import keras

            x, y = np.random.rand(1000, 8), np.random.rand(1000, 1)
            model = keras.Sequential([keras.layers.Dense(1)])
            model.compile("adam", "mse")
            model.fit(x[:32], y[:32])
            start = time.time()
            model.fit(x, y)
            print(f"{time.time() - start:.2f} s")
            """,
            silent=True,
        ),
    )
    evidence = Evidence(source="https://www.tensorflow.org/guide/function#tracing")

    def check(self, program: Program) -> Findings:
        for timing in shown_timings(program):
            first = first_run_in(program, timing.between)
            if first is None or not runs_on_made_up_data(program.near(timing.start)):
                continue
            place, what = first
            yield self.finding(
                place,
                f"{what} is part of the time that is shown, and with it what TensorFlow does only once (tracing, memory, "
                "buffers); run it once before the clock starts",
                related=(Related(timing.start, "the clock starts here"), Related(timing.end, "and is read here")),
            )
