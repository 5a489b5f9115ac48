"""The user's classes and objects: how they are defined, made and looked up."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile

from pipelint.model.definitions import Class, Function
from pipelint.model.values import UNKNOWN, Symbol, Value
from pipelint.source.bindings import names_of_body
from pipelint.source.tree_walk import kept_with_tree, walk
from pipelint.static.abstract.defaults import Field, by_default
from pipelint.static.abstract.guards import NO_GUARDS, of_class
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.scopes import Scope
from pipelint.static.abstract.values import (
    Arguments,
    BoundMethod,
    ClassValue,
    Closure,
    FunctionNode,
    Instance,
    Sequence,
    alternatives,
    choice,
    parameters,
)
from pipelint.static.facts import keras_classes
from pipelint.static.interpret import decoration, expressions, functions, statements

_ABSTRACT_CLASS = Symbol("abc.ABCMeta")
_METRICS = Sequence((Instance(symbol="keras.metrics.Metric"),), "list", open_ended=True)
"""What the property `metrics` of a model is."""


def define_class(machine: Machine, node: ast.ClassDef) -> Value:
    """The value of a `class` statement; its body is followed at once."""
    bases = tuple(expressions.evaluate(machine, base) for base in node.bases)
    given = {keyword.arg: expressions.evaluate(machine, keyword.value) for keyword in node.keywords}
    scope = Scope(machine.scope, names_of_body(node), is_class=True)
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
    cls.opaque = given.get("metaclass", _ABSTRACT_CLASS) != _ABSTRACT_CLASS
    machine.classes.append(cls)
    for ancestor in tuple(cls.ancestry())[1:]:
        ancestor.subclasses.append(cls)
    with machine.in_scope(cls.scope):
        statements.execute(machine, node.body)
    return decoration.decorated_class(machine, node, cls)


def class_attribute(machine: Machine, cls: ClassValue, name: str, bound: Value | None) -> Value:
    """An attribute found in a class or its bases, bound to an object where it is a method.

    Of an object that may be of a subclass, it is any of those that the subclasses have.
    """
    own = (machine.attribute(ancestor.scope.number, name) for ancestor in cls.ancestry())
    found = [value for value in own if value is not None][:1]
    if isinstance(bound, Instance) and not bound.exact:
        number, running = bound.number, list(_subclasses_with(machine, bound, cls))
        others = [(subclass.identity.name, machine.attribute(subclass.scope.number, name)) for subclass in running]
        overriding = [(owner, other) for owner, other in others if isinstance(other, Closure)]
        if overriding:
            no_other = frozenset(of_class(number, owner, holds=False) for owner, _ in overriding)
            declared = [value for value in found if isinstance(value, Closure) and value.is_abstract]
            ways = [(no_other, value) for value in found if value not in declared]
            ways += [(frozenset({of_class(number, owner)}), other) for owner, other in overriding]
            return choice((guards, _bound(machine, cls, value, bound)) for guards, value in ways)
    return choice((NO_GUARDS, _bound(machine, cls, value, bound)) for value in found)


def _subclasses_with(machine: Machine, instance: Instance, cls: ClassValue) -> Iterator[ClassValue]:
    """The subclasses of which an object may be: all but those that have other code in place of what runs on it now."""
    method = next((frame.function for frame in reversed(machine.frames) if _runs_on(frame.function, instance)), None)
    for subclass in cls.subclasses:
        nearer = takewhile(lambda ancestor: ancestor is not cls, subclass.ancestry())
        if method is None or not any(_replaces(ancestor, method.name) for ancestor in nearer):
            yield subclass


def _runs_on(function: Closure | None, instance: Instance) -> bool:
    return function is not None and function.bound is instance and function.name is not None


def _replaces(cls: ClassValue, name: str | None) -> bool:
    """Whether a class has a method of this name that leaves out the one which it overrides."""
    return name in cls.methods and not any(
        name in _attributes_in(item)
        for item in cls.node.body
        if isinstance(item, ast.FunctionDef) and item.name == name
    )


@kept_with_tree
def _attributes_in(node: ast.FunctionDef) -> frozenset[str]:
    return frozenset(part.attr for part in walk(node) if isinstance(part, ast.Attribute))


def _bound(machine: Machine, cls: ClassValue, found: Value, bound: Value | None) -> Value:
    if bound is None or (isinstance(found, Closure) and found.is_static):
        return found
    if isinstance(found, Closure):
        to = None if bound is cls and not found.is_class_method else bound
        method = replace(found, bound=to, opaque=found.opaque or cls.opaque)
        is_read = method.is_property and isinstance(bound, Instance)
        return functions.call_function(machine, method, Arguments(None)) if is_read else method
    if isinstance(found, Instance) and found.cls is not None and has_method(machine, found, "__get__"):
        machine.lose_sight()
    return found


def has_method(machine: Machine, instance: Instance, name: str) -> bool:
    """Whether the class of an object, as far as it is seen, defines this method."""
    classes = instance.cls.ancestry() if instance.cls is not None else ()
    return any(machine.store.get((ancestor.scope.number, name)) is not None for ancestor in classes)


def test(machine: Machine, value: Value) -> bool | None:
    """Whether a test of the value holds, None if that is not known; an object of the user's may decide it unseen."""
    for _, option in alternatives(value) if machine.recorder is not None else ():
        if isinstance(option, Instance) and any(has_method(machine, option, name) for name in ("__bool__", "__len__")):
            machine.lose_sight()
    return machine.truth(value)


