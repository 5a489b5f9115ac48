"""The file that a configuration stands in, and what `--config KEY=VALUE` says in its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipelint.project import toml
from pipelint.project.settings import ConfigError
from pipelint.source.errors import FileError
from pipelint.source.paths import absolute
from pipelint.source.regular_files import LARGEST_SETTINGS, read_regular


def find_configuration(start: Path, config: Path | None = None) -> ConfigurationFile | None:
    """The configuration of a checked path: the one that is named, or the nearest; raises ConfigError."""
    return ConfigurationFile.read(config) if config is not None else _nearest(start)


@dataclass(frozen=True)
class ConfigurationFile:
    """A configuration file: its text, the path of the table that is pipelint's, and what stands in it."""

    path: Path | None
    """None for what the command line says."""
    text: str
    table: tuple[str, ...]
    values: Any

    @classmethod
    def read(cls, path: Path) -> ConfigurationFile:
        """The file at a path; raises ConfigError."""
        try:
            text = read_regular(path, LARGEST_SETTINGS).decode("utf-8-sig")
            document = toml.parse(text)
        except FileError as error:
            raise ConfigError(error.message, path) from error
        except OSError as error:
            raise ConfigError(f"cannot be read: {error.strerror or error}", path) from error
        except UnicodeDecodeError as error:
            raise ConfigError("is not UTF-8 text", path) from error
        except toml.TomlError as error:
            raise ConfigError(f"is not valid TOML: {error.message}", path, error.line) from error
        tool = document.get("tool")
        if path.name == "pyproject.toml" or (isinstance(tool, dict) and "pipelint" in tool):
            return cls(path, text, ("tool", "pipelint"), tool.get("pipelint") if isinstance(tool, dict) else None)
        return cls(path, text, (), document)

    @classmethod
    def given(cls, entries: Sequence[str]) -> ConfigurationFile | None:
        """What the command line says as KEY=VALUE, in TOML, where a text needs no quotes; raises ConfigError."""
        if not entries:
            return None
        text = "\n".join(map(_as_toml, entries))
        try:
            return cls(None, text, (), toml.parse(text))
        except toml.TomlError as error:
            raise ConfigError(f"--config: {error.message}") from error


def _as_toml(entry: str) -> str:
    try:
        toml.parse(entry)
    except toml.TomlError as error:
        import json  # only for what lacks its quotes

        key, _, value = entry.partition("=")
        quoted = f"{key} = {json.dumps(value.strip())}"
        try:
            toml.parse(quoted)
        except toml.TomlError:
            raise ConfigError(f"--config: {entry!r} is no file and no KEY=VALUE: {error.message}") from error
        return quoted
    return entry


def _nearest(start: Path) -> ConfigurationFile | None:
    here = absolute(start)
    for directory in (here, *here.parents):
        path = directory / "pyproject.toml"
        if path.is_file():
            file = _read_if_ours(path)
            if file is not None and file.values is not None:
                return file
    return None


def _read_if_ours(path: Path) -> ConfigurationFile | None:
    """The file; None where it cannot be read as TOML and has no word of pipelint in it. Raises ConfigError."""
    try:
        return ConfigurationFile.read(path)
    except ConfigError as error:
        if isinstance(error.__cause__, (OSError, FileError)) or b"pipelint" in read_regular(path, LARGEST_SETTINGS):
            raise
        return None
