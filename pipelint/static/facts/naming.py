"""The words by which a program names its values: evidence of what they are for, never proof."""

from __future__ import annotations

import ast


def variable(node: ast.expr | None) -> str:
    """The variable at the start of an expression with its attributes and constant keys, in words (`self train_ds`)."""
    words: list[str] = []
    while node is not None:
        match node:
            case ast.Call(func=ast.Attribute(value=owner)):
                node = owner
            case ast.Call(func=called, args=arguments):
                words.append(called.id if isinstance(called, ast.Name) else "")
                node = arguments[0] if arguments else None
            case ast.Attribute(value=owner, attr=name):
                words.append(name)
                node = owner
            case ast.Subscript(value=owner, slice=index):
                words.append(index.value if isinstance(index, ast.Constant) and isinstance(index.value, str) else "")
                node = owner
            case ast.Name(id=name):
                words.append(name)
                break
            case _:
                break
    return " ".join(word for word in reversed(words) if word)


def receiver(node: ast.Call | None) -> str:
    """The variable that a method is called on."""
    return variable(node.func.value) if node is not None and isinstance(node.func, ast.Attribute) else ""


def called(node: ast.expr) -> ast.Name | ast.Attribute | None:
    """The function that an expression names, calls in a lambda, or gives some arguments (`partial(read, path)`)."""
    while True:
        match node:
            case ast.Name() | ast.Attribute():
                return node
            case ast.Lambda(body=body):
                node = body
            case ast.Call(func=ast.Name(id="partial") | ast.Attribute(attr="partial"), args=[function, *_]):
                node = function
            case ast.Call(func=ast.Name(id="iter" | "map" | "zip" | "enumerate" | "filter" | "range")):
                return None
            case ast.Call(func=function):
                node = function
            case _:
                return None


def last_name(node: ast.expr | None) -> str | None:
    """The name itself, without what it is an attribute of; None for what is no name."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return None