def operate(machine: Machine, *values: Value) -> None:
    """An operator, index, loop or context on these values: of an object of the user's it runs a method unseen."""
    if machine.recorder is None:
        return
    for value in values:
        if any(isinstance(option, Instance) and option.cls is not None for _, option in alternatives(value)):
            machine.lose_sight()


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
    if machine.recorder is not None and has_method(machine, instance, "__getattr__"):
        machine.lose_sight()
    for method in _methods_that_assign(machine, instance.cls, name):
        run = (instance.number, method.node.name) if isinstance(method.node, ast.FunctionDef) else (0, "")
        if run in machine.attribute_runs or any(frame.node is method.node for frame in machine.frames):
            continue
        machine.attribute_runs.add(run)
        with machine.recording(None):
            path, machine.path = machine.path, frozenset()
            functions.call_function(machine, replace(method, bound=instance), Arguments.unknown())
            machine.path = path
        known = machine.attribute(instance.number, name)
        if known is not None:
            return known
    if name == "metrics" and keras_classes.is_user_model(instance.cls):
        return _METRICS
    if name == "model" and keras_classes.is_callback(instance.cls):
        return Instance(symbol=keras_classes.MODEL.name, exact=False)
    return BoundMethod(instance, name)


def _methods_that_assign(machine: Machine, cls: ClassValue, attribute: str) -> Iterator[Closure]:
    for ancestor in cls.ancestry():
        for name in list(machine.store.keys_of(ancestor.scope.number)):
            method = machine.attribute(ancestor.scope.number, name)
            if isinstance(method, Closure) and attribute in _assigned_attributes(method.node):
                yield method


@kept_with_tree
def _assigned_attributes(node: FunctionNode) -> frozenset[str]:
    """The attributes of objects that a function's body assigns."""
    return frozenset(
        target.attr
        for target in walk(node)
        if isinstance(target, ast.Attribute)
        and isinstance(target.ctx, ast.Store)
        and isinstance(target.value, ast.Name)
    )


def instantiate(machine: Machine, cls: ClassValue, call: Arguments) -> Value:
    """An object of a class, after its `__init__` was followed."""
    instance = Instance(cls=cls, arguments=call)
    if call.node is not None:
        machine.objects.setdefault(cls.identity, []).append(instance)
    if cls.opaque or has_method(machine, instance, "__new__"):
        machine.lose_sight()
    constructor = class_attribute(machine, cls, "__init__", instance)
    if isinstance(constructor, Closure):
        _note_given(machine, cls, constructor, call)
        functions.call_function(machine, constructor, call)
    else:
        _give_fields(machine, cls, instance, call)
    return instance


def note_construction(machine: Machine, cls: ClassValue, call: Arguments) -> None:
    """Remember what an object is made with, without making it."""
    constructor = class_attribute(machine, cls, "__init__", None)
    if isinstance(constructor, Closure):
        _note_given(machine, cls, constructor, call)
    else:
        machine.constructed.setdefault(cls.identity, set()).update(call.bind(dict(_fields(machine, cls))))


def _note_given(machine: Machine, cls: ClassValue, constructor: Closure, call: Arguments) -> None:
    if call.node is not None:
        positional = [argument.arg for argument in parameters(constructor.node)][1:]
        machine.constructed.setdefault(cls.identity, set()).update(call.bind(positional))


def _give_fields(machine: Machine, cls: ClassValue, instance: Instance, call: Arguments) -> None:
    """Give an object of a dataclass or a NamedTuple its fields: as the call says, else their defaults."""
    defaults = dict(_fields(machine, cls))
    given = call.bind(defaults)
    if call.node is not None:
        machine.constructed.setdefault(cls.identity, set()).update(given)
    for name, default in defaults.items():
        value = _made_default(machine, default) if name not in given else UNKNOWN
        if value is not UNKNOWN:
            machine.store.set((instance.number, name), by_default(value) if call.hides else value)
    for name, item in given.items():
        machine.store.set((instance.number, name), item.value)


def _fields(machine: Machine, cls: ClassValue) -> Iterator[tuple[str, Value]]:
    """The annotated attributes of a class, those of its bases first, with their defaults."""
    for ancestor in reversed(tuple(cls.ancestry())):
        for item in ancestor.node.body:
            if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
                name = item.target.id
                yield name, machine.attribute(ancestor.scope.number, name) or UNKNOWN


def _made_default(machine: Machine, default: Value) -> Value:
    match default:
        case Field(factory=None):
            return default.default
        case Field(factory=Value() as factory):
            return machine.call(factory, Arguments(None))
        case _:
            return default
