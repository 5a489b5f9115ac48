"""Which libraries a program uses, and whether it is written for TensorFlow 1."""

from __future__ import annotations

import ast

from pipelint.knowledge import names
from pipelint.knowledge.deprecated import TENSORFLOW_1
from pipelint.knowledge.python_calls import RIVALS
from pipelint.static.abstract.machine import Machine


def note_import(machine: Machine, node: ast.Import | ast.ImportFrom) -> None:
    """Remember which libraries are there."""
    modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
    if isinstance(node, ast.ImportFrom) and node.level:
        return
    for module in modules:
        package = names.root(module)
        machine.imports_tensorflow |= package in ("tensorflow", "tensorflow_datasets")
        machine.rivals |= package in RIVALS


def is_legacy(tree: ast.Module) -> bool:
    """Whether a program is written for TensorFlow 1: sessions, placeholders, one-shot iterators."""
    modules: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "tensorflow.compat":
            modules.update(f"tensorflow.compat.{alias.name}" for alias in node.names)
        if isinstance(node, ast.Attribute) and node.attr in TENSORFLOW_1:
            owner = node.value
            if node.attr == "make_one_shot_iterator" or (
                isinstance(owner, ast.Name) and owner.id in ("tf", "tensorflow")
            ):
                return True
            # Newer code calls it through compat.v1 so that it runs under either version.
            if isinstance(owner, ast.Attribute) and owner.attr == "v1" and node.attr != "enable_eager_execution":
                return True
    return "tensorflow.compat.v1" in modules and not modules & {"tensorflow", "tensorflow.compat.v2"}
