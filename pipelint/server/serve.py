"""Starts the server on standard input and output."""

from __future__ import annotations

import sys

from lsprotocol import types as lsp

from pipelint.project.cache import Cache
from pipelint.server.code_actions import KINDS
from pipelint.server.language_server import PipelintServer
from pipelint.source.garbage import collected_when_asked

_SWITCH = 0.001
"""In seconds, after which the thread that checks lets another go on, so that a keystroke is not kept waiting."""


def serve(cache: Cache | None) -> None:
    """Answer one editor until it leaves."""
    sys.setswitchinterval(_SWITCH)
    collected_when_asked()
    # What a rule prints must not come between the messages.
    messages, sys.stdout = sys.stdout.buffer, sys.stderr
    server(cache).start_io(stdout=messages)


def server(cache: Cache | None) -> PipelintServer:
    """A server that answers all that it can."""
    made = PipelintServer(cache)

    @made.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        made.initialize(params)

    @made.feature(lsp.INITIALIZED)
    async def initialized(params: lsp.InitializedParams) -> None:
        await made.initialized()

    @made.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configured(params: lsp.DidChangeConfigurationParams) -> None:
        await made.configured(params.settings)

    @made.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def files_changed(params: lsp.DidChangeWatchedFilesParams) -> None:
        await made.files_changed(list(params.changes))

    _register_documents(made)

    @made.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(list(KINDS), resolve_provider=True))
    async def code_actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        return await made.code_actions(params)

    @made.feature(lsp.CODE_ACTION_RESOLVE)
    async def resolve(action: lsp.CodeAction) -> lsp.CodeAction:
        return await made.resolve(action)

    @made.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        return await made.hover(params)

    @made.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    async def inlay_hints(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        return await made.inlay_hints(params)

    return made


def _register_documents(made: PipelintServer) -> None:
    @made.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        made.opened(params.text_document.uri)

    @made.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        made.changed(params.text_document.uri)

    @made.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        await made.saved(params.text_document.uri)

    @made.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        made.taken_back([params.text_document.uri])
        made.closed(params.text_document.uri)

    @made.feature(lsp.NOTEBOOK_DOCUMENT_DID_OPEN)
    def notebook_opened(params: lsp.DidOpenNotebookDocumentParams) -> None:
        made.opened(params.notebook_document.uri)

    @made.feature(lsp.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def notebook_changed(params: lsp.DidChangeNotebookDocumentParams) -> None:
        cells = params.change.cells
        structure = cells.structure if cells else None
        made.taken_back(cell.uri for cell in (structure.did_close if structure else None) or ())
        made.changed(params.notebook_document.uri)

    @made.feature(lsp.NOTEBOOK_DOCUMENT_DID_SAVE)
    async def notebook_saved(params: lsp.DidSaveNotebookDocumentParams) -> None:
        await made.saved(params.notebook_document.uri)

    @made.feature(lsp.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def notebook_closed(params: lsp.DidCloseNotebookDocumentParams) -> None:
        made.taken_back(cell.uri for cell in params.cell_text_documents)
        made.closed(params.notebook_document.uri)
