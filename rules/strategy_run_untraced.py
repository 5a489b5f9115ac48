from __future__ import annotations

from pipelint.rule import Call, Evidence, Example, Findings, Function, Program, Region, Rule, Severity

from ._loop_turns import turn_at_most
from ._work_around_steps import is_eager_on_purpose

_STRATEGY = "tensorflow.distribute."
_FEW = 30
"""Runs that take about as long as it takes to trace one."""


class StrategyRunUntraced(Rule):
    """`strategy.run` in a Python loop outside of a `tf.function` runs op by op, on each replica.

    ## What it finds
    `strategy.run(step, ...)` in a loop, where neither `step` nor what the call stands in is a tf.function, and `step`
    is no training step, which PIPE701 tells.

    ## Why it matters
    Python dispatches every operation of the step by itself, for one replica after the other: a device waits for Python
    and for the others. Under `tf.function` all replicas run one graph.

    ## When to ignore it
    While debugging. Silent in loops that are written to turn a few times, where the same also runs in a graph, in a
    file that speaks of running eagerly, and in loops that take training steps, of which PIPE701 tells. That leaves steps that evaluate. The three that were
    found in public code run seldom, run in a graph as well, or eagerly on purpose: the rule is off by default.

    ## Fix safety
    No fix: put the call of `strategy.run` in a function of its own, and decorate that with `@tf.function`.

    ## References
    - https://www.tensorflow.org/tutorials/distribute/custom_training
    """

    code = "PIPE708"
    name = "strategy-run-untraced"
    severity = Severity.ADVICE
    fix = "none"
    default = False
    words = ("run",)
    examples = (
        Example(
            "a step that evaluates",
            """
            import tensorflow as tf

            strategy = tf.distribute.MirroredStrategy()

            def test_step(x):
                return model(x, training=False)

            for x in strategy.experimental_distribute_dataset(batches):
                strategy.run(test_step, args=(x,))
            """,
        ),
        Example(
            "in a graph",
            """
            import tensorflow as tf

            strategy = tf.distribute.MirroredStrategy()

            @tf.function
            def test_step(x):
                return strategy.run(lambda x: model(x, training=False), args=(x,))

            for x in strategy.experimental_distribute_dataset(batches):
                test_step(x)
            """,
            silent=True,
        ),
        Example(
            "a step that is a graph itself",
            """
            import tensorflow as tf

            strategy = tf.distribute.MirroredStrategy()

            @tf.function
            def test_step(x):
                return model(x, training=False)

            for x in strategy.experimental_distribute_dataset(batches):
                strategy.run(test_step, args=(x,))
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="strategy-run-untraced")

    def check(self, program: Program) -> Findings:
        told: set[Region] = set()
        for call in program.calls if program.runs_on_tensorflow else ():
            if _runs_untraced(program, call) and call.name not in told:
                told.add(call.name)
                yield self.finding(
                    call.name,
                    "strategy.run outside of a tf.function runs its step op by op, for one replica after the other: call it in a "
                    "tf.function",
                )


def _runs_untraced(program: Program, call: Call) -> bool:
    """Whether a strategy runs a function of the program op by op in each turn of a loop that takes no training steps."""
    if call.last_name != "run" or not call.symbol.startswith(_STRATEGY) or not call.loops:
        return False
    here = program.calls_at[call.region]
    run = [one.callee for one in here if isinstance(one.callee, Function)]
    traced = any(one.has_traced_twin or one.trace is not None for one in here) or any(one.wrapped for one in run)
    trains = any(update.loops[: len(call.loops)] == call.loops for update in program.updates)
    seldom = turn_at_most(program, call.repeated_by, _FEW) or is_eager_on_purpose(program, call)
    return bool(run) and not traced and not trains and not seldom
