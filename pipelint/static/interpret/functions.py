"""The user's functions, classes and objects: how they are defined, called and looked up."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from pipelint.knowledge import names
from pipelint.knowledge.effects import PY_FUNCTIONS
from pipelint.knowledge.python_calls import OWN_DATA
from pipelint.knowledge.tensors import TENSOR_TYPES
from pipelint.model.code import Class, Function
from pipelint.model.values import UNKNOWN, Literal, Symbol, Value
from pipelint.source.bindings import bound_names, dotted_parts, function_names
from pipelint.static.abstract.machine import DEEPEST_CALL, Frame, Machine
from pipelint.static.abstract.scopes import Scope
from pipelint.static.abstract.traced_values import Undecided
from pipelint.static.abstract.values import (
    STEP_RESULT,
    TENSOR,
    Arguments,
    BoundMethod,
    ClassValue,
    Closure,
    DatasetValue,
    Foreign,
    FunctionNode,
    Generating,
    Given,
    Instance,
    Sequence,
    Table,
    Tensor,
    choice,
    parameters,
)
from pipelint.static.facts import keras_classes, trained_objects
from pipelint.static.interpret import expressions, statements


def define(machine: Machine, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Value:
    """The value of a `def` statement."""
    owner = None
    if machine.scope.is_class:
        owner = next((cls for cls in machine.classes if cls.scope is machine.scope), None)
    identity = _identity(machine, node, owner)
    function = Closure(identity, node, machine.scope, owner=owner, defaults=_defaults(machine, node))
    for decorator in node.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        match expressions.evaluate(machine, called):
            case Symbol(name="tensorflow.function" | "tensorflow.contrib.eager.defun"):
                function.traced = True
            case Symbol(name=name) if name in PY_FUNCTIONS:
                function.is_python = True
            case Symbol(name="builtins.property" | "functools.cached_property"):
                function.is_property = True
            case Symbol(name="builtins.staticmethod"):
                function.is_static = True
            case Symbol(name="builtins.classmethod"):
                function.is_class_method = True
            case Symbol(name="functools.partial") if isinstance(decorator, ast.Call):
                wrapped = [expressions.evaluate(machine, item) for item in decorator.args]
                function.traced |= Symbol("tensorflow.function") in wrapped
        if isinstance(decorator, ast.Call):
            expressions.evaluate(machine, decorator)
    machine.functions.append(function)
    return _decorated(machine, node, function)


def _identity(machine: Machine, node: FunctionNode, owner: ClassValue | None) -> Function:
    """The one object that stands for a definition, however often the definition itself is run."""
    known = machine.identities.get(node)
    if isinstance(known, Function):
        return known
    arguments = tuple(item.arg for item in parameters(node))
    if isinstance(node, ast.Lambda):
        made = Function(None, machine.region(node), arguments)
    else:
        made = Function(node.name, machine.positions.definition_name(node), arguments)
    if owner is not None and made.name is not None:
        made.owner = owner.identity
        owner.methods[made.name] = made
    machine.identities[node] = made
    return made


def _decorated(machine: Machine, node: ast.FunctionDef | ast.AsyncFunctionDef, function: Closure) -> Value:
    """The function as the user's own decorators leave it; those of libraries are taken to keep its behaviour."""
    value: Value = function
    for decorator in reversed(node.decorator_list):
        if isinstance(decorator, (ast.Name, ast.Attribute)):
            wrapper = expressions.evaluate(machine, decorator)
            if isinstance(wrapper, Closure):
                wrapped = call_function(machine, wrapper, Arguments(None, (Given(value, decorator),)))
                value = wrapped if isinstance(wrapped, Closure) else value
    return value


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


def define_class(machine: Machine, node: ast.ClassDef) -> Value:
    """The value of a `class` statement; its body is followed at once."""
    bases = tuple(expressions.evaluate(machine, base) for base in node.bases)
    for keyword in node.keywords:
        expressions.evaluate(machine, keyword.value)
    scope = Scope(machine.scope, bound_names(node.body), is_class=True)
    methods: dict[str, Function] = {}
    identity = machine.identities.get(node)
    if not isinstance(identity, Class):
        known = tuple(
            base.identity if isinstance(base, ClassValue) else base
            for base in bases
            if isinstance(base, (ClassValue, Symbol))
        )
        identity = machine.identities[node] = Class(node.name, machine.region(node), known, methods)
    cls = ClassValue(identity, node, bases, scope, keras_classes.holds_layers(machine, node), methods)
    machine.classes.append(cls)
    with machine.in_scope(cls.scope):
        statements.execute(machine, node.body)
    return cls


def class_attribute(machine: Machine, cls: ClassValue, name: str, bound: Value | None) -> Value:
    """An attribute found in a class or its bases, bound to an object where it is a method."""
    for ancestor in cls.ancestry():
        found = machine.attribute(ancestor.scope.number, name)
        if found is None:
            continue
        if isinstance(found, Closure) and bound is not None and not found.is_static:
            method = replace(found, bound=None if bound is cls and not found.is_class_method else bound)
            if method.is_property and isinstance(bound, Instance):
                return call_function(machine, method, Arguments(None))
            return method
        return found
    return UNKNOWN


