from __future__ import annotations

from pipelint.rule import Evidence, Example, Findings, Program, Rule, Severity

from ._operation_loops import operation_loops


class EagerOpLoop(Rule):
    """A long Python loop runs single operations on tensors.

    ## What it finds
    A loop over a `range` of a hundred thousand turns or more, outside of traced code, each of which runs operators and functions
    of TensorFlow on tensors, and nothing else.

    ## Why it matters
    Each operation is started from Python by itself, which takes some microseconds before it computes anything: for small
    tensors most of the time. In a graph one operation follows the other without Python; one operation on a larger tensor
    starts but once.

    ## When to ignore it
    When each operation computes for milliseconds. Silent in loops that also call a model, a function or another library,
    in those of which nothing says how often they turn, and where the same is timed in a graph for comparison.

    ## Fix safety
    No fix: put the loop into a `tf.function` and run it over `tf.range`, or do the same on whole tensors.

    ## References
    - https://www.tensorflow.org/guide/function
    """

    code = "PIPE703"
    name = "eager-op-loop"
    severity = Severity.WARNING
    fix = "none"
    words = ("range",)
    examples = (
        Example(
            "operators",
            """
            import tensorflow as tf

            total, step = tf.zeros((8, 8)), tf.ones((8, 8))
            for _ in range(100_000):
                total = total * 0.99 + step
            """,
        ),
        Example(
            "in a graph",
            """
            import tensorflow as tf

            @tf.function
            def summed(total, step):
                for _ in tf.range(100_000):
                    total = total * 0.99 + step
                return total

            total = summed(tf.zeros((8, 8)), tf.ones((8, 8)))
            """,
            silent=True,
        ),
        Example(
            "a few turns",
            """
            import tensorflow as tf

            total, step = tf.zeros((8, 8)), tf.ones((8, 8))
            for _ in range(10):
                total = total * 0.99 + step
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="eager-op-loop")

    def check(self, program: Program) -> Findings:
        for loop in operation_loops(program) if program.runs_on_tensorflow else ():
            yield self.finding(
                loop.region,
                f"each operation of this loop is started from Python, {loop.at_most:,} times: run it over tf.range in a "
                "tf.function, or compute on whole tensors",
            )
