"""Functions that TensorFlow traces, and what the calls inside them do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from pipelint.model.locations import Location, Region
from pipelint.model.values import UNKNOWN, Argument, Value


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
class Loop:
    """A Python loop: over what it runs, and whether it stands in code that TensorFlow traces."""

    region: Region
    over: str
    """`dataset`, `range`, `while` or `other`."""
    traced: bool = False
    epochs: bool = False
    """Whether the loop counts epochs, folds or models rather than steps."""
    few: bool = False
    """Whether it is known to run only a handful of times."""
    guards: frozenset[str] = frozenset()
    """The tests, as written, under which the loop as a whole runs."""


@dataclass(eq=False)
class Operation:
    """A call in the user's code, resolved to what it calls, with the setting in which it runs."""

    name: str
    """The canonical dotted name (`numpy.sin`, `builtins.print`, `Tensor.numpy`, `keras.Model.compile`)."""
    region: Region
    callee: Region
    """The name that is called: `sin` in `np.sin(x)`."""
    expression: Region | None = None
    """All of what is called, where it is written as a name of a library: `np.sin` in `np.sin(x)`."""
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    receiver: Value = UNKNOWN
    on_tensor: bool = False
    on_step_result: bool = False
    on_outer_object: bool = False
    guards: frozenset[str] = frozenset()
    """The tests, as written, under which the call runs."""
    loops: tuple[Loop, ...] = ()
    traced: TracedFunction | None = None
    function: str | None = None
    """The name of the function whose body holds the call."""
    under_tape: bool = False
    assigned: str = ""
    """The variables that the result is assigned to, as written."""
    names: frozenset[str] = frozenset()
    """The names in the arguments of a call that trains, as written."""


@dataclass(eq=False)
class TracedFunction:
    """A function that TensorFlow runs once to record a graph, with the calls made while it is recorded."""

    name: str
    kind: str
    """`map`, `function` (tf.function), `call` or `step` (of a Keras class)."""
    region: Region
    operations: list[Operation] = field(default_factory=list)
    python: MappedFunction | None = None
    """The Python function behind a py_function that it reaches."""
    complete: bool = True
    """Whether all of it was followed: False where the limit of calls was met."""
    applied_by: list[object] = field(default_factory=list)
    """The calls that seem to map it over a dataset, in the front end's own terms."""

    @property
    def reason(self) -> str:
        """Why TensorFlow traces it, in words."""
        match self.kind:
            case "map":
                return f"`{self.name}` is mapped over a dataset"
            case "function":
                return f"`{self.name}` is a tf.function"
            case _:
                return f"Keras traces `{self.name}`"


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
    traced: TracedFunction | None = field(default=None, repr=False)
    """The calls that it makes."""
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
