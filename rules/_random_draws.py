"""Random draws of Python in traced code, and the draws of TensorFlow that stand for them."""

from __future__ import annotations

from pipelint.rule import (
    DRAWS,
    Argument,
    Call,
    Fix,
    Literal,
    Location,
    Program,
    Region,
    ReplaceCall,
    Symbol,
    Trace,
    TraceKind,
    display,
)

_RANGES = {"tensorflow.random.uniform": ("minval", "maxval"), "tensorflow.random.normal": ("mean", "stddev")}
_Shape = Location | tuple[Location, ...]
_Arguments = list[tuple[str, Location | Symbol | Literal | tuple[Location, ...]]]
_FRACTIONS = frozenset({"rand", "random"})
"""Functions that draw numbers between 0 and 1."""


def drawn_by_tensorflow(program: Program, call: Call, often: str) -> Fix | None:
    """The fix that draws in the graph, where a tensor serves and TensorFlow has the same distribution."""
    draw = DRAWS.get(call.symbol)
    if draw is None or not call.may_be_tensor or call.expression is None or program.module_at(call.region).only_keras:
        return None
    if draw.shape == "*":
        arguments: _Arguments | None = (
            [("", tuple(item.region for item in call.positional))] if not call.keywords else None
        )
    else:
        given = {**dict(zip(draw.parameters, call.positional, strict=False)), **call.keywords}
        if len(call.positional) > len(draw.parameters) or not set(given) <= set(draw.parameters):
            return None
        shape = _shape(given.pop(draw.shape, None))
        bounds = [given.get(name) for name in draw.parameters if name != draw.shape]
        arguments = _arguments(draw.tensorflow, shape, bounds, integers=draw.integers) if shape is not None else None
    if arguments is None:
        return None
    kind = "int32" if draw.integers else "float32"
    title = f"draw with {display(draw.tensorflow)}: a {kind} tensor, another one for every {often}"
    return Fix.unsafe(title, ReplaceCall(call, draw.tensorflow, tuple(arguments)))


def runs_once(program: Program, trace: Trace, call: Call) -> bool:
    """Whether a tf.function is called at one place, and neither that nor the draw stands in a loop."""
    callers = [other for other in program.calls if other.callee is trace.function]
    once = len({caller.region for caller in callers}) == 1 and not any(
        caller.loops or caller.trace for caller in callers
    )
    return trace.kind is TraceKind.FUNCTION and once and not call.loops


def rounds(program: Program, trace: Trace, draw: Call) -> bool:
    """Whether a draw only rounds a Python number up or down: `int(share * length + random())`, for a static shape."""
    whole = (call for call in trace.calls if call.symbol == "builtins.int" and not call.on_tensor)
    numbers = (number.region for call in whole for number in call.positional if isinstance(number.region, Region))
    return draw.last_name in _FRACTIONS and any(
        number.holds(draw.region)
        and number.end == draw.region.end
        and program.written(Region(number.start, draw.region.start)).rstrip().endswith("+")
        for number in numbers
    )


def _shape(size: Argument | None) -> _Shape | None:
    """A shape as TensorFlow takes it; None where numpy may be given a number or a list."""
    match size.value if size is not None else Literal(None):
        case Literal(value=None):
            return ()
        case Literal(value=int()) if size is not None:
            return (size.region,)
        case Literal(value=tuple()) if size is not None:
            return size.region
        case _:
            return None


def _arguments(function: str, shape: _Shape, bounds: list[Argument | None], *, integers: bool) -> _Arguments | None:
    first, second = (*bounds, None, None)[:2]
    arguments: _Arguments = [("", shape)]
    if integers:
        if first is None:
            return None
        low: Location | Literal = Literal(0) if second is None else first.region
        high = first.region if second is None else second.region
        return [*arguments, ("", low), ("", high), ("dtype", Symbol("tensorflow.int32"))]
    if first is not None:
        arguments.append(("", first.region))
    if second is not None:
        arguments.append(("" if first is not None else _RANGES[function][1], second.region))
    return arguments
