"""Renders the repairs that rules ask for as text edits in the user's own style."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from pipelint.knowledge import signatures, stages
from pipelint.model.code import Call, Function
from pipelint.model.locations import Location, Region
from pipelint.model.pipeline import Dataset, Stage
from pipelint.model.program import Program, Reference
from pipelint.model.repair import (
    Append,
    AssignBack,
    Decorate,
    Edit,
    MoveAfter,
    NewCall,
    RemoveArgument,
    RemoveStatement,
    RenameAttribute,
    Repair,
    ReplaceApply,
    ReplaceCallee,
    ReplaceReference,
    ReplaceText,
    SetArgument,
)
from pipelint.model.values import Literal, Symbol
from pipelint.rewrite.moving import Mover
from pipelint.rewrite.removal import without_item, without_statement
from pipelint.rewrite.spelling import Spelling
from pipelint.rewrite.syntax import Syntax, chain_root, is_primary
from pipelint.source.bindings import function_names
from pipelint.source.positions import Positions

Edits = tuple[Edit, ...]


class Rewriter:
    """Works out the edits of repairs to one program; a repair that the source cannot take has none."""

    def __init__(self, text: str, program: Program | None) -> None:
        self._text = text
        self._positions = Positions(text)
        self._program = program
        self.datasets: tuple[Dataset, ...] = program.datasets if program is not None else ()

    @cached_property
    def _tree(self) -> ast.Module:
        return ast.parse(self._text)

    @cached_property
    def _syntax(self) -> Syntax:
        return Syntax(self._positions, self._tree)

    @cached_property
    def _spelling(self) -> Spelling:
        assert self._program is not None
        return Spelling(self._positions, self._tree, self._program.target)

    def edits(self, repair: Repair) -> Edits:
        """The text edits of a repair, sorted and free of overlaps."""
        return tuple(sorted(self._edits(repair)))

    def _edits(self, repair: Repair) -> Edits:
        match repair:
            case ReplaceText(edits=edits):
                return edits
            case SetArgument(stage=stage, name=name, value=value):
                return self.set_argument(stage, name, value)
            case Append(dataset=dataset, op=op, value=value):
                return self.append(dataset, op, value)
            case MoveAfter(stage=stage, others=others, replacing=replacing):
                ways = (self.move_after(stage, other, dict(replacing)) for other in others)
                return next(filter(None, ways), ())
            case AssignBack(stage=stage):
                return self.assign_back(stage)
            case ReplaceCallee(call=call, symbol=symbol, keeps_methods=keeps_methods):
                return self.replace_callee(call, symbol, keeps_methods=keeps_methods)
            case ReplaceReference(reference=reference, symbol=symbol):
                return self.replace_reference(reference, symbol)
            case RenameAttribute(reference=reference, name=name):
                return self.rename_attribute(reference.region, name)
            case ReplaceApply(transformation=transformation, methods=methods):
                return self.unapply(transformation, methods)
            case RemoveStatement(call=call):
                return self.remove_statement(call)
            case RemoveArgument(call=call, name=name):
                return self.remove_argument(call, name)
            case Decorate(function=function, symbol=symbol):
                return self.decorate(function, symbol)

    def set_argument(self, stage: Stage, name: str, value: Symbol | Literal) -> Edits:
        """Give the stage's call this argument, new or in place of the old."""
        node = self._syntax.call_at(Region.of(stage.factory or stage.call))
        spelled = self._spelled(value, Region.of(stage.call).start)
        if node is None or spelled is None:
            return ()
        text, more = spelled
        existing = stage.argument(name)
        if existing is not None:
            written = next((item for item in _written(node) if self._positions.region(item) == existing.region), None)
            # An argument out of a `**` or a parameter of the user's function is set by somebody else.
            if written is None or self._syntax.is_parameter(written):
                return ()
            return self._checked((Edit(Region.of(existing.region), text), *more))
        from pipelint.rewrite.arguments import with_argument

        tail = Region(self._positions.region(node.func).end, self._positions.region(node).end)
        old = self._text[tail.start : tail.end]
        new = with_argument(old, name, text)
        return self._checked((_smallest(tail.start, old, new), *more)) if new is not None else ()

    def append(self, dataset: Dataset, op: str, value: Symbol | Literal) -> Edits:
        """Add a stage behind the last one, where the dataset is built, returned or consumed."""
        if not dataset.complete:
            return ()
        ends = {pipeline.end.call: pipeline.end for pipeline in dataset.variants}
        if len(ends) == 1:
            (end,) = ends.values()
            link = self._syntax.link(self._syntax.call_at(Region.of(end.call)))
            if link is not None and _is_one_dataset(end) and not self._continued(end):
                spelled = self._spelled(value, Region.of(end.call).start)
                if spelled is None:
                    return ()
                at = link.behind if link.has_own_line else link.method.end
                return self._checked((Edit(_at(at), f"{link.lead}{op}({spelled[0]})"), *spelled[1]))
        return self._append_at_places(dataset, op, value)

    def _append_at_places(self, dataset: Dataset, op: str, value: Symbol | Literal) -> Edits:
        if len(dataset.places) < len(dataset.consumers) or self._shares_places(dataset, op):
            return ()
        edits: dict[Edit, None] = {}
        for _, location in dataset.places:
            region = Region.of(location)
            spelled = self._spelled(value, region.start)
            if spelled is None or not is_primary(self._text[region.start : region.end]):
                return ()
            edits[Edit(_at(region.end), f".{op}({spelled[0]})")] = None
            edits.update(dict.fromkeys(spelled[1]))
        return self._checked(tuple(edits))

    def _shares_places(self, dataset: Dataset, op: str) -> bool:
        """Whether another dataset that has the stage already passes through the same expression."""
        places = {region for _, region in dataset.places}
        return any(
            any(region in places for _, region in other.places)
            and any(pipeline.end.op == op for pipeline in other.variants)
            for other in self.datasets
            if other is not dataset
        )

    def _continued(self, end: Stage) -> bool:
        """Whether some pipeline goes on behind the call that ends this one."""
        return any(
            stage.call == end.call and stage.output is not None
            for dataset in self.datasets
            for pipeline in dataset.variants
            for stage in pipeline.stages
        )

    def move_after(self, stage: Stage, other: Stage, replacing: Mapping[str, Symbol | Literal]) -> Edits:
        """Take the stage out and put it right behind the other one, up or down the pipeline."""
        changes: dict[Region, str] = {}
        more: Edits = ()
        for name, value in replacing.items():
            argument, spelled = stage.argument(name), self._spelled(value, Region.of(other.call).end)
            if argument is None or spelled is None:
                return ()
            changes[Region.of(argument.region)] = spelled[0]
            more += spelled[1]
        mover = Mover(self._syntax, self.datasets)
        for edits in mover.moves(stage, other, changes):
            checked = self._checked((*edits, *more))
            if checked:
                return checked
        return ()

    def assign_back(self, stage: Stage) -> Edits:
        """Turn a bare `ds.shuffle(n)` into `ds = ds.shuffle(n)`."""
        node = self._syntax.call_at(Region.of(stage.call))
        statement = self._syntax.statement_of(node) if node is not None else None
        if node is None or not isinstance(statement, ast.Expr) or statement.value is not node:
            return ()
        receiver = chain_root(node, signatures.TRANSFORMATIONS)
        if not isinstance(receiver, (ast.Name, ast.Attribute)):
            return ()
        function = self._syntax.function_around(node)
        if isinstance(receiver, ast.Name) and function is not None:
            local, declared = function_names(function)
            if receiver.id not in local | declared:
                # An assignment would make the name local.
                return ()
        start = self._positions.region(statement).start
        return self._checked((Edit(_at(start), f"{ast.unparse(receiver)} = "),))

    def replace_callee(self, call: Call, symbol: str, *, keeps_methods: bool) -> Edits:
        """Call another function; not where a method of the result follows, which the other result may not have."""
        follows = self._text[call.region.end :].lstrip().startswith(".")
        if call.expression is None or (follows and not keeps_methods):
            return ()
        return self._respelled(call.expression, symbol)

    def replace_reference(self, reference: Reference, symbol: str) -> Edits:
        """Name another thing, also where the old one is imported by `from ... import`."""
        if reference.imported:
            return self.import_from(reference.region, symbol.rpartition(".")[0])
        return self._respelled(reference.region, symbol)

    def _respelled(self, region: Region, name: str) -> Edits:
        spelled = self._spelling.respell(self._text[region.start : region.end], name, region.start)
        return self._checked((Edit(region, spelled[0]), *spelled[1])) if spelled is not None else ()

    def rename_attribute(self, region: Region, name: str) -> Edits:
        """Replace the last name of a dotted expression."""
        last = self._text[region.start : region.end].rpartition(".")[2].strip()
        return self._checked((Edit(Region(region.end - len(last), region.end), name),))

    def import_from(self, region: Region, module: str) -> Edits:
        """Import the name at this place from another module."""
        for node in self._syntax.nodes(ast.ImportFrom):
            regions = [self._positions.region(alias) for alias in node.names]
            if region not in regions or node.module is None:
                continue
            if len(regions) == 1:
                start = self._text.index(
                    node.module.partition(".")[0], self._positions.region(node).start + len("from")
                )
                end = self._text.rindex("import", start, region.start)
                written = self._text[start:end].rstrip()
                return self._checked((Edit(Region(start, start + len(written)), module),))
            statement = self._positions.region(node)
            indent = self._positions.indentation(statement.start)
            line = f"from {module} import {self._text[region.start : region.end]}"
            added = Edit(_at(statement.start), f"{line}{self._positions.newline}{indent}")
            return self._checked((added, *without_item(self._positions, regions, regions.index(region))))
        return ()

    def unapply(self, operation: Call, methods: Sequence[NewCall]) -> Edits:
        """Turn `.apply(operation)` into these methods of the dataset."""
        node = self._syntax.call_at(operation.region)
        outer = next((call for call in self._syntax.nodes(ast.Call) if call.args == [node] and not call.keywords), None)
        link = self._syntax.link(outer)
        if outer is None or link is None or not isinstance(outer.func, ast.Attribute) or outer.func.attr != "apply":
            return ()
        more: Edits = ()
        calls: list[str] = []
        for call in methods:
            written: list[str] = []
            for name, value in call.arguments:
                spelled = self._argument(value, outer)
                if spelled is None:
                    return ()
                more += spelled[1]
                written.append(f"{name}={spelled[0]}" if name else spelled[0])
            calls.append(f"{call.method}({', '.join(written)})")
        if self._syntax.has_comment(Region(link.method.start, link.method.end)):
            return ()
        return self._checked((Edit(link.method, link.lead.join(calls)), *more))

    def _argument(self, value: Location | Symbol | Literal, near: ast.expr) -> tuple[str, Edits] | None:
        if isinstance(value, Location):
            value = Region.of(value)
            return self._text[value.start : value.end], ()
        return self._spelled(value, self._positions.region(near).start)

    def remove_statement(self, operation: Call) -> Edits:
        """Delete the statement that is nothing but this call."""
        for statement in self._syntax.nodes(ast.Expr):
            if self._positions.region(statement.value) == operation.region:
                alone = len(self._syntax.block_of(statement)) == 1
                return self._checked(
                    without_statement(self._positions, self._positions.region(statement), alone_in_block=alone)
                )
        return ()

    def remove_argument(self, operation: Call, name: str) -> Edits:
        """Delete a keyword argument of the call."""
        node = self._syntax.call_at(operation.region)
        if node is None:
            return ()
        items: list[ast.expr | ast.keyword] = [*node.args, *node.keywords]
        items.sort(key=self._positions.region)
        for index, item in enumerate(items):
            if isinstance(item, ast.keyword) and item.arg == name:
                return self._checked(
                    without_item(self._positions, [self._positions.region(item) for item in items], index)
                )
        return ()

    def decorate(self, function: Function, name: str) -> Edits:
        """Put a decorator on a function."""
        place = Region.of(function.location)
        found = [node for node in self._syntax.functions() if self._positions.definition_name(node) == place]
        if len(found) != 1 or _returns_what_it_calls(found[0]):
            return ()
        first = min([found[0].lineno, *(decorator.lineno for decorator in found[0].decorator_list)])
        start = self._positions.offset(first, 0)
        spelled = self._spelling.spell(name, start)
        if spelled is None:
            return ()
        indent = self._positions.indentation(self._positions.offset(found[0].lineno, found[0].col_offset))
        return self._checked((Edit(_at(start), f"{indent}@{spelled[0]}{self._positions.newline}"), *spelled[1]))

    def _spelled(self, value: Symbol | Literal, at: int) -> tuple[str, Edits] | None:
        return (repr(value.value), ()) if isinstance(value, Literal) else self._spelling.spell(value.name, at)

    def _checked(self, edits: Edits) -> Edits:
        """The edits, unless what they make of the statements that they touch is no Python: then none."""
        touched: dict[int, list[Edit]] = {}
        for edit in sorted(set(edits), reverse=True):
            touched.setdefault(bisect_right(self._starts, edit.region.start) - 1, []).append(edit)
        for index, inside in touched.items():
            start, end = self._starts[index], self._starts[index + 1]
            text = self._text[start:end]
            for edit in inside:
                text = text[: edit.region.start - start] + edit.text + text[edit.region.end - start :]
            try:
                ast.parse(text)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                return ()
        return tuple(dict.fromkeys(edits))

    @cached_property
    def _starts(self) -> list[int]:
        """Where the lines of the top-level statements begin, and where the text ends."""
        lines = (
            min([node.lineno, *(item.lineno for item in getattr(node, "decorator_list", ()))])
            for node in self._tree.body
        )
        inner = {self._positions.offset(line, 0) for line in lines}
        return [0, *sorted(inner - {0}), len(self._text) + 1]


