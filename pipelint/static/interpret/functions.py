"""The user's functions: how they are defined and called."""

from __future__ import annotations

import ast
from dataclasses import replace

from pipelint.knowledge import names
from pipelint.knowledge.python_calls import OWN_DATA
from pipelint.knowledge.tensors import TENSOR_TYPES
from pipelint.model.code import TraceKind
from pipelint.model.definitions import Function
from pipelint.model.values import UNKNOWN, Literal, Value
from pipelint.source.bindings import function_names
from pipelint.source.tree_walk import children, kept_with_tree, walk
from pipelint.static.abstract.compound import Compound
from pipelint.static.abstract.frames import Frame
from pipelint.static.abstract.kinds import another
from pipelint.static.abstract.machine import DEEPEST_CALL, Machine
from pipelint.static.abstract.scopes import Scope
from pipelint.static.abstract.traced_values import Undecided
from pipelint.static.abstract.values import (
    STEP_RESULT,
    TENSOR,
    Arguments,
    ClassValue,
    Closure,
    DatasetValue,
    Foreign,
    FunctionNode,
    Generating,
    Instance,
    Iterating,
    Loading,
    Partial,
    Sequence,
    Table,
    Tensor,
    choice,
    parameters,
)
from pipelint.static.abstract.watching import watching
from pipelint.static.facts import gin_bindings, keras_classes, results_of_calls, trained_objects, whole_bodies
from pipelint.static.facts.dotted_names import symbol_of
from pipelint.static.interpret import decoration, expressions, statements

_MOST_OF_ONE = 32
"""How many calls of one function are followed: by then its callers have shown what they give it."""
_FEW = 3
"""How many calls are followed of a function in which nothing bears on a rule: they show what kind of thing it gives."""
_LITTLE_WORK = 300
"""Up to how many steps for all its calls such a function is followed like others: what is that small computes constants
and names, which may matter to whoever asks for them."""
_MOST_WORK_OF_ONE = 100_000
"""How many steps the calls of one function may take together, with all that they lead to, before no more than a few of
them are followed."""
_MOST_WORK_OF_A_VALUE = 3_000
"""The same for one in which nothing bears on a rule, but whose value is asked for by code that does."""
_FEW_LINES = 8
"""How long a body may be that is followed though neither it nor its caller bears on a rule: what sets an attribute or
gives a constant is short, and takes no time."""
_ASKED_WITHIN = 2
"""How many calls lie between what bears on a rule and what computes a value for it: an option is read by a function
that has another one make the parser."""
_MOST_PARTS = 20
"""How large a container may be that is searched for what may be run."""
_MOST_OF_ONE_DEFINITION = 2
"""How many calls of functions of one definition are followed inside of one another: a decorator's wrapper of a wrapped
function, a composition in a composition. More show the same body again, and a tree of them grows without end."""


