from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from pipelint.model.finding import Finding, Fix, Safety, Severity
from pipelint.model.function import Operation
from pipelint.model.program import Program
from pipelint.model.python_calls import shown
from pipelint.model.values import Literal
from pipelint.rule import Example, Rule


class _Switch(NamedTuple):
    """A call that turns debugging on."""

    costs: str
    takes_true: bool = True
    off: str = ""
    """The call that turns it off again."""


_EAGER = _Switch("runs every tf.function as plain Python: 8.7 times slower where measured")
_SWITCHES = {
    "tensorflow.config.run_functions_eagerly": _EAGER,
    "tensorflow.config.experimental_run_functions_eagerly": _EAGER,
    "tensorflow.data.experimental.enable_debug_mode": _Switch(
        "runs every dataset eagerly, one element at a time: 10 times slower where measured", takes_true=False
    ),
    "tensorflow.debugging.enable_check_numerics": _Switch(
        "checks the result of every operation: 2.1 times slower where measured",
        takes_true=False,
        off="tensorflow.debugging.disable_check_numerics",
    ),
    "tensorflow.debugging.set_log_device_placement": _Switch("writes a line for every operation that is placed"),
}
_LOG = "tensorflow.debugging.set_log_device_placement"
_ASSIGNED = "keras.Model.run_eagerly"


class DebugLeftOn(Rule):
    """A debugging switch is left on.

    ## What it finds
    `compile(run_eagerly=True)` and `model.run_eagerly = True`, `tf.config.run_functions_eagerly(True)`,
    `tf.data.experimental.enable_debug_mode()`, `tf.debugging.enable_check_numerics()`, and, as advice,
    `tf.debugging.set_log_device_placement(True)`.

    ## Why it matters
    Eager execution gives up the graph: no fusion, no parallel operations, Python between any two of them. Each of these
    switches is there to find a mistake, and is forgotten.

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
            "every tf.function runs as Python",
            """
            import tensorflow as tf

            tf.config.run_functions_eagerly(True)
            tf.data.experimental.enable_debug_mode()
            x = 1
            """,
            """
            import tensorflow as tf

            x = 1
            """,
            count=2,
            severity=Severity.WARNING,
        ),
        Example(
            "a line in the log for every operation",
            """
            import tensorflow as tf

            tf.debugging.set_log_device_placement(True)
            a = tf.constant(1.0)
            """,
            """
            import tensorflow as tf

            a = tf.constant(1.0)
            """,
            severity=Severity.ADVICE,
        ),
        Example(
            "switched on after compile",
            """
            import tensorflow as tf

            model = tf.keras.Sequential()
            model.compile("adam", "mse")
            model.run_eagerly = True
            """,
        ),
        Example(
            "under a switch of the user's own",
            """
            import tensorflow as tf

            def main(debug):
                if debug:
                    tf.config.run_functions_eagerly(True)
                model = tf.keras.Sequential()
                model.compile("adam", "mse", run_eagerly=debug)
            """,
            silent=True,
        ),
        Example(
            "turned off again",
            """
            import tensorflow as tf

            tf.config.run_functions_eagerly(True)
            step(x)
            tf.config.run_functions_eagerly(False)
            """,
            silent=True,
        ),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if program.legacy:
            return
        for operation in program.operations:
            if operation.guards or "debug" in (operation.function or "").lower():
                continue
            if operation.name in _SWITCHES:
                yield from self._switched(program, operation, _SWITCHES[operation.name])
            elif operation.name == _ASSIGNED and _first(operation) == Literal(True):
                yield self.finding(operation.callee, _eager_message("model.run_eagerly = True"))
            elif operation.name.endswith(".compile"):
                yield from self._compiled(program, operation)

    def _switched(self, program: Program, operation: Operation, switch: _Switch) -> Iterator[Finding]:
        if switch.takes_true and _first(operation) != Literal(True):
            return
        if any(_turns_off(other, operation.name, switch) for other in program.operations):
            return
        log = operation.name == _LOG
        written = f"{shown(operation.name)}({'True' if switch.takes_true else ''})"
        yield self.finding(
            operation.callee,
            f"`{written}` is left on: it {switch.costs}",
            severity=Severity.ADVICE if log else Severity.WARNING,
            fix=Fix(
                f"remove {written}",
                Safety.SAFE if log else Safety.UNSAFE,
                partial(program.editor.remove_statement, operation),
            ),
        )

    def _compiled(self, program: Program, operation: Operation) -> Iterator[Finding]:
        argument = operation.arguments.get("run_eagerly")
        if argument is None or argument.value != Literal(True):
            return
        remove = partial(program.editor.remove_argument, operation, "run_eagerly")
        fix = Fix("remove run_eagerly=True", Safety.UNSAFE, remove)
        yield self.finding(argument.region, _eager_message("run_eagerly=True"), fix=fix)


def _eager_message(written: str) -> str:
    return f"`{written}` is left on: every step of fit, evaluate and predict runs as plain Python, 16 times slower where measured"


def _first(operation: Operation) -> object:
    argument = next(iter(operation.arguments.values()), None)
    return argument.value if argument is not None else None


def _turns_off(other: Operation, name: str, switch: _Switch) -> bool:
    return other.name == switch.off or (other.name == name and switch.takes_true and _first(other) == Literal(False))
