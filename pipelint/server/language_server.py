"""The server's side of the protocol: what the editor tells and asks, and what it gets."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from pipelint.project.cache import Cache
from pipelint.project.saved_profiles import saved_profile
from pipelint.server.client_settings import SECTION, ClientSettings
from pipelint.server.code_actions import Offers, Wanted
from pipelint.server.measured_hints import measured_hints
from pipelint.server.open_files import EditedFile, OpenFiles, OpenPart
from pipelint.server.open_texts import OpenTexts
from pipelint.server.published import FindOpen, Published
from pipelint.server.rule_hover import hover_on_name, page_of
from pipelint.server.schedule import Schedule
from pipelint.server.session import Examined, Session, contents_of
from pipelint.source.errors import UserError
from pipelint.version import __version__

_Answer = TypeVar("_Answer")

WATCHED = "**/*.{py,ipynb,toml,cfg,txt,yaml,yml,json,gin}"
"""What decides over findings: modules, configurations, requirements, baselines, and settings that programs read."""
_NOTEBOOKS = lsp.NotebookDocumentSyncOptions(
    # All cells, Markdown too: they are numbered as in reports.
    [lsp.NotebookDocumentFilterWithNotebook(lsp.NotebookDocumentFilterNotebookType("jupyter-notebook"))],
    save=True,
)


class PipelintServer(LanguageServer):
    """Answers one editor. What takes time is done in one thread; texts and messages are those of the event loop's."""

    def __init__(self, cache: Cache | None) -> None:
        super().__init__("pipelint", __version__, notebook_document_sync=_NOTEBOOKS)
        self._cache = cache
        self._session = Session(self._tell_from_thread)
        self._schedule = Schedule(self._check)
        self._settings = ClientSettings()
        self._told: set[str] = set()
        self._typed: set[str] = set()
        """Files that have changed since they were opened or saved."""
        self._watches = False
        self._loop: asyncio.AbstractEventLoop | None = None

    # What the editor tells

    def initialize(self, params: lsp.InitializeParams) -> None:
        """Take up how the editor counts, where it works and what it is set to."""
        self._loop = asyncio.get_running_loop()
        known = self.workspace
        self.protocol._workspace = OpenTexts(
            known.root_uri,
            lsp.TextDocumentSyncKind.Incremental,
            params.workspace_folders,
            known.position_encoding,
        )
        self._files = OpenFiles(self.protocol._workspace)
        # Paths in messages are told from there, and only its configuration may name local rules.
        if known.root_path and os.path.isdir(known.root_path):
            os.chdir(known.root_path)
        self._take(params.initialization_options)
        self._session.use(self._settings)

    async def initialized(self) -> None:
        """Ask to be told of changes on disk, and for the settings."""
        workspace = self.client_capabilities.workspace
        watching = workspace.did_change_watched_files if workspace else None
        if watching is not None and watching.dynamic_registration:
            options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher(WATCHED)])
            wanted = lsp.Registration("files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            await self.client_register_capability_async(lsp.RegistrationParams([wanted]))
            self._watches = True
        await self.configured(None)

    async def configured(self, given: Any) -> None:
        """Check by the settings that the editor has now."""
        workspace = self.client_capabilities.workspace
        if workspace is not None and workspace.configuration:
            items = [lsp.ConfigurationItem(section=SECTION)]
            (given, *_) = await self.workspace_configuration_async(lsp.ConfigurationParams(items)) or [None]
        before = self._settings
        if given is not None:
            self._take(given)
        if self._settings != before:
            await self._anew(lambda: self._session.use(self._settings))

    def _take(self, given: Any) -> None:
        try:
            self._settings = ClientSettings.read(given)
        except UserError as error:
            self._complain(str(error))

    async def files_changed(self, changes: list[lsp.FileEvent]) -> None:
        """Read anew what has changed on disk; of an open file the editor's text counts, whatever is saved."""
        opened = {file.uri for file in self._files}
        if any(event.uri not in opened or event.type != lsp.FileChangeType.Changed for event in changes):
            await self._anew(self._session.forget)

    async def _anew(self, forget: Callable[[], None]) -> None:
        await self._schedule.do(forget)
        self._told.clear()
        for file in self._files:
            self._schedule.check(file.uri)

    def opened(self, uri: str) -> None:
        """Check a file that was opened."""
        self._schedule.check(uri, first=True)

    def changed(self, uri: str) -> None:
        """Check a file that is being changed, and those that may import it when there is time."""
        self._typed.add(uri)
        self._schedule.changed(uri, lambda: [file.uri for file in self._files])

    async def saved(self, uri: str) -> None:
        """Check a file that was saved, by what else is on disk now."""
        self._typed.discard(uri)
        if self._watches:
            self._schedule.check(uri, first=True)
        else:
            await self._anew(self._session.forget)

    def taken_back(self, parts: Iterable[str]) -> None:
        """Say nothing more of texts that are open no longer."""
        for part in parts:
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(part, []))

    def closed(self, uri: str) -> None:
        """Forget a file; for the others it is as it is on disk again."""
        self._typed.discard(uri)
        self._files.closed(uri)
        self._schedule.forget(uri)
        self._schedule.later(lambda: self._session.closed(uri))
        for file in self._files:
            self._schedule.check(file.uri)

    # What is found

    def _check(self, uri: str) -> Callable[[], Callable[[], None]] | None:
        file = self._files.get(uri)
        if file is None:
            return None
        examine, find_open = self._examine(file), self._find_open()

        def work() -> Callable[[], None]:
            try:
                examined = examine()
                published = None if examined is None else Published(examined, self._files.codec, find_open).by_part()
            except UserError as error:
                told = str(error)
                return lambda: self._complain(told)
            except Exception as error:  # noqa: BLE001 - one file must not end the session
                fault = f"internal error in {file.path}: {type(error).__name__}: {error}; please report it"
                return lambda: self._complain(fault)
            return lambda: self._publish(file, examined, published or {part: [] for part in file.parts.values()})

        return work

    def _examine(self, file: EditedFile) -> Callable[[], Examined | None]:
        contents, patience = contents_of(list(self._files)), self._schedule.patience(file.uri)
        # What was asked of a text that is no more must not keep the next one waiting.
        return lambda: None if patience.over else self._session.examined(file, contents, patience)

    def _find_open(self) -> FindOpen:
        return {file.path: file for file in self._files}.get

    def _publish(
        self, file: EditedFile, examined: Examined | None, found: dict[OpenPart, list[lsp.Diagnostic]]
    ) -> None:
        if self._files.get(file.uri) != file:
            return  # what has changed since is checked again
        told = examined.examination if examined else None
        if told and told.problems and not told.diagnostics and file.uri in self._typed:
            return  # a statement that is being typed: what was found before stays until it is whole
        for part, diagnostics in found.items():
            params = lsp.PublishDiagnosticsParams(part.uri, diagnostics, part.version)
            self.text_document_publish_diagnostics(params)

    # What the editor asks

    async def code_actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        """What can be done about the findings in a range, and in the whole file."""
        file, wanted = self._files.get(params.text_document.uri), Wanted.by(params.context)
        if file is None:
            return []
        examine, find_open = self._examine(file), self._find_open()

        def work() -> list[lsp.CodeAction]:
            examined = examine()
            if examined is None:
                return []
            offers = self._offers(examined, find_open)
            found = Published(examined, self._files.codec, find_open).by_part()
            asked = {
                diagnostic.data["finding"]: diagnostic
                for part, diagnostics in found.items()
                if part.uri == params.text_document.uri
                for diagnostic in diagnostics
                if diagnostic.data and _touch(diagnostic.range, params.range)
            }
            actions = [*offers.about(asked, wanted), *offers.about_all(wanted)]
            if not self._resolves:
                for action in actions:
                    action.edit = offers.done(action.data) if action.data else action.edit
                    action.data = None
            return actions

        return await self._answer(work, [])

    async def resolve(self, action: lsp.CodeAction) -> lsp.CodeAction:
        """What an action changes that was chosen."""
        data = action.data
        file = self._files.get(data["uri"]) if data else None
        if data is None or file is None:
            return action
        examine, find_open = self._examine(file), self._find_open()

        def work() -> lsp.WorkspaceEdit | None:
            examined = examine()
            return self._offers(examined, find_open).done(data) if examined else None

        action.edit = await self._answer(work, None)
        return action

    def _offers(self, examined: Examined, find_open: FindOpen) -> Offers:
        workspace = self.client_capabilities.workspace
        edits = workspace.workspace_edit if workspace else None
        return Offers(examined, self._files.codec, find_open, bool(edits and edits.document_changes))

    @property
    def _resolves(self) -> bool:
        """Whether the editor asks for the edit of an action when it is chosen."""
        texts = self.client_capabilities.text_document
        support = texts.code_action.resolve_support if texts and texts.code_action else None
        return support is not None and "edit" in support.properties

    async def hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        """The text of the rule whose finding, or whose name in a comment, stands at a place."""
        file = self._files.get(params.text_document.uri)
        part = _part(file, params.text_document.uri)
        if file is None or part is None:
            return None
        examine, find_open = self._examine(file), self._find_open()

        def work() -> lsp.Hover | None:
            registry, place = self._session.rules(file.path), params.position
            if named := hover_on_name(part, place, registry, self._files.codec):
                return lsp.Hover(page_of(named[0]), named[1])
            examined = examine()
            if examined is None:
                return None
            found = Published(examined, self._files.codec, find_open).by_part()[part]
            here = [known for known in found if known.data and _touch(known.range, lsp.Range(place, place))]
            rules = [registry[str(code)] for code in dict.fromkeys(known.code for known in here)]
            return lsp.Hover(page_of(*rules), here[0].range) if rules else None

        return await self._answer(work, None)

    async def inlay_hints(self, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        """What was measured of the stages in a range, by the last profile that was saved."""
        file, cache = self._files.get(params.text_document.uri), self._cache
        part = _part(file, params.text_document.uri)
        if file is None or part is None or cache is None or not self._settings.inlay_hints:
            return []

        def work() -> list[lsp.InlayHint]:
            profile = saved_profile(cache, file.path)
            hints = measured_hints(file, part, profile, self._files.codec) if profile else []
            return [hint for hint in hints if _touch(lsp.Range(hint.position, hint.position), params.range)]

        return await self._answer(work, [])

    async def _answer(self, work: Callable[[], _Answer], otherwise: _Answer) -> _Answer:
        try:
            return await self._schedule.do(work)
        except UserError as error:
            self._complain(str(error))
            return otherwise

    # What goes wrong

    def _complain(self, message: str) -> None:
        """Show a message, once until something changes."""
        if message not in self._told:
            self._told.add(message)
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, f"pipelint: {message}"))

    def _tell_from_thread(self, message: str) -> None:
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._complain, message)


def _part(file: EditedFile | None, uri: str) -> OpenPart | None:
    return next((part for part in file.parts.values() if part.uri == uri), None) if file else None


def _touch(one: lsp.Range, other: lsp.Range) -> bool:
    return one.start <= other.end and other.start <= one.end
