from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pipelint.rule import (
    Call,
    Count,
    Example,
    Finding,
    Findings,
    Fix,
    Program,
    Region,
    ReplaceCallee,
    Rule,
    Severity,
    Trace,
    TraceKind,
)

from ._modules import traced_elsewhere
from ._one_change import as_one_change
from ._python_calls import graphs, has_words, is_about_tracing, misleads_nobody, prints_tensor, severity_of
from ._shown_on_purpose import is_shown
from ._side_effects import SideEffect, counts_eager_runs, side_effect


class SideEffectInTraced(Rule):
    """A Python side effect in traced code happens once, when TensorFlow records the graph.

    ## What it finds
    Inside a mapped function, a `tf.function`, or `call` and `train_step` of a Keras class, and in what these call:
    `time.sleep`, clocks (`time.time`, `datetime.now`), `input`, a counter that outlives the function (`self.n += 1`),
    and an append to a list that does; those of one kind in one function together. With the option `prints = 1` also a
    `print` that is given a tensor.

    ## Why it matters
    TensorFlow runs the Python code once, to record a graph, and then runs the graph. The sleep delays nothing, the
    clock stands still, the counter counts traces, the list gets one symbolic tensor that nobody can read. That is an
    error. A `print` shows `Tensor("...")` once instead of a value, which its author sees in the first run: advice, for
    who asks for it.

    ## When to ignore it
    When it is meant for tracing. Silent for a `print` of text, shapes, dtypes and other things that are known then,
    that says that it traces, or that has a `tf.print` beside it; where it is shown on purpose, in a function that is
    written anew without it or that scripts try out with numbers and nothing else calls; for a counter that is
    called after traces, that nothing reads, that is only part of names or in a function that eager code calls too, and
    a list that is made anew before it is filled or that each call empties; inside `tf.py_function`; where the test is
    for eager runs;
    in a network that the program only ever calls eagerly, and in layers where it trains by tapes and makes no graph.

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
    options: ClassVar[Mapping[str, int]] = {"prints": 0}
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
            "a print that shows a symbolic tensor once, unless `prints = 1` asks for it",
            """
            import tensorflow as tf

            @tf.function
            def step(x):
                print("mean", tf.reduce_mean(x))
            """,
            silent=True,
        ),
        Example(
            "inside py_function, where Python runs for each element",
            """
            import time
            import tensorflow as tf
            ds = tf.data.Dataset.range(9).map(lambda x: tf.py_function(lambda y: time.sleep(1), [x], tf.int64))
            """,
            silent=True,
        ),
    )

    def check(self, program: Program) -> Findings:
        together: dict[tuple[object, str], dict[Region, Finding]] = {}
        for trace in graphs(program):
            effects = [
                (event, effect) for event in trace.events if (effect := side_effect(event)) and not event.doubtful
            ]
            for event, effect in effects if effects and not is_shown(program, trace, side_effect) else ():
                if isinstance(event, (Call, Count)) and not self._is_meant(program, trace, event):
                    finding = self._report(program, trace, event, effect)
                    # What no fix mends one by one is one change to one function.
                    change = event.region if finding.fix else (event.function, finding.severity)
                    together.setdefault((change, effect.kind), {}).setdefault(event.region, finding)
        yield from (as_one_change(findings.values(), kind) for (_, kind), findings in together.items())

    def _is_meant(self, program: Program, trace: Trace, event: Call | Count) -> bool:
        if isinstance(event, Count):
            return misleads_nobody(event) or counts_eager_runs(program, trace, event)
        return prints_tensor(event) and (not self.settings["prints"] or is_about_tracing(trace, event))

    def _report(self, program: Program, trace: Trace, event: Call | Count, effect: SideEffect) -> Finding:
        return self.finding(
            event.name,
            f"{trace.reason}, so {effect.fate}",
            severity=Severity.ADVICE if prints_tensor(event) else severity_of(event, side_effect),
            fix=_printed_by_tensorflow(program, trace, event),
            related=traced_elsewhere(program, trace, event.region),
        )


def _printed_by_tensorflow(program: Program, trace: Trace, event: Call | Count) -> Fix | None:
    """The fix of a print that says what it prints, with arguments that `tf.print` takes."""
    if isinstance(event, Count) or not prints_tensor(event) or event.expression is None:
        return None
    alike = has_words(event) and set(event.keywords) <= {"end", "sep"} and not event.on_text_of_tensor
    if not alike or program.module_at(event.region).only_keras:
        return None
    often = "element" if trace.kind is TraceKind.MAP else "step"
    title = f"call tf.print, which writes the tensor, shortened, to stderr for every {often}"
    return Fix.unsafe(title, ReplaceCallee(event, "tensorflow.print"))
