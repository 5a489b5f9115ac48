"""Whether a training step that runs op by op would do the same under `tf.function`, and what speaks against it."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from itertools import chain, combinations

from pipelint.knowledge import names
from pipelint.knowledge.effects import is_without_weights
from pipelint.knowledge.keras import MODEL_METHODS
from pipelint.knowledge.one_dtype import ONLY_OF_ARRAYS
from pipelint.knowledge.python_calls import (
    CLOCKS,
    CORE_COUNTS,
    NEEDS_NO_VALUES,
    NEEDS_VALUES,
    PYTHON_RANDOM,
    WAITING_CALLS,
)
from pipelint.knowledge.python_calls import PACKAGES as PYTHON_PACKAGES
from pipelint.model.code import Call, Count, Event, HostRead, Misfit, ReadBy, Trace, TraceKind
from pipelint.model.definitions import Function, Method
from pipelint.model.locations import Region
from pipelint.model.values import Literal, Symbol, Value
from pipelint.static.abstract.frames import EagerTape, Frame
from pipelint.static.abstract.machine import MOST_CALLS, Machine
from pipelint.static.abstract.noted import EagerCall
from pipelint.static.abstract.scopes import ModuleScope
from pipelint.static.abstract.values import (
    NUMBER,
    Arguments,
    Choice,
    Closure,
    FunctionNode,
    Instance,
    Sequence,
    alternatives,
)
from pipelint.static.facts import array_dtypes, doubtful_calls, keras_classes, loops, tracing, untraceable_code
from pipelint.static.facts.changing_state import ChangingState, changing_state
from pipelint.static.facts.renewed_objects import Makers, has_variables, place_of_making
from pipelint.static.facts.syntax_index import SyntaxIndex
from pipelint.static.facts.untraceable_code import CHANGES_ITEMS, parameters_by_position

_MOST_REHEARSALS = 4
"""How many calls of one function are rehearsed: more of them show the same body again."""
_RECORDED = ("events", "feeds", "references", "consumptions", "discarded", "traces", "functions", "escaped", "returned")
"""What rules see of all that is followed."""
_TAKES_VALUES = frozenset({"numpy", "item", "tolist"})
"""Methods that give the value of a tensor."""
_KEEPS = CHANGES_ITEMS | {"appendleft", "add", "update", "write"}
"""Methods of Python's containers and files that change them."""
_NEEDS_EAGER = frozenset({*MODEL_METHODS, "train_on_batch", "compile", "save", "save_weights", "load_weights"})
"""Methods of models and checkpoints that no graph can hold."""
_WRITES_TEXT = frozenset({"builtins.str", "builtins.repr", "builtins.format", "builtins.str.format"})
_WRITTEN = "it writes the value of a tensor into a string"
_HARMLESS = frozenset(
    {
        "builtins", "collections", "copy", "functools", "inspect", "itertools", "math", "operator", "re", "typing",
        "warnings",
    }
)  # fmt: skip
"""Packages that work on what a trace knows: structures, texts, and numbers that are no tensors; or that speak once."""
_PREPARES = ("logging.Formatter", "logging.StreamHandler", "logging.getLogger", "os.path.")
"""What others of them do once, or know without the values of tensors."""


def note(machine: Machine, function: Closure, given: Arguments) -> None:
    """Remember a call that may be that of a training step, to be examined when the whole program is known."""
    if not machine.is_traced and not function.traced and loops.is_training_part(function) and _takes(function, given):
        caller = machine.frames[-1].node
        place = machine.region(caller) if caller is not None else None
        calls = machine.eager_calls.setdefault(function.identity, [])
        calls.append(EagerCall(function, given, tuple(machine.loops), place, machine.scope.module))


def _takes(function: Closure, given: Arguments) -> bool:
    """Whether a function can be called like this: where it cannot, another one is meant, or code that nobody runs."""
    any_number = function.node.args.vararg is not None
    return any_number or len(given.positional) <= len(parameters_by_position(function))


def note_tape(machine: Machine, tape: ast.expr, follow: Callable[[], object]) -> None:
    """Remember code under a tape that may be a training step, written out in a loop; the function follows it again."""
    place = machine.region(tape)
    if machine.loops and not machine.is_traced and machine.loops[-1].region.holds(place):
        frame = machine.frames[-1]
        again = Frame(frame.node, frame.function, frame.owner)
        machine.eager_tapes.setdefault(place, EagerTape(machine.scope, again, follow))


