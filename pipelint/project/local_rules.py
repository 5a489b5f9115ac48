"""The rules that a configuration names by `rule-paths`: code that comes with a checkout, and runs only if trusted."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from pipelint.source.paths import shown_path

if TYPE_CHECKING:
    from pipelint.project.settings import Settings


@dataclass(frozen=True)
class LocalRules:
    """The rules of one configuration."""

    config: Path
    paths: tuple[Path, ...]

    @classmethod
    def of(cls, settings: Settings) -> LocalRules | None:
        """What a configuration names, if anything."""
        if settings.source is None or not settings.rule_paths:
            return None
        # Without links: what is compared, trusted and loaded is one and the same.
        paths = tuple(Path(os.path.realpath(path)) for path in settings.rule_paths)
        return cls(Path(os.path.realpath(settings.source)), paths)

    @property
    def places(self) -> list[str]:
        """The paths as the record of trust has them: if they differ, nothing is read to see that."""
        return [str(path) for path in self.paths]

    @property
    def shown(self) -> str:
        """The paths in words."""
        return ", ".join(shown_path(path) for path in self.paths)

    def files(self) -> Iterator[Path]:
        """Every file that trust is about: a rule may read or import whatever stands below the path, bytecode too."""
        for path in self.paths:
            if path.is_file():
                yield path
            for directory, inner, names in os.walk(path):
                inner.sort()
                yield from (file for name in sorted(names) if (file := Path(directory, name)).is_file())

    @cached_property
    def fingerprint(self) -> str:
        """Stands for the names and the content of all files; what else the configuration says runs nothing."""
        import hashlib  # only for those who have such rules

        whole = hashlib.sha256()
        for file in self.files():
            name, content = os.fsencode(file), hashlib.sha256()
            with file.open("rb") as stream:
                while part := stream.read(1 << 20):
                    content.update(part)
            whole.update(len(name).to_bytes(8, "big") + name + content.digest())
        return whole.hexdigest()
