"""Repairs to the edits of all the texts that they change: a program may have several, and a fault stands in any."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from pipelint.model.edit import Edit, Edits
from pipelint.model.locations import NOWHERE, Location, Region
from pipelint.model.pipeline import Dataset
from pipelint.model.program import Program
from pipelint.model.repair import (
    AddArguments,
    Append,
    CallMethod,
    Decorate,
    RemoveArgument,
    RemoveStatements,
    RenameArgument,
    RenameAttributes,
    Repair,
    ReplaceApply,
    ReplaceCall,
    ReplaceCallee,
    ReplaceReferences,
    ReplaceText,
    SetOption,
    Together,
)
from pipelint.rewrite.rewriter import Rewriter
from pipelint.rewrite.syntax import Unfit
from pipelint.source.address_space import BEYOND, AddressSpace, Stretch


class ProgramRewriter:
    """Works out the edits of repairs to one text, and to the modules around it that the program was followed into."""

    def __init__(self, text: str, program: Program | None, start: int, around: AddressSpace) -> None:
        self._program = program
        self._own = start
        self._around = around
        self._rewriters = {start: Rewriter(text, program, start)}

    def edits(self, repair: Repair) -> Mapping[Stretch | None, Edits]:
        """The edits of each module that a repair changes, None for the text itself; raises Unfit."""
        match repair:
            case ReplaceText():
                return self._texts(repair)
            case Append():
                return self._appended(repair)
            case Together(repairs=parts):
                return self._together(parts)
            case _:
                return self._in_module(self._home(_changed(repair)), repair)

    def _texts(self, repair: ReplaceText) -> Mapping[Stretch | None, Edits]:
        """Edits of a text itself count from its own beginning, or from where it stands among all."""
        found: dict[int, list[Edit]] = {}
        for edit in sorted(repair.edits):
            home = self._home(edit.region)
            found.setdefault(home, []).append(edit.moved(-home if edit.region.start >= BEYOND else 0))
        return {self._stretch(home): tuple(edits) for home, edits in found.items()}

    def _appended(self, repair: Append) -> Mapping[Stretch | None, Edits]:
        """A stage goes to where the dataset is built; where it cannot, to the expressions that name the dataset."""
        dataset = repair.dataset
        try:
            return self._in_module(self._home(dataset.variants[0].end.call), repair)
        except Unfit:
            homes = dict.fromkeys(self._home(place) for _, place in dataset.places)
            if set(homes) <= {self._home(dataset.variants[0].end.call)} or len(dataset.places) < len(dataset.consumers):
                raise
        found: dict[Stretch | None, Edits] = {}
        for home in homes:
            found |= self._in_module(home, repair._replace(dataset=self._part(dataset, home)))
        return found

    def _together(self, repairs: Iterable[Repair]) -> Mapping[Stretch | None, Edits]:
        """The edits of several repairs, each in the module that it changes."""
        found: dict[Stretch | None, Edits] = {}
        for repair in repairs:
            for stretch, edits in self.edits(repair).items():
                # Two may ask for the same import.
                found[stretch] = tuple(sorted({*found.get(stretch, ()), *edits}))
        return found

    def _part(self, dataset: Dataset, home: int) -> Dataset:
        """The dataset as far as one module names it."""
        places = tuple((consumer, place) for consumer, place in dataset.places if self._home(place) == home)
        return replace(dataset, places=places, consumers=tuple(dict.fromkeys(consumer for consumer, _ in places)))

    def _in_module(self, home: int, repair: Repair) -> Mapping[Stretch | None, Edits]:
        return {self._stretch(home): self._rewriter(home).edits(repair)}

    def _rewriter(self, home: int) -> Rewriter:
        if home not in self._rewriters:
            stretch = self._around.of_offset(home)
            if stretch.unit.joined:
                raise Unfit(f"it would change {stretch.path.name}, which only uses this module")
            self._rewriters[home] = Rewriter(stretch.lines.text, self._program, stretch.first_offset)
        return self._rewriters[home]

    def _home(self, place: Location) -> int:
        """Where the module begins that holds a place."""
        region = Region.of(place)
        if region == NOWHERE or region.start < BEYOND:
            return self._own
        return self._around.of_offset(region.start).first_offset

    def _stretch(self, home: int) -> Stretch | None:
        return None if home == self._own else self._around.of_offset(home)


def _changed(repair: Repair) -> Location:
    """What a repair changes, if it is in one place."""
    match repair:
        case ReplaceCallee(call=call) | ReplaceCall(call=call) | RemoveArgument(call=call) | AddArguments(call=call):
            return call.region
        case RemoveStatements(calls=calls) | RenameArgument(calls=calls):
            return calls[0].region
        case ReplaceApply(replaced=replaced):
            return replaced[0][0].region
        case ReplaceReferences(references=references) | RenameAttributes(references=references):
            return references[0].region
        case CallMethod(place=place):
            return place
        case Decorate(function=function):
            return function.location
        case SetOption(dataset=dataset):
            return dataset.variants[0].end.call
        case Append() | ReplaceText() | Together():
            raise TypeError(f"{type(repair).__name__} changes several places")
        case _:
            return repair.stage.call
