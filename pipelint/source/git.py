"""What git knows: the merge base, the files that changed since, and their content then. Nothing is ever written."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from pipelint.source.discovery import SUFFIXES
from pipelint.source.git_process import GitError, filter_names, run_git

_SUBMODULE = "160000"
_REGULAR = ("100644", "100755")


@dataclass(frozen=True)
class Changed:
    """A file of the work tree that differs from an earlier commit, or that is gone since."""

    path: Path | None
    former: Path | None
    """Where it was in that commit; None if it was not there."""
    blob: str | None
    """Its content then; None if it had none that can be read."""


@dataclass(frozen=True)
class Repository:
    """The work tree of a git repository."""

    top: Path

    @classmethod
    def around(cls, directory: Path) -> Repository:
        """The repository that a directory is in; raises GitError outside of one."""
        answer = run_git(directory, "rev-parse", "--show-toplevel")
        return cls(Path(os.fsdecode(answer.removesuffix(b"\n"))))

    @property
    def is_shallow(self) -> bool:
        """Whether the history is cut off, as it is in most checkouts of a continuous integration."""
        return self._ask("rev-parse", "--is-shallow-repository").strip() == b"true"

    def commit(self, revision: str) -> str | None:
        """The commit that a revision names, if any."""
        if not revision or revision.startswith("-"):
            return None
        return self._try("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")

    def merge_base(self, one: str, other: str) -> str | None:
        """The newest common ancestor of two commits, if there is one."""
        return self._try("merge-base", one, other)

    def blob_of(self, commit: str, path: Path) -> str | None:
        """What stands for a file's content in a commit, if the file was there."""
        return self._try("rev-parse", "--verify", "--quiet", f"{commit}:{self.path_in(path)}")

    def content(self, blob: str) -> bytes:
        """The content that a blob stands for; raises GitError where the clone lacks it."""
        return self._ask("cat-file", "blob", blob)

    def contents(self, blobs: Iterable[str]) -> dict[str, bytes]:
        """The contents of many blobs at once, without those that the clone lacks."""
        answer = BytesIO(self._ask("cat-file", "--batch", stdin="".join(f"{blob}\n" for blob in blobs).encode("ascii")))
        found: dict[str, bytes] = {}
        while head := answer.readline():
            blob, kind, *size = head.decode("ascii").split()
            if kind == "blob":
                found[blob] = answer.read(int(size[0]))
                answer.readline()
        return found

    def path_in(self, path: Path) -> str:
        """A path as the repository spells it."""
        return os.path.relpath(os.path.realpath(path), self.top).replace(os.sep, "/")

    def changed_since(self, commit: str, named: Iterable[Path] = ()) -> Iterator[Changed]:
        """The Python files and notebooks, and the named files, that are not as they were in a commit.

        Committed, staged, unstaged and untracked changes count alike; a renamed file keeps its former content.
        """
        wanted = [f":(top,icase)*{suffix}" for suffix in SUFFIXES]
        wanted += [f":(top,literal){self.path_in(path)}" for path in named if not path.name.endswith(SUFFIXES)]
        listed = self._ask("ls-files", "-z", "--others", "--exclude-standard", "--", *wanted)
        # A repository inside of this one is listed as a directory.
        untracked = [path for path in listed.split(b"\0") if path and not path.endswith(b"/")]
        options = ("--raw", "-z", "-M", "--no-abbrev", "--no-color", "--no-ext-diff", "--no-textconv")
        arguments = ("diff", *options, "--ignore-submodules=all", commit, "--", *wanted)
        # To compare, git reads files of the work tree, and would have the filters of their attributes change them.
        filters = filter_names(self.top)
        if not untracked:
            answer = self._ask(*arguments, without=filters)
        else:
            with self._index_with(untracked) as index:
                answer = self._ask(*arguments, index=index, without=filters)
        return self._changes(answer)

    def _changes(self, raw: bytes) -> Iterator[Changed]:
        """Reads `:mode mode hash hash status`, then the path, or the old and the new one."""
        fields = iter(raw.split(b"\0"))
        for field in fields:
            if not field:
                return
            old_mode, new_mode, blob, _, status = os.fsdecode(field).lstrip(":").split(" ")
            former = path = self.top / os.fsdecode(next(fields))
            if status[0] in "RC":
                path = self.top / os.fsdecode(next(fields))
            was_there = old_mode in _REGULAR
            if new_mode != _SUBMODULE:
                now = None if status[0] == "D" else path
                yield Changed(now, former if was_there else None, blob if was_there else None)

    @contextmanager
    def _index_with(self, untracked: Sequence[bytes]) -> Iterator[Path]:
        """A copy of the index that lists untracked files too: only then does git see that one was renamed."""
        own = self.top / os.fsdecode(self._ask("rev-parse", "--git-path", "index").removesuffix(b"\n"))
        nothing = self._ask("hash-object", "-t", "blob", "--stdin").strip()
        with tempfile.TemporaryDirectory(prefix="pipelint-") as scratch:
            index = Path(scratch) / "index"
            if own.exists():
                shutil.copyfile(own, index)
            entries = b"".join(b"100644 %s\t%s\0" % (nothing, path) for path in untracked)
            self._ask("update-index", "--replace", "--add", "-z", "--index-info", stdin=entries, index=index)
            yield index

    def _try(self, *arguments: str) -> str | None:
        try:
            return self._ask(*arguments).decode("ascii").split("\n")[0] or None
        except GitError:
            return None

    def _ask(
        self, *arguments: str, stdin: bytes = b"", index: Path | None = None, without: Sequence[str] = ()
    ) -> bytes:
        return run_git(self.top, *arguments, stdin=stdin, index=index, without=without)