def examine(machine: Machine, code: SyntaxIndex) -> None:
    """Tell every function and tape that was noted what keeps it from running in a graph."""
    _examine_functions(machine, code)
    obstacles = {place: _obstacle_under(machine, place, tape) for place, tape in machine.eager_tapes.items()}
    for event in machine.events if obstacles else ():
        if isinstance(event, Call):
            event.obstacle = obstacles.get(event.region, "")


def _examine_functions(machine: Machine, code: SyntaxIndex) -> None:
    steps = {function: calls for function, calls in machine.eager_calls.items() if any(call.loops for call in calls)}
    bodies = _Bodies(machine, code)
    makers = Makers(machine)
    for function, calls in steps.items():
        repeated = [call for call in calls if call.loops][:_MOST_REHEARSALS]
        trials = [(call, _rehearsed(machine, call)) for call in repeated]
        certain = chain(
            untraceable_code.of_given(calls[0].function),
            _of_calls(machine, calls, makers),
            *(_of_body(bodies, call, trial) for call, trial in trials),
            *(_of_objects(machine, call, trial, makers) for call, trial in trials),
        )
        if obstacle := next(certain, ""):
            function.obstacle = f"before you decorate it, see to this: {obstacle}"
        elif not _may_differ(calls) and not any(untraceable_code.asks_for_settings(call.function) for call in repeated):
            function.obstacle = "" if doubtful_calls.is_known([trial for _, trial in trials]) else None


def _obstacle_under(machine: Machine, place: Region, tape: EagerTape) -> str:
    """What keeps the code under a tape from running in a graph, but for what can be left to the loop around it."""
    around = tape.frame.function.identity if tape.frame.function is not None else None
    trial = Trace("", TraceKind.FUNCTION, place, around)
    before = machine.function
    machine.frames.append(tape.frame)
    machine.function = around
    with _unseen(machine), machine.recording(trial), machine.in_scope(tape.scope):
        tape.follow()
    machine.function = before
    machine.frames.pop()
    called = [event for event in trial.events if event.function is not around and event.function is not None]
    for event in called:
        if event.function is not None and not event.function.may_run_once and (objection := _objection(event)):
            return f"see first to `{event.function.title}`: {objection}"
    return ""


def _of_calls(machine: Machine, calls: list[EagerCall], makers: Makers) -> Iterator[str]:
    """What the calls do that would make graph after graph, or variables in a later one."""
    objects: dict[tuple[str, ModuleScope], list[set[int]]] = {}
    constants: dict[str, set[str]] = {}
    for call in calls:
        given = call.given.bind(parameters_by_position(call.function))
        for name, value in {**call.function.defaults, **{name: item.value for name, item in given.items()}}.items():
            constants.setdefault(name, set()).add(_constant(value))
        for name, item in given.items():
            if item.value == NUMBER:
                yield f"`{name}` is another Python number in each call, and every one makes a graph of its own"
            if isinstance(item.value, Sequence) and item.value.display == "list":
                grows = any(loops.mentions([item.node], loop.growing) for loop in call.loops)
                if grows or item.value.open_ended:
                    how = "that grows" if grows else "whose length is not known here"
                    yield f"`{name}` is a list {how}, and every length of it makes a graph of its own"
            instances = list(_stateful_objects(item.value))
            places = filter(None, (place_of_making(machine, instance) for instance in instances))
            if any(makers.loop_around(place, call.loops) is not None for place in places):
                yield _not_the_same(name)
            # Each script that calls it is a program of its own.
            objects.setdefault((name, call.module), []).append({instance.number for instance in instances})
        scope = call.function.scope
        nested = not scope.is_module and not scope.is_class
        if nested and call.caller is not None and not all(call.caller.holds(loop.region) for loop in call.loops):
            yield "it is defined anew in each turn of a loop, and so would be traced each time"
    for (name, _), given_in_calls in objects.items():
        # What a test chose before the loop is one object for all of its turns.
        if any(one and other and one.isdisjoint(other) for one, other in combinations(given_in_calls, 2)):
            yield _not_the_same(name)
    for name, written in constants.items():
        if len(written) > 1:
            some = next(value for value in sorted(written) if value)
            yield (
                f"`{name}` is {some} in some calls only, so that there are several graphs, "
                "and an optimizer may make its variables only in the first"
            )


