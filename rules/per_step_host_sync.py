from __future__ import annotations

from collections.abc import Mapping

from pipelint.rule import Event, Evidence, Example, Findings, HostRead, Loop, Program, ReadBy, Region, Rule, Severity

from ._accelerators import accelerator_in_sight
from ._eager_steps import eager_loops
from ._result_reads import reading_of
from ._step_loops import decides_on_step, host_bound_loops, is_timed, step_loops, takes_step


class PerStepHostSync(Rule):
    """Reading a step's result in every iteration makes Python and the device wait for each other.

    ## What it finds
    `.numpy()`, `float()`, `print`, an f-string or an `if` on the result of a training step, on what is computed from it
    or on a metric, in every iteration of the loop that runs the steps; the first read of a result, as later ones have it.

    ## Why it matters
    Steps are launched ahead of the device: Python prepares the next while the last still runs. Reading a value ends
    that: Python waits until the device has computed it, and the device then waits until Python has launched the next.

    ## When to ignore it
    On a CPU alone the cost is small: advice, unless a strategy, a device, mixed precision or XLA shows an accelerator.
    Advice too where the step calls Python (`tf.numpy_function`) or needs a decorator first (PIPE701); silent where it
    needs more than that, where fewer reads than steps are made (`if step % 100 == 0`, once for a whole loop), in loops
    that run a few times, where the wait is what is timed, where a test decides whether a further step runs, for
    `train_on_batch`, whose result already is a number, and for a `Progbar`, which reads twenty times a second at most.

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

            tf.keras.mixed_precision.set_global_policy("mixed_float16")

            @tf.function
            def train_step(x):
                loss, gradients = loss_and_gradients(x)
                optimizer.apply_gradients(gradients)
                return loss

            for x in batches:
                loss = train_step(x)
                losses.append(loss.numpy())
                print(f"loss {loss}")
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "tested",
            """
            import tensorflow as tf

            @tf.function
            def train_step(x):
                loss, gradients = loss_and_gradients(x)
                optimizer.apply_gradients(gradients)
                return loss

            for x in batches:
                if train_step(x) < 0.1:
                    break
            """,
            severity=Severity.ADVICE,
        ),
        Example(
            "every hundred steps, and after the loop",
            """
            import tensorflow as tf

            @tf.function
            def train_step(x):
                loss, gradients = loss_and_gradients(x)
                optimizer.apply_gradients(gradients)
                return loss

            for step, x in enumerate(batches):
                loss = train_step(x)
                if step % 100 == 0:
                    print(float(loss))
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
        # Beside the dispatch of a step that runs op by op the wait costs nothing, until a decorator ends that.
        eager = eager_loops(program)
        late = {place for place, step in eager.items() if not step.needs_only_decorator}
        steps = {loop: held for loop, held in step_loops(program).items() if loop.region not in late}
        waiting = host_bound_loops(program) if steps and accelerator_in_sight(program) else steps.keys()
        told: set[int] = set()
        first: dict[tuple[Region, str], Event] = {}
        for event in program.events:
            reading = reading_of(event) if _runs_each_step(event, steps) else None
            if not reading:
                continue
            loop = event.loops[-1]
            reads = [(loop.region, name) for name in event.results]
            if reads and all(read in first and not _is_new_since(program, first[read], event) for read in reads):
                continue
            if isinstance(event, HostRead) and event.by is ReadBy.TEST and decides_on_step(program, event):
                continue
            if is_timed(program, event):
                continue
            first |= dict.fromkeys(reads, event)
            statement = program.statement_at(event.region)
            if statement not in told:
                told.add(statement)
                traced = loop.region not in eager
                once = "" if traced else ", once steps run in a graph"
                yield self.finding(
                    event.region,
                    f"{reading} the step's result in every iteration, so the next step is not launched until the "
                    f"device is done{once}; read it every so many steps, or after the loop",
                    severity=Severity.WARNING if traced and loop not in waiting else Severity.ADVICE,
                )


def _is_new_since(program: Program, read: Event, event: Event) -> bool:
    """Whether another step is taken between two reads, so that the later one waits again."""
    between = (call for call in program.calls if read.region.end <= call.region.start < event.region.start)
    return any(takes_step(program, call) for call in between)


def _runs_each_step(event: Event, steps: Mapping[Loop, list[frozenset[str]]]) -> bool:
    if event.trace is not None or not event.loops:
        return False
    loop = event.loops[-1]
    held_by_steps = steps.get(loop, []) if not loop.epochs and not loop.few else []
    return any(event.held - loop.always <= held for held in held_by_steps)
