"""Keeps the user's program from writing: caches go to a temporary directory, and a timed step writes nothing."""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import Any

import tensorflow as tf
from tensorflow.python.data.ops import cache_op, snapshot_op

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CHANGES = frozenset({"os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.link", "os.symlink", "os.truncate"})
_AUTOGRAPH = "__autograph_generated_file"


class WriteRefusedError(Exception):
    """The program was about to write a file while pipelint timed it."""


class WriteGuard:
    """Says no to whatever would change a file, while it is on; the caches of pipelines go to a directory of ours."""

    def __init__(self, directory: str) -> None:
        self._directory = directory
        self._refuse: Callable[[str], None] | None = None
        self._numbers = itertools.count()
        self._summaries = ExitStack()

    def install(self) -> None:
        """Watch Python's own files from now on, and what TensorFlow writes by itself."""
        sys.addaudithook(self._audit)
        writers = [
            (tf.train.Checkpoint, "save"),
            (tf.train.Checkpoint, "write"),
            (tf.train.CheckpointManager, "save"),
            (tf.saved_model, "save"),
            (tf.io, "write_file"),
            (tf.io.TFRecordWriter, "write"),
            (tf.io.gfile.GFile, "write"),
            (tf.io.gfile, "makedirs"),
            (tf.data.Dataset, "save"),
        ]
        for owner, name in writers:
            self.refuse_calls(owner, name)
        self._redirect(cache_op.CacheDataset, 1, "filename", _is_cached)
        self._redirect(snapshot_op._SnapshotDataset, 1, "path", lambda path: False)

    def refuse_calls(self, owner: Any, name: str) -> None:
        """Refuse calls of a function that writes."""
        original = getattr(owner, name)

        @wraps(original)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            self._check(f"{getattr(owner, '__name__', owner)}.{name}")
            return original(*args, **kwargs)

        setattr(owner, name, guarded)

    @contextmanager
    def on(self) -> Iterator[None]:
        """Refuse with an error inside the block."""
        self.refuse_with(_raise)
        try:
            yield
        finally:
            self.refuse_with(None)

    def refuse_with(self, refuse: Callable[[str], None] | None) -> None:
        """From now on do this instead of writing; None lets everything through."""
        self._refuse = refuse
        self._summaries.close()
        if refuse is not None:
            # A file of summaries is open already; another line in it is no reason to end.
            self._summaries.enter_context(tf.summary.record_if(False))

    def _audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self._refuse is None:
            return
        if event == "open":
            path, _, flags = arguments
            if isinstance(flags, int) and flags & _WRITING and not _is_harmless(path):
                self._check(str(path))
        elif event in _CHANGES and not _is_ours(arguments[0]):
            self._check(str(arguments[0]))

    def _check(self, what: str) -> None:
        if self._refuse is not None:
            self._refuse(what)

    def _redirect(self, dataset: Any, position: int, name: str, complete: Callable[[str], bool]) -> None:
        """Give a dataset that writes a path of its own, unless what it would write is there already."""
        original = dataset.__init__

        @wraps(original)
        def redirected(made: Any, *args: Any, **kwargs: Any) -> None:
            given = kwargs.get(name, args[position] if len(args) > position else "")
            path = os.fsdecode(given) if isinstance(given, (str, bytes, os.PathLike)) else ""
            if path and not complete(path):
                other = os.path.join(self._directory, str(next(self._numbers)))
                if name in kwargs:
                    kwargs[name] = other
                else:
                    args = (*args[:position], other, *args[position + 1 :])
            original(made, *args, **kwargs)

        dataset.__init__ = redirected


def _raise(what: str) -> None:
    raise WriteRefusedError(f"it writes {what}, which pipelint does not let it do")


def _is_harmless(path: Any) -> bool:
    """Whether nothing is lost: an open descriptor, a device, or the source that autograph generates.

    A directory stands for a file in it that is told by itself, or has no name.
    """
    if _is_ours(path):
        return True
    text = os.fsdecode(path)
    return os.path.basename(text).startswith(_AUTOGRAPH) or os.path.isdir(text)


def _is_ours(path: Any) -> bool:
    """Whether it is no file that anybody keeps: an open descriptor, a device, or memory that processes share."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        return True
    return os.fsdecode(path).startswith("/dev/") or os.fsdecode(path) == os.devnull


def _is_cached(path: str) -> bool:
    return bool(tf.io.gfile.exists(f"{path}.index"))