def _not_the_same(name: str) -> str:
    return f"`{name}` is not always the same object, and a tf.function makes variables only in its first call"


def _constant(value: Value) -> str:
    """The constant that a value is, as it is written; "" for anything else, and for a choice that a test may decide."""
    return repr(value.value) if isinstance(value, Literal) else ""


def _may_differ(calls: list[EagerCall]) -> bool:
    """Whether a test that is not followed decides if a call is given a constant or something else."""
    given = (item.value for call in calls for item in (*call.given.positional, *call.given.keywords.values()))
    options = (option for value in given if isinstance(value, Choice) for _, option in alternatives(value))
    return any(isinstance(option, Literal) for option in options)


def _stateful_objects(value: Value) -> Iterator[Instance]:
    """The models, layers and optimizers that a value may be."""
    for _, option in alternatives(value):
        if isinstance(option, Instance):
            of_library = names.root(option.symbol or "") in ("keras", "tensorflow")
            if of_library or (option.cls is not None and keras_classes.is_network(option.cls)):
                yield option


def _of_objects(machine: Machine, call: EagerCall, trial: Trace, makers: Makers) -> Iterator[str]:
    """What the function reads that a loop makes anew; each object of a class has a graph of its own for its methods."""
    own = call.function.bound.arguments if isinstance(call.function.bound, Instance) else None
    owner = makers.loop_around(machine.region(own.node), call.loops) if own is not None and own.node else None
    depth = call.loops.index(owner) + 1 if owner is not None else 0
    for used in trial.calls:
        around = makers.loop_around(used.made_at, call.loops) if used.made_at is not None else None
        if around is not None and call.loops.index(around) >= depth:
            made = names.display(used.symbol.removesuffix(f".{used.last_name}"))
            anew = f"a loop makes {f'`{made}`' if made else 'what it uses'} anew"
            yield f"{anew}, and a tf.function makes variables only in its first call"


def _rehearsed(machine: Machine, call: EagerCall) -> Trace:
    """What a trace of the function would record."""
    function = call.function
    if isinstance(function.bound, Instance):
        # The decorator is there for the objects of subclasses as well.
        function = replace(function, bound=replace(function.bound, exact=False))
    trial = Trace("", TraceKind.FUNCTION, machine.region(function.node), function.identity)
    with _unseen(machine), machine.recording(trial):
        given = array_dtypes.as_given(call.given, parameters_by_position(function), array_dtypes.floatx(machine))
        machine.enter(function, tracing.as_traced(function, given))
    return trial


def _of_body(bodies: _Bodies, call: EagerCall, trial: Trace) -> Iterator[str]:
    """What the function does, and those that it calls, that a graph does not do at all, or does once."""
    step = call.function.identity
    done = [event for event in trial.events if event.function in (step, None) or not event.function.may_run_once]
    for event in sorted(done, key=_is_guess):
        if objection := _objection(event):
            own = event.function is step or isinstance(event, Misfit)
            inner = event.function if not own else None
            yield objection + (f" (in `{inner.title}`)" if inner is not None else "")
    for function in dict.fromkeys([step, *(event.function for event in done)]):
        for node in bodies.of(function):
            yield from untraceable_code.of_statements(node)
            for read in bodies.changing_around(node).read_by(node):
                yield f"it reads `{read}`, which the program changes, and a graph keeps the value of its first call"
    yield from untraceable_code.of_iterations(call.function)


def _is_guess(event: Event) -> bool:
    """Whether it is in the way only if it is given a tensor, which nobody knows: what is sure is named before it."""
    return isinstance(event, Call) and event.on_possible_tensor and not event.on_tensor


class _Bodies:
    """The code of functions, and what changes in the modules that they stand in."""

    def __init__(self, machine: Machine, code: SyntaxIndex) -> None:
        self._machine = machine
        self._code = code
        self._changing: dict[ast.Module | None, ChangingState] = {}

    def of(self, function: Function | None) -> list[FunctionNode]:
        return self._nodes.get(function, [])

    @cached_property
    def _nodes(self) -> dict[object, list[FunctionNode]]:
        nodes: dict[object, list[FunctionNode]] = {}
        for node, identity in self._machine.identities.items():
            if isinstance(node, FunctionNode):
                nodes.setdefault(identity, []).append(node)
        return nodes

    def changing_around(self, node: FunctionNode) -> ChangingState:
        module = self._code.module_of(node)
        if module not in self._changing:
            self._changing[module] = changing_state(module) if module is not None else ChangingState()
        return self._changing[module]


