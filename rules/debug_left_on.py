from __future__ import annotations

from dataclasses import replace

from pipelint.rule import (
    DEBUGGING,
    Call,
    Event,
    Evidence,
    Example,
    Findings,
    Fix,
    Literal,
    Location,
    Program,
    Region,
    Related,
    RemoveArgument,
    RemoveStatements,
    Repair,
    Rule,
    Safety,
    Severity,
    Switch,
    words_of,
)

from ._debug_switches import EAGER, LOG, SWITCHES, has_comment_above, switched_on
from ._few_rows import fits_few_rows
from ._graphs_held_back import changes_nothing
from ._purpose import only_shows_operations, runs_models, trains_or_evaluates
from ._value_readers import functions_are_followed, keeps_state_in_python, needed_first, unseen_layer

_EVIDENCE = Evidence(pair="debug-left-on")


class DebugLeftOn(Rule):
    """A debugging switch is left on.

    ## What it finds
    `compile(run_eagerly=True)` and `model.run_eagerly = True`, `tf.config.run_functions_eagerly(True)`,
    `tf.data.experimental.enable_debug_mode()`, `tf.debugging.enable_check_numerics()`, and, as advice,
    `tf.debugging.set_log_device_placement(True)`; what holds for all that follows, once a file.

    ## Why it matters
    Eager execution gives up the graph: no fusion, no parallel operations, Python between any two of them.

    ## When to ignore it
    When the model cannot run as a graph. Silent under a test (`if debug:`), where the value is not a plain `True`, where
    the switch is turned off again, where a step, loss or metric draws or gathers in Python, for few rows, in a script that
    never runs the model, where nothing that a graph can hold trains or runs one, and for a log of single operations. Advice
    in a function called one for debugging, where code reads values or makes layers in each call, where the `call` of a
    layer or a tf.function could not be followed to its end, and where no model is trained or evaluated in sight.

    ## Fix safety
    Safe for the log of device placement, else unsafe. None where code leans on eager execution, or may do so, a
    constant gives it, or a comment above explains it.

    ## References
    - https://www.tensorflow.org/api_docs/python/tf/config/run_functions_eagerly
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
            model.fit(x, y)
            """,
            """
            from tensorflow import keras
            model = keras.Sequential([keras.layers.Dense(1)])
            model.compile(optimizer="adam", loss="mse")
            model.fit(x, y)
            """,
            severity=Severity.WARNING,
        ),
        Example(
            "a line in the log for every operation",
            "import tensorflow as tf\ntf.debugging.set_log_device_placement(True)\n",
            "import tensorflow as tf\n",
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
        for written, call, others in switched_on(program):
            does, again = f"it {SWITCHES[written]}", tuple(Related(other.name, "once more") for other in others)
            told = any(has_comment_above(program, one) for one in (call, *others))
            gone = None if told else RemoveStatements((call, *others))
            for finding in self._left_on(program, call, call.name, written, does, gone):
                yield replace(finding, related=again)
        for event in (one for one in program.events if not one.guards):
            match event:
                case Switch(attribute="run_eagerly", value=Literal(value=True)):
                    yield from self._left_on(program, event, event.name, "model.run_eagerly = True", _steps())
                case Call() if event.last_name == "compile":
                    argument = event.argument("run_eagerly")
                    if argument is not None and argument.value == Literal(True):
                        given = program.written(place := Region.of(argument.region))
                        # A constant that gives the value would be left behind for nothing.
                        remove = RemoveArgument(event, "run_eagerly") if given == "True" else None
                        yield from self._left_on(program, event, place, f"run_eagerly={given}", _steps(), remove)

    def _left_on(
        self, program: Program, event: Event, place: Location, what: str, does: str, remove: Repair | None = None
    ) -> Findings:
        log, eager, near = what == LOG, "eager" in what, program.near(place)
        little = (only_shows_operations if log else fits_few_rows)(near, event) or changes_nothing(near, event, what)
        if little or (eager and keeps_state_in_python(program)):
            return
        debugging = event.function is not None and DEBUGGING.intersection(words_of(event.function.name or ""))
        functions = SWITCHES.get(what) == EAGER
        first = needed_first(near, functions=functions) or unseen_layer(near) if eager else ""
        idle = what in SWITCHES and not runs_models(near)
        unknown = functions and not functions_are_followed(near)
        runs = trains_or_evaluates(near) if eager else not idle
        certain = runs and not (log or debugging or first or unknown)
        offered = remove if not (first or debugging or unknown or (idle and not log)) else None
        fix = Fix(f"remove {what}", Safety.SAFE if log else Safety.UNSAFE, offered) if offered else None
        graded = Severity.WARNING if certain else Severity.ADVICE
        yield self.finding(place, f"`{what}` is left on: {does}{first}", severity=graded, fix=fix)


def _steps() -> str:
    """What becomes of the steps of a model, and by how much that was slower where it was measured."""
    measured = _EVIDENCE.measured(__file__)
    slower = f", {measured.ratio:.0f} times slower where measured" if measured and measured.shown else ""
    return f"every step of fit, evaluate and predict runs as plain Python{slower}"
