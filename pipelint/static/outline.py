"""A module in outline: what runs when it is imported or run, what it defines, and which names each of these uses."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from pipelint.knowledge.libraries import is_library
from pipelint.knowledge.lookups_by_name import (
    ADDS_NOTHING,
    ANYWHERE,
    ENDS_THE_PROGRAM,
    IN_OWN_NAMES,
    KEEP_NO_SUBCLASSES,
    ONLY_SET_UP,
)
from pipelint.knowledge.names import canonical, root
from pipelint.source.bindings import dotted_parts
from pipelint.source.tree_walk import children, kept_with_tree, walk

Path = tuple[str, ...]
Imports = dict[str, tuple[str, int, str | None]]
"""By the name that an import binds: the module, the dots before it, and the name in it; None for the module itself."""
_Function = (ast.FunctionDef, ast.AsyncFunctionDef)
_DEFINITIONS = (*_Function, ast.ClassDef)
_BLOCKS = ("body", "orelse", "finalbody")
_NAMES_SOMETHING = re.compile(r"[\w.:/-]+")
_WORD = re.compile(r"\w+")


@dataclass(eq=False)
class Piece:
    """Code that runs as a whole, with what it uses; code after a `return` or an `exit()` is no part of it."""

    paths: set[Path] = field(default_factory=set)
    """The dotted names."""
    attributes: set[str] = field(default_factory=set)
    """The attributes of what has no name."""
    words: set[str] = field(default_factory=set)
    """What texts may name."""
    asked: set[str] = field(default_factory=set)
    """The names that begin what it takes attributes of by names that nobody knows, "" for what has none."""
    listed: set[str] = field(default_factory=set)
    """The same of what it takes all attributes of that an object, or a module, has as its own."""
    looks_into_module: bool = False
    """Whether it may use anything that has a name in its module."""
    looks_anywhere: bool = False
    """Whether it may use anything."""


@dataclass(eq=False)
class Definition:
    """A function, a class or a method of a module."""

    name: str
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    piece: Piece
    registered: bool
    """Whether a decorator, a metaclass or a base may keep it, so that others come to it without its name."""
    bases: tuple[Path | None, ...] = ()
    methods: tuple[Definition, ...] = ()


@dataclass(eq=False)
class Outline:
    """One module: what it does when imported, what it does when run itself, and what it defines."""

    body: Piece
    main: Piece | None
    """Under `if __name__ == "__main__"`; None where there is no such block."""
    definitions: tuple[Definition, ...]
    imports: Imports
    imported: tuple[tuple[str, int], ...]
    """All modules that it may import, with the dots before them."""
    stars: tuple[tuple[str, int], ...]
    rebound: frozenset[str]
    """The names that stand for something else somewhere in it, as a parameter does."""
    ended: tuple[ast.AST, ...]
    """Statements after one that ends their block or the program."""
    runs_own_code: bool
    """Whether it calls what the project defines as soon as it is imported, so that nobody does."""
    only_defines: bool
    """Whether it does nothing but define things, and set up options or loggers."""


@kept_with_tree
def outline_of(tree: ast.Module) -> Outline:
    """The outline of a module."""
    return _outline(tree, ends_early=True)


@kept_with_tree
def outline_of_notebook(tree: ast.Module) -> Outline:
    """The outline of a notebook: the cells after one that ends it are run by hand."""
    return _outline(tree, ends_early=False)


def _outline(tree: ast.Module, *, ends_early: bool) -> Outline:
    imports, imported, stars = _imports(tree)
    ends = _Ends(imports, {node.name for node in tree.body if isinstance(node, _DEFINITIONS)})
    body, main, definitions = Piece(), None, []
    for node in ends.alive(tree.body) if ends_early else tree.body:
        if isinstance(node, _DEFINITIONS):
            definitions.append(_definition(node, imports, ends))
        elif _is_main_block(node):
            main = main or Piece()
            _note(main, [node], ends)
        else:
            _note(body, [node], ends)
    for definition in definitions:
        # Decorators, defaults and bases are what the module does; a class without a register is not used by it.
        for part in (*definition.node.decorator_list, *_defaults(definition.node)):
            _note(body, [part], ends)
    return Outline(
        body,
        main,
        tuple(definitions),
        imports,
        imported,
        stars,
        _rebound(tree),
        tuple(ends.ended),
        _runs_own_code(tree, imports),
        _only_defines(tree, imports),
    )


class _Ends:
    """Finds the statements that are never got to, since one before them ends the block or the program."""

    def __init__(self, imports: Imports, own: set[str]) -> None:
        self._known = {"exit", "quit"} - own - imports.keys()
        self._imports = imports
        self.ended: dict[ast.AST, None] = {}

    def alive(self, block: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
        """The statements of a block up to the one that ends it."""
        for place, node in enumerate(block[:-1], start=1):
            if isinstance(node, (ast.Return, ast.Raise, ast.Continue, ast.Break)) or self._ends_program(node):
                self.ended.update(dict.fromkeys(block[place:]))
                return block[:place]
        return block

    def _ends_program(self, node: ast.stmt) -> bool:
        match node:
            case ast.Expr(value=ast.Call(func=func)):
                path = dotted_parts(func) or ()
                known = path[0] in (self._known if len(path) == 1 else self._imports) if path else False
                bound = self._imports.get(path[0]) if path else None
                return known and (path in ENDS_THE_PROGRAM) and (bound is None or bound[0] == path[0])
            case _:
                return False


def _note(piece: Piece, nodes: Iterable[ast.AST], ends: _Ends) -> None:
    """Note what some code uses."""
    pending = list(nodes)
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.Name, ast.Attribute)):
            pending += _note_name(piece, node)
            continue
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str) and _NAMES_SOMETHING.fullmatch(node.value):
                piece.words.update(_WORD.findall(node.value))
            continue
        if isinstance(node, ast.Call):
            _note_lookup(piece, node)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue  # a docstring runs nothing that it speaks of
        for block in _BLOCKS:
            statements = getattr(node, block, None)
            if isinstance(statements, list):
                ends.alive(statements)
        pending += [child for child in children(node) if child not in ends.ended] if ends.ended else children(node)


def _note_name(piece: Piece, node: ast.Name | ast.Attribute) -> list[ast.AST]:
    """Note a name, or an attribute with all before it; what is left to be looked at."""
    path = dotted_parts(node)
    if not isinstance(node.ctx, ast.Load):
        path = path[:-1] if path else path
    if path:
        piece.paths.add(path)
        piece.looks_anywhere |= not ANYWHERE.isdisjoint(path)
        if "__dict__" in path:
            piece.listed.add(path[0])
        return []
    while isinstance(node, ast.Attribute):
        if isinstance(node.ctx, ast.Load):
            piece.attributes.add(node.attr)
            piece.looks_anywhere |= node.attr in ANYWHERE
        if not isinstance(node.value, (ast.Name, ast.Attribute)):
            return [node.value]
        node = node.value
    return []


def _note_lookup(piece: Piece, call: ast.Call) -> None:
    """Note that a call finds something by a name that is not written there."""
    match call:
        case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=str() as name), *_]):
            piece.attributes.add(name)
        case ast.Call(func=ast.Name(id="getattr" | "vars" | "dir" as name), args=[of, *_]):
            (piece.asked if name == "getattr" else piece.listed).add((dotted_parts(of) or ("",))[0])
        case ast.Call(func=ast.Name(id=name)) if name in IN_OWN_NAMES:
            piece.looks_into_module = True


def _definition(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
    imports: Imports,
    ends: _Ends,
) -> Definition:
    piece = Piece()
    registered = any(_symbol(decorator, imports) not in ADDS_NOTHING for decorator in node.decorator_list)
    if not isinstance(node, ast.ClassDef):
        _note(piece, [node.args, *ends.alive(node.body)], ends)
        return Definition(node.name, node, piece, registered)
    methods = [_definition(inner, imports, ends) for inner in node.body if isinstance(inner, _Function)]
    _note(
        piece, [*node.bases, *node.keywords, *(inner for inner in node.body if not isinstance(inner, _Function))], ends
    )
    for method in methods:
        _note(piece, method.node.decorator_list, ends)
    bases = tuple(dotted_parts(base) for base in node.bases)
    return Definition(node.name, node, piece, registered or bool(node.keywords), bases, tuple(methods))


def _defaults(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> list[ast.expr]:
    if isinstance(node, ast.ClassDef):
        return []
    return [default for default in (*node.args.defaults, *node.args.kw_defaults) if default is not None]


def _symbol(node: ast.expr, imports: Imports) -> str | None:
    """The full name of what an expression calls or names, where an import of a library or a builtin gives it."""
    path = dotted_parts(node.func if isinstance(node, ast.Call) else node)
    if path is None:
        return None
    bound = imports.get(path[0])
    if bound is None:
        return ".".join(path)
    module, level, name = bound
    return canonical(".".join((module, *([name] if name else []), *path[1:]))) if not level else None


def library_of(path: Path | None, outline: Outline) -> str | None:
    """The library that a dotted name is of, by its imports; None for what is of the project or not known."""
    bound = outline.imports.get(path[0]) if path else None
    if bound is None or bound[1]:
        return "object" if path == ("object",) else None
    package = root(canonical(bound[0]))
    return package if is_library(bound[0].partition(".")[0]) else None


def keeps_no_subclasses(library: str | None) -> bool:
    """Whether a library is known to keep no register of the classes that derive from its own."""
    return library in KEEP_NO_SUBCLASSES


def _imports(
    tree: ast.Module,
) -> tuple[Imports, tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]:
    bound: Imports = {}
    modules: dict[tuple[str, int], None] = {}
    stars: list[tuple[str, int]] = []
    for node in walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                parts = alias.name.split(".")
                modules.update(dict.fromkeys((".".join(parts[:end]), 0) for end in range(1, len(parts) + 1)))
                bound[alias.asname or parts[0]] = (alias.name if alias.asname else parts[0], 0, None)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            modules[module, node.level] = None
            for alias in node.names:
                if alias.name == "*":
                    stars.append((module, node.level))
                else:
                    bound[alias.asname or alias.name] = (module, node.level, alias.name)
                    modules[f"{module}.{alias.name}".lstrip("."), node.level] = None
    return bound, tuple(modules), tuple(stars)


def _rebound(tree: ast.Module) -> frozenset[str]:
    found = set()
    for node in walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
    return frozenset(found)


def _is_main_block(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and any(
        isinstance(part, ast.Name) and part.id == "__name__" for part in walk(node.test)
    )


def _doing(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements of a module that neither define something nor give a variable its value."""
    for node in tree.body:
        if not isinstance(node, (*_DEFINITIONS, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)):
            yield node


