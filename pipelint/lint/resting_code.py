"""Which code of the files at hand nothing runs, by the modules around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipelint.model.locations import Location, Region
from pipelint.project.projects import Project
from pipelint.source.address_space import BEYOND
from pipelint.source.paths import absolute
from pipelint.source.unit import Unit
from pipelint.static.outline import lines_after_ends
from pipelint.static.parse import parse
from pipelint.static.reached_code import reached_code


@dataclass(frozen=True)
class RestingCode:
    """What never runs in a file and in what is followed with it; a text other than that of the file is all in use."""

    project: Project
    path: Path
    unit: Unit

    def lines(self) -> Sequence[range]:
        """The lines of the file that nothing runs."""
        here = absolute(self.path)
        modules = self.project.modules(here)
        own, around = modules.module(here), modules.around(here)
        if own is None or own.text != self.unit.text or here.suffix not in (".py", ".ipynb"):
            return ()
        code = reached_code(around) if around is not None else None
        if code is not None:
            return code.resting(own)
        return lines_after_ends(parse(self.unit.text)) if here.suffix == ".py" else ()

    def may_run(self, place: Location, start: Location) -> bool:
        """Whether the code at a place may run where the file is started that another place is in."""
        started, at = self._line_of(start)[0], self._line_of(place)
        modules = self.project.modules(started)
        first, module = modules.module(started), modules.module(at[0])
        around = modules.around(started)
        code = reached_code(around, first) if around is not None else None
        return code is None or module is None or not code.rests(module, at[1])

    def _line_of(self, place: Location) -> tuple[Path, int]:
        offset = Region.of(place).start
        if offset < BEYOND:
            return absolute(self.path), self.unit.text.count("\n", 0, offset) + 1
        stretch = self.project.space.of_offset(offset)
        return stretch.path, stretch.unit.text.count("\n", 0, offset - stretch.first_offset) + 1
