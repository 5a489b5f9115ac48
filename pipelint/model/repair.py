"""What a rule can ask for, as data: `rewrite/` makes text edits of it, a measured pipeline a changed plan.

Named tuples, which Python makes ten times as fast as frozen dataclasses: every start of pipelint loads them.
"""

from __future__ import annotations

from typing import NamedTuple

from pipelint.model.code import Call
from pipelint.model.definitions import Function
from pipelint.model.edit import Edits
from pipelint.model.locations import Location
from pipelint.model.pipeline import Dataset, Stage
from pipelint.model.program import Reference
from pipelint.model.values import Literal, Symbol


class SetArgument(NamedTuple):
    """Give the stage's call this argument, new or in place of the old."""

    stage: Stage
    name: str
    value: Symbol | Literal


class Append(NamedTuple):
    """Add a stage behind the last one, where the dataset is built, returned or consumed."""

    dataset: Dataset
    op: str
    value: Symbol | Literal


class Product(NamedTuple):
    """What is written at two places of the source, a name or a number at each, multiplied."""

    first: Location
    second: Location


class InsertAfter(NamedTuple):
    """Write calls of new stages right behind a stage."""

    stage: Stage
    calls: tuple[NewCall, ...]


class MoveAfter(NamedTuple):
    """Take the stage out and put it right behind the first of the others where the source allows it, up or down."""

    stage: Stage
    others: tuple[Stage, ...]
    replacing: tuple[tuple[str, Symbol | Literal | Product], ...] = ()
    """Arguments that get another value on the way."""
    led_by: tuple[NewCall, ...] = ()
    """New stages that are written right before it at its new place."""


class Distribute(NamedTuple):
    """Let a tf.data service make the elements of a stage."""

    stage: Stage
    policy: str
    """How the workers share the data: `DYNAMIC` or `OFF`, of `ShardingPolicy`."""
    address: str
    """Of the dispatcher: `grpc://localhost:5050`."""


class SetOption(NamedTuple):
    """Set one of tf.data's options for a dataset, with an object of options where it has none yet."""

    dataset: Dataset
    name: str
    """With dots: `threading.private_threadpool_size`."""
    value: Symbol | Literal


class SliceItems(NamedTuple):
    """Let tf.data slice what the generator of a stage hands out one by one, and call no generator."""

    stage: Stage


class AddArguments(NamedTuple):
    """Give a call keyword arguments that it lacks."""

    call: Call
    arguments: tuple[tuple[str, Literal], ...]


class CopyAfter(NamedTuple):
    """Write the call of the stage once more, as it is, right behind another stage."""

    stage: Stage
    other: Stage


class RemoveStage(NamedTuple):
    """Take the stage out of its pipeline."""

    stage: Stage


class JoinStages(NamedTuple):
    """Call one method, with the arguments of the stage, in place of the stage and of the one right before it."""

    before: Stage
    stage: Stage
    method: str


class AssignBack(NamedTuple):
    """Turn a bare `ds.shuffle(n)` into `ds = ds.shuffle(n)`."""

    stage: Stage


class ReplaceCallee(NamedTuple):
    """Call another function of a library with the same arguments, in place of the one that is named there."""

    call: Call
    symbol: str
    keeps_methods: bool = False
    """Whether what it returns has the methods of what the old one returns, which may be called on it at once."""


class ReplaceCall(NamedTuple):
    """Call another function of a library with these arguments, in place of the call that is written there."""

    call: Call
    symbol: str
    arguments: tuple[tuple[str, Location | Symbol | Literal | tuple[Location, ...]], ...]
    """Each with a keyword, or "", and a value, the place where it is written, or the places of the items of a list."""
    keeps_methods: bool = False
    """As of ReplaceCallee."""


class ReplaceReferences(NamedTuple):
    """Name another thing of a library wherever a module uses the old one, also where `from ... import` imports it."""

    references: tuple[Reference, ...]
    symbol: str


class RenameAttributes(NamedTuple):
    """Replace the last name of dotted expressions."""

    references: tuple[Reference, ...]
    name: str


class NewCall(NamedTuple):
    """A method's name and its arguments, each with a keyword (or "") and a value, or the place where it is written."""

    method: str
    arguments: tuple[tuple[str, Location | Symbol | Literal], ...] = ()


class ReplaceApply(NamedTuple):
    """Turn each `.apply(transformation)` of a module into these methods of the dataset."""

    replaced: tuple[tuple[Call, tuple[NewCall, ...]], ...]


class CallMethod(NamedTuple):
    """Call a method of what is written there: `x` becomes `x.astype("float32")`."""

    place: Location
    method: str
    value: Symbol | Literal


class RemoveStatements(NamedTuple):
    """Delete the statements of a module that are nothing but these calls."""

    calls: tuple[Call, ...]


class RemoveArgument(NamedTuple):
    """Delete a keyword argument of the call."""

    call: Call
    name: str


class RenameArgument(NamedTuple):
    """Give a keyword argument of calls in a module another name."""

    calls: tuple[Call, ...]
    old: str
    new: str


class Decorate(NamedTuple):
    """Put a decorator on a function."""

    function: Function
    symbol: str


class Together(NamedTuple):
    """Changes of which none is right without the others."""

    repairs: tuple[CodeRepair, ...]


class ReplaceText(NamedTuple):
    """Change the text itself: for comments, which no other repair reaches."""

    edits: Edits


StageRepair = (
    Append
    | InsertAfter
    | Distribute
    | SetOption
    | MoveAfter
    | CopyAfter
    | RemoveStage
    | JoinStages
    | AssignBack
    | ReplaceApply
)
"""What changes which stages a pipeline has, and in which order."""
CodeRepair = (
    StageRepair
    | SetArgument
    | SliceItems
    | AddArguments
    | ReplaceCallee
    | ReplaceCall
    | ReplaceReferences
    | RenameAttributes
    | CallMethod
    | RemoveStatements
    | RemoveArgument
    | RenameArgument
    | Decorate
    | Together
)
"""What changes code, and must leave it Python."""
Repair = CodeRepair | ReplaceText
"""All that there is to ask for."""
