from __future__ import annotations

from pipelint.rule import (
    CLOCKS,
    Call,
    Count,
    Event,
    Example,
    Finding,
    Findings,
    Fix,
    Program,
    Related,
    ReplaceCallee,
    Rule,
    Severity,
    Trace,
    TraceKind,
    display,
)

from ._modules import traced_elsewhere
from ._python_calls import collects, graphs, has_words, is_about_tracing, misleads_nobody, prints_tensor, severity_of
from ._shown_on_purpose import is_shown

_RECORDED = "while the graph is recorded"


class SideEffectInTraced(Rule):
    """A Python side effect in traced code happens once, when TensorFlow records the graph.

    ## What it finds
    Inside a mapped function, a `tf.function`, or `call` and `train_step` of a Keras class, and in what these call:
    `time.sleep`, clocks (`time.time`, `datetime.now`), `input`, a counter that outlives the function (`self.n += 1`),
    an append to a list that does, and a `print` that is given a tensor.

    ## Why it matters
    TensorFlow runs the Python code once, to record a graph, and then runs the graph. The sleep delays nothing, the
    clock stands still, the counter counts traces, the list gets one symbolic tensor that nobody can read. That is an
    error. A `print` shows `Tensor("...")` once instead of a value: advice, as is a counter that is called after traces
    or that nothing reads.

    ## When to ignore it
    When it is meant for tracing. Silent for a `print` of text, shapes, dtypes and other things that are known then, that
    says that it traces, or that has a `tf.print` beside it; where it is shown on purpose, in a function that is written
    anew without it or that a script only tries out with a number; for a counter that is only part of names and a list that each call makes anew or empties; behind
    `tf.py_function`; where the test is for eager runs; and in a network that the program only ever calls eagerly.

    ## Fix safety
    Unsafe: `tf.print` writes to stderr for every element or step, and of a large tensor the first and last three entries
    along each axis. Not offered for a tensor in a formatted string, or without a word, which was a look at the trace.

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
        for trace in graphs(program):
            faults = [event for event in trace.events if _is_fault(event) and not event.doubtful]
            for event in faults if faults and not is_shown(program, trace, _is_fault) else ():
                related = traced_elsewhere(program, trace, event.region)
                match event:
                    case Call(symbol="builtins.print"):
                        if not is_about_tracing(trace, event):
                            yield self._print(program, trace, event, related)
                    case Call() | Count():
                        harmless = isinstance(event, Count) and misleads_nobody(event)
                        severity = Severity.ADVICE if harmless else severity_of(event, _effect)
                        message = f"{trace.reason}, so {_effect(event)}"
                        yield self.finding(event.name, message, severity=severity, related=related)

    def _print(self, program: Program, trace: Trace, call: Call, related: tuple[Related, ...]) -> Finding:
        message = f"{trace.reason}, so `print` shows a symbolic tensor, once, {_RECORDED}, and never its value"
        fix = None
        alike = has_words(call) and set(call.keywords) <= {"end", "sep"} and not call.on_text_of_tensor
        if alike and call.expression is not None and not program.module_at(call.region).only_keras:
            often = "element" if trace.kind is TraceKind.MAP else "step"
            title = f"call tf.print, which writes the tensor, shortened, to stderr for every {often}"
            fix = Fix.unsafe(title, ReplaceCallee(call, "tensorflow.print"))
        return self.finding(call.name, message, severity=Severity.ADVICE, fix=fix, related=related)


def _is_fault(event: Event) -> bool:
    return _effect(event) is not None or prints_tensor(event)


def _effect(event: Event) -> str | None:
    """What happens at tracing and never again, None if it is no side effect."""
    match event:
        case Count(only_names=False):
            return "this counter counts how often the graph is recorded, not how often it runs: use a tf.Variable"
        case Call(symbol=symbol) if symbol in CLOCKS:
            return f"`{display(symbol)}` is read once, {_RECORDED}: every run then sees that moment"
        case Call(on_outer_object=True, last_name=name) if collects(event):
            return f"`{name}` runs once, {_RECORDED}, and leaves what has no value yet: return it instead"
        case Call(symbol="time.sleep"):
            return f"`time.sleep` runs once, {_RECORDED}: it delays no element and no step"
        case Call(symbol="builtins.input"):
            return f"`input` asks once, {_RECORDED}"
        case _:
            return None