def instance_attribute(machine: Machine, instance: Instance, name: str) -> Value:
    """An attribute of an object: as assigned so far, else by the method that assigns it, else of its class."""
    if instance.cls is None:
        return BoundMethod(instance, name)
    known = machine.attribute(instance.number, name)
    if known is not None:
        return known
    found = class_attribute(machine, instance.cls, name, instance)
    if found is not UNKNOWN:
        return found
    for method in _methods_that_assign(machine, instance.cls, name):
        run = (instance.number, method.node.name) if isinstance(method.node, ast.FunctionDef) else (0, "")
        if run in machine.attribute_runs or any(frame.node is method.node for frame in machine.frames):
            continue
        machine.attribute_runs.add(run)
        with machine.recording(None):
            path, machine.path = machine.path, frozenset()
            call_function(machine, replace(method, bound=instance), Arguments.unknown())
            machine.path = path
        known = machine.attribute(instance.number, name)
        if known is not None:
            return known
    return BoundMethod(instance, name)


def _methods_that_assign(machine: Machine, cls: ClassValue, attribute: str) -> Iterator[Closure]:
    for ancestor in cls.ancestry():
        for name in list(machine.store.keys_of(ancestor.scope.number)):
            method = machine.attribute(ancestor.scope.number, name)
            if isinstance(method, Closure) and attribute in _assigned_attributes(method.node):
                yield method


@lru_cache(maxsize=4096)
def _assigned_attributes(node: FunctionNode) -> frozenset[str]:
    """The attributes of objects that a function's body assigns."""
    return frozenset(
        target.attr
        for target in ast.walk(node)
        if isinstance(target, ast.Attribute)
        and isinstance(target.ctx, ast.Store)
        and isinstance(target.value, ast.Name)
    )


def instantiate(machine: Machine, cls: ClassValue, call: Arguments) -> Value:
    """An object of a class, after its `__init__` was followed."""
    instance = Instance(cls=cls, arguments=call)
    constructor = class_attribute(machine, cls, "__init__", instance)
    if isinstance(constructor, Closure):
        if call.node is not None:
            positional = [argument.arg for argument in parameters(constructor.node)][1:]
            machine.constructed.setdefault(cls.identity, set()).update(call.bind(positional))
        call_function(machine, constructor, call)
    else:
        _dataclass_fields(machine, cls, instance, call)
    return instance


def _dataclass_fields(machine: Machine, cls: ClassValue, instance: Instance, call: Arguments) -> None:
    fields = [
        item.target.id
        for item in cls.node.body
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
    ]
    for name, given in call.bind(fields).items():
        machine.store.set((instance.number, name), given.value)


def call_function(machine: Machine, function: Closure, call: Arguments, frame: Frame | None = None) -> Value:
    """Follow a call of a user's function and return what it gives; the frame, if given, keeps its returns."""
    node = function.node
    machine.visited.add(node)
    if any(frame.node is node for frame in machine.frames):
        return UNKNOWN
    if machine.calls_left <= 0 or len(machine.frames) > DEEPEST_CALL:
        if machine.recorder is not None:
            machine.recorder.complete = False
        return UNKNOWN
    machine.calls_left -= 1
    local, _ = function_names(node)
    scope = Scope(function.scope, local)
    for name, value in _bound_parameters(machine, function, call).items():
        machine.store.set((scope.number, name), value)
    frame = frame or Frame(node)
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
        return choice(frame.returns) if frame.returns else Literal(None)
    finally:
        machine.frames.pop()
        machine.scope, machine.function, machine.path = before
        machine.returned.extend((value, returned, function.name or "lambda") for value, returned in frame.return_nodes)


@lru_cache(maxsize=4096)
def is_generator(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a call of the function returns a generator."""
    pending: list[ast.AST] = list(node.body)
    while pending:
        current = pending.pop()
        if isinstance(current, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(current, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            pending.extend(ast.iter_child_nodes(current))
    return False


def _bound_parameters(machine: Machine, function: Closure, call: Arguments) -> dict[str, Value]:
    node = function.node
    positional = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
    values: dict[str, Value] = {}
    given = [argument.value for argument in call.positional]
    if function.bound is not None and not function.is_static:
        given.insert(0, function.bound)
    values.update(zip(positional, given, strict=False))
    if node.args.vararg is not None:
        more = given[len(positional) :] or [TENSOR] * call.tensors
        values[node.args.vararg.arg] = Sequence(tuple(more), open_ended=call.hides)
    names_of_all = {argument.arg for argument in parameters(node)}
    extra: list[tuple[object, Value]] = []
    for name, argument in call.keywords.items():
        if name in names_of_all:
            values[name] = argument.value
        else:
            extra.append((name, argument.value))
    if node.args.kwarg is not None:
        values[node.args.kwarg.arg] = Table(tuple(extra)) if not call.hides else UNKNOWN
    for name, value in values.items():
        if isinstance(value, Literal):
            values[name] = replace(value, passed=True)
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
    if isinstance(default, Literal):
        if assumed and default.value is None:
            return annotated(machine, argument.annotation, function.scope)
        return Literal(default.value, assumed=assumed or default.assumed, passed=True)
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
    dotted = _dotted(machine, annotation, scope or machine.scope)
    if dotted in ("tensorflow.data.Dataset", "tensorflow.data.DatasetV2"):
        return DatasetValue("parameter", None, proven=True, is_source=True)
    if dotted in TENSOR_TYPES and dotted != "tensorflow.Variable":
        return TENSOR
    if dotted and names.root(dotted) in OWN_DATA:
        return Foreign(names.root(dotted))
    if dotted and keras_classes.is_model(dotted):
        return Instance(symbol=dotted)
    return UNKNOWN


def _dotted(machine: Machine, node: ast.expr, scope: Scope) -> str | None:
    parts = dotted_parts(node)
    if parts is None:
        return None
    with machine.in_scope(scope):
        start = machine.lookup(parts[0])
    return names.canonical(".".join([start.name, *parts[1:]])) if isinstance(start, Symbol) else None


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
