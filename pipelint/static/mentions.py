"""Which functions can have a bearing on what rules look at, by the names in them and in what these may lead to."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from pipelint.knowledge.bearing import BEARS, BEARS_WHEN_CALLED, BUILTINS
from pipelint.source.bindings import function_names
from pipelint.source.tree_walk import children, kept_with_trees, walk

_RUN_WITH_OBJECT = frozenset({"__init__", "__new__", "__post_init__", "__call__"})
"""Methods that run where nobody names them: when an object is made or called."""
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_ACTS = (*_LOOPS, ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom, ast.Yield, ast.YieldFrom)
_DEFINES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(eq=False)
class Definition:
    """A function, a class, or a variable of a module, with the names in the code that gives it its value.

    Names of attributes begin with a dot. A function or variable of a module is known by its name with and without one.
    """

    known_as: tuple[str, ...]
    node: ast.AST
    around: Definition | None
    """The definition whose code runs it."""
    names: set[str] = field(default_factory=set)
    stored: set[str] = field(default_factory=set)
    """The attributes that it sets."""
    bears: bool = False
    """Whether a name in it has a bearing by itself."""
    acts: bool = False
    """Whether it does something that shows only when it is followed: imports, sets globals, yields, makes a class."""
    repeated: set[str] = field(default_factory=set)
    """The variables, and the attributes of its own object, that it calls in loops: functions, or else models."""


@kept_with_trees(256)  # as many as trees are kept
def definitions_in(tree: ast.Module) -> tuple[Definition, ...]:
    """What a module defines, at any depth."""
    found: list[Definition] = []
    pending: list[tuple[ast.AST, Definition | None]] = [(tree, None)]
    while pending:
        node, around = pending.pop()
        if isinstance(node, ast.Name):
            if around is not None and node.id not in BUILTINS:
                around.names.add(node.id)
                around.bears = around.bears or node.id in BEARS
            continue
        if isinstance(node, ast.Attribute):
            if around is not None and not _is_super(node.value):
                (around.stored if isinstance(node.ctx, ast.Store) else around.names).add(f".{node.attr}")
                around.bears = around.bears or node.attr in BEARS
            pending.append((node.value, around))
            continue
        if isinstance(node, ast.Call):
            if around is not None and _last_name(node.func) in BEARS_WHEN_CALLED:
                around.bears = True
        elif isinstance(node, _ACTS):
            if around is not None and isinstance(node, _LOOPS):
                around.repeated.update(_called_in(node))
            elif around is not None:
                around.acts = True
        elif isinstance(node, _DEFINES):
            of_class = around is not None and isinstance(around.node, ast.ClassDef)
            runs = around if not of_class or node.name in _RUN_WITH_OBJECT else None
            if around is not None and isinstance(node, ast.ClassDef):
                around.acts = True
            around = Definition((f".{node.name}",) if of_class else (node.name, f".{node.name}"), node, runs)
            found.append(around)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if around is None:
                variables = [target.id for target in targets if isinstance(target, ast.Name)]
                around = Definition((*variables, *(f".{name}" for name in variables)), node, None)
                found.append(around)
        elif isinstance(node, ast.alias) and node.asname is not None:
            last = node.name.rpartition(".")[2]
            found.append(Definition((node.asname, f".{node.asname}"), node, None, {last}))
        pending.extend((child, around) for child in children(node))
    for definition in reversed(found):
        if isinstance(definition.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            # What it was called with is no definition that a name leads to.
            local, _ = function_names(definition.node)
            definition.names -= local
            definition.acts = definition.acts or not definition.repeated.isdisjoint(local)
        if definition.around is not None:
            definition.around.names |= definition.names
            definition.around.bears = definition.around.bears or definition.bears
            definition.around.acts = definition.around.acts or definition.acts
            definition.around.stored |= definition.stored
            definition.around.repeated |= definition.repeated
    return tuple(found)


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


@dataclass(frozen=True)
class Bearing:
    """Which functions of some modules have a bearing on what rules look at."""

    known: frozenset[ast.AST]
    bearing: frozenset[ast.AST]
    """Those that name what has a bearing, or a definition that has it, whichever of that name is meant."""
    acting: frozenset[ast.AST]
    """These, and those that may do something else that shows only when they are followed, or lead to such."""

    @classmethod
    def of(cls, trees: Iterable[ast.Module]) -> Bearing:
        """What the names in some modules tell."""
        known = [definition for tree in trees for definition in definitions_in(tree)]
        names = {name for definition in known for name in definition.known_as}
        users: dict[str, list[Definition]] = {}
        for definition in known:
            for name in definition.names & names:
                users.setdefault(name, []).append(definition)
        bearing = _leading_to({one for one in known if one.bears}, users)
        objects = {name for one in known for name in one.repeated if name.startswith(".")} - names
        acts = {one for one in known if one.acts or not one.repeated.isdisjoint(objects)}
        acting = _leading_to(bearing | acts, users)
        # What others compute with is not known where a function sets it that nobody is seen to call.
        read = frozenset().union(*(one.names for one in acting))
        acting |= {one for one in known if not one.stored.isdisjoint(read) and one.known_as != (".__init__",)}
        return cls(*(frozenset(one.node for one in found) for found in (known, bearing, acting)))

    def bears(self, node: ast.AST) -> bool:
        """Whether what a function does may depend on who calls it, in the eyes of a rule."""
        return node in self.bearing or node not in self.known

    def acts(self, node: ast.AST) -> bool:
        """Whether a function may show more to a rule when it is followed than when it is read."""
        return node in self.acting or node not in self.known


def _leading_to(found: set[Definition], users: Mapping[str, list[Definition]]) -> set[Definition]:
    found, pending, done = set(found), list(found), set()
    while pending:
        for name in pending.pop().known_as:
            if name not in done:
                done.add(name)
                new = [user for user in users.get(name, ()) if user not in found]
                found.update(new)
                pending += new
    return found
