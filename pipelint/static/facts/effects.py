"""What a mapped function does: random, Python, state, decoding, reading, or nothing but arithmetic."""

from __future__ import annotations

import ast
from dataclasses import replace

from pipelint.knowledge import names
from pipelint.knowledge.effect_table import Effects, SymbolEffects
from pipelint.knowledge.effects import FOLLOWED, OUT_OF_SIGHT, entry_of
from pipelint.knowledge.python_calls import HARMLESS, TEXT_METHODS, python_effect
from pipelint.model.code import Call, Event, Trace, TraceKind, VariableRead
from pipelint.model.definitions import Cause, Class, Effect, Function, MappedFunction, Method
from pipelint.model.values import UNKNOWN, Literal, Symbol, Value
from pipelint.static.abstract.guards import Guards, held
from pipelint.static.abstract.machine import Machine, Reads
from pipelint.static.abstract.values import (
    EAGER,
    TENSOR,
    Arguments,
    Choice,
    Closure,
    Given,
    Instance,
    Partial,
    Sequence,
    alternatives,
    parameters,
)
from pipelint.static.facts import augmented_examples, draws, events, exclusive_ways, tracing
from pipelint.static.facts.elementwise import is_elementwise
from pipelint.static.facts.first_axis import takes_apart
from pipelint.static.facts.lookups import looks_up_texts
from pipelint.static.facts.parts_of_elements import untouched_parts, used_parts
from pipelint.static.facts.selection import selects
from pipelint.static.facts.switches import tests_of_variables, undecided


def mapped_function(machine: Machine, given: Given, element: Value) -> tuple[MappedFunction, Trace, Value]:
    """Follow the function that a stage applies to elements of this kind."""
    value = given.value
    key = None
    if isinstance(value, Closure):
        key = (value.node, id(value.bound), value.scope.number, element)
    known = machine.mapped.get(key) if key is not None else None
    if known is None or not machine.still_holds(known[0]):
        known = _followed(machine, given, element)
        if key is not None:
            machine.mapped[key] = known
    reads, mapped, trace, result = known
    machine.read_again(reads)
    if machine.may_be_another(given.node, value):
        mapped = replace(mapped, resolved=False)
    if not mapped.stateless:
        # A dataset that a mapped function builds draws and runs with it.
        machine.lose_sight()
    return mapped, trace, result


def _followed(machine: Machine, given: Given, element: Value) -> tuple[Reads, MappedFunction, Trace, Value]:
    function = given.value.function if isinstance(given.value, Partial) else given.value
    name = function.name if isinstance(function, Closure) else _symbol_name(function)
    identity = function.identity if isinstance(function, Closure) else None
    trace = Trace(name or "lambda", TraceKind.MAP, machine.region(given.node), identity)
    with machine.noting_reads() as reads, machine.recording(trace):
        first_inside = machine.recorded_from
        result, resolved = _follow(machine, given.value, given, element)
    machine.traces.append(trace)
    resolved = resolved and trace.complete
    mapped = MappedFunction(name, trace.region, resolved, tuple(_causes(trace.events)), trace.python, identity)
    mapped.augmentation = augmented_examples.augmentation(machine, trace, mapped.causes)
    if isinstance(function, Closure):
        mapped.takes_apart = takes_apart(machine, function)
        mapped.selects = mapped.stateless and selects(machine, function)
        mapped.untouched, mapped.looks_at = untouched_parts(function.node), used_parts(function.node)
        mapped.elementwise = mapped.stateless and is_elementwise(machine, function)
    return {key: value for key, value in reads.items() if key[0] < first_inside}, mapped, trace, result


def _symbol_name(value: Value) -> str | None:
    match value:
        case Symbol(name=name):
            return names.display(name)
        case Instance(symbol=str() as symbol):
            return symbol.rpartition(".")[2]
        case Instance(cls=cls) if cls is not None:
            return cls.node.name
        case _:
            return None


