"""What takes the elements of a dataset, and what for."""

from __future__ import annotations

from dataclasses import dataclass

from pipelint.knowledge.consumption import ConsumerKind, Purpose
from pipelint.model.locations import Location, Place


@dataclass(eq=False)
class Consumer:
    """What takes the elements of a dataset."""

    kind: ConsumerKind
    region: Location
    purpose: Purpose = Purpose.UNKNOWN
    purpose_by_name: bool = False
    """Whether no more than the name of a function tells the purpose."""
    in_tf_function: bool = False
    takes_workers: bool = False
    """Whether its call is told the workers of a PyDataset, as `fit` of Keras 2 is."""
    name: str = ""
    """The function or variable through which a dataset is handed out, or the unknown function that it is given to."""
    passed_on: bool = False
    by_iterator: bool = False
    """Whether what stands there is an iterator over them, such as `enumerate(ds)`, and no dataset."""
    variable: str = ""
    """The variable that names the dataset there, as written."""
    may_run_a_model: bool = True
    """Whether it does more with the elements, as far as is known, than to convert, write, show or count them."""
    waits: bool = False
    """Whether each turn of its loop waits for time or a user, so that nothing would be gained by faster elements."""
    trains_nothing: bool = False
    """Whether all that its loop calls is in sight, and none of it trains a model."""
    passes: int | None = None
    """How often it goes through the elements, where a program that ran says so."""
    is_never_run: bool = False
    """Whether it stands in a function that nothing in sight leads to, though those are in sight that would call it."""

    @property
    def place(self) -> Place | None:
        """Where it stands in a file of a program that ran."""
        return self.region if isinstance(self.region, Place) else None

    @property
    def once(self) -> bool:
        """Whether it takes them in a single epoch, with no loop around that brings it back."""
        return self.passes == 1

    @property
    def purpose_is_known(self) -> bool:
        """Whether the program tells what it takes them for."""
        return self.purpose is not Purpose.UNKNOWN

    @property
    def is_in_haste(self) -> bool:
        """Whether it is known to run, and to gain from faster elements."""
        return not (self.waits or self.is_never_run or self.kind is ConsumerKind.ELSEWHERE)

    @property
    def takes_all(self) -> bool:
        """Whether it asks for element after element without work between them that would be worth overlapping."""
        return not self.may_run_a_model or self.kind in (ConsumerKind.STRATEGY, ConsumerKind.COLLECTION)
