"""Reads a file as a document."""

from __future__ import annotations

from pathlib import Path

from pipelint.source.document import Document, Script
from pipelint.source.errors import FileError, from_os_error
from pipelint.source.regular_files import LARGEST_NOTEBOOK, LARGEST_SCRIPT, TooLarge, read_regular
from pipelint.source.relevance import bytes_may_matter


def load(path: Path, data: bytes | None = None) -> Document:
    """Reads a Python file or, by its suffix, a notebook; `data` stands in for the file's content.

    What is no text, no notebook or too large is an error only if it has a word of TensorFlow or Keras; else it counts
    as empty.
    """
    is_notebook = path.suffix.lower() == ".ipynb"
    most = LARGEST_NOTEBOOK if is_notebook else LARGEST_SCRIPT
    try:
        data = read_regular(path, most) if data is None else data
        if len(data) > most:
            raise TooLarge(path, most, data)
    except TooLarge as error:
        if not bytes_may_matter(error.head):
            return Script(path, b"")
        raise
    except OSError as error:
        raise from_os_error(error, "read", path) from error
    try:
        if not is_notebook:
            return Script(path, data)
        from pipelint.source.notebook_document import NotebookDocument  # JSON and magics are not for scripts

        return NotebookDocument(path, data)
    except FileError as error:
        if not bytes_may_matter(data):
            return Script(path, b"")
        error.path = path
        raise
