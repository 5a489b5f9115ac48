"""What the program defines: functions and classes, each one object, and what functions do that are mapped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

from pipelint.model.locations import Location
from pipelint.model.values import Symbol


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
    signed: bool = False
    """Whether `tf.function` is given an input signature with it, so that numbers become tensors."""
    may_run_once: bool = False
    """Whether a decorator of which no table tells may keep its body from running in each call."""
    hands_on_to: str = ""
    """The method of the same object of which it only gives back what that makes of its arguments; "" for none."""
    has_own_gradient: bool = False
    """Whether it says itself what its gradient is, by `tf.custom_gradient`."""
    obstacle: str | None = None
    """What keeps a training step from working as before under `tf.function`, or may do so, in words; "" where it was
    looked for and not found."""
    is_test: bool = False
    """Whether pytest or unittest collects it by its name, and it asserts something."""
    unused: bool = False
    """Whether nothing in the file leads to it, though the file has other code that runs."""
    successor: Function | None = field(default=None, repr=False)
    """The function that takes its name further down, as in a later cell of a notebook."""

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


class Effect(Enum):
    """What a mapped function does, as far as tf.data cares."""

    RANDOM = "random"
    DRAWN_ONCE = "drawn once"
    """Python draws at random, which happens when the function is traced."""
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
    switch: str = ""
    """A test of a variable, as written, under which alone Python calls it, and of which nothing says that it holds."""


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
    """The Python function behind a py_function, where one is called; of several one that does more than compute."""
    function: Function | None = None
    """The function of the program that it is."""
    selects: bool = False
    """Whether it only picks or rearranges parts of the element."""
    hands_out: str = ""
    """What it goes through, as written, where it is a generator that hands out the items of a variable and no more."""
    slices: tuple[str, ...] = ()
    """The variables, as written, whose items are the parts of each element, where it is a generator and no more."""
    looks_up_texts: bool = False
    """Whether it runs behind a py_function, gives texts alone, and only finds, draws or joins them: mostly paths."""
    takes_apart: bool = False
    """Whether it indexes, unstacks or folds away the first axis of what it is given."""
    untouched: frozenset[int] = frozenset()
    """Which parts of an element, by position, it gives back as it gets them, in the same place."""
    looks_at: frozenset[int] = frozenset()
    """Which parts of an element, by position, it uses."""
    elementwise: bool = False
    """Whether it only casts, scales or otherwise computes number by number, so that a batch gives the same."""
    augmentation: Cause | None = None
    """The operation by which it changes an example at random and keeps its label, as training data is augmented."""
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
        unproven = (Effect.RANDOM, Effect.DRAWN_ONCE, Effect.PYTHON, Effect.STATE, Effect.UNKNOWN)
        return self.resolved and self.cause(*unproven) is None
