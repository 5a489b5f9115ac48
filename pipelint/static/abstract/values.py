"""The values that the interpreter computes with, besides constants and imported names."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from pipelint.model import code, definitions
from pipelint.model.consumer import Consumer
from pipelint.model.definitions import MappedFunction
from pipelint.model.values import UNKNOWN, Array, Literal, Value
from pipelint.static.abstract.compound import Compound
from pipelint.static.abstract.guards import NO_GUARDS, Guards, consistent
from pipelint.static.abstract.scopes import Scope, new_number

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True)
class Tensor(Value):
    """A tensor, or a structure of tensors."""

    step_result: bool = False
    """Whether it comes out of a training step, so that reading it waits for the device."""
    elements: bool = False
    """Whether it is a nested dataset's place in a window: its methods are those of a Dataset."""
    eager: bool = False
    """Whether it was made outside of traced code, so that it has a value when a graph is recorded."""
    rows: int | None = None
    """The length of its first axis, where the call that makes it tells that."""
    predicted: bool = False
    """Whether it comes out of a network that is told not to train."""


TENSOR = Tensor()
EAGER = Tensor(eager=True)
STEP_RESULT = Tensor(step_result=True)


@dataclass(frozen=True)
class Foreign(Value):
    """Something of a library that has no datasets of tf.data (pandas, numpy, Spark, Hugging Face)."""

    library: str
    array: Array | None = None
    """What is known of it where it is an array."""
    turns: int | None = None
    """How often a loop over it turns, where it is a `range` of constants."""
    drawn: code.Call | None = None
    """The call that drew it at random while a graph was recorded."""


NUMBER = Foreign("builtins")
"""A Python number that is another one each time: a loop's counter, or what `float` makes of a tensor."""


@dataclass(eq=False)
class Instance(Value):
    """An object of a class of the user or, with a symbol, of a library; with neither, of a base that is not known."""

    cls: ClassValue | None = None
    symbol: str | None = None
    arguments: Arguments | None = None
    layers: list[tuple[Guards, Value]] = field(default_factory=list)
    """What was added to a Sequential, and under which guards."""
    number: int = field(default_factory=new_number)
    exact: bool = True
    """Whether its class is known, and not only a base of it."""
    itself: Instance | None = None
    """Where it is an object seen as one of a base, by `super()`: the object."""


@dataclass(eq=False)
class ClassValue(Value):
    """A class of the user."""

    identity: definitions.Class
    node: ast.ClassDef
    bases: tuple[Value, ...]
    scope: Scope
    """Where its class attributes and methods are remembered."""
    holds_layers: bool = False
    """Whether its body does what only Keras layers and models do: add weights, keep layers."""
    methods: dict[str, definitions.Function] = field(default_factory=dict)
    """Those of its own body, by name; the same as those of its identity."""
    subclasses: list[ClassValue] = field(default_factory=list)
    """Those that the program defines, at any depth."""
    opaque: bool = False
    """Whether a decorator of which nothing is known may have made another class of it."""

    def ancestry(self) -> Iterator[ClassValue]:
        """The class and those of its bases that the program defines, nearest first."""
        seen: set[int] = set()
        pending: list[Value] = [self]
        while pending:
            base = pending.pop(0)
            if isinstance(base, ClassValue) and id(base) not in seen:
                seen.add(id(base))
                yield base
                pending.extend(base.bases)


@dataclass(eq=False)
class Closure(Value):
    """A function, method or lambda of the user, with what it closes over."""

    identity: definitions.Function
    node: FunctionNode
    scope: Scope
    """The scope in which it is defined."""
    bound: Value | None = None
    """The object that it is a method of."""
    owner: ClassValue | None = None
    traced: bool = False
    """Whether it is wrapped in tf.function."""
    defaults: Mapping[str, Value] = field(default_factory=dict)
    is_python: bool = False
    """Whether a decorator turns it into a py_function."""
    is_property: bool = False
    is_static: bool = False
    is_class_method: bool = False
    is_abstract: bool = False
    """Whether subclasses say what runs."""
    opaque: bool = False
    """Whether a decorator of which nothing is known may have made another function of it."""
    configured_as: tuple[str, ...] = ()
    """The names, with their modules, under which files of gin set its parameters."""

    @property
    def name(self) -> str | None:
        """The name in the source, None for a lambda."""
        return None if isinstance(self.node, ast.Lambda) else self.node.name


