"""The program's own code: functions, classes and loops, each one object, and what happens in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from pipelint.model.locations import Location, Region
from pipelint.model.values import Argument, Symbol, Value


@dataclass(eq=False)
class Function:
    """A function, method or lambda of the program: one object, however often it is called."""

    name: str | None
    """None for a lambda."""
    location: Location
    """The name in its definition; all of a lambda."""
    parameters: tuple[str, ...] = ()
    """Those that can be given by position, then those by keyword alone; a method's own object included."""
    owner: Class | None = field(default=None, repr=False)
    """The class that it is a method of."""
    wrapped: bool = False
    """Whether it is given to `tf.function`, as a decorator or by a call."""

    @property
    def title(self) -> str:
        """How messages name it: `Augment.call`, `load`, `lambda`."""
        name = self.name or "lambda"
        return f"{self.owner.name}.{name}" if self.owner is not None else name


@dataclass(eq=False)
class Class:
    """A class of the program."""

    name: str
    location: Location
    bases: tuple[Class | Symbol, ...] = ()
    """Those that are known."""
    methods: Mapping[str, Function] = field(default_factory=dict, repr=False)

    def library_bases(self) -> Iterator[Symbol]:
        """The bases, at any depth, that come from a library."""
        for base in self.bases:
            if isinstance(base, Symbol):
                yield base
            else:
                yield from base.library_bases()


@dataclass(frozen=True)
class Method:
    """A method of something that the program does not define: `model.fit`, `loss.numpy`."""

    owner: Symbol | Class | None
    """The library's class (`keras.Model`, `tensorflow.Tensor`, `builtins.list`), the program's class whose unknown base
    has the method, or None where nothing is known of the object."""
    name: str


Callee = Symbol | Function | Class | Method
"""What a call calls, where anything is known of it."""


class LoopOver(Enum):
    """Over what a loop runs."""

    DATASET = "dataset"
    RANGE = "range"
    WHILE = "while"
    OTHER = "other"


@dataclass(eq=False)
class Loop:
    """A Python loop: over what it runs, and how often."""

    region: Region
    over: LoopOver
    epochs: bool = False
    """Whether the loop counts epochs, folds or models rather than steps."""
    few: bool = False
    """Whether it is known to run only a handful of times."""
    guards: frozenset[str] = frozenset()
    """The tests, as written, under which the loop as a whole runs."""


@dataclass(eq=False, kw_only=True)
class Event:
    """Something that the program does at one place, with the setting in which it happens."""

    region: Region
    guards: frozenset[str] = frozenset()
    """The tests, as written, under which it happens."""
    loops: tuple[Loop, ...] = ()
    trace: Trace | None = None
    """The recording of a graph in which it happens."""
    function: Function | None = None
    """The function whose body holds it."""
    under_tape: bool = False


@dataclass(eq=False, kw_only=True)
class Call(Event):
    """A call, resolved to what it calls."""

    callee: Callee | None
    name: Region
    """The name that is called: `sin` in `np.sin(x)`."""
    expression: Region | None = None
    """All of what is called, where it is written as a name of a library: `np.sin` in `np.sin(x)`."""
    positional: tuple[Argument, ...] = ()
    keywords: Mapping[str, Argument] = field(default_factory=dict)
    parameters: tuple[str, ...] = ()
    """Of the callee by position, where its signature is known."""
    hides_arguments: bool = False
    """Whether `*` or `**` passes arguments that are not known."""
    on_tensor: bool = False
    on_step_result: bool = False
    on_outer_object: bool = False
    """Whether it is a method of an object that lives outside of the traced function."""
    assigned: tuple[str, ...] = ()
    """The variables that the result is assigned to, in words."""
    mentions: frozenset[str] = frozenset()
    """The names in the arguments of a call that trains."""

    @cached_property
    def symbol(self) -> str:
        """The dotted name of what is called, where a library defines it (`numpy.sin`, `keras.Model.fit`); else ""."""
        match self.callee:
            case Symbol(name=name):
                return name
            case Method(owner=Symbol(name=owner), name=name):
                return f"{owner}.{name}"
            case _:
                return ""

    @property
    def library(self) -> str:
        """The package that defines what is called, "" where the program does or nobody knows."""
        return self.symbol.partition(".")[0]

    @cached_property
    def last_name(self) -> str:
        """The last name of what is called, whoever defines it; "" where it has none."""
        match self.callee:
            case Symbol(name=name):
                return name.rpartition(".")[2]
            case Function(name=name) | Class(name=name) | Method(name=name):
                return name or ""
            case _:
                return ""

    @property
    def on_unknown_object(self) -> bool:
        """Whether it is a method of an object of which nothing is known."""
        return isinstance(self.callee, Method) and self.callee.owner is None

    @property
    def arguments(self) -> Iterator[Argument]:
        """All that is passed."""
        yield from self.positional
        yield from self.keywords.values()

    def argument(self, name: str) -> Argument | None:
        """The argument of this parameter, by keyword or, where the signature is known, by position."""
        if name in self.keywords:
            return self.keywords[name]
        position = self.parameters.index(name) if name in self.parameters else len(self.positional)
        return self.positional[position] if position < len(self.positional) else None


