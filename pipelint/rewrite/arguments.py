"""Adds, replaces and removes the arguments of a call in the user's own formatting."""

from __future__ import annotations

import libcst as cst

from pipelint.rewrite.concrete import Space, bare, has_comment, with_comments_of
from pipelint.rewrite.syntax import Unfit

_NOTHING = cst.SimpleWhitespace("")


def with_argument(call: cst.Call, name: str, value: cst.BaseExpression) -> cst.Call:
    """The call with one more keyword argument; raises Unfit where it can have none."""
    if any(isinstance(arg.value, cst.GeneratorExp) and not arg.value.lpar for arg in call.args):
        raise Unfit("a generator expression without brackets takes no argument beside it")
    added = cst.Arg(keyword=cst.Name(name), value=value, equal=_equal(call))
    if not call.args:
        return call.with_changes(args=[added])
    *first, last = call.args
    if isinstance(last.comma, cst.Comma):
        # The trailing comma, and the line break behind it, stay behind the last argument; a comment stays where it is.
        ending = last.comma.whitespace_after
        added = added.with_changes(comma=last.comma.with_changes(whitespace_after=bare(ending)))
    else:
        ending = last.whitespace_after_arg
        between = (call.whitespace_before_args, ending)
        if not first and all(isinstance(space, cst.ParenthesizedWhitespace) for space in between):
            # Where one argument becomes a list of lines, that ends in a comma, as formatters have it.
            added = added.with_changes(comma=cst.Comma(whitespace_after=bare(ending)))
        else:
            added = added.with_changes(whitespace_after_arg=bare(ending))
    separator = cst.Comma(whitespace_after=with_comments_of(ending, _separation(call)))
    return call.with_changes(args=[*first, last.with_changes(comma=separator, whitespace_after_arg=_NOTHING), added])


def with_value(call: cst.Call, index: int, value: cst.BaseExpression) -> cst.Call:
    """The call with another value for the argument at this position, in the brackets of the old one."""
    old = call.args[index]
    if has_comment(old.value):
        raise Unfit("a comment stands in the argument")
    value = value.with_changes(lpar=old.value.lpar, rpar=old.value.rpar)
    return call.with_changes(args=[*call.args[:index], old.with_changes(value=value), *call.args[index + 1 :]])


def without_argument(call: cst.Call, index: int) -> cst.Call:
    """The call without the argument at this position; raises Unfit where that has a comment of its own."""
    removed = call.args[index]
    rest = [*call.args[:index], *call.args[index + 1 :]]
    if has_comment(removed) or (not rest and has_comment(call.whitespace_before_args)):
        raise Unfit("a comment stands beside the argument")
    if not rest:
        return call.with_changes(args=(), whitespace_before_args=_NOTHING)
    if index == len(rest):
        rest[-1] = _as_last(rest[-1], removed)
    return call.with_changes(args=rest)


def on_one_line(call: cst.Call) -> cst.Call:
    """The call with its arguments on one line, where they are simple: for a place with another indentation."""
    if any(map(has_comment, (*call.args, call.whitespace_before_args))):
        return call
    if any("\n" in cst.Module(()).code_for_node(arg.value) for arg in call.args):
        return call
    between, last = cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")), cst.MaybeSentinel.DEFAULT
    commas = [between] * (len(call.args) - 1) + [last] if call.args else []
    args = [
        arg.with_changes(comma=comma, whitespace_after_arg=_NOTHING)
        for arg, comma in zip(call.args, commas, strict=True)
    ]
    return call.with_changes(args=args, whitespace_before_args=_NOTHING)


def _as_last(arg: cst.Arg, removed: cst.Arg) -> cst.Arg:
    """An argument that becomes the last: it ends as the one behind it did, with the same comma and line break."""
    between = arg.comma.whitespace_after if isinstance(arg.comma, cst.Comma) else _NOTHING
    if not isinstance(removed.comma, cst.Comma):
        ending = with_comments_of(between, removed.whitespace_after_arg)
        return arg.with_changes(comma=cst.MaybeSentinel.DEFAULT, whitespace_after_arg=ending)
    ending = with_comments_of(between, removed.comma.whitespace_after)
    if isinstance(between, cst.ParenthesizedWhitespace):
        return arg.with_changes(comma=removed.comma.with_changes(whitespace_after=ending))
    return arg.with_changes(comma=cst.MaybeSentinel.DEFAULT, whitespace_after_arg=ending)


def _equal(call: cst.Call) -> cst.AssignEqual:
    """The equals sign as the call's other keyword arguments have it."""
    for arg in reversed(call.args):
        if isinstance(arg.equal, cst.AssignEqual):
            return arg.equal
    return cst.AssignEqual(_NOTHING, _NOTHING)


def _separation(call: cst.Call) -> Space:
    """The white space between arguments, as the call has it already."""
    if len(call.args) > 1:
        comma = call.args[-2].comma
        between = comma.whitespace_after if isinstance(comma, cst.Comma) else cst.SimpleWhitespace(" ")
    else:
        between = call.whitespace_before_args
        if not isinstance(between, cst.ParenthesizedWhitespace):
            between = cst.SimpleWhitespace(" ")
    return bare(between)
