"""What holds for every file, whatever stands in it; `examine` raises Broken where it does not."""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pipelint.lint.check_files import check_source
from pipelint.lint.diagnostic import Diagnostic, LocatedEdit
from pipelint.lint.results import Results
from pipelint.lint.task import Fixes, Mode, Task
from pipelint.model.grades import Severity
from pipelint.project.projects import Overrides, Projects
from pipelint.project.setting_keys import OUTPUT_FORMATS
from pipelint.report.findings import FormatOptions, load_format
from pipelint.source.encoding import decode, encode
from pipelint.source.errors import FileError
from pipelint.source.lines import Lines, Position

SETTINGS = {
    "usual": Overrides(),
    "everything": Overrides(select=("ALL",)),
    "old": Overrides(select=("ALL",), target_tensorflow=(2, 3)),
    "middle": Overrides(target_tensorflow=(2, 10)),
    "additions": Overrides(select=("PIPE101", "PIPE201")),
}
"""What a run may be asked for, by name."""
FAULT = re.compile(r"internal error|please report|please tell|do not come to an end")
REFUSAL = re.compile(r"nested too deeply|more than one spelling|cannot be written as|cannot be changed")
"""What may be said of a file that Python itself takes."""
COMMENT_FOR_LINTERS = re.compile(r"noqa|pipelint", re.IGNORECASE)


class Broken(AssertionError):  # noqa: N818 - it says what happened
    """What pipelint promises and does not keep."""


def require(promise: object, broken: str, *details: object) -> None:
    """Raise where a promise is broken."""
    if not promise:
        raise Broken(": ".join([broken, *map(str, details)]))


@dataclass(frozen=True)
class Run:
    """One file and how it is checked."""

    path: Path
    setting: str

    def __call__(self, data: bytes, mode: Mode, fixes: Fixes = Fixes.SAFE) -> Results:
        """The results, which hold no fault of pipelint, and no problem with what Python takes."""
        results = check_source(projects(self.setting), self.path, data, Task(mode, fixes))
        faults = [problem.message for problem in results.problems if FAULT.search(problem.message)]
        require(not faults, "fault", *faults)
        if results.problems and self.path.suffix == ".py" and is_source(data):
            refused = [problem.message for problem in results.problems if not REFUSAL.search(problem.message)]
            require(not refused, "Python takes it", *refused)
        return results

    def changed(self, data: bytes, mode: Mode, fixes: Fixes) -> tuple[bytes, Results]:
        """The file after fixes or comments, and what is left in it."""
        results = self(data, mode, fixes)
        require(len(results.changes) < 2, "one file changes once")
        return (results.changes[0].after if results.changes else data), results


@cache
def projects(setting: str) -> Projects:
    """The projects of runs that are asked for the same; made once, since reading the rules takes long."""
    return Projects(SETTINGS[setting], tell=print)


def safe_fixes(run: Run, data: bytes) -> None:
    """Safe fixes hold what all fixes hold."""
    _fixes(run, data, Fixes.SAFE)


def all_fixes(run: Run, data: bytes) -> None:
    """Unsafe fixes hold the same, save for what they are allowed to change."""
    _fixes(run, data, Fixes.ALL)


def _fixes(run: Run, data: bytes, fixes: Fixes) -> None:
    """Fixes parse, settle, raise nothing, and keep what they do not mean to change."""
    before = run(data, Mode.LIST, fixes)
    if not before.diagnostics and not before.problems:
        return
    after, left = run.changed(data, Mode.FIX, fixes)
    if before.problems:
        require(after == data, "a file with problems is left alone")
        return
    require_same_kind(run.path, data, after)
    again, settled = run.changed(after, Mode.FIX, fixes)
    require(again == after, "fixes settle at once", _difference(after, again))
    require(_told(left) == _told(settled), "what is left is told", _told(left), _told(settled))
    _require_nothing_worse(before, left)
    if run.path.suffix == ".py":
        # An unsafe fix that removes a statement takes the comment behind it along.
        alone = fixes is Fixes.ALL
        lost = _comments(data, alone=alone) - _comments(after, alone=False)
        require(not lost, "comments are kept", *lost)
        if run.setting == "additions":
            left_over = iter(_words(after))
            require(all(word in left_over for word in _words(data)), "these fixes add, and change nothing else")


def added_comments(run: Run, data: bytes) -> None:
    """`--add-noqa` changes comments alone and leaves nothing but what is about comments themselves."""
    before = run(data, Mode.LIST)
    if before.problems or not before.diagnostics:
        return
    after, result = run.changed(data, Mode.ADD_NOQA, Fixes.SAFE)
    if any(REFUSAL.search(problem.message) for problem in result.problems):
        require(after == data, "a file with problems is left alone")
        return
    require_same_kind(run.path, data, after)
    if run.path.suffix == ".py":
        require(_tree(data) == _tree(after), "comments change no program")
    left = run(after, Mode.LIST)
    silenced = [found for found in left.diagnostics if found.code != "PIPE001"]
    require(not silenced, "--add-noqa leaves nothing", *map(_place, silenced))
    _require_nothing_worse(before, left)
    again, _ = run.changed(after, Mode.ADD_NOQA, Fixes.SAFE)
    require(again == after, "--add-noqa settles at once", _difference(after, again))


