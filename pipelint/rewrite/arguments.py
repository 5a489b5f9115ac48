"""Adds an argument to a call in the user's own formatting, on libcst's concrete syntax tree."""

from __future__ import annotations

import re

import libcst as cst

_NEWLINE = re.compile(r"\r\n|\r|\n")


def with_argument(arguments: str, name: str, value: str) -> str | None:
    """The text of a call's parentheses with one more keyword argument, None where the text cannot take it.

    >>> with_argument("(parse)", "num_parallel_calls", "AUTOTUNE")
    '(parse, num_parallel_calls=AUTOTUNE)'
    """
    found = _NEWLINE.search(arguments)
    newline = found.group() if found else "\n"
    try:
        config: cst.PartialParserConfig = cst.PartialParserConfig(default_newline=newline)
        call = cst.ensure_type(cst.parse_expression(f"(f{arguments})", config=config), cst.Call)
        if any(isinstance(arg.value, cst.GeneratorExp) and not arg.value.lpar for arg in call.args):
            return None
        added = cst.Arg(
            keyword=cst.Name(name),
            value=cst.parse_expression(value),
            equal=_equal(call),
        )
        changed = call.with_changes(args=_appended(call, added), lpar=(), rpar=())
        return cst.Module((), default_newline=newline).code_for_node(changed).removeprefix("f")
    except (cst.ParserSyntaxError, RecursionError, TypeError):
        return None


def _equal(call: cst.Call) -> cst.AssignEqual:
    """The equals sign as the call's other keyword arguments have it."""
    for arg in reversed(call.args):
        if isinstance(arg.equal, cst.AssignEqual):
            return arg.equal
    return cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))


def _appended(call: cst.Call, added: cst.Arg) -> list[cst.Arg]:
    if not call.args:
        return [added]
    *first, last = call.args
    between = _separation(call)
    if isinstance(last.comma, cst.Comma):
        # The trailing comma, and the line break behind it, stay behind the last argument; a comment stays where it is.
        ending = last.comma.whitespace_after
        separator = cst.Comma(whitespace_after=_with_comment(between, ending))
        return [*first, last.with_changes(comma=separator), added.with_changes(comma=_uncommented(last.comma))]
    ending = last.whitespace_after_arg
    separator = cst.Comma(whitespace_after=_with_comment(between, ending))
    return [
        *first,
        last.with_changes(comma=separator, whitespace_after_arg=cst.SimpleWhitespace("")),
        added.with_changes(whitespace_after_arg=_bare(ending)),
    ]


def _separation(call: cst.Call) -> cst.BaseParenthesizableWhitespace:
    """The white space between arguments, as the call has it already."""
    if len(call.args) > 1:
        comma = call.args[-2].comma
        between = comma.whitespace_after if isinstance(comma, cst.Comma) else cst.SimpleWhitespace(" ")
    else:
        between = call.whitespace_before_args
        if not isinstance(between, cst.ParenthesizedWhitespace):
            between = cst.SimpleWhitespace(" ")
    return _bare(between)


def _bare(between: cst.BaseParenthesizableWhitespace) -> cst.BaseParenthesizableWhitespace:
    """The same white space without comments and empty lines."""
    if isinstance(between, cst.ParenthesizedWhitespace):
        return between.with_changes(first_line=cst.TrailingWhitespace(), empty_lines=())
    return between


def _uncommented(comma: cst.Comma) -> cst.Comma:
    return comma.with_changes(whitespace_after=_bare(comma.whitespace_after))


def _with_comment(
    between: cst.BaseParenthesizableWhitespace, ending: cst.BaseParenthesizableWhitespace
) -> cst.BaseParenthesizableWhitespace:
    """The separation, after the comments that stood behind the last argument."""
    if not isinstance(ending, cst.ParenthesizedWhitespace) or (
        ending.first_line.comment is None and not ending.empty_lines
    ):
        return between
    if isinstance(between, cst.ParenthesizedWhitespace):
        return between.with_changes(first_line=ending.first_line, empty_lines=ending.empty_lines)
    return ending
