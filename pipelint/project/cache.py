"""What earlier runs found out, kept in one file of the user's cache directory: JSON by key, the oldest goes first."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import sqlite3

_Result = TypeVar("_Result")

_FILE = "results.sqlite3"
_MOST_BYTES = 200_000_000
"""Some ten projects of 3,000 files, each with the states of a few branches."""
_DAY = 86_400
_OLDEST = 30 * _DAY
"""In seconds since an entry was last used: a branch that nobody has looked at for so long is checked anew."""
_PATIENCE = 2.0
"""In seconds, for another run that is writing: it does so once, and briefly."""
_CREATE = """
CREATE TABLE IF NOT EXISTS entries
    (key TEXT PRIMARY KEY, used INTEGER NOT NULL, digest TEXT NOT NULL, value TEXT NOT NULL)
"""


def cache_directory(environment: Mapping[str, str] = os.environ) -> Path | None:
    """Where caches of the user's programs belong; None where there is no home for them."""
    if sys.platform == "win32":
        given, usual = environment.get("LOCALAPPDATA", ""), "AppData/Local"
    else:
        given = environment.get("XDG_CACHE_HOME", "")
        usual = "Library/Caches" if sys.platform == "darwin" else ".cache"
    # A relative one would be a directory of the checkout; the XDG specification has it ignored too.
    if os.path.isabs(given):
        return Path(given) / "pipelint"
    with suppress(RuntimeError):
        return Path.home() / usual / "pipelint"
    return None


def digest(data: bytes) -> str:
    """What stands for some content: two that differ have different ones."""
    import hashlib  # slow to load, and a run without a cache needs none

    return hashlib.blake2b(data, digest_size=16).hexdigest()


class Cache:
    """The entries in a directory. One that is damaged, or cannot be read or written, is as good as an empty one."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._file = directory / _FILE

    def get(self, keys: Sequence[str]) -> dict[str, Any]:
        """The values of those of the keys that are known."""
        import json  # a run without a cache needs none

        def read(connection: sqlite3.Connection) -> dict[str, Any]:
            found = {}
            for key in keys:
                row = connection.execute("SELECT digest, value FROM entries WHERE key = ?", (key,)).fetchone()
                # The database does not notice a flipped bit.
                if row is not None and row[0] == digest(row[1].encode()):
                    found[key] = json.loads(row[1])
            if found:
                _touch(connection, found)
            return found

        return self._use(read, {}) if self._file.is_file() else {}

    def put(self, values: Mapping[str, Any]) -> None:
        """Keep values, in place of those with the same keys."""
        import json  # as above

        def write(connection: sqlite3.Connection) -> None:
            now = int(time.time())
            texts = {key: json.dumps(value, separators=(",", ":")) for key, value in values.items()}
            rows = [(key, now, digest(text.encode()), text) for key, text in texts.items()]
            with connection:
                connection.execute(_CREATE)
                connection.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)", rows)
                connection.execute("DELETE FROM entries WHERE used < ?", (now - _OLDEST,))
                _make_room(connection)

        with suppress(OSError):
            self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._use(write, None)

    def clean(self) -> int:
        """Remove the file, and tell how many bytes it had; raises OSError. What else is in the directory stays."""
        size = 0
        for file in (self._file, self._file.with_name(f"{_FILE}-journal")):
            with suppress(FileNotFoundError):
                size += file.stat().st_size
                file.unlink()
        with suppress(OSError):
            self._directory.rmdir()
        return size

    def _use(self, use: Callable[[sqlite3.Connection], _Result], otherwise: _Result) -> _Result:
        import sqlite3  # slow to load, and a run without a cache needs none

        try:
            with closing(sqlite3.connect(self._file, timeout=_PATIENCE)) as connection:
                # What a power failure damages is begun anew.
                connection.execute("PRAGMA synchronous = OFF")
                connection.execute("PRAGMA auto_vacuum = FULL")
                return use(connection)
        except sqlite3.OperationalError:  # locked, read-only, or without the table
            return otherwise
        except (sqlite3.Error, ValueError, TypeError, AttributeError):  # no database, or not of values of ours
            with suppress(OSError):
                self._file.unlink()
            return otherwise


def _touch(connection: sqlite3.Connection, keys: Iterable[str]) -> None:
    """Note that entries are in use; once a day is enough to tell which are the oldest."""
    import sqlite3  # as above

    now = int(time.time())
    stale = [(now, key, now - _DAY) for key in keys]
    with suppress(sqlite3.OperationalError), connection:
        if connection.execute("SELECT MIN(used) FROM entries").fetchone()[0] < now - _DAY:
            connection.executemany("UPDATE entries SET used = ? WHERE key = ? AND used < ?", stale)


def _make_room(connection: sqlite3.Connection) -> None:
    """Drop the entries that were not used for the longest time, as many as are too much."""
    (size,) = connection.execute("SELECT TOTAL(LENGTH(value)) FROM entries").fetchone()
    if size <= _MOST_BYTES:
        return
    oldest = connection.execute("SELECT key, LENGTH(value) FROM entries ORDER BY used, LENGTH(value) DESC").fetchall()
    for key, length in oldest:
        if size <= _MOST_BYTES // 2:
            break
        connection.execute("DELETE FROM entries WHERE key = ?", (key,))
        size -= length