@dataclass(eq=False)
class BoundMethod(Value):
    """A method of a library's object: `model.fit`, `table.lookup`."""

    receiver: Value
    name: str


@dataclass(eq=False)
class Partial(Value):
    """A callable with some of its arguments given (`functools.partial`)."""

    function: Value
    call: Arguments


@dataclass(eq=False)
class Transformation(Value):
    """What `tf.data.experimental.map_and_batch(...)` and its like return, to be given to `apply`."""

    op: str
    call: Arguments


@dataclass(eq=False)
class Options(Value):
    """A `tf.data.Options` object; attributes are remembered under the dotted path."""

    path: str = ""
    number: int = field(default_factory=new_number)


@dataclass(frozen=True)
class Sequence(Compound):
    """A tuple, list or set whose items are known."""

    items: tuple[Value, ...]
    display: str = "tuple"
    open_ended: bool = False
    """Whether there may be more items of the same kind (a comprehension)."""
    number: int | None = field(default=None, compare=False)
    """Its identity, where it can change."""

    @property
    def parts(self) -> Iterable[Value]:
        """Its items."""
        return self.items


@dataclass(frozen=True)
class Table(Compound):
    """A dict; items with keys that are not known stand under None."""

    items: tuple[tuple[object, Value], ...]
    number: int | None = field(default=None, compare=False)
    """Its identity, where it can change."""

    @property
    def parts(self) -> Iterable[Value]:
        """Its items, without their keys."""
        return (item for _, item in self.items)


@dataclass(frozen=True)
class Choice(Compound):
    """Several possible values, each under its guards."""

    options: tuple[tuple[Guards, Value], ...]

    @property
    def parts(self) -> Iterable[Value]:
        """The possible values."""
        return (option for _, option in self.options)

    @cached_property
    def ways(self) -> tuple[tuple[Guards, Value], ...]:
        """The values that it may come to, through choices among its options too, each with all its guards."""
        return tuple(
            (guards | more, way)
            for guards, option in self.options
            for more, way in alternatives(option)
            if consistent(guards, more)
        )


@dataclass(frozen=True)
class Iterating(Compound):
    """What runs over datasets: `iter(ds)`, `enumerate(ds)`, `ds.as_numpy_iterator()`, `tqdm(ds)`, `zip(a, b)`."""

    datasets: tuple[Value, ...]
    element: Value = TENSOR
    is_iterator: bool = False
    """Whether it is an iterator of the dataset itself, from which `next` may take elements as well."""
    consumers: tuple[Consumer, ...] = ()
    """What already counts as consumer of the datasets (their distribution), to be judged by the loop over it."""

    @property
    def parts(self) -> Iterable[Value]:
        """What it runs over, and what it gives each time."""
        return (*self.datasets, self.element)


@dataclass(eq=False)
class Given:
    """An argument of a call: its value and where it is written."""

    value: Value
    node: ast.expr


@dataclass(eq=False)
class Arguments:
    """What a call passes, as far as it can be seen."""

    node: ast.Call | None
    positional: tuple[Given, ...] = ()
    keywords: Mapping[str, Given] = field(default_factory=dict)
    hides: bool = False
    tensors: bool = False
    """Whether what it hides are tensors: TensorFlow itself makes the call."""

    @classmethod
    def unknown(cls) -> Arguments:
        """Nothing is known: every parameter has its default, as an assumption, or no known value."""
        return cls(None, hides=True)

    def bind(self, parameters: Iterable[str]) -> dict[str, Given]:
        """The arguments by parameter name."""
        bound = dict(zip(parameters, self.positional, strict=False))
        bound.update(self.keywords)
        return bound

    def get(self, position: int | None, name: str) -> Value | None:
        """The value of one argument, by keyword or else by position."""
        if name in self.keywords:
            return self.keywords[name].value
        if position is not None and position < len(self.positional):
            return self.positional[position].value
        return None

    def values(self) -> list[Value]:
        """All values that are passed."""
        return [given.value for given in (*self.positional, *self.keywords.values())]


