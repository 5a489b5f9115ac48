"""Cases in which the source itself says what pipelint must find in it.

A line ends in what is found there, `#! PIPE201 warning, safe fix`, several findings in their order with `; ` between
them. pipelint is shown the source without these marks. A case without any must stay silent.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field

from pipelint.lint.diagnostic import Diagnostic
from pipelint.project.projects import Overrides
from pipelint.rule import Version
from tests.linting import check, fixed, notebook

_MARKS = re.compile(r"  #! .*$", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """A marked script, or the marked cells of a notebook, and the script that the fixes make of it.

    Without `after`, what is marked as fixable is fixed somehow; where nothing is, the source stays as it is.
    """

    before: str | tuple[str, ...]
    after: str | None = None
    target: Version | None = None
    beside: tuple[str, ...] = ()
    """The codes of other rules that are on as well, to see that nothing is told twice."""
    options: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """The options of rules, as their tables in a configuration have them."""
    required: bool = True
    """Whether it stands in a project that requires a TensorFlow, as pipelint itself does."""

    @property
    def marked(self) -> list[str]:
        """The script alone, or each cell."""
        return [written(self.before)] if isinstance(self.before, str) else list(map(written, self.before))

    @property
    def sources(self) -> list[str]:
        """The same without the marks, as pipelint is shown it."""
        return list(map(without_marks, self.marked))

    @property
    def silent(self) -> bool:
        """Whether nothing must be found."""
        return not any(map(_MARKS.search, self.marked))


Table = Mapping[str, str | Case]
"""Cases by what they are about, and those that must stay silent by the reason; most are no more than a source."""


def case_of(entry: str | Case) -> Case:
    """An entry of a table as a case."""
    return Case(entry) if isinstance(entry, str) else entry


def prove(entry: str | Case, *select: str) -> None:
    """The selected rules find what is marked and nothing else, and their fixes leave what `after` says."""
    case = case_of(entry)
    overrides = Overrides(select=(*select, *case.beside), target_tensorflow=case.target)
    name = "train.py" if isinstance(case.before, str) else "train.ipynb"
    path = name if case.required else f"/nowhere/{name}"
    source = in_file(case.sources, path)
    found = check(source, overrides, path=path, options=case.options).diagnostics
    assert with_marks(parts_of(source, path), found) == case.marked
    after = fixed(source, overrides, path, case.options)
    left = check(after, overrides, path=path, options=case.options).diagnostics
    if case.after is not None:
        assert with_marks(parts_of(after, path), left) == [written(case.after)]
    elif any(diagnostic.fix for diagnostic in found):
        assert [diagnostic for diagnostic in left if diagnostic.fix] == []
    else:
        assert after == source


def written(source: str) -> str:
    """A source as it would stand in a file, without the indentation that it has in a table."""
    return textwrap.dedent(source).strip("\n") + "\n"


def without_marks(source: str) -> str:
    """A marked source as pipelint is shown it."""
    return _MARKS.sub("", source)


def in_file(parts: list[str], path: str) -> str:
    """What stands in a file: a source, or a notebook of cells."""
    return notebook(*parts) if path.endswith(".ipynb") else parts[0]


def parts_of(text: str, path: str) -> list[str]:
    """The source in a file, or the cells of a notebook."""
    if not path.endswith(".ipynb"):
        return [text]
    return [f"{''.join(cell['source'])}\n" for cell in json.loads(text)["cells"]]


def with_marks(parts: list[str], found: tuple[Diagnostic, ...]) -> list[str]:
    """The sources with a mark for each finding."""
    lines = [part.split("\n") for part in parts]
    for diagnostic in sorted(found, key=lambda diagnostic: diagnostic.order):
        start = diagnostic.span.start
        part = lines[start.cell - 1 if start.cell else 0]
        line = part[start.line - 1]
        fix = f", {diagnostic.fix.safety.value} fix" if diagnostic.fix else ""
        told = f"{diagnostic.code} {diagnostic.severity.value}{fix}"
        part[start.line - 1] = f"{line}; {told}" if _MARKS.search(line) else f"{line}  #! {told}"
    return ["\n".join(part) for part in lines]
