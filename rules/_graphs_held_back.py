"""What would run in a graph, were it not for a switch by which every tf.function runs as plain Python."""

from __future__ import annotations

from pipelint.rule import RUNS_IN_GRAPHS, Call, Event, Method, Program, Symbol, Trace, TraceKind, once_a_program

from ._debug_switches import EAGER, SWITCHES, switched_on
from ._purpose import leaves_model_alone
from ._value_readers import needed_by

_OPTIMIZERS = "keras.optimizers."


@once_a_program
def runs_functions_eagerly(program: Program) -> bool:
    """Whether a program turns such a switch on for good, so that no tf.function of it is a graph."""
    switches = [(first, *others) for written, first, others in switched_on(program) if SWITCHES[written] == EAGER]
    run = {None, *(call.callee for call in program.calls)} if switches else set()
    return any(call.function in run for calls in switches for call in calls)


def changes_nothing(program: Program, event: Event, switch: str) -> bool:
    """Whether a switch for debugging, as written, has nothing to run eagerly that would be a graph without it."""
    if switch not in SWITCHES:
        # Steps of its own train the models of such a program: what they were compiled with is asked by nobody.
        trains_by_hand = any(call.updates_weights for call in program.calls)
        return leaves_model_alone(program, event) or (trains_by_hand and not any(map(_is_run_by_keras, program.calls)))
    return SWITCHES[switch] == EAGER and not _holds_graphs_back(program)


def _holds_graphs_back(program: Program) -> bool:
    """Whether Keras would run a model in a graph without it, or a tf.function that does much would be one, and can."""
    return any(map(_is_run_by_keras, program.calls)) or any(_can_be_a_graph(program, trace) for trace in program.traces)


def _is_run_by_keras(call: Call) -> bool:
    runs = call.fits or (isinstance(call.callee, Method) and call.last_name in RUNS_IN_GRAPHS)
    return runs and not (call.function is not None and call.function.unused)


def _can_be_a_graph(program: Program, trace: Trace) -> bool:
    if trace.kind is not TraceKind.FUNCTION or (trace.function is not None and trace.function.unused):
        return False
    calls = list(trace.calls)
    if not any(map(_is_much, calls)) or any(map(_makes_optimizer, calls)) or needed_by(program, trace):
        return False
    callers = (call for call in program.calls if call.callee is trace.function and call.trace is None)
    # Every length of a list makes a graph of its own.
    return not any(argument.of_any_length for call in callers for argument in call.arguments)


def _is_much(call: Call) -> bool:
    """Whether it takes a step, or runs a model or code out of sight, beside which a few operations are nothing."""
    return call.updates_weights or call.last_name == "__call__" or call.callee is None or bool(call.loops)


def _makes_optimizer(call: Call) -> bool:
    """Whether it makes one in each call, which a graph does in its first alone: code for that runs eagerly on purpose."""
    made = isinstance(call.callee, Symbol) and call.symbol == _OPTIMIZERS + call.last_name
    return made and call.last_name[:1].isupper() and not call.guards
