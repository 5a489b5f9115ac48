"""Small programs that build pipelines, run as users run them, and what pipelint sees of them."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipelint.dynamic.capture import lineage
from pipelint.dynamic.capture.stages import CapturedPipeline, describe
from pipelint.model.definitions import MappedFunction
from pipelint.model.locations import Location, Place
from pipelint.model.pipeline import Stage

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
tf: Any = pytest.importorskip("tensorflow", reason="live pipelines need TensorFlow")

Run = Callable[[str], "Program"]


class Program:
    """A file that was run with its datasets remembered."""

    def __init__(self, path: Path, source: str) -> None:
        self.path = path
        self.source = textwrap.dedent(source).strip() + "\n"
        path.write_text(self.source, encoding="utf-8")
        self.names: dict[str, Any] = {"__name__": "__main__", "tf": tf}
        exec(compile(self.source, str(path), "exec"), self.names)

    def captured(self, name: str = "ds") -> CapturedPipeline:
        return describe(self.names[name])

    def stages(self, name: str = "ds") -> tuple[Stage, ...]:
        return self.captured(name).pipeline.every_stage

    def last(self, name: str = "ds") -> Stage:
        return self.stages(name)[-1]

    def function(self, name: str = "ds") -> MappedFunction:
        function = self.last(name).function
        assert function is not None
        return function

    def ops(self, name: str = "ds") -> list[str]:
        return [stage.op for stage in self.stages(name)]

    def text(self, place: Location | None) -> str:
        """What stands at a place, with the line before it."""
        assert isinstance(place, Place)
        assert place.path == str(self.path)
        assert place.column is not None
        assert place.end_column is not None
        line = self.source.splitlines()[place.line - 1]
        return f"{line[: place.column - 1]}<{line[place.column - 1 : place.end_column - 1]}>".strip()


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run a program with its datasets remembered."""
    lineage.install()
    count = iter(range(100))
    return lambda source: Program(tmp_path / f"program{next(count)}.py", source)