def _follow(machine: Machine, value: Value, given: Given, element: Value) -> tuple[Value, bool]:
    match value:
        case Closure(is_python=True):
            return decorated_function(machine, value, _call_at(given.node, element)), True
        case Closure():
            return machine.enter(value, tracing.tensors_for(value, element)), True
        case Partial(function=Closure() as function, call=call):
            tensors = _remaining(function, call, element)
            merged = Arguments(None, (*call.positional, *tensors), call.keywords, call.hides)
            return machine.enter(function, merged), True
        case Instance() | Symbol() | Partial():
            result = machine.call(value, _call_at(given.node, element))
            return result, not isinstance(value, Partial)
        case Choice():
            options = list(alternatives(value))
            outcomes = exclusive_ways.followed(
                machine, options, lambda option: _follow(machine, option, given, element)
            )
            return outcomes[0][0], all(resolved for _, resolved in outcomes)
        case _:
            return UNKNOWN, False


def _remaining(function: Closure, call: Arguments, element: Value) -> tuple[Given, ...]:
    """The tensors for the parameters that a partial leaves open."""
    required = tracing.tensors_for(function, TENSOR).positional[len(call.positional) :]
    taken = sum(1 for name in call.keywords if any(arg.arg == name for arg in parameters(function.node)))
    count = max(len(required) - min(taken, len(required) - 1 if required else 0), 0)
    items = element.items if isinstance(element, Sequence) and len(element.items) == count else None
    return tuple(Given(items[index] if items else TENSOR, given.node) for index, given in enumerate(required[:count]))


def _call_at(node: ast.expr, element: Value) -> Arguments:
    """A call that TensorFlow makes of something named by this expression."""
    call = ast.copy_location(ast.Call(func=node, args=[], keywords=[]), node)
    items = element.items if isinstance(element, Sequence) else (TENSOR,)
    return Arguments(call, tuple(Given(item, node) for item in items))


def _causes(recorded: list[Event]) -> list[Cause]:
    return [
        Cause(effect, _shown(event).removesuffix("__call__").removesuffix("__getitem__").rstrip("."), event.region)
        for event in recorded
        for effect in effects_of(event)
    ]


def _shown(event: Event) -> str:
    match event:
        case VariableRead():
            return "tf.Variable.read"
        case Call() if event.symbol.startswith("tensorflow.Tensor.") and entry_of(event.symbol) is None:
            # No tensor has such a method, so this was none.
            return event.last_name
        case Call():
            return names.display(event.symbol) or event.last_name
        case _:
            return ""


def effects_of(event: Event) -> tuple[Effect, ...]:
    """The effects of what happens inside a mapped function: none where it is proven to have none that matters."""
    match event:
        case VariableRead():
            return (Effect.STATE,)
        case Call(callee=Symbol() | Method(owner=Symbol())):
            return _effects_of_library(event)
        case Call(callee=Function() | Class() | Method(owner=Class(), name="__call__")):
            # It was followed, and what it does stands beside it.
            return ()
        case Call():
            # Nothing is known of it, or it comes from a base that is not known.
            return (Effect.UNKNOWN,)
        case _:
            return ()


def _effects_of_library(call: Call) -> tuple[Effect, ...]:
    if call.symbol in FOLLOWED:
        return ()
    if draws.is_draw(call.symbol) and not call.meant_once:
        return (Effect.DRAWN_ONCE,)
    entry = entry_of(call.symbol)
    if entry is not None:
        return tuple(effect for effect in Effect if effect.value in _with_arguments(entry, call))
    is_python = names.root(call.symbol) in HARMLESS and call.symbol not in OUT_OF_SIGHT
    return () if is_python else (Effect.UNKNOWN,)


def _with_arguments(entry: SymbolEffects, call: Call) -> Effects:
    """What the entry says of a call with these arguments."""
    if call.hides_arguments:
        return entry.worst
    changed = []
    for condition in entry.conditions:
        given = call.keywords.get(condition.parameter) or dict(enumerate(call.positional)).get(condition.position)
        match given.value if given is not None else None:
            case None | Literal(value=None):
                continue
            case Literal(value=value) if type(value) is type(condition.value):
                if (isinstance(value, int) and not isinstance(value, bool)) or value == condition.value:
                    changed.append(condition.effects)
            case _:
                # Which of them it is is decided elsewhere.
                changed.extend((entry.effects, condition.effects))
    return frozenset[str]().union(*changed) if changed else entry.effects


def python_function(machine: Machine, given: Arguments) -> None:
    """Follow the Python function behind a py_function and remember what it does."""
    function = given.get(0, "func")
    first = given.positional[0].node if given.positional else None
    node = given.keywords["func"].node if "func" in given.keywords else first
    if machine.recorder is None or function is None or node is None:
        return
    python = _python_behind(machine, function, node)
    python.looks_up_texts = isinstance(function, Closure) and looks_up_texts(machine, function, given)
    _reach_python(machine.recorder, python)