def _runs_own_code(tree: ast.Module, imports: Imports) -> bool:
    """Whether a module calls what it or the project defines, or a method of what that gave it, for what this does."""
    own = {node.name for node in tree.body if isinstance(node, _DEFINITIONS)}
    own |= {name for name, (module, level, _) in imports.items() if level or not is_library(module.partition(".")[0])}
    for node in tree.body:
        if isinstance(node, ast.Assign) and _calls_one_of(node.value, own):
            own |= {part.id for target in node.targets for part in walk(target) if isinstance(part, ast.Name)}
    return any(_calls_with_one_of(node, own) for node in _doing(tree) if not _is_main_block(node))


def _calls_with_one_of(node: ast.AST, names: set[str]) -> bool:
    parts = walk(node)
    used = any(isinstance(part, ast.Name) and part.id in names for part in parts)
    return used and any(isinstance(part, ast.Call) for part in parts)


def _calls_one_of(node: ast.AST, names: set[str]) -> bool:
    return any(
        isinstance(part, ast.Call) and (path := dotted_parts(part.func)) is not None and path[0] in names
        for part in walk(node)
    )


def _only_defines(tree: ast.Module, imports: Imports) -> bool:
    """Whether all that a module calls on being imported sets up options, loggers or paths."""
    libraries = {name: root(module) for name, (module, level, _) in imports.items() if not level}
    set_up = {name for name, library in libraries.items() if library in ONLY_SET_UP}
    for node in tree.body:
        if isinstance(node, ast.Assign) and _calls_one_of(node.value, set_up):
            set_up |= {part.id for target in node.targets for part in walk(target) if isinstance(part, ast.Name)}
    for node in tree.body:
        if isinstance(node, (*_DEFINITIONS, ast.Import, ast.ImportFrom)):
            continue
        if _is_main_block(node) or isinstance(node, (ast.For, ast.While, ast.With, ast.AsyncFor, ast.AsyncWith)):
            return False
        for part in walk(node):
            if isinstance(part, ast.Call):
                inner: ast.AST = part.func
                while isinstance(inner, (ast.Attribute, ast.Call)):
                    inner = inner.value if isinstance(inner, ast.Attribute) else inner.func
                if not (isinstance(inner, ast.Name) and inner.id in set_up):
                    return False
    return True


def lines_after_ends(tree: ast.Module) -> tuple[range, ...]:
    """The lines of a module that stand after what ends their block or the program."""
    return tuple(lines_of(node) for node in outline_of(tree).ended)


def lines_of(node: ast.AST, before: int = 0) -> range:
    """The lines of a statement, decorators included, where so many lines stand before its module."""
    decorators = getattr(node, "decorator_list", [])
    first = min(part.lineno for part in (node, *decorators))
    return range(first - before, (getattr(node, "end_lineno", None) or first) - before + 1)
