"""Values that matter in traced code alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from pipelint.model.values import Value
from pipelint.static.abstract.compound import Compound
from pipelint.static.abstract.values import Tensor


@dataclass(eq=False)
class Undecided(Value):
    """A parameter whose callers are out of sight, or what a function out of sight gives for a tensor.

    It is a tensor once the program uses it as one, wherever that happens: what was done with it before is told then.
    """

    is_tensor: bool = False
    parts: dict[object, Undecided] = field(default_factory=dict)
    """What is made of it: tensors if it is one; what is done with them says nothing of it."""
    waiting: list[Callable[[], None]] = field(default_factory=list)

    def decide(self) -> None:
        """It is used as a tensor."""
        if self.is_tensor:
            return
        self.is_tensor = True
        for part in list(self.parts.values()):
            part.decide()
        for tell in self.waiting:
            tell()

    def part(self, key: object) -> Undecided:
        """What this key, or this operation, makes of it: the same each time."""
        if key not in self.parts:
            self.parts[key] = Undecided(self.is_tensor)
        return self.parts[key]


@dataclass(frozen=True)
class TensorTest(Value):
    """What traced code knows of whether something is a tensor."""


@dataclass(frozen=True)
class GivenArray(Tensor):
    """An array that a function would be given as a tensor of the same dtype, if it were traced."""

    name: str = ""
    """The parameter."""
    dtype: str | None = None
    fits: bool = False
    """Whether it is known to be of the dtype that the tensors of models have."""


@dataclass(frozen=True)
class Formatted(Compound):
    """A text with these values in it, some of which are or may be tensors."""

    values: tuple[Value, ...]

    @property
    def parts(self) -> Iterable[Value]:
        """What is written into it."""
        return self.values
