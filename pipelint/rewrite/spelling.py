"""How this file would write an imported name: its own aliases first, a new import last."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from pipelint.knowledge import names
from pipelint.knowledge.deprecated import RENAMED
from pipelint.knowledge.libraries import is_library
from pipelint.model.edit import Edits
from pipelint.model.locations import Region
from pipelint.model.tensorflow_version import Version
from pipelint.model.values import AUTOTUNE, EXPERIMENTAL_AUTOTUNE, Literal, Symbol
from pipelint.rewrite.placement import Placement
from pipelint.rewrite.surely_bound import SurelyBound
from pipelint.rewrite.syntax import AnyFunction, Syntax, Unfit
from pipelint.source.bindings import bound_names, dotted_parts, function_names, imported, parameter_names

_AUTOTUNES = (AUTOTUNE.name, EXPERIMENTAL_AUTOTUNE.name)
_Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef | ast.expr
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, *_COMPREHENSIONS)

Spelled = tuple[str, Edits]


@dataclass(frozen=True, eq=False)
class _Binding:
    """A name that stands for an imported thing, and where it is bound."""

    name: str
    symbol: str
    begin: int
    scope: _Scope


class Spelling:
    """Spells names for one program."""

    def __init__(self, syntax: Syntax, oldest: Version, passed_on: Mapping[str, str]) -> None:
        """How a text spells names that the oldest TensorFlow which may run it has.

        Of some that it imports from its own project, it is known what they stand for.
        """
        self._passed_on = passed_on
        self._syntax = syntax
        self._positions = syntax.positions
        self._tree = syntax.tree
        self._oldest = oldest
        self._counts: dict[_Scope, Counter[str]] = {}

    def value(self, value: Symbol | Literal, at: int) -> Spelled:
        """The text of a value at this offset, and the edits that make it valid; raises Unfit if there is none."""
        if isinstance(value, Literal):
            return self._constant(value.value), ()
        return self.spell(self._autotune if value.name in _AUTOTUNES else value.name, at)

    def _constant(self, value: object) -> str:
        """A constant, plain texts in the quotes that the file prefers."""
        text = self._syntax.text
        doubled = isinstance(value, str) and value.replace(".", "").isalnum() and text.count('"') >= text.count("'")
        return f'"{value}"' if doubled else repr(value)

    def argument(self, name: str, value: Symbol | Literal, at: int) -> Spelled:
        """The same for an argument: a parameter of its name, where the function around gives that to other calls."""
        if isinstance(value, Symbol) and value.name in _AUTOTUNES and self._passes_on(self._owner(name, at), name):
            return name, ()
        return self.value(value, at)

    def _passes_on(self, function: _Scope, name: str) -> bool:
        """Whether a function gives its parameter on under the same name, and does not take None for it by default."""
        if not isinstance(function, AnyFunction) or name not in parameter_names(function):
            return False
        keywords = [node for node in ast.walk(function) if isinstance(node, ast.keyword) and node.arg == name]
        given = any(isinstance(node.value, ast.Name) and node.value.id == name for node in keywords)
        return given and not self._times_bound(function)[name] and not _is_none_by_default(function, name)

    def spell(self, name: str, at: int) -> Spelled:
        """The text that names the symbol at this offset, and the edits that make it valid; raises Unfit."""
        module, _, builtin = name.rpartition(".")
        if module == "builtins" and not any(builtin in bound for _, bound in self._around(at)):
            return builtin, ()
        wanted = _AUTOTUNES if name in _AUTOTUNES else (name,)
        usable = [binding for binding in self._bindings if self._usable(binding, at)]
        before = [binding for binding in usable if binding.begin <= at]
        # The body of a function runs later: there a name serves that is bound further down, if no other does.
        for bindings in (before, usable):
            spelled = _by_alias(bindings, name, wanted)
            if spelled is not None:
                return spelled, ()
        return self._with_import(name, at)

    @cached_property
    def _autotune(self) -> str:
        """The name of AUTOTUNE that the text uses; where it has both or none, the one that the oldest has."""
        roots = {binding.name: binding.symbol for binding in self._bindings if binding.symbol not in _AUTOTUNES}
        attributes = (node for node in ast.walk(self._tree) if isinstance(node, ast.Attribute))
        read = {_dotted(node, roots) for node in attributes if node.attr == names.last(AUTOTUNE.name)}
        read |= {binding.symbol for binding in self._bindings} & {EXPERIMENTAL_AUTOTUNE.name}
        uses_new, uses_old = (name in read for name in _AUTOTUNES)
        if uses_new != uses_old:
            return (AUTOTUNE if uses_new else EXPERIMENTAL_AUTOTUNE).name
        has_new = self._oldest >= RENAMED[EXPERIMENTAL_AUTOTUNE.name].since
        return (AUTOTUNE if has_new else EXPERIMENTAL_AUTOTUNE).name

    def respell(self, text: str, name: str, at: int) -> Spelled:
        """The same for a dotted expression that gets another end: its first name is kept if it serves."""
        first = text.partition(".")[0].strip()
        for binding in self._bindings:
            if binding.name == first and self._usable(binding, at) and name.startswith(binding.symbol + "."):
                return first + name[len(binding.symbol) :], ()
        return self.spell(name, at)

    @cached_property
    def _scopes(self) -> list[tuple[_Scope, Region, frozenset[str]]]:
        """The scopes below the module in the order of the text, with the names that each binds."""
        found: list[tuple[_Scope, Region, frozenset[str]]] = []
        for node in ast.walk(self._tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                found.append((node, self._positions.region(node), function_names(node)[0]))
            elif isinstance(node, ast.ClassDef):
                found.append((node, self._positions.region(node), bound_names(node.body)))
            elif isinstance(node, _COMPREHENSIONS):
                targets = frozenset().union(*(bound_names([ast.Expr(item.target)]) for item in node.generators))
                found.append((node, self._positions.region(node), targets))
        return sorted(found, key=lambda item: (item[1].start, -item[1].end))

    @cached_property
    def _starts(self) -> list[int]:
        return [region.start for _, region, _ in self._scopes]

    @cached_property
    def _outer(self) -> list[int]:
        """The index of the scope around each, -1 for the module."""
        outer: list[int] = []
        for index, (_, region, _) in enumerate(self._scopes):
            around = index - 1
            while around >= 0 and self._scopes[around][1].end <= region.start:
                around = outer[around]
            outer.append(around)
        return outer

    def _around(self, at: int) -> Iterator[tuple[_Scope, frozenset[str]]]:
        """The scopes around an offset, the innermost first."""
        index = bisect_right(self._starts, at) - 1
        while index >= 0:
            scope, region, bound = self._scopes[index]
            if at < region.end:
                yield scope, bound
            index = self._outer[index]

    @cached_property
    def _bindings(self) -> list[_Binding]:
        """Every name that stands for one imported thing throughout its scope."""
        found: list[_Binding] = []
        for scope in (self._tree, *(scope for scope, _, _ in self._scopes)):
            if isinstance(scope, (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef)):
                found.extend(self._bindings_of(scope))
        imports = {binding.name: binding.symbol for binding in found if binding.scope is self._tree}
        for scope in (self._tree, *(scope for scope, _, _ in self._scopes)):
            if isinstance(scope, (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef)):
                found.extend(self._variables_of(scope, {**imports, **_names_in(found, scope)}))
        return [binding for binding in found if not self._is_ambiguous(binding, found)]

    def _bindings_of(self, scope: ast.Module | ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[_Binding]:
        for node in _statements(scope.body):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                begin = self._positions.region(node).end
                for name, symbol in self._imported(node):
                    yield _Binding(name, symbol, begin, scope)

    def _imported(self, node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
        """The names that an import binds, with what they stand for."""
        named = imported(node)
        for name, symbol in named.items():
            passed_on = isinstance(node, ast.ImportFrom) and not is_library(names.root(symbol.name))
            yield name, self._passed_on.get(name, symbol.name) if passed_on else symbol.name
        if (
            isinstance(node, ast.ImportFrom)
            and node.names[0].name == "*"
            and not is_library(names.root(node.module or ""))
        ):
            otherwise = self._times_bound(self._tree)
            yield from ((name, symbol) for name, symbol in self._passed_on.items() if not otherwise[name])

    def _variables_of(
        self, scope: ast.Module | ast.FunctionDef | ast.AsyncFunctionDef, known: dict[str, str]
    ) -> Iterator[_Binding]:
        for node in _statements(scope.body):
            for name, value in _assigned(node):
                if isinstance(value, ast.Attribute) and _dotted(value, known) in _AUTOTUNES:
                    yield _Binding(name, AUTOTUNE.name, self._positions.region(node).end, scope)

    def _is_ambiguous(self, binding: _Binding, found: list[_Binding]) -> bool:
        """Whether its name is also bound to something else in the same scope, or from another one."""
        if binding.name in self._bound_from_inside:
            return True
        same = [other for other in found if other.name == binding.name and other.scope is binding.scope]
        if any(other.symbol != binding.symbol for other in same):
            return True
        if isinstance(binding.scope, AnyFunction) and binding.name in parameter_names(binding.scope):
            return True
        return self._times_bound(binding.scope)[binding.name] > len(same)

    def _times_bound(self, scope: _Scope) -> Counter[str]:
        """How often each name is bound in a scope, counted once for all of them."""
        if scope not in self._counts:
            self._counts[scope] = _times_bound(getattr(scope, "body", []))
        return self._counts[scope]

    @cached_property
    def _bound_from_inside(self) -> frozenset[str]:
        """The names that functions declare global or nonlocal."""
        declared = (node for node in ast.walk(self._tree) if isinstance(node, (ast.Global, ast.Nonlocal)))
        return frozenset(name for node in declared for name in node.names)

    def _usable(self, binding: _Binding, at: int) -> bool:
        return self._owner(binding.name, at) is binding.scope and binding.name in self._surely_bound.at(at)

    @cached_property
    def _surely_bound(self) -> SurelyBound:
        return SurelyBound(self._syntax, {binding.name for binding in self._bindings})

    def _owner(self, name: str, at: int) -> _Scope:
        """The scope in which a name is looked up at this offset."""
        for position, (scope, bound) in enumerate(self._around(at)):
            # The body of a class is no enclosing scope for its methods.
            if name in bound and (position == 0 or not isinstance(scope, ast.ClassDef)):
                return scope
        return self._tree

    def _with_import(self, name: str, at: int) -> Spelled:
        root = names.root(name)
        for alias in dict.fromkeys((names.ALIASES.get(root, root), root)):
            if self._owner(alias, at) is self._tree and self._stands_only_for(alias, root):
                return alias + name[len(root) :], (self._placement.new_import(root, alias, at),)
        raise Unfit(f"the names under which `{root}` could be imported mean something else here")

    def _stands_only_for(self, alias: str, root: str) -> bool:
        """Whether the module binds a name to nothing else: it may import the same further down."""
        own = [found for found in self._bindings_of(self._tree) if (found.name, found.symbol) == (alias, root)]
        return alias not in self._bound_from_inside and self._times_bound(self._tree)[alias] == len(own)

    @cached_property
    def _placement(self) -> Placement:
        return Placement(self._syntax)


def _is_none_by_default(function: AnyFunction, name: str) -> bool:
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = dict(zip(reversed([each.arg for each in positional]), reversed(arguments.defaults), strict=False))
    defaults |= {
        each.arg: value for each, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if value
    }
    default = defaults.get(name)
    return isinstance(default, ast.Constant) and default.value is None


def _assigned(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """The names that a statement assigns to, each with what it gets, also where several get theirs at once."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            yield name, value
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)) if len(targets) == len(values):
            for target, value in zip(targets, values, strict=True):
                if isinstance(target, ast.Name):
                    yield target.id, value


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a scope, nested blocks included."""
    for node in body:
        yield node
        if not isinstance(node, _SCOPES):
            for block in _blocks(node):
                yield from _statements(block)


def _by_alias(bindings: list[_Binding], name: str, wanted: tuple[str, ...]) -> str | None:
    for binding in reversed(bindings):
        if binding.symbol in wanted:
            return binding.name
    prefixes = [binding for binding in bindings if name.startswith(binding.symbol + ".")]
    if prefixes:
        best = max(prefixes, key=lambda binding: (binding.name == "tf", len(binding.symbol)))
        return best.name + name[len(best.symbol) :]
    if name in _AUTOTUNES:
        # The names of version 1 have it as well.
        old = [binding.name for binding in bindings if binding.symbol == "tensorflow.compat.v1"]
        return f"{old[0]}{name.removeprefix('tensorflow')}" if old else None
    if names.root(name) == "keras":
        roots = [binding.name for binding in bindings if binding.symbol == "tensorflow"]
        return f"{roots[0]}.{name}" if roots else None
    return None


def _names_in(bindings: list[_Binding], scope: _Scope) -> dict[str, str]:
    return {binding.name: binding.symbol for binding in bindings if binding.scope is scope}


def _blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
            yield block
    for handler in (*getattr(node, "handlers", []), *getattr(node, "cases", [])):
        yield handler.body


def _dotted(node: ast.expr, known: dict[str, str]) -> str | None:
    parts = dotted_parts(node)
    if parts is None or parts[0] not in known:
        return None
    return names.canonical(".".join([known[parts[0]], *parts[1:]]))


def _times_bound(body: list[ast.stmt]) -> Counter[str]:
    """How often statements bind each name, nested blocks included and nested functions not; `= None` does not count."""
    times: Counter[str] = Counter()
    pending: list[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        match node:
            case ast.FunctionDef(name=bound) | ast.AsyncFunctionDef(name=bound) | ast.ClassDef(name=bound):
                times[bound] += 1
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                times.update(alias.asname or alias.name.partition(".")[0] for alias in aliases)
            case ast.Name(id=bound, ctx=ast.Store() | ast.Del()):
                times[bound] += 1
            case ast.ExceptHandler(name=caught, body=inner):
                times.update([caught] if caught else [])
                pending.extend(inner)
            case ast.MatchAs(name=matched) | ast.MatchStar(name=matched) | ast.MatchMapping(rest=matched):
                times.update([matched] if matched else [])
                pending.extend(ast.iter_child_nodes(node))
            case ast.Lambda():
                pass
            case ast.Assign(targets=[ast.Name()], value=ast.Constant(value=None)):
                pass
            case _:
                pending.extend(ast.iter_child_nodes(node))
    return times
