"""Changes single calls: their arguments, what they call, and the statements that are nothing but a call."""

from __future__ import annotations

import ast
from collections.abc import Sequence

import libcst as cst

from pipelint.model.code import Call
from pipelint.model.edit import Edit, Edits
from pipelint.model.locations import Location, Region
from pipelint.model.pipeline import Stage
from pipelint.model.values import Literal, Symbol
from pipelint.rewrite import references, statements
from pipelint.rewrite.arguments import with_argument, with_value, without_argument
from pipelint.rewrite.concrete import expression_piece, has_comment, new_expression
from pipelint.rewrite.spelling import Spelling
from pipelint.rewrite.syntax import Syntax, Unfit, arguments_of


def set_argument(syntax: Syntax, spelling: Spelling, stage: Stage, name: str, value: Symbol | Literal) -> Edits:
    """Give the stage's call this argument, new or in place of the old."""
    node = syntax.call_at(stage.factory or stage.call)
    existing, start = stage.argument(name), syntax.region(stage.call).start
    new, imports = spelling.value(value, start) if existing else spelling.argument(name, value, start)
    piece, expression = expression_piece(syntax.positions, node)
    call = cst.ensure_type(expression, cst.Call)
    if existing is None:
        changed = with_argument(call, name, new_expression(new))
    else:
        position, written = argument_at(syntax, node, existing.region)
        if syntax.is_parameter(written):
            raise Unfit("the value is a parameter, which callers of the function set")
        changed = with_value(call, position, new_expression(new))
    return (*piece.edits(piece.code(changed)), *imports)


def add_arguments(syntax: Syntax, spelling: Spelling, target: Call, arguments: Sequence[tuple[str, Literal]]) -> Edits:
    """Give the call keyword arguments."""
    node = syntax.call_at(target.region)
    piece, expression = expression_piece(syntax.positions, node)
    call = cst.ensure_type(expression, cst.Call)
    for name, value in arguments:
        if any(item.arg in (name, None) for item in node.keywords):
            raise Unfit(f"the call may have `{name}` already")
        new, _ = spelling.value(value, syntax.region(target.region).start)
        call = with_argument(call, name, new_expression(new))
    return piece.edits(piece.code(call))


def slice_items(syntax: Syntax, stage: Stage) -> Edits:
    """Call from_tensor_slices with what the generator goes through, where from_generator is called."""
    piece, expression = expression_piece(syntax.positions, syntax.call_at(stage.call))
    call = cst.ensure_type(expression, cst.Call)
    parts = stage.function.slices if stage.function is not None else ()
    if not parts or not isinstance(call.func, cst.Attribute) or has_comment(expression):
        raise Unfit("its generator does more than hand out what is in memory")
    items = parts[0] if len(parts) == 1 else f"({', '.join(parts)})"
    slices = call.func.with_changes(attr=cst.Name("from_tensor_slices"))
    return piece.edits(piece.code(cst.Call(slices, [cst.Arg(new_expression(items))])))


def remove_argument(syntax: Syntax, target: Call, name: str) -> Edits:
    """Delete a keyword argument of the call."""
    node = syntax.call_at(target.region)
    names = [item.arg if isinstance(item, ast.keyword) else None for item in arguments_of(node)]
    if name not in names:
        raise Unfit(f"`{name}` is not written as a keyword here")
    piece, expression = expression_piece(syntax.positions, node)
    call = cst.ensure_type(expression, cst.Call)
    return piece.edits(piece.code(without_argument(call, names.index(name))))


def rename_argument(syntax: Syntax, target: Call, old: str, new: str) -> Edits:
    """Give a keyword argument of the call another name."""
    written = {item.arg: item for item in syntax.call_at(target.region).keywords}
    if old not in written or new in written:
        raise Unfit(f"`{old}` is not written as a keyword here, or `{new}` is as well")
    start = syntax.positions.region(written[old]).start
    return (Edit(Region(start, start + len(old)), new),)


def replace_callee(syntax: Syntax, spelling: Spelling, target: Call, symbol: str, *, keeps_methods: bool) -> Edits:
    """Call another function; not where a method of the result follows, which the other result may not have."""
    node = syntax.call_at(target.region)
    is_used_at_once = isinstance(syntax.parent(node), ast.Attribute)
    if target.expression is None or (is_used_at_once and not keeps_methods):
        raise Unfit("a method of its result is called at once, which the other function's result may lack")
    edits = references.respelled(syntax, spelling, target.expression, symbol)
    return (*edits, *_realigned(syntax, node, edits))