@dataclass(eq=False)
class DatasetValue(Value):
    """A node of the dataset graph: a source or a transformation of other nodes."""

    op: str
    node: ast.Call | None
    arguments: Mapping[str, Given] = field(default_factory=dict)
    hides: bool = False
    inputs: tuple[Value, ...] = ()
    function: MappedFunction | None = None
    inner: tuple[Value, ...] = ()
    options: Mapping[str, Value] = field(default_factory=dict)
    options_known: bool = True
    proven: bool = False
    is_source: bool = False
    yields_batches: bool = False
    element: Value = TENSOR
    guards: Guards = NO_GUARDS
    legacy: bool = False
    parameters: frozenset[str] = frozenset()
    """The parameters of the function whose body makes it."""
    applied: ast.Call | None = None
    """The call of `apply` that a stage of `tf.data.experimental` is given to."""
    used: bool = False
    """Whether something was built on it, or it was looked at or consumed."""
    built_in: str = ""
    """The function whose body holds the call, as messages name it."""
    variables: set[str] = field(default_factory=set)
    """The variables that it was bound to."""
    extended: bool = False
    """Whether a further stage was built on it."""
    made_in: tuple[code.Loop, ...] = ()
    """The loops in whose turns it is made."""


@dataclass(eq=False)
class Loading(Value):
    """What a loader of Keras gives that makes batches without tf.data (`flow_from_directory`)."""

    call: code.Call | None


@dataclass(frozen=True)
class Generating(Value):
    """What a call of a generator function returns."""

    function: definitions.Function


def parameters(node: FunctionNode) -> list[ast.arg]:
    """The parameters that can be given by position or name."""
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]


def alternatives(value: Value) -> Iterator[tuple[Guards, Value]]:
    """The possible values, each with its guards; a plain value is its own only alternative."""
    return iter(value.ways) if isinstance(value, Choice) else iter(((NO_GUARDS, value),))


_MOST_OPTIONS = 16
"""How many values of one assignment are told apart: a table of so many cases is data."""
_MOST_WAYS = 64
"""How many one value may come to through choices among choices; as many as the ways through one dataset's branches."""


def choice(options: Iterable[tuple[Guards, Value]]) -> Value:
    """One value out of several: equal ones are merged, and very many are given up as unknown."""
    merged = _merged(options)
    if not merged:
        return UNKNOWN
    if len(merged) == 1:
        return merged[0][1]
    if len(merged) > _MOST_OPTIONS:
        return UNKNOWN
    made = Choice(tuple(merged))
    if len(made.ways) <= _MOST_WAYS:
        return made
    # The same few values come again and again where variables change places: `a, b = b, a` under a test.
    flat = _merged(made.ways)
    return Choice(tuple(flat)) if 1 < len(flat) <= _MOST_WAYS else flat[0][1] if len(flat) == 1 else UNKNOWN


def _merged(options: Iterable[tuple[Guards, Value]]) -> list[tuple[Guards, Value]]:
    merged: list[tuple[Guards, Value]] = []
    for guards, value in options:
        for index, (other_guards, other) in enumerate(merged):
            if other is value or (other == value and isinstance(value, (Literal, Tensor))):
                merged[index] = (guards & other_guards, other)
                break
        else:
            merged.append((guards, value))
    return merged


def settled(value: Value) -> Value:
    """The value itself, or the one known alternative where all others are None."""
    if not isinstance(value, Choice):
        return value
    known = [option for _, option in alternatives(value) if option != Literal(None)]
    first = known[0] if known else UNKNOWN
    return first if all(option is first or option == first for option in known) else UNKNOWN


def datasets_in(value: Value) -> Iterator[Value]:
    """The dataset values inside a value: itself, or the members of a container. A choice of datasets is one."""
    match value:
        case DatasetValue():
            yield value
        case Choice():
            if any(isinstance(option, DatasetValue) for _, option in alternatives(value)):
                yield value
            else:
                for _, option in alternatives(value):
                    yield from datasets_in(option)
        case Sequence(items=items):
            for item in items:
                yield from datasets_in(item)
        case Table(items=items):
            for _, item in items:
                yield from datasets_in(item)
        case Iterating(datasets=datasets):
            yield from datasets
