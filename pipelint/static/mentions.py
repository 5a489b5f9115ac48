"""What the functions, classes and variables of a module mention, as it is written: names, attributes, what bears."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from weakref import ref

from pipelint.knowledge.bearing import BEARS, BEARS_WHEN_CALLED, BUILTINS
from pipelint.source.bindings import dotted_parts, function_names
from pipelint.source.tree_walk import children, kept_with_tree, walk

_RUN_WITH_OBJECT = frozenset({"__init__", "__new__", "__post_init__", "__call__"})
"""Methods that run where nobody names them: when an object is made or called."""
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_ACTS = (*_LOOPS, ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom, ast.Yield, ast.YieldFrom)
_DEFINES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)

Path = tuple[str, ...]
"""A dotted name in its parts."""


@dataclass(eq=False)
class Definition:
    """A function, a class, or a variable of a module, with what the code mentions that gives it its value."""

    names: tuple[str, ...]
    node: ast.AST
    around: ref[Definition] | None = None
    """The function or class that it is written in, which holds it: a circle would outlive the tree it is kept with."""
    paths: set[Path] = field(default_factory=set)
    """The dotted names that begin with a name of the module."""
    own: set[str] = field(default_factory=set)
    """The attributes of the object whose method it is."""
    attributes: set[str] = field(default_factory=set)
    """The attributes of what nobody knows by its name."""
    inner: set[ast.AST] = field(default_factory=set)
    """The functions and classes that it names and that are written in a function around it, by their nodes."""
    stored: set[str] = field(default_factory=set)
    """The attributes that it sets."""
    bears: bool = False
    """Whether a name in it has a bearing by itself, whatever it stands for."""
    claims: set[Path] = field(default_factory=set)
    """The dotted names of the module that end in such a name: they may stand for something else (`re.compile`)."""
    own_claims: set[str] = field(default_factory=set)
    """The attributes of its own object of which the same holds."""
    acts: bool = False
    """Whether it does something that shows only when it is followed: imports, sets globals, yields, makes a class."""
    repeated: set[str] = field(default_factory=set)
    """The variables, and the attributes of its own object, that it calls in loops: functions, or else models."""
    members: dict[str, list[Definition]] = field(default_factory=dict)
    """The functions and classes that are written in it, by their names."""

    @property
    def within(self) -> Definition | None:
        """The function or class that it is written in."""
        return self.around() if self.around is not None else None

    @property
    def runs_with(self) -> Definition | None:
        """The definition whose code runs it."""
        return self.within if not self.is_method or self.names[0] in _RUN_WITH_OBJECT else None

    @property
    def is_method(self) -> bool:
        """Whether it is written in a class."""
        within = self.within
        return within is not None and isinstance(within.node, ast.ClassDef)

    @property
    def read(self) -> set[str]:
        """The names of all attributes that it may read."""
        return self.attributes | self.own | {name for path in self.paths for name in path[1:]}


@kept_with_tree
def definitions_in(tree: ast.Module) -> tuple[Definition, ...]:
    """What a module defines, at any depth."""
    found: list[Definition] = []
    pending: list[tuple[ast.AST, Definition | None]] = [(tree, None)]
    while pending:
        node, around = pending.pop()
        if isinstance(node, (ast.Name, ast.Attribute)):
            if around is not None:
                _note(around, node)
            while isinstance(node, ast.Attribute):
                node = node.value
            if not isinstance(node, ast.Name):
                pending.append((node, around))
            continue
        if isinstance(node, ast.Call):
            if around is not None and _last_name(node.func) in BEARS_WHEN_CALLED:
                _claim(around, dotted_parts(node.func))
        elif isinstance(node, _ACTS):
            if around is not None and isinstance(node, _LOOPS):
                around.repeated.update(_called_in(node))
            elif around is not None:
                around.acts = True
        elif isinstance(node, _DEFINES):
            around = _defined(node, around)
            found.append(around)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if around is None:
                around = Definition(tuple(target.id for target in targets if isinstance(target, ast.Name)), node)
                found.append(around)
        pending.extend((child, around) for child in children(node))
    for definition in reversed(found):
        _settle(definition)
    return tuple(found)


def _note(definition: Definition, node: ast.Name | ast.Attribute) -> None:
    """Note a name, or an attribute with all before it."""
    path = dotted_parts(node)
    if path is not None and path[0] in BUILTINS:
        path = None
    if path is not None:
        definition.paths.add(path if isinstance(node.ctx, ast.Load) else path[:-1] or path)
        if not BEARS.isdisjoint(path) and isinstance(node.ctx, ast.Load):
            _claim(definition, path)
    while isinstance(node, ast.Attribute):
        if isinstance(node.ctx, ast.Store):
            definition.stored.add(node.attr)
            definition.bears = definition.bears or node.attr in BEARS
        elif path is None and not _is_super(node.value):
            definition.attributes.add(node.attr)
            definition.bears = definition.bears or node.attr in BEARS
        if not isinstance(node.value, (ast.Name, ast.Attribute)):
            return
        node = node.value


def _claim(definition: Definition, path: Path | None) -> None:
    if path is None:
        definition.bears = True
    else:
        definition.claims.add(path)


def _defined(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, around: Definition | None) -> Definition:
    made = Definition((node.name,), node, ref(around) if around is not None else None)
    if around is not None:
        around.members.setdefault(node.name, []).append(made)
        around.acts = around.acts or isinstance(node, ast.ClassDef)
    return made


def _settle(definition: Definition) -> None:
    """Tell names of the module from those of functions, whose values nobody knows, and pass on what it mentions."""
    if isinstance(definition.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        local, _ = function_names(definition.node)
        # A function that is written in it is no model, and what that does counts as its own.
        definition.acts = definition.acts or not definition.repeated.isdisjoint(local - definition.members.keys())
        _settle_names(definition, definition, local)
    around = definition.runs_with
    if around is not None:
        around.paths |= definition.paths
        around.claims |= definition.claims
        around.own |= definition.own
        around.own_claims |= definition.own_claims
        around.attributes |= definition.attributes
        around.inner |= definition.inner
        around.stored |= definition.stored
        around.repeated |= definition.repeated
        around.bears = around.bears or definition.bears
        around.acts = around.acts or definition.acts
    outer = definition.within
    while outer is not None:
        if isinstance(outer.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            _settle_names(definition, outer, function_names(outer.node)[0])
        outer = outer.within


def _settle_names(definition: Definition, holder: Definition, local: frozenset[str]) -> None:
    """Take the dotted names apart that begin with a local name of a function, which is itself or one around it."""
    itself = _object_of(holder)
    for path in [path for path in definition.paths if path[0] in local]:
        definition.paths.remove(path)
        if path[0] == itself:
            definition.own.update(path[1:2])
            definition.attributes.update(path[2:])
        else:
            definition.inner.update(member.node for member in holder.members.get(path[0], ()))
            definition.attributes.update(path[1:])
    for path in [path for path in definition.claims if path[0] in local]:
        definition.claims.remove(path)
        if path[0] == itself and len(path) == len(("self", "method")):
            definition.own_claims.add(path[1])
        elif len(path) > 1 or path[0] in BEARS_WHEN_CALLED:
            definition.bears = True


def _object_of(definition: Definition) -> str | None:
    """The parameter of a method that holds its object, or its class."""
    if not definition.is_method or not isinstance(definition.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return None
    positional = [*definition.node.args.posonlyargs, *definition.node.args.args]
    return positional[0].arg if positional else None


def _last_name(func: ast.expr) -> str:
    if isinstance(func, ast.Attribute):
        return func.attr
    return func.id if isinstance(func, ast.Name) and func.id not in BUILTINS else ""


def _is_super(node: ast.expr) -> bool:
    """Whether it is the object as one of its bases; the class names these."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def _called_in(loop: ast.AST) -> Iterator[str]:
    for part in walk(loop):
        match part:
            case ast.Call(func=ast.Name(id=name)):
                yield name
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                yield f".{name}"
