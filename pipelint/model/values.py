"""What is known of a value without running the program."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod

from pipelint.knowledge.numpy_arrays import ITEM_BYTES
from pipelint.model.locations import Location


class Value:
    """Any value; a bare instance is one of which nothing is known."""


UNKNOWN = Value()


@dataclass(frozen=True)
class Literal(Value):
    """A Python constant. It is assumed where it is only a default that a caller may override."""

    value: object
    assumed: bool = False
    passed: bool = field(default=False, compare=False)
    """Whether it came through a parameter of a user's function, so that callers choose it."""
    written: object = field(default=None, compare=False, repr=False)
    """The constant in the source, as the front end that read it knows it."""
    given: object = field(default=None, compare=False, repr=False)
    """The argument through which a caller chose it: the first, where it is handed on."""


@dataclass(frozen=True)
class Symbol(Value):
    """Something imported, by its canonical dotted name (`tensorflow.data.AUTOTUNE`, `keras.layers.Dense`)."""

    name: str


@dataclass(frozen=True)
class Made(Value):
    """An object that a call of this symbol made (`keras.layers.Dense`, `os.cpu_count`), or a list of such objects."""

    symbol: str


@dataclass(frozen=True)
class Text(Value):
    """A string, or several of them, of which only the ends are known (`f"gs://{bucket}/*"`)."""

    start: str
    several: bool = False
    """Whether it is a list of them, as `glob` gives."""
    end: str = ""
    """What it ends in, as far as that is known."""


@dataclass(frozen=True)
class Array(Value):
    """An array in memory, with what is known of it."""

    shape: tuple[int | None, ...] | None = None
    """None for an axis, or for all of it, whose length is not known."""
    dtype: str | None = None

    @property
    def bytes(self) -> int | None:
        """How much memory it takes."""
        if self.shape is None or self.dtype not in ITEM_BYTES or None in self.shape:
            return None
        return prod(length for length in self.shape if length is not None) * ITEM_BYTES[self.dtype]


DATASET = Symbol("tensorflow.data.Dataset")
TENSOR_CLASS = Symbol("tensorflow.Tensor")
CHANGING_NUMBER = Made("numbers.Number")
"""A Python number that is another one each time, as a loop's counter."""
AUTOTUNE = Symbol("tensorflow.data.AUTOTUNE")
EXPERIMENTAL_AUTOTUNE = Symbol("tensorflow.data.experimental.AUTOTUNE")


@dataclass(frozen=True)
class Argument:
    """An argument of a call as it is written, with what is known of its value."""

    value: Value
    region: Location
    rows: int | None = None
    """How many rows it has, where it is a slice `x[i : i + k]` of constant width."""
    most_rows: int | None = None
    """How many rows it has at most, where it is a slice between constants (`x[:300]`) or a tensor made so."""
    is_parameter: bool = False
    """Whether it is a parameter of the function around the call, so that callers set it."""
    written: Location | None = None
    """Where the constant stands that gives its value."""
    given: Location | None = None
    """The argument of a caller that gives its value."""
    of_any_length: bool = False
    """Whether it is a list that is not always as long."""

    @property
    def is_autotune(self) -> bool:
        """Whether TensorFlow chooses the value at run time."""
        return self.value in (AUTOTUNE, EXPERIMENTAL_AUTOTUNE) or self.value == Literal(-1)

    @property
    def constant(self) -> object:
        """The Python constant, or None where none is known."""
        return self.value.value if isinstance(self.value, Literal) else None

    @property
    def is_assumed(self) -> bool:
        """Whether the constant is only a default that a caller may override."""
        return isinstance(self.value, Literal) and self.value.assumed

    @property
    def texts(self) -> tuple[str, ...]:
        """The constant strings that it is or holds."""
        constants = self.constant if isinstance(self.constant, tuple) else (self.constant,)
        return tuple(text for text in constants if isinstance(text, str))

    @property
    def text(self) -> str | None:
        """The constant string that it is, or the only one that it holds."""
        match self.constant:
            case str(text) | (str(text),):
                return text
            case _:
                return None

    @property
    def integer(self) -> int | None:
        """The integer constant, or None where none is known (True and False are none)."""
        constant = self.constant
        return constant if isinstance(constant, int) and not isinstance(constant, bool) else None
