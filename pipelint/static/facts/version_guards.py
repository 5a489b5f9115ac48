"""Where a program itself chooses between versions of TensorFlow: what stands there is written for one of them."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from pipelint.knowledge import names
from pipelint.knowledge.deprecated import METHODS_INSTEAD, RENAMED, gone
from pipelint.knowledge.tensorflow_1 import GONE_WITH_1, GRAPH_MODE, ONLY_IN_1
from pipelint.model.locations import Region
from pipelint.model.values import Symbol, Value
from pipelint.source.bindings import dotted_parts, imported
from pipelint.source.tree_walk import inner_parts, walk
from pipelint.static.abstract.guards import Guards
from pipelint.static.abstract.machine import Machine
from pipelint.static.facts import default_branches

_VERSIONED = frozenset(
    {*RENAMED, *(f"tensorflow.data.experimental.{name}" for name in METHODS_INSTEAD), *GRAPH_MODE, *ONLY_IN_1}
)
"""The names of which it matters; where none is used, nobody looks for guards."""

_LIBRARIES = ("tensorflow", "keras")
_ANSWERS = frozenset({"__version__", "VERSION", "executing_eagerly", "executing_eagerly_outside_functions"})
"""Attributes that hold a version (`tf.__version__`, `tf.version.VERSION`), and functions that ask which mode is on."""
_VERSIONS = frozenset({"tensorflow.__version__", "tensorflow.version.VERSION", "keras.__version__"})
_MISSING = frozenset({"AttributeError", "ImportError", "ModuleNotFoundError"})
"""What the lack of a name raises."""


def note(machine: Machine, test: ast.expr, guards: Guards) -> None:
    """Remember these tests where a variable or an attribute in them holds the version, from wherever it was given."""
    if any(_is_version(default_branches.value_of(machine, part)) for part in (test, *inner_parts(test))):
        machine.version_tests |= guards


def _is_version(value: Value | None) -> bool:
    return isinstance(value, Symbol) and value.name in _VERSIONS


def mark(machine: Machine, trees: Sequence[ast.Module]) -> None:
    """Mark the references that run only under some versions, or until a name turns out to be missing."""
    if not any(
        reference.name in _VERSIONED or reference.name.startswith(GONE_WITH_1) or gone(reference.name)
        for reference in machine.references
    ):
        return
    guarded = _Stretches(machine.region(node) for node in _guarded(trees))
    machine.references = [
        replace(reference, guarded=True) if guarded.hold(reference.region) else reference
        for reference in machine.references
    ]


def tests_version(text: str, tree: ast.Module) -> bool:
    """Whether a module does something by the version of TensorFlow."""
    if not any(answer in text for answer in ("__version__", "VERSION")):
        return False
    nodes = list(inner_parts(tree))
    questions = _Questions(nodes)
    if not questions.are_asked:
        return False
    tests = (node if isinstance(node, ast.Compare) else getattr(node, "test", None) for node in nodes)
    return any(isinstance(test, ast.expr) and questions.asks(test) for test in tests)


class _Stretches:
    """Regions of which one may hold another, and which do not overlap else."""

    def __init__(self, regions: Iterable[Region]) -> None:
        self._outer: list[Region] = []
        for region in sorted(regions, key=lambda region: (region.start, -region.end)):
            if not self._outer or not self._outer[-1].holds(region):
                self._outer.append(region)
        self._starts = [region.start for region in self._outer]

    def hold(self, region: Region) -> bool:
        index = bisect_right(self._starts, region.start) - 1
        return index >= 0 and self._outer[index].holds(region)


def _guarded(trees: Sequence[ast.Module]) -> list[ast.expr | ast.stmt]:
    nodes = list(chain.from_iterable(map(inner_parts, trees)))
    questions = _Questions(nodes)
    parts = [part for node in nodes for part in _until_missing(node)]
    if questions.are_asked:
        parts += [part for node in nodes for part in _under_version(node, questions)]
    return parts


class _Questions:
    """What in a program tells the version of TensorFlow, or whether it has a name."""

    def __init__(self, nodes: list[ast.AST]) -> None:
        self._libraries = {
            name for node in nodes for name, module in _imports(node) if names.root(module) in _LIBRARIES
        }
        self.are_asked = any(map(self._is_one, nodes))
        self._telling: set[str] = set()
        """Variables and functions that are made of the answers."""
        for node in nodes if self.are_asked else ():
            match node:
                case ast.Assign(targets=targets, value=value) if self.asks(value):
                    named = (part for target in targets for part in walk(target))
                    self._telling.update(part.id for part in named if isinstance(part, ast.Name))
                case ast.FunctionDef(name=name):
                    returned = (part.value for part in walk(node) if isinstance(part, ast.Return) and part.value)
                    self._telling.update([name] if any(map(self.asks, returned)) else [])

    def asks(self, test: ast.expr) -> bool:
        """Whether a test is about a version."""
        return any(
            self._is_one(node) or (isinstance(node, ast.Name) and node.id in self._telling) for node in walk(test)
        )

    def _is_one(self, node: ast.AST) -> bool:
        match node:
            case ast.Call(func=ast.Name(id="hasattr"), args=[owner, _]):
                asked: ast.expr = owner
            case ast.Attribute(attr=name) if name in _ANSWERS:
                asked = node
            case _:
                return False
        parts = dotted_parts(asked)
        return parts is not None and parts[0] in self._libraries


def _imports(node: ast.AST) -> Iterator[tuple[str, str]]:
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from ((name, symbol.name) for name, symbol in imported(node).items())


def _under_version(node: ast.AST, questions: _Questions) -> Iterator[ast.expr | ast.stmt]:
    match node:
        case ast.If(test=test, body=body, orelse=orelse) if questions.asks(test):
            yield from (*body, *orelse)
        case ast.IfExp(test=test, body=first, orelse=second) if questions.asks(test):
            yield from (first, second)
        case ast.BoolOp(values=[first, *others]) if questions.asks(first):
            yield from others
        case ast.Module(body=block) | ast.FunctionDef(body=block) | ast.If(body=block):
            yield from _behind_a_way_out(block, questions)


def _behind_a_way_out(block: list[ast.stmt], questions: _Questions) -> Iterator[ast.stmt]:
    """What follows on `if <new version>: return ...` in the same block."""
    for index, statement in enumerate(block):
        match statement:
            case ast.If(test=test, body=[*_, ast.Return()], orelse=[]) if questions.asks(test):
                yield from block[index + 1 :]
                return


def _until_missing(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    match node:
        case ast.Call(func=ast.Name(id="getattr"), args=[_, _, default]):
            yield default
        case ast.Try(body=body, handlers=handlers):
            handled = [statement for handler in handlers for statement in handler.body]
            # A handler for everything may be there for other reasons: then both must name the same thing.
            if any(map(_handles_a_missing_name, handlers)) or _last_names(body) & _last_names(handled):
                yield from (*body, *handled)


def _handles_a_missing_name(handler: ast.ExceptHandler) -> bool:
    return handler.type is not None and any(
        isinstance(part, ast.Name) and part.id in _MISSING for part in walk(handler.type)
    )


def _last_names(body: Iterable[ast.stmt]) -> set[str]:
    """The last parts of dotted names that are only read, calls left out: `AUTOTUNE` of `tf.data.AUTOTUNE`."""
    nodes = [node for statement in body for node in walk(statement)]
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    return {
        parts[-1]
        for node in nodes
        if isinstance(node, ast.Attribute) and id(node) not in called and (parts := dotted_parts(node))
    }
