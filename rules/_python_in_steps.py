"""What a training step that runs untraced leaves to Python, and what that means for a graph of it."""

from __future__ import annotations

from pipelint.rule import (
    CHANGING_NUMBER,
    PYTHON_RANDOM,
    Call,
    Event,
    HostRead,
    Method,
    Program,
    ReadBy,
    Symbol,
    display,
)

from ._busy_loops import is_busy_around
from ._commented_decorators import is_turned_off
from ._eager_steps import EagerStep, runs_seldom
from ._graph_models import computes_in_a_graph, leaves_only_the_rest
from ._graphs_held_back import runs_functions_eagerly
from ._under_tapes import is_out_of_sight
from ._work_around_steps import is_eager_on_purpose


def is_moot(program: Program, step: EagerStep) -> bool:
    """Whether nobody would make a graph of the step: it runs seldom, shall be none, or may well be one already."""
    return (
        runs_seldom(program, step)
        or runs_functions_eagerly(program.near(step.tape.region))
        or is_turned_off(program, step.function or step.tape.function)
        or leaves_only_the_rest(program, step.tape, step.apply.loops)
        or is_out_of_sight(program, step.tape, step.apply.loops)
    )


def gains_little(program: Program, step: EagerStep) -> bool:
    """Whether a graph of the step may not pay: it runs eagerly on purpose, or its loop does more than that."""
    return (
        is_eager_on_purpose(program, step.tape)
        or is_busy_around(program, step.apply)
        or _prints_each_part(program, step)
    )


def _prints_each_part(program: Program, step: EagerStep) -> bool:
    """Whether each turn also prints in a loop of its own, as one who looks at all gradients does: that takes longer."""
    loops = step.apply.loops
    return any(
        call.symbol == "builtins.print"
        and call.loops[: len(loops)] == loops
        and len(call.loops) > len(loops)
        and call.held <= step.loop.always
        for call in program.calls
    )


def done_in_a_graph(program: Program, step: EagerStep) -> str:
    """What is said of a step whose model is a graph already; "" of others."""
    inside = computes_in_a_graph(program, step.tape, step.apply.loops)
    return "what it computes in a tf.function runs in a graph already" if inside else ""


def left_outside(program: Program, step: EagerStep) -> tuple[str, ...]:
    """What a step that is written out in its loop does in Python, which traced code cannot do or does once."""
    beside = (
        event
        for event in program.events
        if event.function is step.apply.function and event.loops == step.apply.loops and event.trace is None
    )
    since = step.tape.region.start if step.loop.region.holds(step.tape.region) else 0
    done = (_done_in_python(event) for event in beside if event.region.start >= since)
    return tuple(dict.fromkeys(filter(None, done)))


def _done_in_python(event: Event) -> str:
    match event:
        case HostRead(by=ReadBy.TEST):
            return "`if`"
        case Call() if event.symbol == "tensorflow.Variable":
            return "`tf.Variable()`, which a graph makes once,"
        case Call(under_tape=True) if event.symbol.startswith(PYTHON_RANDOM):
            return f"`{display(event.symbol)}()`"
        case Call(under_tape=True, on_tensor=True) if event.library in ("numpy", "cv2"):
            return f"`{display(event.symbol)}()`"
        case Call(on_tensor=True) if event.symbol in ("builtins.float", "builtins.int"):
            return f"`{event.last_name}()`"
        case Call(callee=Method(owner=None | Symbol(name="tensorflow.Tensor"), name="numpy")):
            return "`.numpy()`"
        case Call(under_tape=True) if event.symbol.startswith("tensorflow.summary.") and _is_numbered(event):
            return f"`{display(event.symbol)}()`, whose `step` is a Python number,"
        case _:
            return ""


def _is_numbered(summary: Call) -> bool:
    """Whether the step of a summary is a number of Python: a graph keeps the first, or is made anew for each."""
    step = summary.argument("step")
    return step is not None and step.value == CHANGING_NUMBER
