"""The options that every command has which checks files: where to look, by which rules, and what is known."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pipelint.lint.check_together import Means, Watch
from pipelint.model.tensorflow_version import Version
from pipelint.project.cache import Cache, cache_directory
from pipelint.project.projects import Overrides


@dataclass(frozen=True)
class RunOptions:
    """Options of a command that checks files, as the command line gives them."""

    paths: tuple[Path, ...]
    select: tuple[str, ...] | None
    extend_select: tuple[str, ...] | None
    ignore: tuple[str, ...] | None
    target_tensorflow: Version | None
    baseline: Path | None
    config: Path | None
    allow_local_rules: bool
    force_exclude: bool
    quiet: bool
    jobs: int | None
    cache_dir: Path | None
    no_cache: bool

    @property
    def overrides(self) -> Overrides:
        """What goes on top of the configuration."""
        return Overrides(
            select=self.select,
            extend_select=self.extend_select or (),
            ignore=self.ignore or (),
            target_tensorflow=self.target_tensorflow,
            baseline=self.baseline,
            allow_local_rules=self.allow_local_rules,
        )

    def means(self, watch: Watch | None = None) -> Means:
        """What the run may use."""
        directory = None if self.no_cache else self.cache_dir or cache_directory()
        return Means(self.jobs, Cache(directory) if directory else None, watch)
