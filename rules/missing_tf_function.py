from __future__ import annotations

from pipelint.rule import Decorate, Evidence, Example, Findings, Fix, Program, Rule, Severity

from ._eager_steps import eager_steps, loops_on_new_objects, may_take_several_optimizers
from ._padded_batches import has_padded_batches
from ._python_in_steps import done_in_a_graph, gains_little, is_moot, left_outside

_OF_MANY_SHAPES = "where its padded batches differ in length, it needs @tf.function(reduce_retracing=True)"


class MissingTfFunction(Rule):
    """A training step that runs in a loop without `tf.function` runs op by op.

    ## What it finds
    A function that computes gradients with `tf.GradientTape` and applies them, that a loop calls, and that nothing
    traces; or the same written out in the body of the loop.

    ## Why it matters
    Without `tf.function` Python dispatches every operation of the forward and the backward pass one at a time, each
    step again. In a graph TensorFlow runs them by itself, in parallel and fused. The smaller the operations, the more
    it matters.

    ## When to ignore it
    While debugging, or where the step needs values in Python. Advice where the step is written out in its loop, as a
    function has to be made of it first, where each turn prints in a loop of its own, runs `predict`, loads or saves
    files in Python or waits in each turn, as one around it may do that steps only now and then, and where the model is
    one of TensorFlow Hub or has layers that are tf.functions. Silent where the model itself is one, where a comment
    above the step, or above a method that it overrides, turns `@tf.function` off, or `run_functions_eagerly(True)` all
    of them; for the `train_step` of a model that Keras alone calls; for functions that are wrapped elsewhere or only
    called from traced code; in loops that make no more than 1000 steps in all, by their bounds or the size of the data,
    2500 of two dense layers, or a few for each new model; where only methods of unknown objects stand under the tape,
    which may be graphs; where the weights are changed by hand, or a script tries out tf.function on numbers, as lessons
    do; in functions that nothing leads to while other code of the file runs; where an environment is played under the
    tape; where each turn of the loop also trains a model as a whole or plays a whole game, or one around predicts for
    each move in an environment that does not come with gym; and where another branch of the same test, another timed
    loop, or the same code elsewhere in the file takes the step in a graph.

    ## Fix safety
    Unsafe: arguments of new shapes or types make new graphs. It is offered where a rehearsed trace of the step, and of
    what it calls, shows nothing that a graph does once or not at all: prints, counters, lists and attributes outside,
    `.numpy()`, tests on tensors, exceptions, variables made in it, Python numbers and lists that change, loops through
    its arguments, numpy on them, arrays of a dtype that eager code makes fit, state that the program changes elsewhere,
    several models for one step, a flag or None in some calls only; and nothing of which it is not known what it does,
    as an imported model or loss, or an object with settings among what it is given. The message names what is known to
    stand in the way. No fix in the body of a loop.

    ## References
    - https://www.tensorflow.org/guide/function
    - https://www.tensorflow.org/guide/keras/writing_a_training_loop_from_scratch
    """

    code = "PIPE701"
    name = "missing-tf-function"
    severity = Severity.WARNING
    fix = "unsafe"
    examples = (
        Example(
            "a step that a loop calls",
            """
            import tensorflow as tf

            model = tf.keras.Sequential([tf.keras.layers.Dense(1)])

            def train_step(x, y):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(tf.square(model(x) - y))
                optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))

            for x, y in batches:
                train_step(x, y)
            """,
            """
            import tensorflow as tf

            model = tf.keras.Sequential([tf.keras.layers.Dense(1)])

            @tf.function
            def train_step(x, y):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(tf.square(model(x) - y))
                optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))

            for x, y in batches:
                train_step(x, y)
            """,
        ),
        Example(
            "written out in the loop",
            """
            import tensorflow as tf

            for x, y in batches:
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(tf.square(model(x) - y))
                optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))
            """,
        ),
        Example(
            "wrapped where it is used",
            """
            import tensorflow as tf

            def train_step(x, y):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean(tf.square(model(x) - y))
                optimizer.apply_gradients(zip(tape.gradient(loss, model.variables), model.variables))

            step = tf.function(train_step)
            for x, y in batches:
                step(x, y)
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="missing-tf-function")

    def check(self, program: Program) -> Findings:
        if not program.runs_on_tensorflow:
            return
        for step in (one for one in eager_steps(program) if not is_moot(program, one)):
            partly = done_in_a_graph(program, step)
            if step.function is None:
                outside = left_outside(program, step)
                but = "".join(f"; {part}" for part in (partly, step.obstacle) if part)
                inner = loops_on_new_objects(program, step)
                yield self.finding(
                    step.place,
                    "this training step runs op by op in a Python loop: put it into a function of its own and decorate "
                    "that with @tf.function"
                    + (", one for each model, layer or optimizer that the loop around makes anew" if inner else "")
                    + (f", with {' and '.join(outside)} left outside" if outside else "")
                    + but,
                    severity=Severity.ADVICE,
                )
                continue
            decorate = Fix.unsafe("decorate with @tf.function", Decorate(step.function, "tensorflow.function"))
            shapes = _OF_MANY_SHAPES if has_padded_batches(program, step.loop) else ""
            several = may_take_several_optimizers(program, step)
            each = f"make one for each optimizer, `tf.function({step.function.name})`" if several else ""
            but = "".join(f"; {part}" for part in (partly, step.obstacle or each, shapes) if part)
            mends = step.needs_only_decorator and not shapes and not several
            yield self.finding(
                step.function.location,
                f"`{step.function.name}` computes and applies gradients in a loop, but is not traced: every operation of it "
                f"runs by itself from Python{but}",
                severity=Severity.ADVICE if partly or gains_little(program, step) else Severity.WARNING,
                fix=decorate if mends else None,
            )
