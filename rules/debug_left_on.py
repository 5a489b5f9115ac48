from __future__ import annotations

from dataclasses import replace

from pipelint.rule import (
    DEBUGGING,
    Call,
    Event,
    Evidence,
    Example,
    Finding,
    Findings,
    Fix,
    Literal,
    Program,
    RemoveArgument,
    RemoveStatement,
    Rule,
    Safety,
    Severity,
    Switch,
    display,
    words_of,
)

_EAGER = "runs every tf.function as plain Python"
_LOG = "tf.debugging.set_log_device_placement(True)"
_SWITCHES = {
    "tf.config.run_functions_eagerly(True)": _EAGER,
    "tf.config.experimental_run_functions_eagerly(True)": _EAGER,
    "tf.data.experimental.enable_debug_mode()": "runs every dataset eagerly, one element at a time",
    "tf.debugging.enable_check_numerics()": "checks the result of every operation",
    _LOG: "writes a line for every operation that is placed",
}
_EVIDENCE = Evidence(pair="debug-left-on")


class DebugLeftOn(Rule):
    """A debugging switch is left on.

    ## What it finds
    `compile(run_eagerly=True)` and `model.run_eagerly = True`, `tf.config.run_functions_eagerly(True)`,
    `tf.data.experimental.enable_debug_mode()`, `tf.debugging.enable_check_numerics()`, and, as advice,
    `tf.debugging.set_log_device_placement(True)`. All of it is advice in a function that is called after debugging.

    ## Why it matters
    Eager execution gives up the graph: no fusion, no parallel operations, Python between any two of them.

    ## When to ignore it
    When the model cannot run as a graph. Silent under a test (`if debug:`), where the value is not a plain `True`, and
    where the program turns the switch off again.

    ## Fix safety
    Safe for the log of device placement, which changes no result. Unsafe for the others: code that leans on eager
    execution (`.numpy()` in `train_step`) breaks in a graph.

    ## References
    - https://www.tensorflow.org/api_docs/python/tf/config/run_functions_eagerly
    - https://www.tensorflow.org/api_docs/python/tf/debugging/enable_check_numerics
    """

    code = "PIPE901"
    name = "debug-left-on"
    severity = Severity.WARNING
    fix = "safe or unsafe"
    examples = (
        Example(
            "a model that is compiled to run eagerly",
            """
            from tensorflow import keras
            model = keras.Sequential([keras.layers.Dense(1)])
            model.compile(optimizer="adam", loss="mse", run_eagerly=True)
            """,
            """
            from tensorflow import keras
            model = keras.Sequential([keras.layers.Dense(1)])
            model.compile(optimizer="adam", loss="mse")
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "a line in the log for every operation",
            """
            import tensorflow as tf
            tf.debugging.set_log_device_placement(True)
            """,
            """
            import tensorflow as tf
            """,
            severity=Severity.ADVICE,
        ),
        Example(
            "under a switch of the user's own",
            """
            import tensorflow as tf

            def main(model, debug):
                if debug:
                    tf.config.run_functions_eagerly(True)
                model.compile("adam", "mse", run_eagerly=debug)
            """,
            silent=True,
        ),
    )
    evidence = _EVIDENCE

    def check(self, program: Program) -> Findings:
        if program.legacy:
            return
        for event in program.events:
            meant = event.function and DEBUGGING.intersection(words_of(event.function.name or ""))
            for finding in () if event.guards else self._found(program, event):
                yield replace(finding, severity=Severity.ADVICE) if meant else finding

    def _found(self, program: Program, event: Event) -> Findings:
        match event:
            case Switch(attribute="run_eagerly", value=Literal(value=True)):
                yield self.finding(event.name, f"`model.run_eagerly = True` is left on: {_steps()}")
            case Call() if (written := _written(event)) in _SWITCHES:
                off = written.replace("(True)", "(False)").replace(".enable_", ".disable_")
                if not any(_written(other) == off for other in program.calls):
                    yield self._switch(event, written)
            case Call(last_name="compile"):
                argument = event.argument("run_eagerly")
                if argument is not None and argument.value == Literal(True):
                    fix = Fix.unsafe("remove run_eagerly=True", RemoveArgument(event, "run_eagerly"))
                    yield self.finding(argument.region, f"`run_eagerly=True` is left on: {_steps()}", fix=fix)

    def _switch(self, call: Call, written: str) -> Finding:
        log = written == _LOG
        return self.finding(
            call.name,
            f"`{written}` is left on: it {_SWITCHES[written]}",
            severity=Severity.ADVICE if log else Severity.WARNING,
            fix=Fix(f"remove {written}", Safety.SAFE if log else Safety.UNSAFE, RemoveStatement(call)),
        )


def _steps() -> str:
    """What becomes of the steps of a model, and by how much that was slower where it was measured."""
    measured = _EVIDENCE.measured(__file__)
    slower = f", {measured.ratio:.0f} times slower where measured" if measured and measured.shown else ""
    return f"every step of fit, evaluate and predict runs as plain Python{slower}"


def _written(call: Call) -> str:
    """The call as a user writes it, with its first argument where that is True or False."""
    first = next(call.arguments, None)
    given = next((flag for flag in (True, False) if first is not None and first.value == Literal(flag)), "")
    return f"{display(call.symbol)}({given})"
