"""All entries of the table: the operations of the registry, and every public symbol traced."""

from __future__ import annotations

import inspect
import logging
import multiprocessing
import os
import signal
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from types import FrameType
from typing import Any

from pipelint.knowledge import effect_table
from pipelint.knowledge.effect_table import SymbolEffects
from pipelint.knowledge.generate import graph_effects, public_symbols, traces

_SECONDS = 600
"""A symbol that takes longer waits for something, and is left out."""
_A_PART = 100
"""So many symbols are traced in one process."""


class _TooLongError(KeyboardInterrupt):
    """Goes past all that catches what a traced function raises."""


def versions() -> dict[str, str]:
    """The versions of what is installed."""
    import keras
    import tensorflow as tf

    return {"tensorflow": tf.__version__, "keras": keras.__version__}


def text_of(entries: dict[str, SymbolEffects]) -> str:
    """The table as it is shipped."""
    head = "# " + " ".join(f"{package} {version}" for package, version in versions().items())
    return "\n".join((head, *(effect_table.written(name, entries[name]) for name in sorted(entries)), ""))


def all_entries(progress: Callable[[int, int], object], processes: int) -> dict[str, SymbolEffects]:
    """The entry of each symbol by its canonical name; what cannot be traced has none.

    Each part of the symbols has a process of its own: what is called there may change the settings of its process.
    """
    found = raw_operations()
    starts = range(0, len(_symbols_to_trace()), _A_PART)
    with multiprocessing.get_context("spawn").Pool(processes, maxtasksperchild=1) as pool:
        for number, part in enumerate(pool.imap_unordered(_entries_from, starts)):
            found.update(part)
            progress(number + 1, len(starts))
    return found


def _symbols_to_trace() -> list[tuple[tuple[str, ...], Any]]:
    return [
        (aliases, symbol)
        for aliases, symbol in symbols_with_names()
        if all(map(public_symbols.is_callable_here, aliases))
    ]


def _entries_from(start: int) -> dict[str, SymbolEffects]:
    """The entries of one part of the symbols."""
    found: dict[str, SymbolEffects] = {}
    with in_peace():
        for aliases, symbol in _symbols_to_trace()[start : start + _A_PART]:
            with _at_most(_SECONDS):
                found.update(entries_of(aliases, symbol))
    return found


def raw_operations() -> dict[str, SymbolEffects]:
    """The operations themselves, by the registry; those that call functions do what these do, and are left out."""
    import tensorflow as tf
    from tensorflow.python.framework import op_def_registry

    found = {}
    for name in dir(tf.raw_ops):
        definition = op_def_registry.get(name)
        if definition is None or any(attribute.type in ("func", "list(func)") for attribute in definition.attr):
            continue
        effect = graph_effects.operation_effect(name, is_stateful=definition.is_stateful)
        found[f"tensorflow.raw_ops.{name}"] = SymbolEffects(frozenset({effect} - {""}))
    return found


@cache
def symbols_with_names() -> list[tuple[tuple[str, ...], Any]]:
    """Each public symbol once, with all of its names."""
    by_identity: dict[int, tuple[list[str], Any]] = {}
    for name, symbol in public_symbols.functions_and_classes().items():
        by_identity.setdefault(id(symbol), ([], symbol))[0].append(name)
    return [(tuple(aliases), symbol) for aliases, symbol in by_identity.values()]


def entry_of(name: str) -> SymbolEffects | None:
    """What the installed packages say of one symbol of the table; None where they do not have it any more."""
    if name.startswith("tensorflow.raw_ops."):
        return raw_operations().get(name)
    known = {alias: (aliases, symbol) for aliases, symbol in symbols_with_names() for alias in aliases}
    owner, _, method = name.rpartition(".")
    with in_peace():
        if name in known:
            aliases, symbol = known[name]
            is_class = inspect.isclass(symbol)
            return entries_of(aliases, symbol, "" if is_class else None).get(name)
        if owner in known:
            return entries_of(*known[owner], method).get(name)
    return None


def entries_of(aliases: tuple[str, ...], symbol: Any, method: str | None = None) -> dict[str, SymbolEffects]:
    """The entries of a symbol with these names and, if it is a class, of its methods, or of this one."""
    if not inspect.isclass(symbol):
        entry = traces.entry_of_function(aliases, symbol)
        return dict.fromkeys(aliases, entry) if entry is not None else {}
    parts = traces.entries_of_class(aliases, symbol, method)
    return {f"{name}.{part}".rstrip("."): entry for part, entry in parts.items() for name in aliases}


@contextmanager
def in_peace() -> Iterator[None]:
    """Where a thousand wrong calls bother nobody: without warnings, in a directory of its own."""
    here = os.getcwd()
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as directory:
        warnings.simplefilter("ignore")
        logging.disable()
        os.chdir(directory)
        try:
            yield
        finally:
            os.chdir(here)
            logging.disable(logging.NOTSET)


@contextmanager
def _at_most(seconds: int) -> Iterator[None]:
    """Give up what takes longer."""

    def stop(_: int, __: FrameType | None) -> None:
        raise _TooLongError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    except _TooLongError:
        pass
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
