"""What happens while the program's code runs: loops, calls and other events, and what TensorFlow records of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from pipelint.knowledge.keras import UPDATES_WEIGHTS
from pipelint.knowledge.libraries import FIT_NO_NETWORKS
from pipelint.knowledge.python_calls import ENVIRONMENTS, PACING_CALLS, PARTS_OF_A_MOVE
from pipelint.model.definitions import Callee, Class, Function, MappedFunction, Method
from pipelint.model.locations import Region
from pipelint.model.values import Argument, Symbol, Value


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
    """Whether each turn runs through a dataset, a loop of training steps or `fit`, so that it counts no steps."""
    few: bool = False
    """Whether it is known to run only a handful of times."""
    watched: bool = False
    """Whether a progress bar shows how far it is, as nobody does for a handful of turns."""
    turns: int | None = None
    """How often it turns, where that is written."""
    at_most: int | None = None
    """How often it turns at most, by `take` or a counter that ends it, where that is written."""
    names: tuple[str, ...] = ()
    """The names in the expression that it runs over, as far as these are written there."""
    targets: frozenset[str] = frozenset()
    """The variables that it sets anew for each turn."""
    growing: frozenset[str] = frozenset()
    """The variables that each turn makes longer, and those that are made of them."""
    guards: frozenset[str] = frozenset()
    """The tests, as written, under which the loop as a whole runs."""
    fed_by: set[Callee] = field(default_factory=set)
    """The generator functions and loaders of Keras that give each turn its input: it runs over one, or asks `next`."""
    operates: bool = False
    """Whether each of its own turns applies operators (`a + b`) to tensors outside of traced code."""
    always: frozenset[str] = frozenset()
    """What holds in each turn after which there may be another: around the loop, and that nothing leaves it."""
    at_end: frozenset[str] = frozenset()
    """The tests, as written, that hold in its last turn alone."""


@dataclass(eq=False, kw_only=True)
class Event:
    """Something that the program does at one place, with the setting in which it happens."""

    region: Region
    guards: frozenset[str] = frozenset()
    """The tests, as written, under which it happens."""
    held: frozenset[str] = frozenset()
    """What holds where it happens: a test as written, or `not` before it."""
    loops: tuple[Loop, ...] = ()
    trace: Trace | None = None
    """The recording of a graph in which it happens."""
    function: Function | None = None
    """The function whose body holds it."""
    under_tape: bool = False
    has_traced_twin: bool = False
    """Whether another branch of the same test does this in a graph, so that this one is there for comparison."""
    results: frozenset[str] = frozenset()
    """The variables with the result of a training step that it reads, and metrics as asked: `mean.result()`."""
    doubtful: bool = False
    """Whether a constant of the module keeps it from happening, until somebody edits that, a test that only holds where
    nothing is traced, or that Keras may only ever trace objects of another subclass, which do something else there."""
    for_an_error: bool = False
    """Whether it only makes the exception that a `raise` or an `assert` raises."""
    for_some_versions: bool = False
    """Whether it happens only where a variable or attribute that holds the version of TensorFlow says so."""
    instead: tuple[tuple[Event, ...], ...] = ()
    """What happens in its place, one by one, where a test chose other functions to be called there."""
    chosen_by: frozenset[str] = frozenset()
    """These tests, as they hold where it happens."""

    @property
    def repeated_by(self) -> tuple[Loop, ...]:
        """The loops that may do it in more than one turn: others do it as they end."""
        return tuple(loop for loop in self.loops if self.held.isdisjoint(loop.at_end))


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
    hides_arguments: bool = False
    """Whether `*args` or `**kwargs` may hold further arguments."""
    parameters: tuple[str, ...] = ()
    """Of the callee by position, where its signature is known."""
    on_tensor: bool = False
    on_possible_tensor: bool = False
    """Whether traced code gives it a tensor, or something of which nobody knows whether it is one."""
    on_text_of_tensor: bool = False
    """Whether it is given a text that a tensor of a graph was written into, as `f"{loss}"`."""
    on_step_result: bool = False
    on_prediction: bool = False
    """Whether it is given what a network makes that is told not to train, or what TensorFlow computes of that."""
    meant_to_fail: bool = False
    """Whether a `with` around it catches what it raises, as those have it that show an error."""
    asked_for: bool = False
    """Whether traced code that may also run eagerly does it only where the user sets an option of the command line."""
    meant_once: bool = False
    """Whether it draws at random in traced code what is one draw by intent: it seeds another draw, is the first value
    of a variable, or follows a constant seed in the same code."""
    may_be_tensor: bool = False
    """Whether a tensor could stand for what it draws at random in traced code, wherever that is used."""
    only_shown: bool = False
    """Whether it takes a value out of a tensor under a tape that is then printed, logged or drawn, and nothing else."""
    written_back: bool = False
    """Whether it takes the result of a step out of a tensor, which becomes a part of what the step was given."""
    pictured: bool = False
    """Whether it runs a model in a loop, and what that gives becomes part of a picture in the same function."""
    on_growing: bool = False
    """Whether it is given something that each turn of its loop makes longer, as a sentence that is being written."""
    on_outer_object: bool = False
    """Whether it is a method of an object that lives outside of the traced function."""
    on_new_container: bool = False
    """Whether it is a method of a list or dict that the traced code itself has made."""
    receiver: Class | None = None
    """The class of the program whose object it is a method of, or calls."""
    made_at: Region | None = None
    """Where the object is made whose method it is, where that may have variables."""
    renewed_in: Loop | None = None
    """The innermost loop around it of which each turn makes that object anew."""
    unseen: bool = False
    """Whether it calls an object of which only its use tells that it is a model: what it runs is out of sight."""
    obstacle: str = ""
    """Where it is a tape in a loop: what keeps the code under it from working in a graph, or may do so, in words."""
    parts: int = 0
    """Into how many variables an assignment takes the result apart; 0 where it is kept whole."""

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
    def updates_weights(self) -> bool:
        """Whether it takes a training step, or the part of one that changes weights."""
        match self.callee:
            case Method(name="apply"):
                # Many things have an `apply`; gradients are given to it along with their variables.
                return self.library in ("", "keras") and len(tuple(self.arguments)) == 2
            case Method(name=name) | Function(name=str() as name, owner=Class()):
                return name in UPDATES_WEIGHTS
            case Symbol():
                # A method of an object that is imported; a function `minimize` is another thing.
                return self.last_name in ("apply_gradients", "train_on_batch")
            case _:
                return False

    @property
    def fits(self) -> bool:
        """Whether it trains a model on all that it is given."""
        named = isinstance(self.callee, Method) and self.last_name in ("fit", "fit_generator")
        return named and self.library not in FIT_NO_NETWORKS

    @property
    def on_unknown_object(self) -> bool:
        """Whether it is a method of an object of which nothing is known."""
        return isinstance(self.callee, Method) and self.callee.owner is None

    @property
    def plays(self) -> bool:
        """Whether it moves an environment on: one of gym's, or an object whose `step` gives as many parts as theirs."""
        if self.last_name != "step" or not isinstance(self.callee, Method):
            return False
        return self.library in ENVIRONMENTS or (self.on_unknown_object and self.parts in PARTS_OF_A_MOVE)

    @property
    def waits(self) -> bool:
        """Whether it waits for time, for a user, or until an environment is drawn: a loop around it has no haste."""
        return self.symbol in PACING_CALLS or (self.library in ENVIRONMENTS and self.last_name == "render")

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
    """Python needs the value of a step's result, or of a tensor in traced code: for a test, or a formatted string."""

    by: ReadBy