def shown_fixes(run: Run, data: bytes) -> None:
    """The diff is what would be written, each fix that is shown can be applied alone, and every report can be made."""
    before = run(data, Mode.REPORT, Fixes.ALL)
    for name in OUTPUT_FORMATS if before.diagnostics or before.problems else ():
        text = load_format(name).render(before, FormatOptions(color=False, quiet=False))
        if name in ("json", "sarif", "gitlab"):
            json.loads(text)
    if before.problems or not before.diagnostics:
        return
    text, encoding = (data.decode("utf-8-sig"), "utf-8") if run.path.suffix == ".ipynb" else decode(data)
    for found in before.diagnostics:
        if found.fix:
            alone = _applied(text, found.fix.file_edits)
            try:
                changed = encode(alone, encoding)
            except FileError:
                continue  # one line tells why it is not written
            require_same_kind(run.path, data, changed, f"the fix of {_place(found)} alone")
    shown, _ = run.changed(data, Mode.DIFF, Fixes.ALL)
    written, _ = run.changed(data, Mode.FIX, Fixes.ALL)
    require(shown == written, "the diff is what is written")


ORDEALS: dict[str, Callable[[Run, bytes], None]] = {
    "safe": safe_fixes,
    "all": all_fixes,
    "noqa": added_comments,
    "shown": shown_fixes,
}
"""What a file goes through, by name."""


def examine(path: str, data: bytes, ordeal: str, setting: str) -> None:
    """Put a file through an ordeal; raises Broken, or whatever escapes from pipelint."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ORDEALS[ordeal](Run(Path("/nowhere") / path, setting), data)


def is_source(data: bytes) -> bool:
    """Whether Python takes a file."""
    try:
        # Of bytes at hand, unlike those of a file, Python does not decode the comments.
        data.decode(tokenize.detect_encoding(io.BytesIO(data).readline)[0])
        _tree(data)
    except (SyntaxError, ValueError, LookupError, RecursionError, MemoryError):
        return False
    return True


def require_same_kind(path: Path, before: bytes, after: bytes, what: str = "a fix") -> None:
    """The change leaves Python or a notebook, in which only sources of cells differ, with newlines of the same kind."""
    if path.suffix == ".ipynb":
        old, new = json.loads(before.decode("utf-8-sig")), json.loads(after.decode("utf-8-sig"))
        require(_without_sources(old) == _without_sources(new), f"{what} changes sources alone")
        return
    require(is_source(after), f"{what} leaves Python")
    for kind in (b"\r\n", b"\r(?!\n)", b"(?<!\r)\n"):
        added = re.search(kind, after) and re.search(b"\r|\n", before) and not re.search(kind, before)
        require(not added, f"{what} keeps the newlines")
    require(before[:3] == b"\xef\xbb\xbf" or after[:3] != b"\xef\xbb\xbf", f"{what} adds no byte order mark")


def _tree(data: bytes) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.dump(ast.parse(data))


def _without_sources(value: Any) -> Any:
    """A notebook with what stands in its sources left out; whether they are lists stays."""
    if isinstance(value, dict):
        return {
            key: type(inner) if key in ("source", "input") else _without_sources(inner) for key, inner in value.items()
        }
    return [_without_sources(inner) for inner in value] if isinstance(value, list) else value


def _require_nothing_worse(before: Results, after: Results) -> None:
    for worst in ((Severity.ERROR,), (Severity.ERROR, Severity.WARNING), tuple(Severity)):
        more = _counted(after.diagnostics, worst) - _counted(before.diagnostics, worst)
        require(not more, "nothing gets worse", dict(more), _told(before), _told(after))


def _counted(found: Iterable[Diagnostic], severities: tuple[Severity, ...]) -> Counter[str]:
    return Counter(diagnostic.code for diagnostic in found if diagnostic.severity in severities)


def _comments(data: bytes, *, alone: bool) -> Counter[str]:
    """The comments of a program, or only those that have a line of their own."""
    comments = (
        token.string.rstrip()
        for token in _tokens(data)
        if token.type == tokenize.COMMENT and not (alone and token.line[: token.start[1]].strip())
    )
    return Counter(comment for comment in comments if not COMMENT_FOR_LINTERS.search(comment))


def _words(data: bytes) -> list[str]:
    """The tokens of a program, comments too, whatever the lines that they stand in."""
    return [token.string for token in _tokens(data) if token.string.strip()]


def _tokens(data: bytes) -> Iterator[tokenize.TokenInfo]:
    text, _ = decode(data)
    return tokenize.generate_tokens(io.StringIO("\n".join(re.split(r"\r\n|\r|\n", text))).readline)


def _applied(text: str, edits: Iterable[LocatedEdit]) -> str:
    lines = Lines(text)

    def offset(position: Position) -> int:
        return lines.start(position.line) + position.column - 1

    for edit in sorted(edits, key=lambda edit: offset(edit.span.file_start), reverse=True):
        text = text[: offset(edit.span.file_start)] + edit.text + text[offset(edit.span.file_end) :]
    return text


def _told(results: Results) -> list[str]:
    return [_place(found) for found in results.diagnostics]


def _place(found: Diagnostic) -> str:
    start = found.span.start
    return f"{found.code}@{f'{start.cell}:' if start.cell else ''}{start.line}:{start.column}"


def _difference(one: bytes, other: bytes) -> str:
    old, new = one.splitlines(), other.splitlines()
    return next((f"{a!r} -> {b!r}" for a, b in zip(old, new, strict=False) if a != b), "lines added or dropped")
