"""Side effects of Python in traced code: what kind each is of, and what becomes of it."""

from __future__ import annotations

from typing import NamedTuple

from pipelint.rule import (
    CLOCKS,
    OWN_METHODS,
    Call,
    Count,
    Event,
    Function,
    Method,
    Program,
    Trace,
    TraceKind,
    display,
)

from ._python_calls import collects, prints_tensor

_RECORDED = "while the graph is recorded"


class SideEffect(NamedTuple):
    """What happens at tracing and never again."""

    kind: str
    """What one of this kind is called in a message."""
    fate: str


def side_effect(event: Event) -> SideEffect | None:
    """The side effect that an event of traced code is; None if it is none."""
    match event:
        case Count(only_names=False):
            fate = "this counter counts how often the graph is recorded, not how often it runs: use a tf.Variable"
            return SideEffect("counter", fate)
        case Call(symbol=symbol) if symbol in CLOCKS:
            return SideEffect("read", f"`{display(symbol)}` is read once, {_RECORDED}: every run then sees that moment")
        case Call(on_outer_object=True, last_name=name) if collects(event):
            return SideEffect(
                "call", f"`{name}` runs once, {_RECORDED}, and leaves what has no value yet: return it instead"
            )
        case Call(symbol="time.sleep"):
            return SideEffect("sleep", f"`time.sleep` runs once, {_RECORDED}: it delays no element and no step")
        case Call(symbol="builtins.input"):
            return SideEffect("question", f"`input` asks once, {_RECORDED}")
        case Call() if prints_tensor(event):
            return SideEffect("print", f"`print` shows a symbolic tensor, once, {_RECORDED}, and never its value")
        case _:
            return None


def counts_eager_runs(program: Program, trace: Trace, count: Count) -> bool:
    """Whether eager code calls the function of a counter as well, which then counts these runs one by one."""
    function = count.function
    if function is None or function is trace.function:
        return False
    return any(map(_is_eager, (*program.calls_of.get(function, ()), *_calls_on_unknown_objects(program, function))))


def _calls_on_unknown_objects(program: Program, method: Function) -> tuple[Call, ...]:
    """The calls that may well be of a method, by a name that no container or text has and what they are given."""
    if method.owner is None or method.name is None or method.name in OWN_METHODS:
        return ()
    calls = program.calls_of.get(Method(None, method.name), ())
    return tuple(call for call in calls if len(tuple(call.arguments)) < len(method.parameters))


def _is_eager(call: Call) -> bool:
    return call.trace is None or call.trace.kind is TraceKind.PYTHON