@dataclass(eq=False, kw_only=True)
class Count(Event):
    """Traced code adds to something that outlives it: `self.seen += 1`."""

    name: Region
    target: str
    """As written."""
    only_names: bool = False
    """Whether what it counts is part of the names of operations, and nothing else."""
    is_read: bool = True
    """Whether anything in the program reads it."""


@dataclass(eq=False, kw_only=True)
class Misfit(Event):
    """A step would compute with a tensor and an array that eager code makes fit, which a graph does not."""

    array: str
    """The parameter that is given the array."""
    dtype: str | None = None
    """That of the array, where it is known."""


@dataclass(eq=False, kw_only=True)
class VariableRead(Event):
    """Traced code reads a `tf.Variable` or a weight."""


@dataclass(eq=False, kw_only=True)
class Switch(Event):
    """What switches something on or off is set: `model.run_eagerly = True`, or a variable of the environment."""

    name: Region
    attribute: str
    """The attribute, or the variable of the environment."""
    value: Value


@dataclass(eq=False, kw_only=True)
class DeviceBlock(Event):
    """A block `with tf.device(...)`: what stands in its region is made and run on that device."""

    device: str
    """As written, or as far as it is known: `/GPU:0`."""


@dataclass(eq=False, kw_only=True)
class BatchLength(Event):
    """A mapped function computes with `x.shape[0]` of a tensor that it is given."""

    tensor: str
    """The parameter: `x`."""


@dataclass(eq=False, kw_only=True)
class Operation(Event):
    """A loop outside of traced code applies an operator to tensors: told for the first one in each loop."""


@dataclass(frozen=True)
class Timing:
    """Two calls of which the program shows the difference, as of a clock before and after some work."""

    start: Region
    end: Region

    @property
    def between(self) -> Region:
        """What stands between them."""
        return Region(self.start.end, max(self.start.end, self.end.start))


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
    only_eager: bool = False
    """Whether Keras would trace it, but all that the program does with it is in sight, and is to call it eagerly."""
    under_tape: bool = False
    """Whether one of these calls is under a tape."""
    in_sight: bool = True
    """Whether the program shows that it is traced, or gives it to code that may do so; else only Keras' habit does."""

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
