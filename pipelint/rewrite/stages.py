"""Changes pipelines where they are written: stages added, moved, assigned and put in the place of `apply`."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from functools import cached_property

import libcst as cst

from pipelint.knowledge.signatures import TRANSFORMATIONS
from pipelint.knowledge.stages import FREE, LOADERS
from pipelint.model.code import Call
from pipelint.model.edit import Edit, Edits
from pipelint.model.locations import Location
from pipelint.model.pipeline import Dataset, Stage
from pipelint.model.repair import NewCall, Product
from pipelint.model.values import Literal, Symbol
from pipelint.rewrite import options, statements
from pipelint.rewrite.arguments import on_one_line, with_value
from pipelint.rewrite.calls import argument_at
from pipelint.rewrite.chains import Link, chain_of, new_link
from pipelint.rewrite.concrete import expression_piece, has_comment, new_expression
from pipelint.rewrite.spelling import Spelling
from pipelint.rewrite.syntax import Syntax, Unfit, arguments_of
from pipelint.source.bindings import bound_names, function_names

_New = Symbol | Literal | Product
_NUMBERS = "enumerate"
_SERVICE = "tensorflow.data.experimental.service"
_EQUAL = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))


class Stages:
    """Works out the edits of repairs to the pipelines of one program; raises Unfit where the source cannot take one."""

    def __init__(self, syntax: Syntax, spelling: Spelling, datasets: tuple[Dataset, ...]) -> None:
        self._syntax = syntax
        self._spelling = spelling
        self._datasets = datasets

    def append(self, dataset: Dataset, op: str, value: Symbol | Literal) -> Edits:
        """Add a stage behind the last one, where the dataset is built, returned or consumed."""
        if not dataset.complete:
            raise Unfit("not all of the dataset's uses are in sight")
        end = _numbered(dataset.variants[0].end)
        ends = {_numbered(pipeline.end).call for pipeline in dataset.variants}
        if len(ends) > 1 or not _is_one_dataset(end) or self._continued(end):
            return self._append_at_places(dataset, op, value)
        try:
            chain, index = chain_of(self._syntax, self._syntax.call_at(end.call))
        except Unfit:
            return self._append_at_places(dataset, op, value)
        if self._may_go_on(end):
            return self._append_at_places(dataset, op, value)
        new, imports = self._spelling.value(value, self._syntax.region(end.call).start)
        return (*chain.inserted(_link(op, new), index, before=False).edits(), *imports)

    def _append_at_places(self, dataset: Dataset, op: str, value: Symbol | Literal) -> Edits:
        if len(dataset.places) < len(dataset.consumers) or self._shares_places(dataset, op):
            raise Unfit(f"the dataset has no place of its own where `{op}` could go: others pass through the same code")
        edits: list[Edit] = []
        for place in dict.fromkeys(location for _, location in dataset.places):
            new, imports = self._spelling.value(value, self._syntax.region(place).start)
            piece, expression = expression_piece(self._syntax.positions, self._syntax.primary_at(place))
            edits += (*piece.edits(piece.code(_link(op, new).on(expression))), *imports)
        return tuple(edits)

    def _shares_places(self, dataset: Dataset, op: str) -> bool:
        """Whether another dataset that has the stage already passes through the same expression."""
        places = {region for _, region in dataset.places}
        return any(
            any(region in places for _, region in other.places)
            and any(pipeline.end.op == op for pipeline in other.variants)
            for other in self._datasets
            if other is not dataset
        )

    def _continued(self, end: Stage) -> bool:
        """Whether some pipeline goes on behind the call that ends this one; a look at a few elements does not count."""
        return end.call in self._calls_that_go_on

    @cached_property
    def _calls_that_go_on(self) -> frozenset[Location]:
        return frozenset(
            stage.call
            for dataset in self._datasets
            for pipeline in dataset.variants
            for stage in (() if pipeline.is_peek else pipeline.stages)
            if any(later.op != _NUMBERS for later in stage.outputs)
        )

    def _may_go_on(self, end: Stage) -> bool:
        """Whether a condition further down, which nobody in sight fulfils, builds on what a statement assigns."""
        home = self._syntax.statement_of(self._syntax.call_at(end.call))
        if not isinstance(home, ast.Assign) or len(home.targets) != 1:
            return False
        block, name = self._syntax.block_of(home), ast.unparse(home.targets[0])
        later = (other for other in block[block.index(home) + 1 :] if isinstance(other, ast.If))
        return any(
            isinstance(node, ast.Assign) and _builds_on(node, name) for other in later for node in ast.walk(other)
        )

    def insert_after(self, stage: Stage, calls: Sequence[NewCall]) -> Edits:
        """Write calls of new stages right behind a stage."""
        chain, index = chain_of(self._syntax, self._syntax.call_at(stage.call))
        links, imports = self._new_links(calls, self._syntax.region(stage.call).start)
        for link in reversed(links):
            chain = chain.inserted(link, index, before=False)
        return (*chain.edits(), *imports)

    def move_after(
        self,
        stage: Stage,
        others: Sequence[Stage],
        replacing: Mapping[str, _New],
        led_by: Sequence[NewCall] = (),
    ) -> Edits:
        """Take the stage out and put it right behind the first of the others that the source allows."""
        reasons = []
        for other in others:
            try:
                return self._moved(stage, other, replacing, led_by)
            except Unfit as unfit:
                reasons.append(str(unfit))
        raise Unfit(reasons[0] if reasons else f"there is no other place for `{stage.op}`")

    def _moved(self, stage: Stage, other: Stage, replacing: Mapping[str, _New], led_by: Sequence[NewCall]) -> Edits:
        """The stage right behind another one, up or down the pipeline, with new ones between the two."""
        up = other in stage.upstream()
        neighbour = other.output if up else other
        if neighbour is None or neighbour is stage or not self._is_only_way(stage, neighbour):
            raise Unfit(f"other pipelines share `{stage.op}`, or the stages beside its new place, and would change too")
        node, near = self._syntax.call_at(stage.call), self._syntax.call_at(neighbour.call)
        home, goal = self._syntax.statement_of(node), self._syntax.statement_of(near)
        (chain, index), (other_chain, position) = chain_of(self._syntax, node), chain_of(self._syntax, near)
        call, imports = self._with_values(
            stage, node, chain.links[index].call, replacing, self._syntax.region(other.call).end
        )
        leading, more = self._new_links(led_by, self._syntax.region(other.call).end)
        imports += more
        link = Link(call)
        if chain.piece.region == other_chain.piece.region:
            moved = chain.moved(index, position, link, up=up)
            for number, new in enumerate(leading):
                # Before the link that was moved, which has come down by those that are written already.
                moved = moved.inserted(new, position + number, before=True)
            return (*moved.edits(), *imports)
        if home is None or goal is None or home is goal or not self._may_swap(stage, neighbour, home, goal, node):
            raise Unfit(f"`{stage.op}` and its new place stand in different blocks, or its arguments change in between")
        name = _reassigned(home, node)
        if name is not None and _is_about(goal, near, name, up=up):
            try:
                led = _on_links(call, leading)
                return (*statements.moved_beside(self._syntax, home, led, goal, above=up), *imports)
            except Unfit:
                pass  # It shares its lines with others; the call alone can go.
        removal = (
            statements.without(self._syntax, home, keep_comment=True)
            if name is not None
            else chain.without(index).edits()
        )
        for new in (*leading, Link(on_one_line(call))) if up else (Link(on_one_line(call)), *reversed(leading)):
            other_chain = other_chain.inserted(new, position, before=up)
            position += up
        return (*removal, *other_chain.edits(), *imports)

    def copy_after(self, stage: Stage, other: Stage) -> Edits:
        """The stage's call once more, right behind another stage, where its arguments mean the same."""
        node, near = self._syntax.call_at(stage.call), self._syntax.call_at(other.call)
        home, goal = self._syntax.statement_of(node), self._syntax.statement_of(near)
        (chain, index), (other_chain, position) = chain_of(self._syntax, node), chain_of(self._syntax, near)
        apart = chain.piece.region != other_chain.piece.region
        if home is None or goal is None or not apart or not self._may_swap(stage, other, home, goal, node):
            raise Unfit(f"`{stage.op}` and `{other.op}` stand in different blocks, or its arguments change in between")
        link = Link(on_one_line(chain.links[index].call))
        return other_chain.inserted(link, position, before=False).edits()

    def remove(self, stage: Stage) -> Edits:
        """Take the stage out of its chain, or delete the statement that adds nothing else."""
        node = self._syntax.call_at(stage.call)
        home = self._syntax.statement_of(node)
        if home is not None and _reassigned(home, node) is not None:
            return statements.without(self._syntax, home)
        chain, index = chain_of(self._syntax, node)
        return chain.without(index).edits()

    def join(self, before: Stage, stage: Stage, method: str) -> Edits:
        """Call one method in place of two stages that stand side by side in a chain."""
        chain, index = chain_of(self._syntax, self._syntax.call_at(stage.call))
        other_chain, position = chain_of(self._syntax, self._syntax.call_at(before.call))
        if chain.piece.region != other_chain.piece.region or position != index - 1:
            raise Unfit(f"`{before.op}` and `{stage.op}` do not stand side by side")
        return chain.replaced(index, [chain.links[index].named(method)]).without(position).edits()

    def _with_values(
        self, stage: Stage, node: ast.Call, call: cst.Call, replacing: Mapping[str, _New], at: int
    ) -> tuple[cst.Call, Edits]:
        """The stage's call with other values for some of its arguments, and the imports that they need."""
        imports: Edits = ()
        for name, value in replacing.items():
            argument = stage.argument(name)
            if argument is None:
                raise Unfit(f"`{name}` is not written out in the call")
            new, more = (self._multiplied(value), ()) if isinstance(value, Product) else self._spelling.value(value, at)
            position, _ = argument_at(self._syntax, node, argument.region)
            call = with_value(call, position, new_expression(new))
            imports += more
        return call, imports

    def _multiplied(self, product: Product) -> str:
        first, second = map(self._syntax.region, product)
        return f"{self._syntax.text[first.start : first.end]} * {self._syntax.text[second.start : second.end]}"

    def _is_only_way(self, stage: Stage, other: Stage) -> bool:
        """Whether every pipeline that has one of the two calls has both: else another one would change too."""
        for pipeline in (pipeline for dataset in self._datasets for pipeline in dataset.all_pipelines):
            calls = [part.call for part in pipeline.stages]
            if (stage.call in calls) != (other.call in calls):
                return False
            if calls.count(stage.call) > 1 or calls.count(other.call) > 1:
                return False
        return True

    def _may_swap(self, stage: Stage, neighbour: Stage, home: ast.stmt, goal: ast.stmt, node: ast.Call) -> bool:
        """Whether both statements always run together, and the names in the call mean the same at both."""
        block = self._syntax.block_of(home)
        if goal not in block or stage.guards != neighbour.guards:
            return False
        first, last = sorted((block.index(home), block.index(goal)))
        used = {part.id for item in arguments_of(node) for part in ast.walk(item) if isinstance(part, ast.Name)}
        return not used & bound_names(block[first : last + 1])

    def distribute(self, stage: Stage, policy: str, address: str) -> Edits:
        """Give a stage to `tf.data.experimental.service.distribute`."""
        chain, index = chain_of(self._syntax, self._syntax.call_at(stage.call))
        at = self._syntax.region(stage.call).start
        service, imports = self._spelling.spell(f"{_SERVICE}.distribute", at)
        sharding, more = self._spelling.spell(f"{_SERVICE}.ShardingPolicy.{policy}", at)
        call = _link("apply", f'{service}({sharding}, "{address}")')
        return (*chain.inserted(call, index, before=False).edits(), *imports, *more)

    def set_option(self, dataset: Dataset, name: str, value: Symbol | Literal) -> Edits:
        """Set an option where the dataset is given some, else behind its last stage."""
        set_by = [stage for stage in dataset.variants[0].trunk if stage.op == "with_options"]
        if set_by:
            return options.set_in(self._syntax, self._spelling, set_by[-1], name, value)
        end = dataset.variants[0].end
        if len({pipeline.end.call for pipeline in dataset.variants}) > 1 or not _is_one_dataset(end):
            raise Unfit("the dataset is built in several ways, and has no one place for its options")
        node = self._syntax.call_at(end.call)
        chain, index = chain_of(self._syntax, node)
        variable, edits = options.new(self._syntax, self._spelling, node, name, value)
        return (*chain.inserted(_link("with_options", variable), index, before=False).edits(), *edits)

    def assign_back(self, stage: Stage) -> Edits:
        """Turn a bare `ds.shuffle(n)` into `ds = ds.shuffle(n)`."""
        node = self._syntax.call_at(stage.call)
        statement = self._syntax.parent(node)
        receiver = _chain_root(node)
        if not isinstance(statement, ast.Expr) or not isinstance(receiver, (ast.Name, ast.Attribute)):
            raise Unfit("the dataset is not a plain variable that could be assigned")
        function = self._syntax.function_around(node)
        if isinstance(receiver, ast.Name) and function is not None:
            local, declared = function_names(function)
            if receiver.id not in local | declared:
                raise Unfit(f"an assignment would make `{receiver.id}` a local variable of the function")
        return statements.assigned(self._syntax, statement, receiver)

    def unapply(self, transformation: Call, methods: Sequence[NewCall]) -> Edits:
        """Turn `.apply(transformation)` into these methods of the dataset."""
        node = self._syntax.call_at(transformation.region)
        outer = self._syntax.parent(node)
        if not isinstance(outer, ast.Call) or outer.args != [node] or outer.keywords:
            raise Unfit("the transformation is not given to `apply` directly")
        chain, index = chain_of(self._syntax, outer)
        apply = chain.links[index].call
        if chain.links[index].method != "apply" or any(map(has_comment, (*apply.args, apply.whitespace_before_args))):
            raise Unfit("a comment stands in the call of `apply`")
        links, imports = self._new_links(methods, self._syntax.positions.region(outer).start)
        return (*chain.replaced(index, links).edits(), *imports)

    def _new_links(self, calls: Sequence[NewCall], at: int) -> tuple[list[Link], Edits]:
        """Links for calls that the source does not have yet, and the imports that they need at an offset."""
        imports: Edits = ()
        links: list[Link] = []
        for call in calls:
            arguments: list[cst.Arg] = []
            for name, value in call.arguments:
                expression, more = self._argument(value, at)
                arguments.append(
                    cst.Arg(expression, keyword=cst.Name(name), equal=_EQUAL) if name else cst.Arg(expression)
                )
                imports += more
            links.append(new_link(call.method, arguments))
        return links, imports

    def _argument(self, value: Location | Symbol | Literal, at: int) -> tuple[cst.BaseExpression, Edits]:
        if isinstance(value, Location):
            return new_expression(self._syntax.written(value)), ()
        new, imports = self._spelling.value(value, at)
        return new_expression(new), imports


