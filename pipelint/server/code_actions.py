"""What an editor offers to do: the fix of one finding, all safe fixes, and a comment that silences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.uris import from_fs_path
from pygls.workspace import PositionCodec

from pipelint.lint.diagnostic import Diagnostic, LocatedFix
from pipelint.lint.results import Change, FileText
from pipelint.lint.task import Fixes
from pipelint.model.grades import Safety
from pipelint.server.client_ranges import Ruler
from pipelint.server.open_files import EditedFile, OpenPart
from pipelint.server.open_texts import lines_of
from pipelint.server.published import FindOpen
from pipelint.server.session import Examined
from pipelint.source.encoding import decode
from pipelint.source.paths import absolute

SAFE = lsp.CodeActionKind.QuickFix.value
UNSAFE = "quickfix.unsafe.pipelint"
FIX_ALL = "source.fixAll.pipelint"
FIX_ALL_UNSAFE = "source.unsafeFixAll.pipelint"
KINDS = (SAFE, UNSAFE, FIX_ALL, FIX_ALL_UNSAFE)


class Deed(Enum):
    """What is worked out only when it is chosen, since that looks at the file again."""

    IGNORE = "ignore"
    FIX_ALL = "fix all"
    FIX_ALL_UNSAFE = "fix all, unsafe too"


@dataclass(frozen=True)
class Offers:
    """What can be done about the findings of one file in one state."""

    examined: Examined
    codec: PositionCodec
    find_open: FindOpen
    versioned: bool
    """Whether the editor takes edits of a text only in the state that they are for."""

    @property
    def _file(self) -> EditedFile:
        return self.examined.file

    def about(self, reported: Mapping[int, lsp.Diagnostic], wanted: Wanted) -> Iterator[lsp.CodeAction]:
        """The actions for findings, which are given by their places among all."""
        if wanted.includes(SAFE) or wanted.includes(UNSAFE):
            fixes = self.examined.examination.with_fixes(list(reported))
            for index, (diagnostic, texts) in fixes.items():
                if diagnostic.fix is not None:
                    yield from filter(wanted.allows, self._fix(diagnostic, diagnostic.fix, texts, reported[index]))
        if wanted.includes(SAFE):
            for index, shown in reported.items():
                title = f"Ignore {shown.code} on this line"
                yield self._later(title, SAFE, Deed.IGNORE, finding=index, diagnostics=[shown])

    def about_all(self, wanted: Wanted) -> Iterator[lsp.CodeAction]:
        """The actions for the whole file, where there is anything to fix."""
        found = self.examined.examination.found
        safeties = {item.finding.fix.safety for item in found.findings if item.finding.fix} if found else set()
        if Safety.SAFE in safeties and wanted.includes(FIX_ALL):
            yield self._later("Fix all that pipelint can fix safely", FIX_ALL, Deed.FIX_ALL)
        if Safety.UNSAFE in safeties and wanted.includes(FIX_ALL_UNSAFE):
            title = "Fix all that pipelint can fix, with unsafe fixes"
            yield self._later(title, FIX_ALL_UNSAFE, Deed.FIX_ALL_UNSAFE)

    def done(self, data: Mapping[str, Any]) -> lsp.WorkspaceEdit | None:
        """What a chosen action changes; None where the file has changed since it was offered."""
        if data["version"] != self._file.version:
            return None
        examination, deed = self.examined.examination, Deed(data["do"])
        if deed is Deed.IGNORE:
            change = examination.silenced(data["finding"])
        else:
            change = examination.fixed(Fixes.SAFE if deed is Deed.FIX_ALL else Fixes.ALL)
        return self._workspace_edit(self._changed(change)) if change is not None else None

    def _later(
        self,
        title: str,
        kind: str,
        deed: Deed,
        finding: int | None = None,
        diagnostics: list[lsp.Diagnostic] | None = None,
    ) -> lsp.CodeAction:
        data = {"uri": self._file.uri, "version": self._file.version, "do": deed.value, "finding": finding}
        return lsp.CodeAction(title, kind, diagnostics, data=data)

    def _fix(
        self, diagnostic: Diagnostic, fix: LocatedFix, texts: Iterable[FileText], reported: lsp.Diagnostic
    ) -> Iterator[lsp.CodeAction]:
        edits = self._edits(fix, {absolute(Path(text.path)): text for text in texts})
        if edits is None:
            return
        is_safe = fix.safety is Safety.SAFE
        others = [path for path in fix.paths if path != diagnostic.span.path]
        where = f" (in {', '.join(others)})" if others else ""
        title = f"{fix.title[:1].upper()}{fix.title[1:]}{where}"
        yield lsp.CodeAction(
            title=f"{diagnostic.code}: {title}" if is_safe else f"{diagnostic.code}, unsafe: {title}",
            kind=SAFE if is_safe else UNSAFE,
            diagnostics=[reported],
            edit=self._workspace_edit(edits),
            is_preferred=is_safe and not others,
        )

    def _edits(
        self, fix: LocatedFix, texts: Mapping[Path, FileText]
    ) -> dict[tuple[str, int | None], list[lsp.TextEdit]] | None:
        """The edits of a fix by the texts that they change; None where one of these is not at hand."""
        found: dict[tuple[str, int | None], list[lsp.TextEdit]] = {}
        in_file = None in self._file.parts
        for edit in fix.file_edits if in_file else fix.edits:
            path = absolute(Path(edit.span.path))
            file = self._file if path == self._file.path else self.find_open(path)
            if file is not None:
                part = file.part(edit.span.start.cell)
                if part is None:
                    return None
                key, lines = (part.uri, part.version), part.lines
            elif (uri := from_fs_path(str(path))) is not None and path in texts:
                key, lines = (uri, None), lines_of(dict(texts[path].parts)[None])
            else:
                return None
            ruler = Ruler(lines, self.codec)
            found.setdefault(key, []).append(ruler.edit(edit, in_file=in_file))
        return found

    def _changed(self, change: Change) -> dict[tuple[str, int | None], list[lsp.TextEdit]]:
        found: dict[tuple[str, int | None], list[lsp.TextEdit]] = {}
        after = {text.cell: text.after for text in change.texts}
        if self._file.part(None) and None not in after:  # the JSON of a notebook
            after = {None: decode(change.after)[0]}
        for cell, text in after.items():
            part: OpenPart | None = self._file.part(cell)
            if part is not None:
                found[part.uri, part.version] = list(Ruler(part.lines, self.codec).edits_to(text))
        return found

    def _workspace_edit(self, edits: Mapping[tuple[str, int | None], list[lsp.TextEdit]]) -> lsp.WorkspaceEdit:
        if not self.versioned:
            return lsp.WorkspaceEdit(changes={uri: changes for (uri, _), changes in edits.items()})
        return lsp.WorkspaceEdit(
            document_changes=[
                lsp.TextDocumentEdit(lsp.OptionalVersionedTextDocumentIdentifier(uri, version), list(changes))
                for (uri, version), changes in edits.items()
            ]
        )


@dataclass(frozen=True)
class Wanted:
    """The kinds of actions that an editor asks for, each with those below it."""

    kinds: tuple[str, ...] | None

    @classmethod
    def by(cls, context: lsp.CodeActionContext) -> Wanted:
        """The kinds that a request names."""
        kinds = context.only
        return cls(None if kinds is None else tuple(k.value if isinstance(k, Enum) else str(k) for k in kinds))

    def includes(self, kind: str) -> bool:
        """Whether actions of a kind are asked for."""
        return self.kinds is None or any(kind == asked or kind.startswith(f"{asked}.") for asked in self.kinds)

    def allows(self, action: lsp.CodeAction) -> bool:
        """Whether an action is asked for."""
        return self.includes(str(action.kind))
