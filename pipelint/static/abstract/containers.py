"""Lists and dicts of the program: what they hold, how they change, and which functions are in them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import replace

from pipelint.model.values import UNKNOWN, Literal, Symbol, Value
from pipelint.static.abstract.guards import NO_GUARDS, Guards, chosen_by
from pipelint.static.abstract.traced_values import Undecided
from pipelint.static.abstract.values import (
    EAGER,
    NUMBER,
    STEP_RESULT,
    TENSOR,
    BoundMethod,
    Choice,
    ClassValue,
    Closure,
    DatasetValue,
    Foreign,
    Instance,
    Iterating,
    Partial,
    Sequence,
    Table,
    Tensor,
    alternatives,
    choice,
)

ITEMS = ""
"""Under this name the store keeps a container as it is now, by its number."""


def element_of(value: Value) -> Value:
    """What a loop over the value gives each time."""
    match value:
        case DatasetValue(element=element, proven=proven):
            return element if proven else UNKNOWN
        case Iterating(element=element):
            return element
        case Sequence(items=items) if items:
            return choice((NO_GUARDS, item) for item in items)
        case Tensor(step_result=True):
            return STEP_RESULT
        case Tensor(eager=eager):
            return EAGER if eager else TENSOR
        case Foreign(library=library):
            return NUMBER if library == "builtins.range" else value
        case Undecided():
            return value.part(ast.For)
        case Choice():
            return choice((guards, element_of(option)) for guards, option in alternatives(value))
        case _:
            return UNKNOWN


def with_values(value: Value) -> Value:
    """The elements of a dataset as Python code gets them: tensors that have values."""
    match value:
        case Tensor(elements=False, step_result=False):
            return replace(value, eager=True)
        case Sequence(items=items):
            return replace(value, items=tuple(map(with_values, items)))
        case Table(items=items):
            return replace(value, items=tuple((key, with_values(item)) for key, item in items))
        case _:
            return value


def item_of(table: Table, key: object) -> Value:
    """What a dict holds under a key."""
    found = [index for index, (known, _) in enumerate(table.items) if known == key]
    if not found:
        return next((item for known, item in reversed(table.items) if known is None), UNKNOWN)
    item = table.items[found[-1]][1]
    if not holds_functions(item):
        return item
    # What was put in later under a key that is not known may stand in its place.
    later = [other for known, other in table.items[found[-1] :] if known is None]
    return choice((NO_GUARDS, option) for option in (item, *later))


def chosen(items: Iterable[tuple[object, Value]], key: ast.expr, scope: int) -> Iterator[tuple[Guards, Value]]:
    """What a dict holds, each under the test that a key of this scope, of which nothing is known, has to pass."""
    for known, item in items:
        yield NO_GUARDS if known is None else chosen_by(key, known, scope), item


def functions_in(value: Value) -> Iterator[Value]:
    """What may be called among a value and the members of containers: user's functions, objects, names, the unknown."""
    match value:
        case Sequence(items=items):
            for item in items:
                yield from functions_in(item)
        case Table(items=items):
            for _, item in items:
                yield from functions_in(item)
        case Choice():
            for _, option in alternatives(value):
                yield from functions_in(option)
        case Literal() | Tensor() | Foreign():
            return
        case _:
            yield value


def holds_functions(value: Value) -> bool:
    """Whether a value is or holds code of the program: a function, or an object with methods of its own."""
    return any(_runs_code(part) for part in functions_in(value))


def _runs_code(value: Value) -> bool:
    match value:
        case Closure() | Partial() | ClassValue():
            return True
        case Instance(cls=cls):
            return cls is not None
        case BoundMethod(receiver=receiver):
            return isinstance(receiver, Closure)
        case _:
            return False


def holds_callables(value: Value) -> bool:
    """Whether a value is or holds something that can be called, the functions and objects of libraries included."""
    return any(_runs_code(part) or isinstance(part, (Instance, Symbol)) for part in functions_in(value))


def opened(value: Sequence | Table) -> Sequence | Table:
    """The container after code out of sight had it, which may have put anything into it."""
    if isinstance(value, Sequence):
        known = value.items if UNKNOWN not in value.items[-1:] else value.items[:-1]
        return replace(value, items=(*known, UNKNOWN), open_ended=True)
    more: tuple[tuple[object, Value], ...] = ((None, UNKNOWN),)
    return replace(value, items=value.items if value.items[-1:] == more else (*value.items, *more))


def with_item(container: Sequence | Table, key: object, value: Value) -> Sequence | Table:
    """The container after `container[key] = value`; None is a key that is not known."""
    if isinstance(container, Table):
        kept = (item for item in container.items if item[0] != key or key is None)
        return replace(container, items=(*kept, (key, value)))
    items = container.items
    if isinstance(key, int) and -len(items) <= key < len(items) and not container.open_ended:
        position = key % len(items)
        return replace(container, items=(*items[:position], value, *items[position + 1 :]))
    return replace(container, items=(*items, value), open_ended=True)


def joined(values: list[Value]) -> Value | None:
    """One container for what several branches made of it; None where these are different ones."""
    lists = [value for value in values if isinstance(value, Sequence) and value.display == "list"]
    if lists and len(lists) == len(values):
        longest = max(lists, key=lambda value: len(value.items))
        is_one = len({value.number for value in lists}) == 1 and longest.number is not None
        if all(longest.items[: len(value.items)] == value.items for value in lists):
            # As after a loop that appends.
            differ = len({len(value.items) for value in lists}) > 1
            return Sequence(longest.items, "list", differ, longest.number if is_one else None)
        if is_one:
            every = {id(item): item for value in lists for item in value.items}
            return Sequence(tuple(every.values()), "list", True, longest.number)
    tables = [value for value in values if isinstance(value, Table)]
    if tables and len(tables) == len(values) and len({value.number for value in tables}) == 1 and tables[0].number:
        return Table(tuple(_merged_items(tables)), tables[0].number)
    return None


def _merged_items(tables: list[Table]) -> Iterator[tuple[object, Value]]:
    keys = dict.fromkeys(key for table in tables for key, _ in table.items if key is not None)
    for key in keys:
        yield key, choice((NO_GUARDS, item) for table in tables for known, item in table.items if known == key)
    unknown = {id(item): item for table in tables for key, item in table.items if key is None}
    yield from ((None, item) for item in unknown.values())
