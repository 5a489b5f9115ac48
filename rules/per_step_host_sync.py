from __future__ import annotations

from pipelint.rule import Evidence, Example, Findings, Loop, Operation, Program, Rule, Severity

from ._steps import step_loops

_READS = {
    "Tensor.numpy": "`.numpy()` waits for",
    "builtins.float": "`float()` waits for",
    "builtins.int": "`int()` waits for",
    "builtins.bool": "`bool()` waits for",
    "builtins.round": "`round()` waits for",
    "builtins.print": "`print` waits for",
    "builtins.str": "`str()` waits for",
    "Literal.format": "`format` waits for",
    "read.if": "this test waits for",
    "read.format": "this string waits for",
}


class PerStepHostSync(Rule):
    """Reading a step's result in every iteration makes Python and the device wait for each other.

    ## What it finds
    `.numpy()`, `float()`, `print`, an f-string or an `if` on the result of a training or evaluation step, in every
    iteration of the loop that runs the steps.

    ## Why it matters
    Steps are launched ahead of the device: Python prepares the next while the last still runs. Reading a value ends
    that: Python waits until the device has computed it, and the device then waits until Python has launched the next.

    ## When to ignore it
    On a CPU alone the cost is small. Silent where the read is guarded (`if step % 100 == 0`), where it stands behind
    the loop of steps, in loops over epochs and in loops that run a few times, and for `train_on_batch`, whose result
    already is a number.

    ## Fix safety
    No fix: keep a `tf.keras.metrics.Mean`, or collect the tensors and read them after the loop or every hundred steps.

    ## References
    - https://www.tensorflow.org/guide/gpu_performance_analysis
    """

    code = "PIPE802"
    name = "per-step-host-sync"
    severity = Severity.WARNING
    fix = "none"
    examples = (
        Example(
            "read and printed",
            """
            import tensorflow as tf

            @tf.function
            def train_step(x):
                return update(model, x)

            for x in batches:
                loss = train_step(x)
                losses.append(loss.numpy())
                print(f"loss {loss}")
            """,
            count=2,
        ),
        Example(
            "tested",
            """
            import tensorflow as tf

            @tf.function
            def train_step(x):
                return update(model, x)

            for x in batches:
                if train_step(x) < 0.1:
                    break
            """,
        ),
        Example(
            "every hundred steps, and after the loop",
            """
            import tensorflow as tf

            @tf.function
            def train_step(x):
                return update(model, x)

            for step, x in enumerate(batches):
                loss = train_step(x)
                if step % 100 == 0:
                    print(float(loss))
            print(float(loss))
            """,
            silent=True,
        ),
        Example(
            "train_on_batch gives numbers",
            """
            from tensorflow import keras

            model = keras.models.load_model("model.keras")
            for x, y in batches:
                loss = model.train_on_batch(x, y)
                print(float(loss))
            """,
            silent=True,
        ),
    )
    evidence = Evidence(
        pair="per-step-host-sync",
        source="https://www.tensorflow.org/guide/gpu_performance_analysis",
    )

    def check(self, program: Program) -> Findings:
        if program.legacy:
            return
        steps = step_loops(program)
        for operation in program.operations:
            reading = _READS.get(operation.name) or (
                f"`np.{operation.name.rpartition('.')[2]}` waits for" if operation.name.startswith("numpy.") else None
            )
            if reading and operation.on_step_result and _runs_each_step(operation, steps):
                yield self.finding(
                    operation.region,
                    f"{reading} the step's result in every iteration, so the next step is not launched until the "
                    "device is done; read it every so many steps, or after the loop",
                )


def _runs_each_step(operation: Operation, steps: set[Loop]) -> bool:
    if operation.traced is not None or not operation.loops:
        return False
    loop = operation.loops[-1]
    return loop in steps and not loop.epochs and not loop.few and not operation.guards - loop.guards
