"""The texts that the editor has open, in lines as Python and the protocol count them."""

from __future__ import annotations

import re

from lsprotocol import types as lsp
from pygls.workspace import TextDocument, Workspace

# `str.splitlines`, which pygls uses, also splits at form feeds and Unicode separators; no editor counts those.
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def lines_of(text: str) -> tuple[str, ...]:
    """The lines of a text with their ends; the empty one behind the last end is left out."""
    return tuple(_LINE.findall(text))


class _OpenText(TextDocument):
    """A text that changes as the editor says."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines with their ends."""
        return lines_of(self.source)


class OpenTexts(Workspace):
    """All open texts and notebooks."""

    def _create_text_document(
        self, doc_uri: str, source: str | None = None, version: int | None = None, language_id: str | None = None
    ) -> TextDocument:
        kind = lsp.TextDocumentSyncKind.Incremental
        return _OpenText(doc_uri, source, version, language_id, sync_kind=kind, position_codec=self.position_codec)
