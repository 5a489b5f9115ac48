from __future__ import annotations

from pipelint.rule import Evidence, Example, Findings, Program, Related, Rule, Severity

from ._accelerators import accelerator_in_sight
from ._busy_loops import laden_loops
from ._eager_steps import eager_loops
from ._result_reads import loop_of_read, reading_of, waits_for_steps
from ._step_loops import hands_on_its_turn, host_bound_loops, step_loops, takes_from_dataset
from ._waits_anyway import waits_anyway


class PerStepHostSync(Rule):
    """Reading a step's result in every iteration makes Python and the device wait for each other.

    ## What it finds
    `.numpy()`, `float()`, `print` or an f-string on the result of a training step, on what is computed from it or on a
    metric, in every iteration of the loop that runs the steps; the first read after a step, as later ones have
    it: these are named with it.

    ## Why it matters
    Steps are launched ahead of the device: Python prepares the next while the last still runs. Reading a value ends
    that: Python waits until the device has computed it, and the device then waits until Python has launched the next.

    ## When to ignore it
    On a CPU alone the cost is small, and beside a step that takes long it is, too. Silent where the loop does not give
    the step its batches, as where that takes all data each time or Python makes one, and where else it runs op by op,
    also by `run_functions_eagerly(True)`, beside which the wait costs nothing, where fewer reads than steps are made
    (`if step % 100 == 0`, once for a whole loop), in loops that turn a few times, load or save files in Python or take
    steps in some turns only, where each turn waits anyway, as it writes summaries or takes other values out of tensors
    (`optimizer.lr.numpy()`), with pictures of 512 pixels, for which a step takes long, where the wait is what is timed,
    where the value, or another result of the step, is tested in the same turn (`if np.isnan(loss): raise`), becomes a
    part of the step's own input, or goes to an object that is (`finder.see(loss); if finder.done: break`), for
    `train_on_batch`, whose result already is a number, and for a `Progbar`, which reads twenty times a second at most.

    ## Fix safety
    No fix: keep a `tf.keras.metrics.Mean`, or collect the tensors and read them after the loop or every hundred steps.

    ## References
    - https://www.tensorflow.org/guide/gpu_performance_analysis
    """

    code = "PIPE802"
    name = "per-step-host-sync"
    severity = Severity.ADVICE
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

            for x in tf.data.TFRecordDataset(files).batch(32):
                loss = train_step(x)
                losses.append(loss.numpy())
                print(f"loss {loss}")
            """,
        ),
        Example(
            "where no accelerator is in sight",
            """
            import tensorflow as tf

            @tf.function
            def train_step(x):
                loss, gradients = loss_and_gradients(x)
                optimizer.apply_gradients(gradients)
                return loss

            for x in batches:
                print(float(train_step(x)))
            """,
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
        eager = {place for place, step in eager_loops(program).items() if step.needs_only_decorator}
        steps = step_loops(program, eager)
        waiting = host_bound_loops(program) if steps and accelerator_in_sight(program) else steps.keys()
        for first, *others in waits_for_steps(program, steps):
            loop = loop_of_read(first, steps)
            if loop is None or loop in laden_loops(program) or waits_anyway(program, loop, steps[loop]):
                continue
            traced = loop.region not in eager
            from_dataset = takes_from_dataset(program, loop)
            alone = loop not in waiting and from_dataset
            # Who takes the same step on all data, or asks for a batch in Python, waits for the results or for that.
            fed = from_dataset or hands_on_its_turn(program, loop)
            if not (alone or (traced and fed)):
                continue
            once = "" if traced else ", once steps run in a graph"
            yield self.finding(
                first.region,
                f"{reading_of(first)} the step's result in every iteration, so the next step is not launched until the "
                f"device is done{once}; read it every so many steps, or after the loop",
                related=tuple(Related(other.region, f"{reading_of(other)} it here, too") for other in others),
            )