def define(machine: Machine, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Value:
    """The value of a `def` statement."""
    owner = None
    if machine.scope.is_class:
        # It is one of the last: its body is being followed.
        owner = next((cls for cls in reversed(machine.classes) if cls.scope is machine.scope), None)
    identity = _identity(machine, node, owner)
    function = Closure(identity, node, machine.scope, owner=owner, defaults=_defaults(machine, node))
    function.is_abstract = owner is not None and whole_bodies.only_raises(node)
    machine.functions.append(function)
    before = machine.lookup(node.name) if machine.scope.owner(node.name) is machine.scope else None
    if isinstance(before, Closure) and before.identity is not identity:
        before.identity.successor = identity
    return decoration.decorated(machine, node, function)


def _identity(machine: Machine, node: FunctionNode, owner: ClassValue | None) -> Function:
    """The one object that stands for a definition, however often the definition itself is run."""
    known = machine.identities.get(node)
    if isinstance(known, Function):
        return known
    arguments = tuple(item.arg for item in parameters(node))
    if isinstance(node, ast.Lambda):
        made = Function(None, machine.region(node), arguments)
    else:
        made = Function(node.name, machine.positions.definition_name(node), arguments, is_test=_is_test(node))
    if owner is not None and made.name is not None:
        made.owner = owner.identity
        owner.methods[made.name] = made
        made.hands_on_to = whole_bodies.handed_on_to(node)
    machine.identities[node] = made
    return made


def _is_test(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether it is named as pytest or unittest collect tests, and asserts something."""
    return node.name.startswith("test") and any(_asserts(part, node.name) for part in walk(node))


def _asserts(node: ast.AST, test: str) -> bool:
    match node:
        case ast.Assert():
            return test.startswith("test_")
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=method)):
            return method.startswith("assert")
        case _:
            return False


def define_lambda(machine: Machine, node: ast.Lambda) -> Value:
    """The value of a lambda."""
    function = Closure(_identity(machine, node, None), node, machine.scope, defaults=_defaults(machine, node))
    machine.functions.append(function)
    return function


def _defaults(machine: Machine, node: FunctionNode) -> dict[str, Value]:
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    pairs: list[tuple[ast.arg, ast.expr]] = list(
        zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults, strict=True)
    )
    pairs += [(arg, node) for arg, node in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if node]
    return {argument.arg: expressions.evaluate(machine, default) for argument, default in pairs}


def call_function(machine: Machine, function: Closure, call: Arguments, frame: Frame | None = None) -> Value:
    """Follow a call of a user's function and return what it gives; the frame, if given, keeps its returns."""
    node = function.node
    machine.visited.add(node)
    if function.opaque or function.is_abstract:
        machine.lose_sight()
    if _is_too_much(machine, function, None if frame is not None else call):
        machine.lose_sight()
        return another(machine.gave.get(node, UNKNOWN))
    if frame is not None or machine.recorder is not None:
        return _followed(machine, function, call, frame or Frame(node))
    barren = machine.barren.call(function, call, bool(machine.loops), machine.tape_depth > 0)
    if barren is None:
        return _followed(machine, function, call, Frame(node))
    known = machine.barren.result(barren)
    if known is None:
        with watching(machine) as did_more:
            known = _followed(machine, function, call, Frame(node))
        machine.barren.note(barren, function, known if not did_more() else None)
    return known


def _followed(machine: Machine, function: Closure, call: Arguments, frame: Frame) -> Value:
    node = function.node
    machine.calls_left -= 1
    machine.followed[node] += 1
    work_left = machine.work.left
    local, _ = function_names(node)
    scope = Scope(function.scope, local)
    for name, value in _bound_parameters(machine, function, call).items():
        machine.store.set((scope.number, name), value)
    if call.hides:
        machine.assumed.update((scope.number, name) for name in function.defaults)
    frame.function = function
    frame.base = machine.path
    if isinstance(function.bound, Instance) and function.bound.cls is not None:
        frame.owner = function.bound.cls.identity
    before = machine.scope, machine.function, machine.path
    machine.frames.append(frame)
    machine.scope = scope
    machine.function = function.identity if function.name else machine.function
    try:
        if isinstance(node, ast.Lambda):
            value = expressions.evaluate(machine, node.body)
            frame.return_nodes.append((value, node.body))
            return value
        falls_through = statements.execute(machine, node.body)
        if is_generator(node):
            return Generating(function.identity)
        if falls_through and frame.returns:
            frame.returns.append((machine.path - frame.base, Literal(None)))
        if (answer := results_of_calls.answer_in_a_graph(machine, frame)) is not None:
            return answer
        given = machine.gave[node] = choice(frame.returns) if frame.returns else Literal(None)
        return given
    finally:
        machine.frames.pop()
        machine.scope, machine.function, machine.path = before
        machine.spent[node] += work_left - machine.work.left
        machine.returned.extend((value, returned, function) for value, returned in frame.return_nodes)


def _is_too_much(machine: Machine, function: Closure, call: Arguments | None) -> bool:
    """Whether a call is not followed, as it shows nothing that was not seen before, or is one too many.

    Without a call it is asked what the function returns, and not what it does for a caller.
    """
    if machine.calls_left <= 0 or len(machine.frames) > DEEPEST_CALL:
        machine.cut_short += 1
        return True
    running = [frame.function for frame in machine.frames if frame.node is function.node]
    # Where no proof is asked for, each definition is followed once at a time.
    if machine.recorder is None or machine.recorder.kind is not TraceKind.MAP:
        machine.cut_short += bool(running)
        if call is None:
            return bool(running) or machine.followed[function.node] >= _MOST_OF_ONE
        return bool(running) or _shows_nothing_new(machine, function, call)
    return len(running) > _MOST_OF_ONE_DEFINITION or any(
        other is None or (other.scope is function.scope and other.bound is function.bound) for other in running
    )


def _shows_nothing_new(machine: Machine, function: Closure, call: Arguments) -> bool:
    """Whether a call has nothing for a rule, or callers of the function have shown by now what they give it."""
    node = function.node
    times, work = machine.followed[node], machine.spent[node]
    if times >= _MOST_OF_ONE:
        return True
    if times >= _FEW and work >= _MOST_WORK_OF_ONE:
        return True
    # What is recorded is looked at by itself.
    if machine.recorder is not None or machine.barren.bears(node) or any(map(_may_be_run, call.values())):
        return False
    # A call that nobody wrote is there for what it shows of an object.
    if call.node is None or _is_asked_for(machine):
        return times >= _FEW and work >= _MOST_WORK_OF_A_VALUE
    if times >= _FEW and work >= _LITTLE_WORK:
        return True
    return not machine.loops and not machine.barren.acts(node) and _is_long(node)


def _is_asked_for(machine: Machine) -> bool:
    """Whether what is called here gives its value to code that bears on a rule, or to one that this code calls."""
    nearest = machine.frames[-_ASKED_WITHIN:]
    return any(frame.node is None or machine.barren.bears(frame.node) for frame in nearest)


def _is_long(node: FunctionNode) -> bool:
    """Whether a body, without what is written about it, has more lines than one that only gives a value."""
    if isinstance(node, ast.Lambda):
        return False
    return (node.body[-1].end_lineno or 0) - (node.body[0].end_lineno or 0) > _FEW_LINES


def _may_be_run(value: Value) -> bool:
    """Whether what is done with a value may matter to a rule, whoever does it: a dataset, a function, a model."""
    match value:
        case DatasetValue() | Closure() | Partial() | Iterating() | Loading() | Generating():
            return True
        case Instance(cls=ClassValue() as cls):
            return keras_classes.is_network(cls)
        case Instance(symbol=str() as symbol):
            return keras_classes.is_network_class(symbol)
        case Compound(extent=(parts, _)):
            return parts <= _MOST_PARTS and any(map(_may_be_run, value.parts))
        case _:
            return False


@kept_with_tree
def is_generator(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a call of the function returns a generator."""
    pending: list[ast.AST] = list(node.body)
    while pending:
        current = pending.pop()
        if isinstance(current, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(current, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            pending.extend(children(current))
    return False


def _bound_parameters(machine: Machine, function: Closure, call: Arguments) -> dict[str, Value]:
    node = function.node
    positional = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
    values: dict[str, Value] = {}
    given = [argument.value for argument in call.positional]
    if function.bound is not None and not function.is_static:
        bound = function.bound
        given.insert(0, bound.itself or bound if isinstance(bound, Instance) else bound)
    values.update(zip(positional, given, strict=False))
    written = positional[len(given) - len(call.positional) :]
    nodes = {name: item.node for name, item in (*zip(written, call.positional, strict=False), *call.keywords.items())}
    if node.args.vararg is not None:
        more = given[len(positional) :] or [TENSOR] * call.tensors
        if more and call.hides and not call.tensors:
            more.append(UNKNOWN)
        values[node.args.vararg.arg] = Sequence(tuple(more), open_ended=call.hides)
    names_of_all = {argument.arg for argument in parameters(node)}
    extra: list[tuple[object, Value]] = []
    for name, argument in call.keywords.items():
        if name in names_of_all:
            values[name] = argument.value
        else:
            extra.append((name, argument.value))
    if node.args.kwarg is not None:
        values[node.args.kwarg.arg] = machine.contained(Table(tuple(extra))) if not call.hides else UNKNOWN
    for name, value in values.items():
        if isinstance(value, Literal):
            values[name] = replace(value, passed=True, given=value.given or nodes.get(name))
    for parameter in parameters(node):
        if parameter.arg not in values:
            values[parameter.arg] = _default(machine, function, parameter, assumed=call.hides)
        elif values[parameter.arg] is UNKNOWN and parameter.annotation is not None:
            values[parameter.arg] = annotated(machine, parameter.annotation, function.scope)
        elif isinstance(undecided := values[parameter.arg], Undecided) and parameter.annotation is not None:
            said = annotated(machine, parameter.annotation, function.scope)
            if said is TENSOR:
                undecided.decide()
            values[parameter.arg] = undecided if said in (TENSOR, UNKNOWN) else said
        values[parameter.arg] = trained_objects.parameter(node, parameter.arg, values[parameter.arg])
    return values


def _default(machine: Machine, function: Closure, argument: ast.arg, *, assumed: bool) -> Value:
    default = function.defaults.get(argument.arg)
    if function.configured_as:
        default = gin_bindings.bound(machine, function, argument.arg) or default
        default = None if default is UNKNOWN else default
    if isinstance(default, Literal):
        if assumed and default.value is None:
            return annotated(machine, argument.annotation, function.scope)
        return replace(default, assumed=assumed or default.assumed, passed=True)
    if default is not None:
        return default
    return annotated(machine, argument.annotation, function.scope)


def annotated(machine: Machine, annotation: ast.expr | None, scope: Scope | None = None) -> Value:
    """What an annotation says of a value."""
    if annotation is None:
        return UNKNOWN
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except SyntaxError:
            return UNKNOWN
    match annotation:
        case ast.Subscript(value=ast.Name(id="Optional") | ast.Attribute(attr="Optional"), slice=inner):
            return annotated(machine, inner, scope)
        case ast.BinOp(left=inner, op=ast.BitOr(), right=ast.Constant(value=None)):
            return annotated(machine, inner, scope)
        case ast.Subscript(slice=ast.Tuple(elts=[*items])) if items:
            # A structure of tensors is one to all that asks for tensors.
            return TENSOR if all(annotated(machine, item, scope) is TENSOR for item in items) else UNKNOWN
    with machine.in_scope(scope or machine.scope):
        dotted = symbol_of(machine, annotation)
    if dotted in ("tensorflow.data.Dataset", "tensorflow.data.DatasetV2"):
        return DatasetValue("parameter", None, proven=True, is_source=True)
    if dotted in TENSOR_TYPES and dotted != "tensorflow.Variable":
        return TENSOR
    if names.root(dotted) in OWN_DATA:
        return Foreign(names.root(dotted))
    if keras_classes.is_model(dotted):
        return Instance(symbol=dotted)
    return UNKNOWN


def out_of_graph(value: Value) -> Value:
    """What a traced function gives its caller: tensors, whatever was known of them inside, alone or in a structure."""
    match value:
        case Tensor() | DatasetValue() | Literal():
            return value
        case Sequence(items=items):
            return Sequence(tuple(map(out_of_graph, items)), value.display)
        case _:
            return TENSOR


def step_result(value: Value) -> Value:
    """The result of a training step, marked as such."""
    match value:
        case Tensor():
            return STEP_RESULT
        case Sequence(items=items):
            return Sequence(tuple(step_result(item) for item in items), value.display)
        case Literal():
            return value
        case _:
            return STEP_RESULT if value is UNKNOWN else value
