"""Reads of what `fit` returns under the names that metrics had before TensorFlow 2."""

from __future__ import annotations

import ast

from pipelint.source.tree_walk import inner_parts, walk

_OLD = frozenset({"acc", "val_acc"})


def reads_old_keys(text: str, tree: ast.Module) -> bool:
    """Whether a module asks for the metric `accuracy` and reads `history["acc"]`, as it was called before 2.0."""
    if "acc" not in text or "history" not in text or "accuracy" not in text:
        return False
    asked: set[str] = set()
    reads = False
    for node in inner_parts(tree):
        match node:
            case ast.keyword(arg="metrics", value=value):
                asked |= {
                    part.value for part in walk(value) if isinstance(part, ast.Constant) and isinstance(part.value, str)
                }
            case ast.Subscript(value=ast.Attribute(attr="history"), slice=ast.Constant(value=str(key))):
                reads |= key in _OLD
    return reads and "accuracy" in asked and "acc" not in asked
