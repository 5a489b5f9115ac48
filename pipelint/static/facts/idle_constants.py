"""Old names of TensorFlow that a program only gives a name of its own, which nothing then reads."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from pipelint.knowledge.deprecated import RENAMED
from pipelint.model.locations import Region
from pipelint.source.tree_walk import walk
from pipelint.static.abstract.machine import Machine
from pipelint.static.facts.reached_definitions import mentioned
from pipelint.static.facts.unused_functions import importers

_SETTINGS = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)


def mark(machine: Machine, trees: Sequence[ast.Module]) -> None:
    """Mark the references whose value nothing reads, neither their module nor one in sight that imports it."""
    used = {reference.region for reference in machine.references if reference.name in RENAMED}
    idle = {region for tree in trees for region in _unread(machine, tree, used)} if used else set()
    if idle:
        machine.references = [
            replace(reference, idle=True) if reference.region in idle else reference for reference in machine.references
        ]


def _unread(machine: Machine, tree: ast.Module, used: Set[Region]) -> Iterator[Region]:
    """Those of some places that give a variable its value, which is then not read."""
    # A file of nothing but constants is there for others.
    if all(isinstance(statement, _SETTINGS) for statement in tree.body):
        return
    constants: dict[Region, str] = {}
    attributes: dict[Region, str] = {}
    for node in walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if (region := machine.region(value)) in used:
                constants[region] = name
            case ast.Assign(targets=[ast.Attribute(attr=name)], value=value) if machine.region(value) in used:
                attributes[machine.region(value)] = name
    if constants or attributes:
        users = [part for importer in importers(machine, tree) for part in importer.body]
        elsewhere = frozenset[str]().union(*map(mentioned, users))
        read = elsewhere | {one for node in walk(tree) if (one := _read_by(node)) is not None}
        yield from (region for region, name in constants.items() if name not in read)
        read = elsewhere | {one for node in walk(tree) if (one := _attribute_read_by(node)) is not None}
        yield from (region for region, name in attributes.items() if name not in read)


def _attribute_read_by(node: ast.AST) -> str | None:
    """The attribute of an object that a part of its own module reads, or the text that may name it."""
    match node:
        case ast.Attribute(attr=name, ctx=ast.Load()) | ast.Constant(value=str() as name):
            return name
        case _:
            return None


def _read_by(node: ast.AST) -> str | None:
    """The variable that a part of its own module reads, or the text that may name it, as those in `__all__`."""
    match node:
        case ast.Name(id=name, ctx=ast.Load()) | ast.Constant(value=str() as name):
            return name
        case _:
            return None
