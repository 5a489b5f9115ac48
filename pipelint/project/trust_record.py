"""Which local rules the user trusts: a file in the user's own configuration, by path and by content."""

from __future__ import annotations

import enum
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipelint.project.local_rules import LocalRules
from pipelint.source.errors import FileError, UserError
from pipelint.source.writing import write

_VERSION = 1


class Trust(enum.Enum):
    """What the user has said of the rules of a configuration."""

    GIVEN = enum.auto()
    OUTDATED = enum.auto()
    """Trusted once, and different now."""
    NONE = enum.auto()


def record_file(environment: Mapping[str, str] = os.environ) -> Path:
    """Where trust is written down."""
    return _configuration_directory(environment) / "pipelint" / "trusted-rules.json"


def trust_in(local: LocalRules, environment: Mapping[str, str] = os.environ) -> Trust:
    """Whether these rules are trusted, as they are now; what cannot be read is not."""
    try:
        entry = _read(record_file(environment)).get(str(local.config))
        if entry is None:
            return Trust.NONE
        same = entry["rule-paths"] == local.places and entry["sha256"] == local.fingerprint
    except (OSError, ValueError, KeyError, TypeError):
        return Trust.NONE
    return Trust.GIVEN if same else Trust.OUTDATED


def give_trust(local: LocalRules, environment: Mapping[str, str] = os.environ) -> Path:
    """Write down that the rules are trusted as they are now, and give the file; raises UserError."""
    try:
        entry = {"rule-paths": local.places, "sha256": local.fingerprint}
    except OSError as error:
        raise UserError(f"{error.filename}: cannot be read: {error.strerror or error}") from error
    return _change(str(local.config), entry, environment)


def take_trust(config: Path, environment: Mapping[str, str] = os.environ) -> Path:
    """Forget that the rules of a configuration were trusted, and give the file; raises UserError."""
    return _change(os.path.realpath(config), None, environment)


def _change(config: str, entry: dict[str, Any] | None, environment: Mapping[str, str]) -> Path:
    path = record_file(environment)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        entries = _read(path) if path.exists() else {}
        entries.pop(config, None)
        entries.update({} if entry is None else {config: entry})
        write(path, json.dumps({"version": _VERSION, "trusted": entries}, indent=2).encode("ascii") + b"\n")
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(f"{path} is not a record of pipelint {_VERSION}; delete it to begin anew") from error
    except (OSError, FileError) as error:
        reason = error.message if isinstance(error, FileError) else error.strerror or error
        raise UserError(f"{path} cannot be written: {reason}") from error
    return path


def _read(path: Path) -> dict[str, Any]:
    """The entry of each configuration; raises OSError, ValueError, KeyError or TypeError."""
    document = json.loads(path.read_bytes())
    if document["version"] != _VERSION:
        raise ValueError("of another version")
    return dict(document["trusted"])


def _configuration_directory(environment: Mapping[str, str]) -> Path:
    if sys.platform == "win32":
        given, usual = environment.get("APPDATA", ""), "AppData/Roaming"
    else:
        given = environment.get("XDG_CONFIG_HOME", "")
        usual = "Library/Application Support" if sys.platform == "darwin" else ".config"
    # A relative one would be a directory of the checkout; the XDG specification has it ignored too.
    return Path(given) if os.path.isabs(given) else Path.home() / usual
