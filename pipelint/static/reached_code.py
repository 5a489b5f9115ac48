"""Which code of a project its programs get to, and which nothing runs; any doubt means that it is run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from pipelint.source.module_text import ModuleText, Neighbourhood
from pipelint.static.outline import (
    Definition,
    Outline,
    Path,
    Piece,
    keeps_no_subclasses,
    library_of,
    lines_of,
    outline_of,
    outline_of_notebook,
)
from pipelint.static.parse import parse_module

_FARTHEST = 8
"""How many modules pass a name on before it counts as unknown: more is a circle."""


class ReachedCode:
    """What runs of some modules, by whatever program there is, or by one of them alone."""

    def __init__(self, around: Neighbourhood, outlines: dict[ModuleText, Outline], start: ModuleText | None) -> None:
        self._around = around
        self._outlines = outlines
        self._modules: set[ModuleText] = set()
        self._reached: set[Definition] = set()
        self._whole: set[ModuleText] = set()
        """Modules of which anybody may use anything."""
        self._said: set[str] = set()
        """Names that may stand for anything that has them."""
        self._attributes: set[str] = set()
        self._weakly: dict[str, set[ModuleText]] = {}
        """Attributes that functions use which nothing runs today, with the modules that these are in."""
        self._objects_are_open = False
        self._given: set[ModuleText] = set()
        """Modules that are given away as objects."""
        self._modules_are_open = False
        self._pending: list[tuple[ModuleText, Piece, Definition | None]] = []
        self._home = {one: module for module, outline in outlines.items() for one in outline.definitions}
        self._named: dict[str, list[Definition]] = {}
        self._methods: dict[str, list[tuple[Definition, Definition]]] = {}
        """By the name of each method, with its class."""
        for one in self._home:
            self._named.setdefault(one.name, []).append(one)
            for method in one.methods:
                self._methods.setdefault(method.name, []).append((one, method))
        self._plain: dict[Definition, bool] = {}
        self._resting: dict[ModuleText, Sequence[range]] = {}
        self._alone = start is not None and self._is_program(start)
        self._start([start] if start is not None and self._alone else around.modules)
        while self._pending:
            self._use(*self._pending.pop())

    def _is_program(self, module: ModuleText) -> bool:
        outline = self._outlines[module]
        return outline.main is not None or module in (self._around.notebooks | self._around.unimported)

    def _start(self, modules: Iterable[ModuleText]) -> None:
        for module in modules:
            outline = self._outlines[module]
            if outline.main is not None:
                self._add_module(module)
                self._pending.append((module, outline.main, None))
            elif module in self._around.notebooks or outline.runs_own_code:
                self._add_module(module)
            elif module in self._around.unimported and not self._is_left_over(module):
                # Others may run it, or import it and what it imports.
                self._open_with_imports(module)
            if module in self._around.public:
                self._open(module)

    def _is_left_over(self, module: ModuleText) -> bool:
        return module in self._around.left_over and self._outlines[module].only_defines

    def rests(self, module: ModuleText, line: int) -> bool:
        """Whether nothing runs a line of a module, counted from its own first one."""
        return module in self._outlines and any(line in lines for lines in self.resting(module))

    def resting(self, module: ModuleText) -> Sequence[range]:
        """The lines of a module that nothing runs."""
        if module not in self._resting:
            self._resting[module] = tuple(self._lines(module))
        return self._resting[module]

    def _lines(self, module: ModuleText) -> Iterator[range]:
        outline, before = self._outlines[module], module.first_line - 1
        yield from (lines_of(node, before) for node in outline.ended)
        if module not in self._modules:
            if self._alone or self._is_known_to_rest(module):
                yield range(1, module.text.count("\n") + 2)
            return
        for one in outline.definitions:
            if one not in self._reached:
                yield lines_of(one.node, before)
            else:
                yield from (lines_of(method.node, before) for method in one.methods if method not in self._reached)

    def _is_known_to_rest(self, module: ModuleText) -> bool:
        """Whether a module that nothing leads to is one of those, or imported by one, that are left over."""
        seen, pending = {module}, [module]
        while pending:
            one = pending.pop()
            if self._is_left_over(one):
                return True
            new = {user for user in self._around.modules if one in self._imported(user)} - seen
            seen |= new
            pending += new
        return False

    def _imported(self, module: ModuleText) -> set[ModuleText]:
        found = (module.importer.find(name, level) for name, level in self._outlines[module].imported)
        return {one for one in found if one is not None and one in self._outlines}

    def _open_with_imports(self, module: ModuleText) -> None:
        seen, pending = {module}, [module]
        for one in pending:
            self._open(one)
            new = self._imported(one) - seen
            seen |= new
            pending += new

    def _open(self, module: ModuleText) -> None:
        """Anything in a module may be used."""
        self._add_module(module)
        if module not in self._whole:
            self._whole.add(module)
            for one in self._outlines[module].definitions:
                self._add(one)
                self._add_methods(one, one.methods)

    def _add_module(self, module: ModuleText) -> None:
        if module in self._modules:
            return
        self._modules.add(module)
        outline = self._outlines[module]
        self._pending.append((module, outline.body, None))
        for other in self._imported(module):
            self._add_module(other)
        for one in outline.definitions:
            kept = one.registered or not all(self._knows_base(base, outline) for base in one.bases)
            if kept or one.name in self._said:
                self._add(one)
        if not self._alone:
            for name, bound in outline.imports.items():
                # What a module imports it may pass on.
                if bound[2] and not library_of((name,), outline) and self._module_bound(module, bound) is None:
                    self._add_imported(module, bound)
            for one in outline.definitions:
                for part in (one, *one.methods):
                    self._use_elsewhere(module, outline, part.piece)

    def _use_elsewhere(self, module: ModuleText, outline: Outline, piece: Piece) -> None:
        """Add what a piece uses of other modules: these are there for it, though nothing may run it as it stands."""
        names = set(piece.attributes)
        for path in piece.paths:
            if library_of(path, outline):
                continue
            names.update(path[1:])
            bound = outline.imports.get(path[0]) if path[0] not in outline.rebound else None
            if bound is not None:
                source = self._module_bound(module, bound)
                if source is None:
                    self._add_imported(module, bound)
                elif path[1:]:
                    self._add_named(source, path[1])
            elif outline.stars:
                for one in self._named.get(path[0], ()):
                    if self._home[one] is not module:
                        self._add(one)
        for name in names:
            self._weakly.setdefault(name, set()).add(module)
            for owner, method in self._methods.get(name, ()):
                if owner in self._reached and self._home[owner] is not module:
                    self._add_methods(owner, [method])

    def _knows_base(self, base: Path | None, outline: Outline) -> bool:
        """Whether a base keeps no register of the classes that derive from it."""
        library = library_of(base, outline)
        return keeps_no_subclasses(library) if library else base is not None and base[-1] in self._named

    def _add(self, one: Definition) -> None:
        if one in self._reached:
            return
        self._reached.add(one)
        module = self._home[one]
        self._pending.append((module, one.piece, one))
        is_open = self._objects_are_open or module in self._whole or not self._is_plain(one)
        self._add_methods(
            one,
            (
                method
                for method in one.methods
                if is_open
                or method.registered
                or _is_special(method)
                or method.name in self._attributes
                or self._weakly.get(method.name, set()) - {module}
            ),
        )

    def _add_methods(self, owner: Definition, methods: Iterable[Definition]) -> None:
        for method in methods:
            if method not in self._reached:
                self._reached.add(method)
                self._pending.append((self._home[owner], method.piece, None))

    def _is_plain(self, one: Definition) -> bool:
        """Whether all that a class derives from is in sight, so that nobody else calls its methods."""
        if one not in self._plain:
            self._plain[one] = False  # as long as it is not known, and in a circle
            outline = self._outlines[self._home[one]]
            self._plain[one] = all(
                base == ("object",)
                or (
                    base is not None
                    and library_of(base, outline) is None
                    and base[-1] in self._named
                    and all(self._is_plain(other) for other in self._named[base[-1]])
                )
                for base in one.bases
            )
        return self._plain[one]

    def _use(self, module: ModuleText, piece: Piece, owner: Definition | None) -> None:
        """Follow what a piece of code mentions."""
        outline = self._outlines[module]
        for path in piece.paths:
            self._follow(module, outline, path)
            if owner is not None:
                self._add_methods(owner, (method for method in owner.methods if method.name == path[0]))
        self._say(piece.words)
        # A text names a method only for `getattr`, which is seen.
        self._say_attributes(piece.attributes)
        self._say(piece.attributes)
        for name in piece.asked | piece.listed:
            self._look_into(module, outline, name)
        if not all(library_of((name,), outline) for name in piece.asked):
            self._open_objects()
        if piece.looks_into_module:
            self._open(module)
            for other in self._imported(module):
                self._open(other)
        if piece.looks_anywhere:
            for other in self._around.modules:
                self._open(other)
            self._open_objects()

    def _look_into(self, module: ModuleText, outline: Outline, name: str) -> None:
        """Anything may be used of what a name stands for: a module, or an object that may be one."""
        bound = outline.imports.get(name) if name not in outline.rebound else None
        found = self._module_bound(module, bound) if bound is not None else None
        if found is not None:
            self._open(found)
        elif not library_of((name,), outline):
            self._modules_are_open = True
            for given in list(self._given):
                self._open(given)

    def _follow(self, module: ModuleText, outline: Outline, path: Path) -> None:
        name, rest = path[0], path[1:]
        bound = outline.imports.get(name) if name not in outline.rebound else None
        if bound is None:
            if name in outline.imports or outline.stars or module in self._around.notebooks:
                self._say({name})
            self._add_from(module, name)
        elif library_of(path, outline):
            return
        else:
            source = self._module_bound(module, bound)
            if source is not None and rest:
                self._add_named(source, rest[0])
                rest = rest[1:]
            elif source is not None:
                self._given.add(source)
                if self._modules_are_open:
                    self._open(source)
            elif source is None:
                self._add_imported(module, bound)
        self._say(rest)
        self._say_attributes(rest)

    def _module_bound(self, module: ModuleText, bound: tuple[str, int, str | None]) -> ModuleText | None:
        """The module that an import gives a name to; None where it is something in a module, or not known."""
        base, level, name = bound
        found = module.importer.find(base if name is None else f"{base}.{name}".lstrip("."), level)
        return found if found in self._outlines else None

    def _add_imported(self, module: ModuleText, bound: tuple[str, int, str | None]) -> None:
        base, level, name = bound
        source = module.importer.find(base, level)
        if name is not None and source is not None and source in self._outlines:
            self._add_named(source, name)
        else:
            self._say({name or base.rpartition(".")[2]})

    def _add_named(self, module: ModuleText, name: str, distance: int = 0) -> None:
        """Add what a module has under a name, or passes on."""
        outline = self._outlines[module]
        if self._add_from(module, name) and name not in outline.imports:
            return
        bound = outline.imports.get(name)
        if bound is None or distance > _FARTHEST:
            self._say({name})
            return
        source = module.importer.find(bound[0], bound[1]) if bound[2] else None
        if bound[2] and source is not None and source in self._outlines:
            self._add_named(source, bound[2], distance + 1)
        elif not library_of((name,), outline):
            self._say({name, bound[2] or name})

    def _add_from(self, module: ModuleText, name: str) -> bool:
        """Add the definitions that a module itself has under a name, if any."""
        own = [one for one in self._named.get(name, ()) if self._home[one] is module]
        for one in own:
            self._add(one)
        return bool(own)

    def _say(self, names: Iterable[str]) -> None:
        """Names stand for whatever has them in a module that is reached."""
        for name in set(names) - self._said:
            self._said.add(name)
            for one in self._named.get(name, ()):
                if self._home[one] in self._modules:
                    self._add(one)

    def _say_attributes(self, names: Iterable[str]) -> None:
        for name in set(names) - self._attributes:
            self._attributes.add(name)
            for owner, method in self._methods.get(name, ()):
                if owner in self._reached:
                    self._add_methods(owner, [method])

    def _open_objects(self) -> None:
        if not self._objects_are_open:
            self._objects_are_open = True
            for one in [one for one in self._home if one in self._reached]:
                self._add_methods(one, one.methods)


def _is_special(method: Definition) -> bool:
    """Whether Python itself calls a method."""
    return method.name.startswith("__") and method.name.endswith("__")


@lru_cache(16)  # the files of one project have much the same around them
def reached_code(around: Neighbourhood, start: ModuleText | None = None) -> ReachedCode | None:
    """What runs of some modules, by whatever program there is, or by one of them alone; None where that is unknown."""
    outlines = {}
    for module in around.modules:
        tree = parse_module(module)
        if tree is None:
            return None  # nobody knows what it uses
        outlines[module] = outline_of_notebook(tree) if module in around.notebooks else outline_of(tree)
    return ReachedCode(around, outlines, start)
