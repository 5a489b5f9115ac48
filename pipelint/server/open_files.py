"""The files that the editor has open as they would be on disk: scripts, and notebooks with their cells."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.uris import to_fs_path
from pygls.workspace import PositionCodec, TextDocument

from pipelint.server.open_texts import OpenTexts, lines_of
from pipelint.source.encoding import as_file
from pipelint.source.paths import NOTEBOOK, absolute

_PYTHON = "python"


@dataclass(frozen=True)
class OpenPart:
    """The text of a file, or of one cell of a notebook, in one state."""

    uri: str
    version: int | None
    text: str

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Its lines with their ends."""
        return lines_of(self.text)


@dataclass(frozen=True)
class EditedFile:
    """An open file in one state."""

    uri: str
    path: Path
    version: int | None
    parts: Mapping[int | None, OpenPart]
    """The one text of a file, or those of all cells of a notebook by their numbers."""
    data: bytes
    """What the file would be."""

    def part(self, cell: int | None) -> OpenPart | None:
        """The text of a cell; that of the file where it is open as one text, also of a notebook's JSON."""
        return self.parts.get(None) or self.parts.get(cell)


class OpenFiles:
    """The open files, by the URI of the file; that of a cell stands for its notebook."""

    def __init__(self, texts: OpenTexts) -> None:
        self._texts = texts
        self._known: dict[str, EditedFile] = {}

    @property
    def codec(self) -> PositionCodec:
        """How the editor counts columns."""
        return self._texts.position_codec

    def __iter__(self) -> Iterator[EditedFile]:
        notebooks = list(self._texts.notebook_documents.values())
        cells = {cell.document for notebook in notebooks for cell in notebook.cells}
        for notebook in notebooks:
            yield self._notebook(notebook)
        for document in list(self._texts.text_documents.values()):
            if document.uri not in cells and _is_ours(document):
                yield self._script(document)

    def get(self, uri: str) -> EditedFile | None:
        """The file of a URI as it is now; None where it is not open, or not ours."""
        notebook = self._texts.get_notebook_document(notebook_uri=uri)
        notebook = notebook or self._texts.get_notebook_document(cell_uri=uri)
        if notebook is not None:
            return self._notebook(notebook)
        document = next((known for known in self._texts.text_documents.values() if known.uri == uri), None)
        return self._script(document) if document is not None and _is_ours(document) else None

    def closed(self, uri: str) -> None:
        """Forget a file."""
        self._known.pop(uri, None)

    def _script(self, document: TextDocument) -> EditedFile:
        known = self._known.get(document.uri)
        if known is None or known.version != document.version:
            text = document.source
            part = OpenPart(document.uri, document.version, text)
            known = EditedFile(document.uri, _path(document.uri), document.version, {None: part}, as_file(text))
            self._known[document.uri] = known
        return known

    def _notebook(self, notebook: lsp.NotebookDocument) -> EditedFile:
        known = self._known.get(notebook.uri)
        if known is None or known.version != notebook.version:
            path = _path(notebook.uri)
            documents = [self._texts.get_text_document(cell.document) for cell in notebook.cells]
            parts: dict[int | None, OpenPart] = {
                number: OpenPart(document.uri, document.version, document.source)
                for number, document in enumerate(documents, 1)
            }
            data = _as_notebook(notebook, documents, path)
            known = EditedFile(notebook.uri, path, notebook.version, parts, data)
            self._known[notebook.uri] = known
        return known


def _is_ours(document: TextDocument) -> bool:
    return document.language_id == _PYTHON or _path(document.uri).suffix in (".py", NOTEBOOK)


def _path(uri: str) -> Path:
    """The path of a file; what was never saved stands in the working directory."""
    found = to_fs_path(uri)
    if found is not None:
        return absolute(Path(found))
    name = uri.rpartition(":")[2].rpartition("/")[2] or "untitled"
    return absolute(Path(name if name.endswith((".py", NOTEBOOK)) else f"{name}.py"))


def _as_notebook(notebook: lsp.NotebookDocument, documents: list[TextDocument], path: Path) -> bytes:
    """The JSON of an open notebook. Outputs, which tell the TensorFlow of the last run, are those of the file."""
    saved = _saved(path)
    outputs = {_source(cell): cell.get("outputs") for cell in saved.get("cells", ()) if isinstance(cell, dict)}
    cells: list[dict[str, Any]] = []
    for cell, document in zip(notebook.cells, documents, strict=True):
        is_code = cell.kind is lsp.NotebookCellKind.Code
        language = document.language_id or _PYTHON
        cells.append(
            {
                "cell_type": "code" if is_code else "markdown",
                "metadata": {} if language == _PYTHON else {"vscode": {"languageId": language}},
                "outputs": outputs.get(document.source, []) if is_code else [],
                "source": document.source,
            }
        )
    return json.dumps({"cells": cells, "metadata": saved.get("metadata", {})}).encode()


def _saved(path: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError, RecursionError):
        found = json.loads(path.read_bytes())
        if isinstance(found, dict):
            return found
    return {}


def _source(cell: dict[str, Any]) -> str:
    source = cell.get("source", "")
    return "".join(map(str, source)) if isinstance(source, list) else str(source)