@contextmanager
def _unseen(machine: Machine) -> Iterator[None]:
    """Follow code without leaving anything of it behind."""
    before = {name: list(getattr(machine, name)) for name in _RECORDED}
    machine.path = frozenset()
    machine.calls_left = MOST_CALLS
    followed, machine.followed = machine.followed, Counter()
    machine.store.push()
    try:
        yield
    finally:
        machine.followed = followed
        machine.store.pop()
        for name, items in before.items():
            getattr(machine, name)[:] = items


def _objection(event: Event) -> str:
    if event.for_an_error:
        return ""
    if event.function is not None and event.function.wrapped:
        # It is part of a graph already, and the program lives with what that means.
        return ""
    match event:
        case Count(target=target):
            return f"it counts in Python (`{target}`), which would happen only while it is traced"
        case HostRead(by=ReadBy.TEST):
            return "it branches on the value of a tensor, which a graph takes only in some forms"
        case HostRead():
            return _WRITTEN
        case Misfit(array=name, dtype=dtype):
            of_dtype = f"of {dtype}" if dtype else "whose dtype is not known here"
            fitted = "eager code makes it fit the tensors that it meets, and a graph does not"
            return f"`{name}` is an array {of_dtype}: {fitted}, so it {'has' if dtype else 'may have'} to be cast first"
        case Call():
            return _objection_to_call(event)
        case _:
            return ""


def _objection_to_call(call: Call) -> str:
    symbol, last = call.symbol, call.last_name
    if symbol in CORE_COUNTS:
        # The machine stays the same, so that a graph may well keep it.
        return ""
    if symbol in ("builtins.print", "builtins.input", "builtins.open", *CLOCKS) or symbol.startswith(WAITING_CALLS):
        return f"`{names.display(symbol)}` would run only while it is traced"
    if call.on_text_of_tensor or (symbol in _WRITES_TEXT and call.on_possible_tensor):
        return _WRITTEN
    if symbol.startswith(PYTHON_RANDOM):
        return f"`{names.display(symbol)}` would draw only while it is traced"
    if symbol in ("builtins.float", "builtins.int", "builtins.bool", "builtins.round") and call.on_possible_tensor:
        return f"`{last}()` needs the value of a tensor"
    if isinstance(call.callee, Method) or call.library not in {"tensorflow", "keras", *PYTHON_PACKAGES}:
        return _objection_to_method(call)
    if symbol == "builtins.range" and call.on_tensor:
        return "it counts with `range` up to the value of a tensor, which a graph takes only in some forms"
    if isinstance(call.callee, Symbol) and has_variables(symbol) and not is_without_weights(symbol):
        return f"it makes `{names.display(symbol)}` in each call, and a tf.function makes variables only in its first"
    if call.library in NEEDS_VALUES and last not in NEEDS_NO_VALUES:
        return f"`{names.display(symbol)}` needs the values of tensors" if call.on_possible_tensor else ""
    if call.library == "math" and call.on_possible_tensor:
        return f"`{names.display(symbol)}` needs the value of a tensor"
    harmless = call.library in _HARMLESS | NEEDS_VALUES or symbol.startswith(_PREPARES)
    if call.library in PYTHON_PACKAGES and not harmless:
        return f"`{names.display(symbol)}` would run only while it is traced"
    return ""


def _objection_to_method(call: Call) -> str:
    last = call.last_name
    if last in _TAKES_VALUES:
        return f"`.{last}()` needs the value of a tensor"
    # What is taken for a tensor may be a dict of them, which has a `copy` too.
    if last in ONLY_OF_ARRAYS - {"copy"} and call.symbol.startswith("tensorflow.Tensor."):
        return f"`.{last}()` is a method of arrays, and tensors of a graph have none"
    if last in _NEEDS_EAGER:
        return f"`{last}` cannot be part of a graph"
    if last in _KEEPS and call.on_outer_object and call.library in ("", "builtins"):
        return f"`{last}` changes an object outside of it, which would happen only while it is traced"
    return ""
