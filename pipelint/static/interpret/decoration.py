"""What decorators make of functions and classes."""

from __future__ import annotations

import ast
from dataclasses import replace

from pipelint.knowledge.configuration import CONFIGURABLE, REGISTERED, SETTINGS_FOR_MAIN
from pipelint.knowledge.effects import PY_FUNCTIONS
from pipelint.knowledge.higher_order import ABSTRACT, KEEPS_MEANING, OWN_GRADIENT
from pipelint.model.values import UNKNOWN, Symbol, Value
from pipelint.static.abstract.defaults import by_default
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.scopes import Scope
from pipelint.static.abstract.values import (
    Arguments,
    BoundMethod,
    Choice,
    ClassValue,
    Closure,
    Given,
    Instance,
    Partial,
    alternatives,
)
from pipelint.static.facts import gin_bindings, settings_files, tracing
from pipelint.static.interpret import calls, expressions

_TF_FUNCTION = ("tensorflow.function", "tensorflow.contrib.eager.defun")
_FLAGS = {
    **dict.fromkeys(PY_FUNCTIONS, "is_python"),
    **dict.fromkeys(ABSTRACT, "is_abstract"),
    "builtins.classmethod": "is_class_method",
    "builtins.property": "is_property",
    "builtins.staticmethod": "is_static",
    "functools.cached_property": "is_property",
}
"""Decorators that say how a function is called, and the attribute of a closure that tells it."""


def decorated(machine: Machine, node: ast.FunctionDef | ast.AsyncFunctionDef, function: Closure) -> Value:
    """What the name of a function stands for, after its decorators had it."""
    made = [_evaluated(machine, decorator) for decorator in node.decorator_list]
    value: Value = function
    for decorator, written in zip(reversed(made), reversed(node.decorator_list), strict=True):
        value = _applied(machine, decorator, written, value, function)
    return value


def decorated_class(machine: Machine, node: ast.ClassDef, cls: ClassValue) -> Value:
    """What the name of a class stands for, after its decorators had it."""
    for written in reversed(node.decorator_list):
        decorator = _evaluated(machine, written)
        if isinstance(decorator, Symbol) and decorator.name in KEEPS_MEANING:
            continue
        names = _configured_as(machine, decorator, cls.identity.name, cls.scope)
        constructor = machine.attribute(cls.scope.number, "__init__")
        if names is not None and isinstance(constructor, Closure):
            constructor.configured_as = names
            machine.store.set((cls.scope.number, "__init__"), configurable(constructor, names))
        if not isinstance(decorator, Closure) or _called(machine, decorator, written, cls) is not cls:
            cls.opaque = True
    return cls


def _evaluated(machine: Machine, node: ast.expr) -> Value:
    """The decorator; one of a library that is given settings first stands for itself."""
    if not isinstance(node, ast.Call):
        return expressions.evaluate(machine, node)
    called = expressions.evaluate(machine, node.func)
    made = expressions.evaluate(machine, node)
    known = isinstance(called, Symbol) and called.name in (*KEEPS_MEANING, *_TF_FUNCTION, *_FLAGS)
    return called if known else made


def _applied(machine: Machine, decorator: Value, written: ast.expr, value: Value, function: Closure) -> Value:
    names = _configured_as(machine, decorator, function.name or "", function.scope)
    if names is not None:
        function.configured_as = names
        return configurable(value, names)
    match decorator:
        case Symbol(name=name) | Partial(function=Symbol(name=name)) if name in _TF_FUNCTION:
            function.traced = function.identity.wrapped = True
            function.identity.signed = tracing.has_signature(function)
            return _flagged(value, function, "traced")
        case Symbol(name=name) if name in _FLAGS:
            return _flagged(value, function, _FLAGS[name])
        case Partial(function=Symbol(name=name), call=call) if name == SETTINGS_FOR_MAIN:
            settings = settings_files.of_main(machine, call)
            return Partial(value, Arguments(None, (Given(settings or UNKNOWN, written),)))
        case Symbol(name=name) if name in KEEPS_MEANING:
            function.identity.has_own_gradient |= name in OWN_GRADIENT
            return value
        case BoundMethod(receiver=Closure(is_property=True) as getter):
            # `@size.setter` leaves what reads the property as it is.
            return getter
    function.identity.may_run_once = True
    match decorator:
        case Closure() | ClassValue() | Instance() | Partial() | Choice():
            made = _called(machine, decorator, written, value)
            if all(_is_function(option) for _, option in alternatives(made)):
                return made
    return _flagged(value, function, "opaque") if isinstance(value, Closure) else UNKNOWN


def _configured_as(machine: Machine, decorator: Value, name: str, scope: Scope) -> tuple[str, ...] | None:
    """The names under which files of gin set the parameters of what it decorates; None for another decorator."""
    call = decorator.call if isinstance(decorator, Partial) else Arguments(None)
    match decorator.function if isinstance(decorator, Partial) else decorator:
        case Symbol(name=symbol) if symbol in REGISTERED:
            return ()
        case Symbol(name=symbol) if symbol in CONFIGURABLE:
            told, module = call.get(0, "name_or_fn"), call.get(1, "module")
            return gin_bindings.names_of(machine, name, scope, told=told, module=module)
        case _:
            return None


def configurable(value: Value, names: tuple[str, ...]) -> Value:
    """The function, whose defaults a file of settings may override: those that are functions too, so it is opaque."""
    if not isinstance(value, Closure):
        return value
    defaults = {name: by_default(default) for name, default in value.defaults.items()}
    return replace(value, defaults=defaults, opaque=True, configured_as=names)


def _called(machine: Machine, decorator: Value, written: ast.expr, value: Value) -> Value:
    return calls.apply(machine, decorator, Arguments(None, (Given(value, written),)))


def _is_function(value: Value) -> bool:
    if isinstance(value, Instance):
        return value.cls is not None
    return isinstance(value, (Closure, Partial, ClassValue))


def _flagged(value: Value, function: Closure, flag: str) -> Value:
    """The function with this attribute set, or the same for what an inner decorator made of it."""
    if value is function:
        setattr(function, flag, True)
        return function
    return marked(value, flag) if isinstance(value, Closure) else value


def marked(function: Closure, flag: str) -> Closure:
    """A copy of the function with this attribute set."""
    made = replace(function)
    setattr(made, flag, True)
    return made