def _link(op: str, argument: str) -> Link:
    return new_link(op, [cst.Arg(new_expression(argument))])


def _on_links(call: cst.Call, leading: Sequence[Link]) -> cst.Call:
    """A method call whose receiver has these links besides."""
    receiver = Link(call).attribute.value
    for link in leading:
        receiver = link.on(receiver)
    return call.with_changes(func=Link(call).attribute.with_changes(value=receiver))


def _is_one_dataset(stage: Stage) -> bool:
    """Whether the stage's call gives just the dataset: loaders may give a tuple, or one with attributes of its own."""
    return not stage.is_source or (stage.op not in LOADERS and stage.op not in ("load", "parameter", "to_tf_dataset"))


def _numbered(end: Stage) -> Stage:
    """The stage whose elements the end of a pipeline only numbers, as in the header of a loop."""
    return end.inputs[0] if end.op == _NUMBERS and len(end.inputs) == 1 else end


def _builds_on(statement: ast.Assign, name: str) -> bool:
    """Whether it is `name = name.method(...)`, with a method that does more than pass elements on."""
    match statement:
        case ast.Assign(targets=[target], value=ast.Call(func=ast.Attribute(attr=method)) as value):
            same = ast.unparse(target) == ast.unparse(_chain_root(value)) == name
            return same and method in TRANSFORMATIONS and method not in FREE
        case _:
            return False


def _chain_root(node: ast.expr) -> ast.expr:
    """What a chain of transformations starts from."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr not in TRANSFORMATIONS:
            break
        node = node.func.value
    return node


def _reassigned(statement: ast.stmt, node: ast.Call) -> str | None:
    """The variable of `ds = ds.method(...)`, None for any other statement."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if value is node and _is_on(node, name):
            return name
        case _:
            return None


def _is_about(goal: ast.stmt, near: ast.Call, name: str, *, up: bool) -> bool:
    """Whether a statement gives the variable its next value, so that one about the same may go above or below it."""
    match goal:
        case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
            return _is_on(near, name) if up else value is near
        case _:
            return False


def _is_on(node: ast.Call, name: str) -> bool:
    """Whether a method is called on a variable."""
    match node.func:
        case ast.Attribute(value=ast.Name(id=receiver)):
            return receiver == name
        case _:
            return False
