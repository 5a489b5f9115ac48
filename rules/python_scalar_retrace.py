from __future__ import annotations

import re
from collections.abc import Iterator

from pipelint.rule import (
    CHANGING_NUMBER,
    Argument,
    Call,
    Evidence,
    Example,
    Findings,
    Function,
    Loop,
    Program,
    Region,
    Related,
    Rule,
    Severity,
)

from ._loop_turns import turn_at_most
from ._python_calls import graphs

_FEW = 16
"""Numbers for which one trace each is soon done, and as many as models have levels or stages that need their own graph."""
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_BOUNDED = re.compile(r"%|//|[<>]|==|!=|\bnot\b")
"""What makes few values of many numbers."""


class PythonScalarRetrace(Rule):
    """A `tf.function` is given another Python number in each turn of a loop, and is traced anew for each.

    ## What it finds
    A call of a `tf.function` in a loop with an argument that is the loop's counter, or is computed from it.

    ## Why it matters
    A graph is recorded for one value of each Python argument: for every new number TensorFlow runs the Python function again,
    records a new graph, optimises it and keeps it, which takes from some milliseconds for an operation to seconds for a model,
    and the memory grows. `tf.constant(step)`, or `enumerate()` of the dataset itself, gives one graph for all.
    `reduce_retracing=True` changes nothing about Python numbers.

    ## When to ignore it
    When the number shapes the graph, as the level of a model that grows. Silent for loops that are known to turn 16 times at most, with
    an `input_signature`, which makes tensors of numbers, and for numbers taken modulo another. Advice where the number changes only in an outer
    loop, once an epoch.

    The rule is off by default, since none of the 280 public files with a tf.function and a loop that it was tried on has
    this fault.

    ## Fix safety
    No fix: a tensor cannot stand where the function needs a number, as in `range(n)` or a test.

    ## References
    - https://www.tensorflow.org/guide/function#rules_of_tracing
    - https://www.tensorflow.org/guide/function#controlling_retracing
    """

    code = "PIPE705"
    name = "python-scalar-retrace"
    severity = Severity.ERROR
    fix = "none"
    default = False
    words = ("function",)
    examples = (
        Example(
            "the counter of the steps",
            """
            import tensorflow as tf

            @tf.function
            def train_step(batch, step):
                loss = loss_of(batch)
                tf.summary.scalar("loss", loss, step=step)

            for step in range(10_000):
                train_step(next(batches), step)
            """,
            severity=Severity.ERROR,
        ),
        Example(
            "once an epoch",
            """
            import tensorflow as tf

            @tf.function
            def train_step(batch, epoch):
                return loss_of(batch) * 0.9 ** epoch

            for epoch in range(100):
                for batch in tf.data.TFRecordDataset(files).batch(32):
                    train_step(batch, epoch)
            """,
            severity=Severity.ADVICE,
        ),
        Example(
            "a tensor",
            """
            import tensorflow as tf

            @tf.function
            def train_step(batch, step):
                tf.summary.scalar("loss", loss_of(batch), step=step)

            for step in range(10_000):
                train_step(next(batches), tf.constant(step, tf.int64))
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="python-scalar-retrace")

    def check(self, program: Program) -> Findings:
        traced = {trace.function for trace in graphs(program)}
        told: set[Region] = set()
        for call in program.calls if program.runs_on_tensorflow else ():
            callee = call.callee
            if not isinstance(callee, Function) or callee not in traced or callee.signed or not callee.wrapped:
                continue
            for number, loop in _changing(program, call):
                region = Region.of(number.region)
                if region not in told:
                    told.add(region)
                    each = loop is call.loops[-1]
                    yield self.finding(
                        region,
                        f"`{callee.title}` is a tf.function, and is traced anew for each value of this Python number, in every "
                        f"{'turn' if each else 'epoch'}: give it a tensor, as by tf.constant",
                        severity=Severity.ERROR if each else Severity.ADVICE,
                        related=(Related(callee.location, "the tf.function"),),
                    )


def _changing(program: Program, call: Call) -> Iterator[tuple[Argument, Loop]]:
    """The Python numbers that a call in a loop is given, each with the loop whose turns change it."""
    if call.trace is not None or call.has_traced_twin:
        return
    for argument in call.arguments:
        if argument.value != CHANGING_NUMBER or not isinstance(argument.region, Region):
            continue
        text = program.written(argument.region)
        names = set(_NAME.findall(text))
        loop = next((loop for loop in reversed(call.loops) if not names.isdisjoint(loop.targets)), None)
        if loop is not None and not _BOUNDED.search(text) and not turn_at_most(program, [loop], _FEW):
            yield argument, loop