class ReadBy(Enum):
    """What reads the value of a tensor without a call."""

    TEST = "this test"
    STRING = "this string"


@dataclass(eq=False, kw_only=True)
class HostRead(Event):
    """Python needs the value of a step's result: for a test, or in a formatted string."""

    by: ReadBy


@dataclass(eq=False, kw_only=True)
class Count(Event):
    """Traced code adds to something that outlives it: `self.seen += 1`."""

    name: Region
    target: str
    """As written."""


@dataclass(eq=False, kw_only=True)
class VariableRead(Event):
    """Traced code reads a `tf.Variable` or a weight."""


@dataclass(eq=False, kw_only=True)
class Switch(Event):
    """An attribute that switches something on or off is set: `model.run_eagerly = True`."""

    name: Region
    attribute: str
    value: Value


class TraceKind(Enum):
    """Why TensorFlow traces a function."""

    MAP = "map"
    FUNCTION = "function"
    CALL = "call"
    STEP = "step"
    PYTHON = "python"
    """It does not: the function runs as Python behind a py_function."""


@dataclass(eq=False)
class Trace:
    """One recording of a function as a graph, with what happens while it is recorded."""

    title: str
    kind: TraceKind
    region: Region
    function: Function | None = None
    events: list[Event] = field(default_factory=list, repr=False)
    python: MappedFunction | None = None
    """The Python function behind a py_function that it reaches."""
    complete: bool = True
    """Whether all of it was followed: False where the limit of calls was met."""

    @property
    def calls(self) -> Iterator[Call]:
        """The calls among the events."""
        return (event for event in self.events if isinstance(event, Call))

    @property
    def reason(self) -> str:
        """Why TensorFlow traces it, in words."""
        match self.kind:
            case TraceKind.MAP:
                return f"`{self.title}` is mapped over a dataset"
            case TraceKind.FUNCTION:
                return f"`{self.title}` is a tf.function"
            case _:
                return f"Keras traces `{self.title}`"


class Effect(Enum):
    """What a mapped function does, as far as tf.data cares."""

    RANDOM = "random"
    PYTHON = "python"
    STATE = "state"
    DECODE = "decode"
    READ = "read"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Cause:
    """Why a function has an effect: the operation, by the name a user knows, and where it is called."""

    effect: Effect
    name: str
    location: Location


@dataclass(eq=False)
class MappedFunction:
    """The function that a stage applies to each element."""

    name: str | None
    """Its name, None for a lambda or an expression."""
    location: Location
    resolved: bool
    """Whether its body is known."""
    causes: tuple[Cause, ...] = ()
    python: MappedFunction | None = None
    """The Python function behind a py_function, where one is called."""
    function: Function | None = None
    """The function of the program that it is."""
    selects: bool = False
    """Whether it only picks or rearranges parts of the element."""
    takes_apart: bool = False
    """Whether it indexes, unstacks or folds away the first axis of what it is given."""
    stateful: bool | None = None
    """Whether TensorFlow takes it for stateful, and so never makes its calls parallel by itself; None if not traced."""

    @property
    def label(self) -> str:
        """How a message speaks of it."""
        return f"`{self.name}`" if self.name else "the mapped function"

    def cause(self, *effects: Effect) -> Cause | None:
        """The first cause of any of these effects."""
        return next((cause for cause in self.causes if cause.effect in effects), None)

    @property
    def stateless(self) -> bool:
        """Whether it is proven that running the function in parallel gives the same elements."""
        return self.resolved and self.cause(Effect.RANDOM, Effect.PYTHON, Effect.STATE, Effect.UNKNOWN) is None
