"""An editor without a window: a real client that starts `pipelint server` and speaks with it over stdio."""

from __future__ import annotations

import asyncio
import itertools
import os
import re
import sys
from collections.abc import Callable, Coroutine, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

_Result = TypeVar("_Result")
_Heard = TypeVar("_Heard", bound=Callable[..., Any])
_PATIENCE = 60.0
"""In seconds, for an answer on a busy machine."""
_LINE_END = re.compile(r"(?<=\n)|(?<=\r)(?!\n)")
_UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


@dataclass
class Text:
    """An open text, as the editor has it."""

    uri: str
    content: str
    version: int
    notebook: str | None = None


@dataclass
class Notebook:
    """An open notebook."""

    uri: str
    cells: list[str]
    version: int = 1


@dataclass
class Editor:
    """Opens, changes and closes texts, and has what the server says of them."""

    root: Path
    encodings: tuple[str, ...] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    resolves: bool = True
    watches: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._client = LanguageClient("editor", "1")
        self.texts: dict[str, Text] = {}
        self.notebooks: dict[str, Notebook] = {}
        self.published: dict[str, lsp.PublishDiagnosticsParams] = {}
        self.publications: list[lsp.PublishDiagnosticsParams] = []
        self.messages: list[str] = []
        self.registered: list[str] = []
        self._news = asyncio.Event()
        self._versions = itertools.count(1)
        self._listen()

    def __enter__(self) -> Editor:
        command = [sys.executable, "-m", "pipelint", "server"]
        environment = {**os.environ, **self.environment}
        self._do(self._client.start_io(*command, cwd=str(self.root), env=environment))
        self.answer = self._do(self._client.initialize_async(self._introduction()))
        self._client.initialized(lsp.InitializedParams())
        return self

    def __exit__(self, *_: object) -> None:
        self._do(self._client.shutdown_async(None))
        self._client.exit(None)
        stop: Callable[[], Coroutine[Any, Any, None]] = self._client.stop
        self._do(stop())
        self._loop.close()

    def _introduction(self) -> lsp.InitializeParams:
        return lsp.InitializeParams(
            capabilities=lsp.ClientCapabilities(
                general=lsp.GeneralClientCapabilities(
                    position_encodings=list(self.encodings) if self.encodings else None
                ),
                text_document=lsp.TextDocumentClientCapabilities(
                    code_action=lsp.CodeActionClientCapabilities(
                        resolve_support=lsp.ClientCodeActionResolveOptions(["edit"]) if self.resolves else None
                    )
                ),
                workspace=lsp.WorkspaceClientCapabilities(
                    workspace_edit=lsp.WorkspaceEditClientCapabilities(document_changes=self.resolves),
                    did_change_watched_files=lsp.DidChangeWatchedFilesClientCapabilities(self.watches),
                    configuration=self.watches,
                ),
            ),
            process_id=os.getpid(),
            root_uri=self.root.as_uri(),
            workspace_folders=[lsp.WorkspaceFolder(self.root.as_uri(), self.root.name)],
            initialization_options={"settings": dict(self.settings)},
        )

    def _listen(self) -> None:
        hears: Callable[[str], Callable[[_Heard], _Heard]] = self._client.feature

        @hears(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: lsp.PublishDiagnosticsParams) -> None:
            self.published[params.uri] = params
            self.publications.append(params)
            self._news.set()

        @hears(lsp.WINDOW_SHOW_MESSAGE)
        def shown(params: lsp.ShowMessageParams) -> None:
            self.messages.append(params.message)
            self._news.set()

        @hears(lsp.CLIENT_REGISTER_CAPABILITY)
        def register(params: lsp.RegistrationParams) -> None:
            self.registered += [registration.method for registration in params.registrations]
            self._news.set()

        @hears(lsp.WORKSPACE_CONFIGURATION)
        def configuration(params: lsp.ConfigurationParams) -> list[Any]:
            return [dict(self.settings) for _ in params.items]

    def _do(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        # Another test of this process may have left a browser with a running loop in the main thread.
        with ThreadPoolExecutor(max_workers=1) as thread:
            return thread.submit(self._loop.run_until_complete, asyncio.wait_for(work, _PATIENCE)).result()

    def wait(self, until: Callable[[], bool]) -> None:
        """Let the server speak until something is so."""

        async def waiting() -> None:
            while not until():
                self._news.clear()
                await self._news.wait()

        self._do(waiting())

    def listen(self, seconds: float) -> None:
        """Let the server speak for a while."""
        self._do(asyncio.sleep(seconds))

    # Scripts

    def open(self, path: Path, content: str | None = None) -> Text:
        """Open a file, with another content than the one on disk where that is given."""
        content = path.read_text("utf-8") if content is None else content
        text = Text(path.as_uri(), content, next(self._versions))
        self.texts[text.uri] = text
        item = lsp.TextDocumentItem(text.uri, "python", text.version, text.content)
        self._client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return text

    def change(self, text: Text, content: str) -> None:
        """Replace the whole text."""
        text.content = content
        self._send(text, [lsp.TextDocumentContentChangeWholeDocument(content)])

    def type(self, text: Text, line: int, character: int, typed: str) -> None:
        """Type something at a place, as the editor counts."""
        where = lsp.Range(lsp.Position(line, character), lsp.Position(line, character))
        text.content = self.edited(text.content, [lsp.TextEdit(where, typed)])
        self._send(text, [lsp.TextDocumentContentChangePartial(where, typed)])

    def _send(self, text: Text, changes: list[lsp.TextDocumentContentChangeEvent]) -> None:
        text.version = next(self._versions)
        known = lsp.VersionedTextDocumentIdentifier(text.version, text.uri)
        if text.notebook is None:
            self._client.text_document_did_change(lsp.DidChangeTextDocumentParams(known, changes))
            return
        notebook = self.notebooks[text.notebook]
        notebook.version += 1
        cells = lsp.NotebookDocumentCellChanges(text_content=[lsp.NotebookDocumentCellContentChanges(known, changes)])
        self._client.notebook_document_did_change(
            lsp.DidChangeNotebookDocumentParams(
                lsp.VersionedNotebookDocumentIdentifier(notebook.version, notebook.uri),
                lsp.NotebookDocumentChangeEvent(cells=cells),
            )
        )

    def save(self, text: Text) -> None:
        """Tell that the text was saved."""
        known = lsp.TextDocumentIdentifier(text.uri)
        self._client.text_document_did_save(lsp.DidSaveTextDocumentParams(known))

    def close(self, text: Text) -> None:
        """Close a file."""
        known = lsp.TextDocumentIdentifier(text.uri)
        self._client.text_document_did_close(lsp.DidCloseTextDocumentParams(known))
        del self.texts[text.uri]

    # Notebooks

    def open_notebook(self, path: Path, cells: Iterable[tuple[str, str]]) -> list[Text]:
        """Open a notebook with these cells, each with its language; gives their texts."""
        uri = path.as_uri()
        texts, documents, kinds = [], [], []
        for number, (language, content) in enumerate(cells, 1):
            text = Text(f"{uri.replace('file:', 'vscode-notebook-cell:')}#cell{number}", content, 1, uri)
            kind = lsp.NotebookCellKind.Markup if language == "markdown" else lsp.NotebookCellKind.Code
            texts.append(text)
            kinds.append(lsp.NotebookCell(kind, text.uri))
            documents.append(lsp.TextDocumentItem(text.uri, language, 1, content))
            self.texts[text.uri] = text
        self.notebooks[uri] = Notebook(uri, [text.uri for text in texts])
        notebook = lsp.NotebookDocument(uri, "jupyter-notebook", 1, kinds)
        self._client.notebook_document_did_open(lsp.DidOpenNotebookDocumentParams(notebook, documents))
        return texts

    def remove_cell(self, text: Text) -> None:
        """Delete a cell of a notebook."""
        assert text.notebook is not None
        notebook = self.notebooks[text.notebook]
        notebook.version += 1
        array = lsp.NotebookCellArrayChange(notebook.cells.index(text.uri), 1)
        structure = lsp.NotebookDocumentCellChangeStructure(array, did_close=[lsp.TextDocumentIdentifier(text.uri)])
        notebook.cells.remove(text.uri)
        self._client.notebook_document_did_change(
            lsp.DidChangeNotebookDocumentParams(
                lsp.VersionedNotebookDocumentIdentifier(notebook.version, notebook.uri),
                lsp.NotebookDocumentChangeEvent(cells=lsp.NotebookDocumentCellChanges(structure=structure)),
            )
        )

    def close_notebook(self, uri: str) -> None:
        """Close a notebook."""
        notebook = self.notebooks.pop(uri)
        cells = [lsp.TextDocumentIdentifier(cell) for cell in notebook.cells]
        self._client.notebook_document_did_close(
            lsp.DidCloseNotebookDocumentParams(lsp.NotebookDocumentIdentifier(uri), cells)
        )

    # What the server says

    def diagnostics(self, text: Text) -> list[lsp.Diagnostic]:
        """What is said of a text as it is now, once that is said."""
        self.wait(lambda: text.uri in self.published and self.published[text.uri].version == text.version)
        return list(self.published[text.uri].diagnostics)

    def found(self, text: Text) -> list[tuple[str, int]]:
        """The same by code and line, from 1."""
        return [(str(known.code), known.range.start.line + 1) for known in self.diagnostics(text)]

    def actions(
        self, text: Text, where: lsp.Range | None = None, only: list[str] | None = None
    ) -> list[lsp.CodeAction]:
        """What is offered for a range, by default the whole text; the edits are asked for where they are missing."""
        last = len(text.content.splitlines())
        where = where or lsp.Range(lsp.Position(0, 0), lsp.Position(last, 0))
        context = lsp.CodeActionContext([], only=only)
        params = lsp.CodeActionParams(lsp.TextDocumentIdentifier(text.uri), where, context)
        offered = self._do(self._client.text_document_code_action_async(params)) or []
        actions = [action for action in offered if isinstance(action, lsp.CodeAction)]
        return [self._do(self._client.code_action_resolve_async(a)) if a.edit is None else a for a in actions]

    def hover(self, text: Text, line: int, character: int) -> str:
        """The text that is shown at a place, "" where there is none."""
        params = lsp.HoverParams(lsp.TextDocumentIdentifier(text.uri), lsp.Position(line, character))
        hover = self._do(self._client.text_document_hover_async(params))
        return hover.contents.value if hover and isinstance(hover.contents, lsp.MarkupContent) else ""

    def hints(self, text: Text) -> list[tuple[int, str]]:
        """The hints in a text by line, from 1."""
        whole = lsp.Range(lsp.Position(0, 0), lsp.Position(len(text.content.splitlines()), 0))
        params = lsp.InlayHintParams(lsp.TextDocumentIdentifier(text.uri), whole)
        hints = self._do(self._client.text_document_inlay_hint_async(params)) or []
        return [(hint.position.line + 1, str(hint.label)) for hint in hints]

    def files_changed(self, *paths: Path) -> None:
        """Tell that files changed on disk."""
        events = [lsp.FileEvent(path.as_uri(), lsp.FileChangeType.Changed) for path in paths]
        self._client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams(events))

    def configure(self, settings: Mapping[str, Any]) -> None:
        """Change the settings."""
        self.settings = settings
        params = lsp.DidChangeConfigurationParams({"pipelint": dict(settings)})
        self._client.workspace_did_change_configuration(params)

    # Edits

    def applied(self, edit: lsp.WorkspaceEdit | None) -> dict[str, str]:
        """What an edit makes of texts, by URI; of a file that is not open, of the one on disk."""
        assert edit is not None
        changes = {uri: list(edits) for uri, edits in (edit.changes or {}).items()}
        for change in edit.document_changes or ():
            assert isinstance(change, lsp.TextDocumentEdit)
            known = self.texts.get(change.text_document.uri)
            assert known is None or change.text_document.version == known.version
            changes[change.text_document.uri] = [e for e in change.edits if isinstance(e, lsp.TextEdit)]
        return {uri: self.edited(self._content(uri), edits) for uri, edits in changes.items()}

    def _content(self, uri: str) -> str:
        known = self.texts.get(uri)
        return known.content if known else Path(uri.removeprefix("file://")).read_text("utf-8")

    def edited(self, content: str, edits: Iterable[lsp.TextEdit]) -> str:
        """A text after edits, the places of which are counted as was agreed on."""
        for edit in sorted(edits, key=lambda edit: edit.range.start, reverse=True):
            start, end = self._offset(content, edit.range.start), self._offset(content, edit.range.end)
            content = content[:start] + edit.new_text + content[end:]
        return content

    def _offset(self, content: str, place: lsp.Position) -> int:
        lines = _LINE_END.split(content)
        assert place.line < len(lines)
        before = sum(map(len, lines[: place.line]))
        encoding, size = _UNITS[str(self.answer.capabilities.position_encoding or "utf-16")]
        units = lines[place.line].encode(encoding)[: place.character * size]
        return before + len(units.decode(encoding))