def _returns_what_it_calls(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function returns an object that it calls, such as the model: a traced one can only return tensors."""
    inside = list(ast.walk(node))
    called = {part.func.id for part in inside if isinstance(part, ast.Call) and isinstance(part.func, ast.Name)}
    returned = [part.value for part in inside if isinstance(part, ast.Return) and part.value is not None]
    values = [item for value in returned for item in (value.elts if isinstance(value, ast.Tuple) else [value])]
    return any(isinstance(value, ast.Name) and value.id in called for value in values)


def _is_one_dataset(stage: Stage) -> bool:
    """Whether the stage's call gives just the dataset: loaders may give a tuple, or one with attributes of its own."""
    return not stage.is_source or (
        stage.op not in stages.LOADERS and stage.op not in ("load", "parameter", "to_tf_dataset")
    )


def _written(node: ast.Call) -> Iterator[ast.expr]:
    yield from (item for item in node.args if not isinstance(item, ast.Starred))
    yield from (keyword.value for keyword in node.keywords if keyword.arg is not None)


def _at(offset: int) -> Region:
    return Region(offset, offset)


def _smallest(start: int, old: str, new: str) -> Edit:
    """The edit that turns the old text into the new one, without what both share at either end."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return Edit(Region(start + head, start + len(old) - tail), new[head : len(new) - tail])
