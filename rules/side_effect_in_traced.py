from __future__ import annotations

from pipelint.rule import (
    CLOCKS,
    EAGER_TESTS,
    TRACING,
    Call,
    Count,
    Event,
    Example,
    Findings,
    Fix,
    Literal,
    Made,
    Method,
    Program,
    ReplaceCallee,
    Rule,
    Severity,
    display,
)

from ._python_calls import traced_kinds

_COLLECTS = frozenset({"append", "extend", "insert", "appendleft"})
_LISTS = frozenset({"builtins.list", "builtins.tuple", "builtins.set", "collections"})
_RECORDED = "while the graph is recorded"
_ONCE = {
    "time.sleep": f"`time.sleep` runs once, {_RECORDED}: it delays no element and no step",
    "builtins.input": f"`input` asks once, {_RECORDED}",
    "builtins.print": f"`print` runs once, {_RECORDED}; tf.print runs each time",
}


class SideEffectInTraced(Rule):
    """A Python side effect in traced code happens once, when TensorFlow records the graph.

    ## What it finds
    Inside a mapped function, a `tf.function`, or `call` and `train_step` of a Keras class, and in what these call:
    `time.sleep`, clocks (`time.time`, `datetime.now`), `input`, a counter that outlives the function (`self.n += 1`),
    an append to a list that does, and `print`.

    ## Why it matters
    TensorFlow runs the Python code once, to record a graph, and then runs the graph. The sleep delays nothing, the
    clock stands still, the counter counts traces, the list gets one symbolic tensor that nobody can read, and `print`
    shows `Tensor("...")` once. That is an error; a `print`, often meant for the moment of tracing, is advice.

    ## When to ignore it
    When it is meant for the moment of tracing: counting retraces, printing static shapes. Silent behind
    `tf.py_function`, where Python runs for each element, and under `tf.executing_eagerly()`.

    ## Fix safety
    Unsafe: `tf.print` prints each time the graph runs, to stderr. Offered where `print` is given a tensor.

    ## References
    - https://www.tensorflow.org/guide/function#executing_python_side_effects
    """

    code = "PIPE601"
    name = "side-effect-in-traced"
    severity = Severity.ERROR
    fix = "unsafe"
    examples = (
        Example(
            "a sleep that delays nothing, and a clock that stands still",
            """
            import time
            import tensorflow as tf
            def load(path):
                time.sleep(0.01)
                return tf.io.read_file(path), time.time()

            ds = tf.data.Dataset.list_files("*.jpg").map(load)
            """,
            count=2,
        ),
        Example(
            "a print that shows a symbolic tensor once",
            """
            import tensorflow as tf

            @tf.function
            def step(x):
                print("mean", tf.reduce_mean(x))
            """,
            """
            import tensorflow as tf

            @tf.function
            def step(x):
                tf.print("mean", tf.reduce_mean(x))
            """,
            severity=Severity.ADVICE,
        ),
        Example(
            "behind py_function, where Python runs for each element",
            """
            import time
            import tensorflow as tf
            ds = tf.data.Dataset.range(9).map(lambda x: tf.py_function(lambda y: time.sleep(1), [x], tf.int64))
            """,
            silent=True,
        ),
    )

    def check(self, program: Program) -> Findings:
        if program.legacy:
            return
        kinds = traced_kinds(program)
        for trace in program.traces:
            for event in trace.events if trace.kind in kinds else ():
                effect = _effect(event)
                if effect is not None and not any(word in guard for guard in event.guards for word in EAGER_TESTS):
                    yield from self._report(program, event, f"{trace.reason}, so {effect}")

    def _report(self, program: Program, event: Event, message: str) -> Findings:
        match event:
            case Call() if event.symbol == "builtins.print":
                fix = None
                alike = set(event.keywords) <= {"end", "sep"}
                if event.on_tensor and alike and event.expression is not None and not program.only_keras:
                    fix = Fix.unsafe("call tf.print", ReplaceCallee(event, "tensorflow.print"))
                yield self.finding(event.name, message, severity=Severity.ADVICE, fix=fix)
            case Call() | Count():
                yield self.finding(event.name, message)


def _effect(event: Event) -> str | None:
    """What happens at tracing and never again, None if it is no side effect."""
    match event:
        case Count() if TRACING not in event.target.lower():
            return "this counter counts how often the graph is recorded, not how often it runs: use a tf.Variable"
        case Call() if event.symbol in CLOCKS:
            return f"`{display(event.symbol)}` is read once, {_RECORDED}: every run then sees that moment"
        case Call(on_outer_object=True, callee=Method() as method) if method.name in _COLLECTS and _adds_value(event):
            return f"`{method.name}` runs once, {_RECORDED}, and leaves what has no value yet: return it instead"
        case Call() if not any(TRACING in str(argument.constant).lower() for argument in event.arguments):
            return _ONCE.get(event.symbol)
        case _:
            return None


def _adds_value(call: Call) -> bool:
    """Whether a list keeps a tensor or number; variables and layers are kept so that they are made only once."""
    if call.symbol and call.symbol.removesuffix(f".{call.last_name}") not in _LISTS:
        return False
    values = [argument.value for argument in call.arguments]
    if any(isinstance(value, Made) for value in values):
        return False
    return call.on_tensor or any(isinstance(value, Literal) for value in values)
