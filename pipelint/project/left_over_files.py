"""Files that a project left behind: they only define things, and no program of the project imports them."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from functools import cached_property
from pathlib import Path

from pipelint.project.import_graph import ImportGraph
from pipelint.project.module_files import ModuleFiles
from pipelint.source.bindings import dotted_parts
from pipelint.source.errors import FileError
from pipelint.source.regular_files import read_settings_text

_BY_OTHER_MEANS = re.compile(r"\b(?:import_module|__import__|importlib|pkgutil|runpy|exec|hydra|gin)\b")
"""With these a program gets at modules that no import names: by texts, by settings, by what a directory holds."""
_INSTALLED_BY = {"setup.cfg": "[options]", "pyproject.toml": "[build-system]"}
"""What these files say where others can install the project; both serve for other things as well."""
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


class LeftOverFiles:
    """Tells which files nothing uses, of a project that is there to be run and not to be installed by others."""

    def __init__(self, files: ModuleFiles, graph: ImportGraph) -> None:
        self._files = files
        self._graph = graph

    def __contains__(self, file: Path) -> bool:
        """Whether a file only defines things that the project's own programs do without.

        That is known only where most of the project is looked at: a file that is asked about by itself may be new.
        """
        return (
            self._graph.follows_groups
            and file.suffix == ".py"
            # No import can name other files: those are there to be copied.
            and file.stem.isidentifier()
            and not self._runs(file)
            and self._shows_all_imports
            and not any(self._may_import(other, file) for other in self._graph.files if other != file)
            and any(self._graph.imports_of(other) and self._runs(other) for other in self._graph.files)
        )

    @cached_property
    def _shows_all_imports(self) -> bool:
        """Whether all that imports the files is in sight, and names them."""
        if any(file.name == "setup.py" for file in self._graph.files):
            return False
        marked = (mark in _text(self._files.root / name) for name, mark in _INSTALLED_BY.items())
        texts = (self._files.text(file) or "" for file in self._graph.files)
        return not any(marked) and not any(map(_BY_OTHER_MEANS.search, texts))

    def _may_import(self, other: Path, file: Path) -> bool:
        """Whether a file imports another, or one of its name from a place that only the running program knows."""
        if file in self._graph.imports_of(other):
            return True
        name = file.parent.name if file.name == "__init__.py" else file.stem
        text = self._files.text(other) or ""
        return name in text and re.search(rf"\bimport\b.*\b{name}\b|\bfrom\b.*\b{name}\b.*\bimport\b", text) is not None

    def _runs(self, file: Path) -> bool:
        """Whether a file does more than define when it is run; a notebook does, and one that cannot be read may."""
        text = self._files.text(file)
        if text is None or file.suffix != ".py":
            return True
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            return True
        imported = {name.asname or name.name.partition(".")[0] for name in _imports(tree)}
        return any(_does_something(node, imported) for node in tree.body)


def _text(file: Path) -> str:
    try:
        return read_settings_text(file) or ""
    except FileError:
        return ""


def _imports(tree: ast.Module) -> Iterator[ast.alias]:
    return (name for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom)) for name in node.names)


def _does_something(node: ast.AST, imported: Collection[str]) -> bool:
    """Whether a statement is there for more than names: constants may be made (`INIT = tf.initializers.HeNormal()`)."""
    if isinstance(node, _DEFINITIONS):
        return False
    if isinstance(node, ast.Name):
        return node.id == "__name__"
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Call):
        name = dotted_parts(node.func)
        if name is None or name[0] not in imported or "data" in name[1:-1]:
            return True
    return any(_does_something(part, imported) for part in ast.iter_child_nodes(node))
