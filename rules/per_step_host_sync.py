from __future__ import annotations

from pipelint.rule import Call, Event, Evidence, Example, Findings, HostRead, Loop, Program, Rule, Severity

from ._step_loops import step_loops

_READS = {
    "tensorflow.Tensor.numpy": "`.numpy()` waits for",
    "builtins.float": "`float()` waits for",
    "builtins.int": "`int()` waits for",
    "builtins.bool": "`bool()` waits for",
    "builtins.round": "`round()` waits for",
    "builtins.print": "`print` waits for",
    "builtins.str": "`str()` waits for",
    "builtins.str.format": "`format` waits for",
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
        for event in program.events:
            reading = _reading(event)
            if reading and _runs_each_step(event, steps):
                yield self.finding(
                    event.region,
                    f"{reading} the step's result in every iteration, so the next step is not launched until the "
                    "device is done; read it every so many steps, or after the loop",
                )


def _reading(event: Event) -> str | None:
    """What reads the result of a step, None where nothing does."""
    match event:
        case HostRead(by=by):
            return f"{by.value} waits for"
        case Call(on_step_result=True) if event.library == "numpy":
            return f"`np.{event.last_name}` waits for"
        case Call(on_step_result=True):
            return _READS.get(event.symbol)
        case _:
            return None


def _runs_each_step(event: Event, steps: set[Loop]) -> bool:
    if event.trace is not None or not event.loops:
        return False
    loop = event.loops[-1]
    return loop in steps and not loop.epochs and not loop.few and not event.guards - loop.guards
