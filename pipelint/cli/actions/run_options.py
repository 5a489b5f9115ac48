"""The options that every command has which checks files: where to look, by which rules, and what is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pipelint.lint.check_together import Means, Watch
from pipelint.model.grades import Severity
from pipelint.model.tensorflow_version import Version
from pipelint.project.cache import Cache, cache_directory
from pipelint.project.projects import Overrides
from pipelint.source.errors import UserError


@dataclass(frozen=True)
class RunOptions:
    """Options of a command that checks files, as the command line gives them."""

    paths: tuple[Path, ...]
    select: tuple[str, ...] | None
    extend_select: tuple[str, ...] | None
    ignore: tuple[str, ...] | None
    target_tensorflow: Version | None
    per_file_ignores: Mapping[str, tuple[str, ...]] | None
    ignore_noqa: bool
    min_severity: str | None
    baseline: Path | None
    config: tuple[str, ...]
    isolated: bool
    allow_local_rules: bool
    exclude: tuple[str, ...] | None
    extend_exclude: tuple[str, ...] | None
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
            exclude=self.exclude,
            extend_exclude=self.extend_exclude or (),
            per_file_ignores=self.per_file_ignores,
            min_severity=Severity(self.min_severity) if self.min_severity else None,
            ignore_noqa=self.ignore_noqa,
            isolated=self.isolated,
            given=tuple(entry for entry in self.config if _is_setting(entry)),
        )

    @property
    def config_file(self) -> Path | None:
        """The configuration file that is named; raises UserError for several."""
        files = [Path(entry) for entry in self.config if not _is_setting(entry)]
        if len(files) > 1:
            raise UserError(f"--config: {files[0]} and {files[1]} are two files, and only one is read; leave one out")
        if files and self.isolated:
            raise UserError(f"--isolated reads no configuration file, and --config names {files[0]}; leave one out")
        return files[0] if files else None

    def means(self, watch: Watch | None = None) -> Means:
        """What the run may use."""
        directory = None if self.no_cache else self.cache_dir or cache_directory()
        return Means(self.jobs, Cache(directory) if directory else None, watch)


def _is_setting(entry: str) -> bool:
    return "=" in entry and not Path(entry).exists()
