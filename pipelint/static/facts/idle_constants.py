"""Old names of TensorFlow that a program only gives a name of its own, which nothing then reads."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from pipelint.knowledge.deprecated import RENAMED
from pipelint.source.tree_walk import all_nodes
from pipelint.static.abstract.machine import Machine
from pipelint.static.facts.unused_functions import mentioned
from pipelint.static.parse import parse_module

_SETTINGS = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)


def mark(machine: Machine, trees: Sequence[ast.Module]) -> None:
    """Mark the references whose value no code in sight reads; a file of nothing but constants is there for others."""
    if not any(reference.name in RENAMED for reference in machine.references):
        return
    constants = {
        machine.region(node.value): node.targets[0].id
        for tree in trees
        if not all(isinstance(statement, _SETTINGS) for statement in tree.body)
        for node in all_nodes(tree)
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
    }
    assigned = {reference.region for reference in machine.references if reference.name in RENAMED} & constants.keys()
    if not assigned:
        return
    in_sight = {*trees, *filter(None, map(parse_module, machine.linked))}
    read = frozenset().union(*(mentioned(statement) for tree in in_sight for statement in tree.body))
    idle = {region for region in assigned if constants[region] not in read}
    machine.references = [
        replace(reference, idle=True) if reference.region in idle else reference for reference in machine.references
    ]
