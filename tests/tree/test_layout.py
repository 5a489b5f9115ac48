"""The architecture: which package may import which, and what nothing may be called."""

from __future__ import annotations

import ast
import graphlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.tree.checkout import git

ROOT = Path(__file__).parents[2]

ARROWS = {
    "version": "",
    "knowledge": "",
    "display": "",
    "model": "knowledge",
    "rule": "model knowledge",
    "rules": "rule",
    "source": "model knowledge",
    "project": "rule model source knowledge",
    "static": "source model knowledge",
    "rewrite": "source model knowledge",
    "lint": "project static rewrite rule source model version",
    "dynamic": "project rule source model knowledge display",
    "report": "display rule model "
    # Results, and the small modules that tell what their words mean.
    "lint.results lint.diagnostic lint.fingerprints dynamic.profile dynamic.tuning project.registry "
    "source.line_matcher source.lines source.edits source.paths version",
    # An editor's command line: it shows what a run finds, in the words of the protocol.
    "server": "lint report project source model display version",
    "cli": "lint dynamic report server project source model display version",
    # `pipelint.profile(dataset)` is a command for those who have a dataset at hand.
    "pipelint": "cli report dynamic source version",
    "__main__": "cli",
}
"""What each package or module may import, besides itself."""

ONE_NAME_TWO_THINGS = {
    "__main__": "how Python starts a package that is a program",
    "calls": "followed by the interpreter, changed by rewrite",
    "statements": "followed by the interpreter, changed by rewrite",
    "effects": "what TensorFlow's functions do, and what the program's own functions do with them",
    "functions": "of the program, followed by the interpreter or seen alive",
    "stages": "of tf.data, built by live programs, changed by rewrite",
    "values": "those that rules see, and those that only the interpreter knows",
    "html": "a format of findings, of profiles and of what was tuned",
    "json": "a format of findings, of profiles and of what was tuned",
    "markdown": "a format of findings, of profiles and of what was tuned",
    "text": "a format of profiles and of what was tuned",
    "sentences": "the words for profiles, and for what was tuned",
    "options": "of the command line, and of tf.data, which rewrite sets",
    "tune": "the options of the command and what it does",
    "baseline": "the options of the command, what it does, and the file that it writes",
    "check": "the options of the command and what it does",
    "profile": "the options of the command, what it does, and the profile that it gives",
    "rule": "the options of the command, what it does, and the rules that it explains",
    "server": "the options of the command and what it does",
    "trust": "the options of the command and what it does",
    "clean": "the options of the command and what it does",
    "config": "the options of the command and what it does",
}
INTERPRETER = {
    f"static.interpret.{name}"
    for name in (
        "assignments", "calls", "classes", "decoration", "expressions", "functions", "importing", "methods", "special_calls",
        "statements",
    )
}  # fmt: skip
"""The one knot of modules: they follow each other as Python's own grammar does."""
FORBIDDEN_NAMES = {"utils", "util", "helpers", "common", "misc"}
AT_THE_TOP = {
    "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", ".pre-commit-hooks.yaml", "action.yml",
    "mkdocs.yml", ".gitignore", ".ci", "docs", "editors", "pipelint", "rules", "tests", "fixtures",
}  # fmt: skip


def _modules() -> dict[str, Path]:
    """Every module by its name, without the leading `pipelint.`; the rules stand below `rules.`."""
    found = {}
    for path in [*ROOT.glob("pipelint/**/*.py"), *ROOT.glob("rules/*.py")]:
        parts = list(path.relative_to(ROOT).with_suffix("").parts)
        parts = parts[1:] if parts[0] == "pipelint" else parts
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        found[".".join(parts) or "pipelint"] = path
    return found


MODULES = _modules()
PACKAGES = {name for name, path in MODULES.items() if path.name == "__init__.py"}


def _imported(node: ast.stmt, name: str) -> Iterator[str]:
    """What an import statement of a module of ours names, with its full path."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        # Only the rules, which are a pack like any other, say `from ._x import y`.
        above = "pipelint." + name.rpartition(".")[0] if node.level else ""
        base = ".".join(filter(None, (above, node.module)))
        yield from (f"{base}.{alias.name}" for alias in node.names)


def _imports() -> Iterator[tuple[str, str]]:
    """Every import of one of our modules by another, wherever it stands."""
    for name, path in MODULES.items():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            for target in _imported(node, name) if isinstance(node, ast.stmt) else ():
                top, _, inner = target.partition(".")
                known = next((part for part in (inner, inner.rpartition(".")[0]) if part in MODULES), None)
                if top == "pipelint" and known is not None and known != name:
                    yield name, known


IMPORTS = sorted(set(_imports()))


def _is_below(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def _room(module: str) -> str:
    """The innermost package of a module; one that stands loose beside packages is a room of its own."""
    package = module if module in PACKAGES else module.rpartition(".")[0]
    holds_packages = not package or any(_is_below(other, package) and other != package for other in PACKAGES)
    return module if holds_packages else package


def _knot(module: str) -> str:
    """The module, or the interpreter for all of its knot."""
    return "static.interpret" if module in INTERPRETER else module


def _require_no_circle(part_of: Callable[[str], str]) -> None:
    graph: dict[str, set[str]] = {}
    for importer, imported in IMPORTS:
        one, other = part_of(importer), part_of(imported)
        if one != other:
            graph.setdefault(one, set()).add(other)
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        pytest.fail(f"a circle of imports: {' <- '.join(error.args[1])}")


def test_arrows_go_one_way() -> None:
    crossing = set()
    for importer, imported in IMPORTS:
        top = importer.partition(".")[0]
        if not any(_is_below(imported, allowed) for allowed in (top, *ARROWS[top].split())):
            crossing.add((importer, imported))
    assert crossing == set()


def test_no_packages_import_each_other_in_circles() -> None:
    _require_no_circle(_room)


def test_no_modules_import_each_other_in_circles() -> None:
    _require_no_circle(_knot)


def test_private_modules_stay_in_their_package() -> None:
    private = [(a, b) for a, b in IMPORTS if b.rpartition(".")[2].startswith("_")]
    assert [(a, b) for a, b in private if not _is_below(a, b.rpartition(".")[0])] == []


def test_modules_are_named_for_what_they_hold() -> None:
    names = Counter(name.rpartition(".")[2] for name in MODULES if name not in PACKAGES)
    assert not FORBIDDEN_NAMES & set(names)
    twice = {name for name, number in names.items() if number > 1}
    assert twice - set(ONE_NAME_TWO_THINGS) == set()


def test_classes_are_named_for_one_thing() -> None:
    nodes = (node for path in MODULES.values() for node in ast.walk(ast.parse(path.read_text("utf-8"))))
    names = Counter(node.name for node in nodes if isinstance(node, ast.ClassDef) and not node.name.startswith("_"))
    twice = {name for name, number in names.items() if number > 1}
    assert twice == set()


def test_nothing_else_is_at_the_top() -> None:
    assert {Path(name).parts[0] for name in git(ROOT, "ls-files").splitlines()} - AT_THE_TOP == set()
