from __future__ import annotations

from pipelint.rule import (
    Example,
    Finding,
    Findings,
    Fix,
    Literal,
    Operation,
    Program,
    ReplaceCallee,
    Rule,
    Severity,
    Symbol,
)

from ._python_calls import shown, traced_kinds

_CLOCKS = (
    "time.time", "time.perf_counter", "time.monotonic", "time.process_time", "time.time_ns", "time.perf_counter_ns",
    "datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today", "datetime.date.today",
)  # fmt: skip
_COLLECTS = frozenset({"append", "extend", "insert", "appendleft"})
_COLLECTIONS = frozenset({"Sequence", "collections", "?", "class"})
_EAGER = ("eager", "inside_function")
_ONCE = {
    "time.sleep": "`time.sleep` runs once, while the graph is recorded: it delays no element and no step",
    "builtins.input": "`input` asks once, while the graph is recorded",
    "builtins.print": "`print` runs once, while the graph is recorded; tf.print runs each time",
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
        for traced in program.traced:
            for operation in traced.operations if traced.kind in kinds else ():
                effect = _effect(operation)
                if effect is not None and not any(word in guard for guard in operation.guards for word in _EAGER):
                    yield self._report(program, operation, f"{traced.reason}, so {effect}")

    def _report(self, program: Program, operation: Operation, message: str) -> Finding:
        if operation.name != "builtins.print":
            return self.finding(operation.callee, message)
        fix = None
        alike = all(name.isdigit() or name in ("end", "sep") for name in operation.arguments)
        if operation.on_tensor and alike and operation.expression is not None and not program.only_keras:
            fix = Fix.unsafe("call tf.print", ReplaceCallee(operation, "tensorflow.print"))
        return self.finding(operation.callee, message, severity=Severity.ADVICE, fix=fix)


def _effect(operation: Operation) -> str | None:
    """What a call does at tracing and never again, None if it is no side effect."""
    name = operation.name
    root, last = name.partition(".")[0], name.rpartition(".")[2]
    if name in _CLOCKS:
        return f"`{shown(name)}` is read once, while the graph is recorded: every run then sees that moment"
    if root == "counter" and operation.on_outer_object and "trac" not in name.lower():
        return "this counter counts how often the graph is recorded, not how often it runs: use a tf.Variable"
    if last in _COLLECTS and root in _COLLECTIONS and operation.on_outer_object and _adds_value(operation):
        return f"`{last}` runs once, while the graph is recorded, and leaves what has no value yet: return it instead"
    shows_tracing = any("trac" in str(argument.constant).lower() for argument in operation.arguments.values())
    return None if shows_tracing else _ONCE.get(name)


def _adds_value(operation: Operation) -> bool:
    """Whether a tensor or number is kept; variables and layers are kept in lists so that they are made only once."""
    values = [argument.value for argument in operation.arguments.values()]
    if any(isinstance(value, Symbol) and value.name.endswith("()") for value in values):
        return False
    return operation.on_tensor or any(isinstance(value, Literal) for value in values)