def decorated_function(machine: Machine, function: Closure, given: Arguments) -> Value:
    """A call of a function that a decorator turns into a py_function."""
    events.record(machine, Symbol("tensorflow.py_function"), given)
    if machine.recorder is not None and given.node is not None:
        _reach_python(machine.recorder, _python_behind(machine, function, given.node.func))
    return TENSOR if machine.is_traced else EAGER


def _reach_python(trace: Trace, python: MappedFunction) -> None:
    """Remember the first of several that may do more than run bytecode: what that is decides what helps."""
    known = trace.python
    if known is None or (known.resolved and not known.causes and (python.causes or not python.resolved)):
        trace.python = python


def _python_behind(machine: Machine, function: Value, node: ast.expr) -> MappedFunction:
    inner, region = function.function if isinstance(function, Partial) else function, machine.region(node)
    match inner:
        case Closure():
            trace, _ = tracing.trace(machine, inner, TraceKind.PYTHON, tracing.tensors_for(inner, UNKNOWN))
            return MappedFunction(inner.name, region, True, _python_causes(machine, trace), function=inner.identity)
        case Instance(cls=cls) if cls is not None:
            trace = Trace(cls.node.name, TraceKind.PYTHON, region)
            with machine.recording(trace):
                machine.call(inner, replace(_call_at(node, UNKNOWN), positional=(), hides=True))
            return MappedFunction(cls.node.name, region, trace.complete, _python_causes(machine, trace))
        case Choice():
            return _one_of([(guards, _python_behind(machine, option, node)) for guards, option in alternatives(inner)])
        case Symbol():
            cause = python_cause(Call(region=region, callee=inner, name=region))
            known = cause is None or cause.effect is not Effect.UNKNOWN
            return MappedFunction(_symbol_name(inner), region, known, (cause,) if cause is not None else ())
        case _:
            return MappedFunction(_symbol_name(inner), region, False)


def _python_causes(machine: Machine, trace: Trace) -> tuple[Cause, ...]:
    causes = ((call, python_cause(call)) for call in trace.calls)
    return tuple(replace(cause, switch=_switch(machine, call)) for call, cause in causes if cause is not None)


def _one_of(ways: list[tuple[Guards, MappedFunction]]) -> MappedFunction:
    """Several functions of which a test chose one, with what each does: under that test, unless all of them compute."""
    always = all(way.cause(Effect.DECODE) is not None for _, way in ways)
    causes = [
        cause if always else replace(cause, switch=cause.switch or min(held(guards), default=way.label))
        for guards, way in ways
        for cause in way.causes
    ]
    return replace(ways[0][1], resolved=all(way.resolved for _, way in ways), causes=tuple(causes))


def _switch(machine: Machine, call: Call) -> str:
    """A test of a variable under which alone a call happens, and that no constant or default makes hold.

    Or the one that chose the function which makes the call, where others make no such call.
    """
    always = all(any(map(_computes, way)) for way in call.instead)
    chosen = set() if always else undecided(machine, call.chosen_by)
    return min(tests_of_variables(machine, call) | chosen, default="")


def _computes(event: Event) -> bool:
    """Whether Python code decodes or computes there with a library."""
    cause = python_cause(event) if isinstance(event, Call) else None
    return cause is not None and cause.effect is Effect.DECODE


def python_cause(call: Call) -> Cause | None:
    """What a call in a Python function does that decides how the function may run, None where it does nothing such."""
    match call.callee:
        case Function() | Class() | Method(owner=Class()):
            return None
        case Method(owner=None, name=name) if name in TEXT_METHODS:
            return None
        case None | Method(owner=None):
            return Cause(Effect.UNKNOWN, call.last_name, call.region)
    effect = python_effect(call.symbol) or _work_of_operation(call.symbol)
    name = names.display(call.symbol).removesuffix(".__call__")
    return Cause(Effect(effect), name, call.region) if effect is not None else None


def _work_of_operation(symbol: str) -> Effect | None:
    """Whether an operation of TensorFlow reads or decodes, which it does outside of the interpreter lock."""
    entry = entry_of(symbol)
    return next((one for one in (Effect.DECODE, Effect.READ) if entry and one.value in entry.effects), None)
