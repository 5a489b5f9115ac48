from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import (
    Call,
    Evidence,
    Example,
    Findings,
    Fix,
    Loop,
    LoopOver,
    Program,
    Region,
    ReplaceCallee,
    Rule,
    Severity,
    Trace,
)

_OFTEN = 100
"""Turns from which a graph of all of them takes a second and more to record (some milliseconds for a turn of two operations)."""


class UnrolledPythonLoop(Rule):
    """A long Python loop in traced code becomes a graph of all its turns.

    ## What it finds
    A loop over Python's `range` of a hundred turns and more in a tf.function, a step or a mapped function, whose turns
    call operations of TensorFlow.

    ## Why it matters
    Python runs the loop while TensorFlow records: each turn adds its operations to the graph. Two hundred turns of two
    operations took seconds to record, and again for each new shape or Python argument; over `tf.range` the graph has
    the turn once.

    ## When to ignore it
    When the function is traced once and runs often: where it was measured, the unrolled graph ran faster than the loop,
    which hands its variables from turn to turn. Since it is worth something only where recording takes long, the rule
    is off by default. Silent for ranges of which the number is not known, as for those over layers or steps of a
    network, which are short.

    ## Fix safety
    Unsafe: with `tf.range` the counter is a tensor, variables must keep their shapes and dtypes from turn to turn, and
    lists of Python cannot be filled. None where a turn does anything but call TensorFlow.

    ## References
    - https://www.tensorflow.org/guide/function#loops
    """

    code = "PIPE706"
    name = "unrolled-python-loop"
    severity = Severity.ADVICE
    fix = "unsafe"
    default = False
    words = ("range",)
    examples = (
        Example(
            "a thousand operations in a graph",
            """
            import tensorflow as tf

            @tf.function
            def power(x, matrix):
                for _ in range(1000):
                    x = tf.matmul(matrix, x)
                return x

            power(x, matrix)
            """,
            """
            import tensorflow as tf

            @tf.function
            def power(x, matrix):
                for _ in tf.range(1000):
                    x = tf.matmul(matrix, x)
                return x

            power(x, matrix)
            """,
        ),
        Example(
            "a few turns",
            """
            import tensorflow as tf

            @tf.function
            def power(x, matrix):
                for _ in range(10):
                    x = tf.matmul(matrix, x)
                return x

            power(x, matrix)
            """,
            silent=True,
        ),
        Example(
            "outside of a graph",
            """
            import tensorflow as tf

            for _ in range(1000):
                x = tf.matmul(matrix, x)
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="unrolled-python-loop")

    def check(self, program: Program) -> Findings:
        told: set[Region] = set()
        for trace in program.traces if program.runs_on_tensorflow else ():
            for loop, calls in _unrolled(trace):
                if loop.region not in told:
                    told.add(loop.region)
                    yield self.finding(
                        loop.region,
                        f"`{trace.title}` is traced with all {loop.turns:,} turns of this loop in its graph, which takes long to record; "
                        "over tf.range the graph has one turn",
                        fix=_over_tensors(trace, loop, calls),
                    )


def _unrolled(trace: Trace) -> Iterator[tuple[Loop, list[Call]]]:
    """The long loops over Python's range in a graph, with what their turns call, where that is TensorFlow's."""
    inside: dict[Loop, list[Call]] = {}
    for call in trace.calls:
        for loop in call.loops:
            inside.setdefault(loop, []).append(call)
    for loop, calls in inside.items():
        often = loop.over is LoopOver.RANGE and loop.turns is not None and loop.turns >= _OFTEN
        if often and any(call.library == "tensorflow" for call in calls):
            yield loop, calls


def _over_tensors(trace: Trace, loop: Loop, calls: list[Call]) -> Fix | None:
    ranges = [call for call in trace.calls if call.symbol == "builtins.range" and loop.region.holds(call.region)]
    over = [call for call in ranges if loop not in call.loops]
    if len(over) != 1 or any(call.library != "tensorflow" for call in calls):
        return None
    return Fix.unsafe("loop over tf.range", ReplaceCallee(over[0], "tensorflow.range"))
