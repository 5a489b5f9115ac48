"""Sets tf.data's options where the source gives them to a dataset, or writes an object of options for it."""

from __future__ import annotations

import ast

from pipelint.model.edit import Edit, Edits
from pipelint.model.locations import Region
from pipelint.model.pipeline import Stage
from pipelint.model.values import Literal, Symbol
from pipelint.rewrite.spelling import Spelling
from pipelint.rewrite.syntax import Syntax, Unfit
from pipelint.source.bindings import dotted_parts

_OPTIONS = "tensorflow.data.Options"
_NAMES = ("options", "dataset_options", "input_options")


def set_in(syntax: Syntax, spelling: Spelling, stage: Stage, name: str, value: Symbol | Literal) -> Edits:
    """Change the statement that sets the option, or add one right before the options are given to the dataset."""
    node = syntax.call_at(stage.call)
    variable = node.args[0] if node.args else next((item.value for item in node.keywords), None)
    statement = syntax.statement_of(node)
    if not isinstance(variable, ast.Name) or statement is None:
        raise Unfit("the options are not given as a variable")
    new, imports = spelling.value(value, syntax.positions.region(node).start)
    target = [variable.id, *name.split(".")]
    written = [found for found in _statements_around(syntax, node) if _sets(found, target)]
    if len(written) > 1:
        raise Unfit(f"`{name}` is set at several places")
    if written:
        return (Edit(syntax.positions.region(written[0].value), new), *imports)
    return (_line_before(syntax, statement, f"{'.'.join(target)} = {new}"), *imports)


def new(syntax: Syntax, spelling: Spelling, node: ast.Call, name: str, value: Symbol | Literal) -> tuple[str, Edits]:
    """The variable of an object of options, and the edits that make it above the statement of a call."""
    statement = syntax.statement_of(node)
    if statement is None:
        raise Unfit("no statement could stand before it")
    used = {part.id for part in ast.walk(syntax.tree) if isinstance(part, ast.Name)}
    used |= {part.arg for part in ast.walk(syntax.tree) if isinstance(part, ast.arg)}
    variable = next((each for each in _NAMES if each not in used), None)
    if variable is None:
        raise Unfit("the program has other things by all names that options could have")
    at = syntax.positions.region(statement).start
    made, imports = spelling.spell(_OPTIONS, at)
    new_value, more = spelling.value(value, at)
    lines = (f"{variable} = {made}()", f"{variable}.{name} = {new_value}")
    return variable, (_line_before(syntax, statement, *lines), *imports, *more)


def _statements_around(syntax: Syntax, node: ast.AST) -> list[ast.Assign]:
    """The assignments of the function that holds a node, or of the module."""
    scope: ast.AST = syntax.function_around(node) or syntax.tree
    return [part for part in ast.walk(scope) if isinstance(part, ast.Assign)]


def _sets(statement: ast.Assign, target: list[str]) -> bool:
    return len(statement.targets) == 1 and list(dotted_parts(statement.targets[0]) or ()) == target


def _line_before(syntax: Syntax, statement: ast.stmt, *lines: str) -> Edit:
    """New lines above a statement, indented as it is."""
    start = syntax.positions.region(statement).start
    begin = syntax.positions.line_start(start)
    margin = syntax.text[begin:start]
    if margin.strip():
        raise Unfit("the statement shares its line with another")
    text = "".join(f"{margin}{line}{syntax.positions.newline}" for line in lines)
    return Edit(Region(begin, begin), text)
