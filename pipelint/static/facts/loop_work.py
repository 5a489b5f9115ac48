"""Whether a loop over a dataset has work of its own that the pipeline could overlap with: a model, a step, a graph."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from pipelint.knowledge.keras import PACKAGES
from pipelint.knowledge.python_calls import FIGURES, OWN_METHODS, PICTURE_PACKAGES, PICTURES, RUNS_NO_MODEL
from pipelint.knowledge.stages import FEW_ELEMENTS
from pipelint.knowledge.tensors import COMPARES, OF_METRICS, RUNS_A_MODEL
from pipelint.model.code import Call, Event
from pipelint.model.definitions import Class, Function, Method
from pipelint.model.values import Literal, Symbol
from pipelint.source.tree_walk import walk
from pipelint.static.abstract.machine import Machine

_METRICS = "keras.metrics."
_NO_MODELS = (_METRICS, "keras.preprocessing.", "keras.utils.")
"""Parts of Keras that count, convert, show and save."""
_GATHERS = frozenset({"__call__", "update_state"})
"""Methods by which a metric takes in what it is to tell of."""
_MODEL_CALL = "keras.Model.__call__"


def passes_by(node: ast.For | ast.AsyncFor) -> bool:
    """Whether the body does nothing at all, as where a loop only fills a cache: `for _ in ds: pass`."""
    return all(
        isinstance(inner, (ast.Pass, ast.Continue))
        or (isinstance(inner, ast.Expr) and isinstance(inner.value, ast.Constant))
        for inner in node.body
    )


def stands_in(node: ast.For | ast.AsyncFor) -> bool:
    """Whether the body does nothing until a test ends the loop: it holds the place of the steps that are to come."""
    tests = [inner for inner in node.body if isinstance(inner, ast.If)]
    ends = all(not test.orelse and isinstance(test.body[-1], ast.Break) and len(test.body) == 1 for test in tests)
    rest = [inner for inner in node.body if not isinstance(inner, ast.If)]
    return bool(tests) and ends and all(isinstance(inner, ast.Pass) for inner in rest)


def counts(node: ast.For | ast.AsyncFor) -> bool:
    """Whether the body only counts: `number += 1`."""
    return all(isinstance(inner, ast.AugAssign) and isinstance(inner.value, ast.Constant) for inner in node.body)


def hands_out(node: ast.For | ast.AsyncFor) -> bool:
    """Whether a loop yields to, or waits for, code that may do anything with the elements."""
    return any(isinstance(part, (ast.Yield, ast.YieldFrom, ast.Await)) for inner in node.body for part in walk(inner))


def may_run_a_model(node: ast.For | ast.AsyncFor, body: Sequence[Event]) -> bool:
    """Whether a loop runs a model, or may do so in code out of sight, rather than convert, write or count elements."""
    if hands_out(node):
        return True
    return any(event.trace is not None or (isinstance(event, Call) and _may_run_a_model(event)) for event in body)


def trains_nothing(body: Sequence[Event]) -> bool:
    """Whether all that a loop calls is in sight, and none of it trains a model or may do so."""
    return not any(isinstance(event, Call) and _may_train(event) for event in body)


def measures(calls: Sequence[Call]) -> bool:
    """Whether a loop gathers in metrics of Keras what a model makes of the elements, and trains nothing."""
    gathers = any(call.symbol.startswith(_METRICS) and call.last_name in _GATHERS for call in calls)
    return gathers and trains_nothing(calls) and any(call.symbol == _MODEL_CALL for call in calls)


def compares(calls: Sequence[Call]) -> bool:
    """Whether a loop compares what a model that is told not to train makes of the elements, as with labels.

    What nobody knows may be the loss where it is given that in a graph; elsewhere it may as well draw it.
    """
    followed = {call.region for call in calls if isinstance(call.callee, Function)}
    others = (call for call in calls if call.region not in followed and not _is_harmless(call))
    return any(map(_compares, calls)) and not any(_may_train(call) and not _may_be_loss(call) for call in others)


def _is_harmless(call: Call) -> bool:
    """Whether it asks a metric, or a model that it tells not to train."""
    training = call.argument("training")
    return call.last_name in OF_METRICS or (training is not None and training.value == Literal(False))


def _compares(call: Call) -> bool:
    values = [argument for argument in call.arguments if not isinstance(argument.value, Literal)]
    return call.on_prediction and len(values) > 1 and (call.symbol.startswith(COMPARES) or _may_be_loss(call))


def _may_be_loss(call: Call) -> bool:
    known = _trains(call) or call.library == "tensorflow" or not _may_train(call)
    return call.on_prediction and call.trace is not None and not known


def _trains(call: Call) -> bool:
    return call.updates_weights or call.fits or call.last_name == "GradientTape"


def _may_train(call: Call) -> bool:
    # A strategy runs whatever it is given.
    if _trains(call) or call.symbol.startswith("tensorflow.distribute."):
        return True
    return _may_do_it(call, by_library=call.library not in {*RUNS_NO_MODEL, "keras", "tensorflow"})


def _may_run_a_model(call: Call) -> bool:
    if call.symbol.startswith(_NO_MODELS):
        return False
    if call.updates_weights or call.fits or call.library in PACKAGES:
        return True
    of_tensorflow = call.library == "tensorflow"
    return _may_do_it(
        call,
        by_library=call.symbol.startswith(RUNS_A_MODEL) if of_tensorflow else call.library not in RUNS_NO_MODEL,
    )


def _may_do_it(call: Call, *, by_library: bool) -> bool:
    """Whether a call may do what its library is known to do, or out of sight anything."""
    match call.callee:
        case Function() | Class():
            # It was followed, and what it does stands beside it.
            return False
        case Method(owner=None, name=name):
            return name not in OWN_METHODS
        case Symbol() | Method(owner=Symbol()):
            return by_library
        case _:
            return True


def waits(body: Sequence[Event], outside: frozenset[str]) -> bool:
    """Whether each turn waits for time or a user, with these tests around the loop."""
    return any(isinstance(event, Call) and event.waits and event.guards <= outside for event in body)


def shows_each(body: Sequence[Event], outside: frozenset[str]) -> bool:
    """Whether each turn ends in a figure and trains nothing, with these tests around the loop: to draw takes longer."""
    calls = [event for event in body if isinstance(event, Call)]
    if any(call.updates_weights or call.fits or call.last_name == "GradientTape" for call in calls):
        return False
    return any(call.symbol in FIGURES and call.guards <= outside for call in calls)


def saves_each(body: Sequence[Event], outside: frozenset[str]) -> bool:
    """Whether each turn saves a picture, which takes as long as to read one, and trains nothing: tests as above."""
    calls = [event for event in body if isinstance(event, Call)]
    if any(call.updates_weights or call.fits or call.last_name == "GradientTape" for call in calls):
        return False
    return any(_shows_or_saves(call) and call.guards <= outside for call in calls)


def _shows_or_saves(call: Call) -> bool:
    # Models of Keras have a `save` too.
    own = call.library in PACKAGES and call.last_name == "save"
    return call.last_name in PICTURES and call.library in PICTURE_PACKAGES and not own


def shows_pictures(node: ast.For | ast.AsyncFor, body: Sequence[Event]) -> bool:
    """Whether a loop runs no model, and shows or saves pictures of what it gets: somebody wants to look at them."""
    shows = any(
        isinstance(event, Call) and event.last_name in PICTURES and event.library in PICTURE_PACKAGES for event in body
    )
    return shows and not may_run_a_model(node, body)


def shows_a_few(machine: Machine, node: ast.For | ast.AsyncFor, body: Sequence[Event]) -> bool:
    """Whether a loop does something with a handful of elements, other than train, and a counter then ends it."""
    calls = [event for event in body if isinstance(event, Call)]
    if not calls or any(call.updates_weights or call.last_name == "GradientTape" for call in calls):
        return False
    last = last_turn(machine, node)
    return last is not None and last <= FEW_ELEMENTS


def last_turn(machine: Machine, node: ast.For | ast.AsyncFor | ast.While) -> int | None:
    """What a counter of the turns has reached when it ends the loop, where that is written."""
    counters = _counters(node)
    tests = [inner.test for inner in node.body if isinstance(inner, ast.If) and _leaves(inner)]
    goes_on = [node.test] if isinstance(node, ast.While) else []
    for test in (*tests, *goes_on):
        match test:
            case ast.Compare(
                left=ast.Name(id=name),
                ops=[op],
                comparators=[ast.Constant() | ast.Name() | ast.Attribute() | ast.BinOp() as most],
            ) if name in counters and isinstance(op, _GOES_ON if test in goes_on else _ENDS):
                limit = machine.evaluate(most)
                if isinstance(limit, Literal) and isinstance(limit.value, int) and not limit.assumed:
                    return limit.value
    return None


_ENDS = (ast.Eq, ast.GtE, ast.Gt)
_GOES_ON = (ast.Lt, ast.LtE)


def _leaves(test: ast.If) -> bool:
    return isinstance(test.body[-1], (ast.Break, ast.Return))


def _counters(node: ast.For | ast.AsyncFor | ast.While) -> set[str]:
    """The variables that count the turns: of `enumerate`, or raised by one in the body."""
    counted = {
        inner.target.id
        for inner in node.body
        if isinstance(inner, ast.AugAssign)
        and isinstance(inner.target, ast.Name)
        and isinstance(inner.op, ast.Add)
        and isinstance(inner.value, ast.Constant)
        and isinstance(inner.value.value, int)
    }
    # One that the body sets anew counts something else.
    counted -= {
        target.id
        for inner in node.body
        for part in walk(inner)
        if isinstance(part, ast.Assign)
        for target in part.targets
        if isinstance(target, ast.Name)
    }
    match node:
        case ast.For(target=ast.Tuple(elts=[ast.Name(id=index), *_]), iter=ast.Call(func=ast.Name(id="enumerate"))):
            return counted | {index}
        case _:
            return counted