def _realigned(syntax: Syntax, node: ast.Call, edits: Edits) -> Edits:
    """The edits that keep further lines of a call below its opening bracket, where they stand there."""
    positions, text = syntax.positions, syntax.text
    opening = positions.region(node.func).end
    column = opening - positions.line_start(opening) + 1
    by = sum(len(edit.text) - (edit.region.end - edit.region.start) for edit in edits if edit.region.end <= opening)
    if any("\n" in edit.text for edit in edits) or _has_text_of_lines(node):
        return ()
    starts = [positions.start(line) for line in range(positions.number(opening) + 1, (node.end_lineno or 0) + 1)]
    lines = [(start, text[start : positions.line_end(start)]) for start in starts]
    if not all(len(line) - len(line.lstrip(" ")) >= column for _, line in lines if line.strip()):
        return ()
    if by > 0:
        return tuple(Edit(Region(start, start), " " * by) for start, line in lines if line.strip())
    return tuple(Edit(Region(start, start - by), "") for start, line in lines if line.strip() and by)


def _has_text_of_lines(node: ast.Call) -> bool:
    texts = (part for part in ast.walk(node) if isinstance(part, (ast.Constant, ast.JoinedStr)))
    return any(part.end_lineno != part.lineno for part in texts)


def replace_call(
    syntax: Syntax,
    spelling: Spelling,
    target: Call,
    symbol: str,
    arguments: Sequence[tuple[str, Location | Symbol | Literal | tuple[Location, ...]]],
    *,
    keeps_methods: bool,
) -> Edits:
    """Write another call in its place; not where a method of the result follows, nor where a `*` hides arguments."""
    node = syntax.call_at(target.region)
    piece, expression = expression_piece(syntax.positions, node)
    hides = any(isinstance(item, ast.Starred) for item in node.args) or any(item.arg is None for item in node.keywords)
    is_used_at_once = isinstance(syntax.parent(node), ast.Attribute) and not keeps_methods
    if hides or has_comment(expression) or is_used_at_once:
        raise Unfit
    callee, imports = spelling.spell(symbol, syntax.region(target.region).start)
    written: list[str] = []
    for name, value in arguments:
        if isinstance(value, (Symbol, Literal)):
            text, more = spelling.value(value, syntax.region(target.region).start)
            imports += more
        elif isinstance(value, tuple):
            text = f"[{', '.join(_text_at(syntax, item) for item in value)}]"
        else:
            text = _text_at(syntax, value)
        written.append(f"{name}={text}" if name else text)
    return (*piece.edits(piece.code(new_expression(f"{callee}({', '.join(written)})"))), *imports)


def call_method(syntax: Syntax, spelling: Spelling, place: Location, method: str, value: Symbol | Literal) -> Edits:
    """Call a method of what stands there, where that is a name, an attribute, an element or a call."""
    syntax.primary_at(place)
    end = syntax.region(place).end
    argument, imports = spelling.value(value, end)
    return (Edit(Region(end, end), f".{method}({argument})"), *imports)


def _text_at(syntax: Syntax, location: Location) -> str:
    region = syntax.region(location)
    return syntax.text[region.start : region.end]


def remove_statement(syntax: Syntax, target: Call) -> Edits:
    """Delete the statement that is nothing but this call."""
    statement = syntax.parent(syntax.call_at(target.region))
    if not isinstance(statement, ast.Expr):
        raise Unfit("the result of the call is used")
    return statements.without(syntax, statement)


def argument_at(syntax: Syntax, node: ast.Call, location: Location) -> tuple[int, ast.expr]:
    """The position of the argument whose value stands there, and the value; raises Unfit where a `**` holds it."""
    for position, item in enumerate(arguments_of(node)):
        if isinstance(item, ast.keyword):
            value = item.value if item.arg is not None else None
        else:
            value = item if not isinstance(item, ast.Starred) else None
        if value is not None and syntax.positions.region(value) == syntax.region(location):
            return position, value
    raise Unfit("the argument is not written out in the call")
