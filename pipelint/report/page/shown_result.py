"""A result that shows itself where a function of pipelint is called: in a terminal, or below a cell of a notebook."""

from __future__ import annotations

import html as markup
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path

_FRAME = '<iframe srcdoc="{page}" style="width: 100%; height: 720px; border: 0" sandbox="allow-scripts"></iframe>'


class ShownResult(ABC):
    """What a run found, as text, as JSON and as a page."""

    @abstractmethod
    def __str__(self) -> str: ...

    @abstractmethod
    def to_json(self) -> str:
        """The JSON that the command prints with `--output-format json`."""

    @abstractmethod
    def to_html(self) -> str:
        """One page that needs nothing else."""

    @abstractmethod
    def to_markdown(self) -> str:
        """A comment for a review."""

    @property
    def _formats(self) -> Mapping[str, Callable[[], str]]:
        """How files are written, by the ends of their names."""
        return {".json": self.to_json, ".html": self.to_html, ".md": self.to_markdown, ".txt": lambda: f"{self}\n"}

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the result to a file, in the format that the end of its name says; gives the path."""
        where = Path(path)
        render = self._formats.get(where.suffix.lower())
        if render is None:
            raise ValueError(f"{where} must end in {', '.join(self._formats)}")
        where.write_text(render(), encoding="utf-8", errors="backslashreplace")
        return where

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return _FRAME.format(page=markup.escape(self.to_html()))
