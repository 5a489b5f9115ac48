from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import (
    Call,
    Class,
    Evidence,
    Example,
    Findings,
    Function,
    Location,
    Loop,
    LoopOver,
    Program,
    Region,
    Rule,
    Severity,
)

from ._loop_turns import turn_at_most

_FEW = 16
"""Turns in which a trace each is soon done."""


class TfFunctionInLoop(Rule):
    """A `tf.function` is made anew in each turn of a loop, and traced anew in each.

    ## What it finds
    `tf.function(f)`, or the definition of a function under `@tf.function`, in the body of a Python
    loop over a range or a dataset, or of a `while` loop.

    ## Why it matters
    The graphs that TensorFlow has recorded belong to the object that `tf.function` gives. A new object knows none of them: each
    turn records and optimises the same graph again, which takes longer than to run the function without one.

    ## When to ignore it
    When each turn has a model of its own. Silent in loops that make layers, models or other objects of the program, that
    turn 16 times at most, and where a test decides on it, such as `if self.step is None`.

    The rule is off by default, since none of the 280 public files with a tf.function and a loop that it was tried on has
    this fault.

    ## Fix safety
    No fix: what the function takes from the loop has to become an argument of it. Make it before the loop.

    ## References
    - https://www.tensorflow.org/guide/function#controlling_retracing
    """

    code = "PIPE704"
    name = "tf-function-in-loop"
    severity = Severity.ERROR
    fix = "none"
    default = False
    words = ("function",)
    examples = (
        Example(
            "wrapped in each turn",
            """
            import tensorflow as tf

            for batch in tf.data.TFRecordDataset(files).map(parse).batch(32):
                losses.append(tf.function(loss_of)(batch))
            """,
        ),
        Example(
            "defined in each turn",
            """
            import tensorflow as tf

            for step in range(10_000):
                @tf.function
                def train(batch):
                    return loss_of(batch)

                train(next(batches))
            """,
        ),
        Example(
            "made once",
            """
            import tensorflow as tf

            train = tf.function(loss_of)
            for step in range(10_000):
                train(next(batches))
            """,
            silent=True,
        ),
        Example(
            "a model for each turn",
            """
            import tensorflow as tf

            for path in paths:
                model = tf.keras.models.load_model(path)
                answers[path] = tf.function(model)(x)
            """,
            silent=True,
        ),
    )
    evidence = Evidence(pair="tf-function-in-loop")

    def check(self, program: Program) -> Findings:
        told: set[Location] = set()
        for place, loop in _made_in_loops(program) if program.runs_on_tensorflow else ():
            if place not in told and not turn_at_most(program, [loop], _FEW) and not _makes_objects(program, loop):
                told.add(place)
                yield self.finding(
                    place,
                    "each turn of this loop makes a new tf.function, which is traced anew at its first call: make it once, "
                    "before the loop",
                )


def _made_in_loops(program: Program) -> Iterator[tuple[Location, Loop]]:
    """Where the body of a loop makes a tf.function, under no test of its own."""
    for call in program.calls:
        loop = call.loops[-1] if call.loops and call.trace is None else None
        if loop is None or loop.few or loop.over is LoopOver.OTHER or not call.held <= loop.always:
            continue
        place = _place(call)
        if place is not None and loop.region.holds(Region.of(place)):
            yield place, loop


def _place(call: Call) -> Location | None:
    """The call that wraps a function, or the definition of one that is wrapped."""
    if call.symbol == "tensorflow.function":
        return call.name if call.positional or call.keywords.get("func") else None
    callee = call.callee
    return callee.location if isinstance(callee, Function) and callee.wrapped and callee.name else None


def _makes_objects(program: Program, loop: Loop) -> bool:
    """Whether each turn makes layers, models or objects of the program, which a function of its own may belong to."""
    made = (call for call in program.calls if loop in call.loops and loop.region.holds(call.region))
    return any(isinstance(call.callee, Class) or call.library == "keras" for call in made)
