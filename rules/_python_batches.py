"""Batches that a PyDataset makes in Python, and in how many threads or processes it does that."""

from __future__ import annotations

from collections.abc import Iterator

from pipelint.rule import (
    Call,
    Class,
    Feed,
    FeedKind,
    Function,
    Method,
    Program,
    Purpose,
    once_a_program,
    reads_single_files,
)

_WORKERS = "workers"


def single_worker_feeds(program: Program) -> Iterator[tuple[Class, Feed, Call]]:
    """The PyDatasets that read files for training in one thread, with who takes them and a call that reads."""
    told: set[Class] = set()
    for feed in program.feeds:
        cls = feed.cls
        if feed.kind is not FeedKind.PYDATASET or feed.consumer.purpose is not Purpose.TRAINING or cls is None:
            continue
        read = _read_in(program, cls)
        if cls not in told and read is not None and not _has_workers(program, cls, feed):
            told.add(cls)
            yield cls, feed, read


def _has_workers(program: Program, cls: Class, feed: Feed) -> bool:
    """Whether the program asks for workers, or may do so out of sight: of `fit`, of the class or of its base."""
    if feed.call is None or feed.call.hides_arguments or _WORKERS in feed.call.keywords:
        return True
    for call in program.calls:
        makes = call.callee is cls or (call.function is not None and call.function.owner is cls and _calls_base(call))
        if makes and (call.hides_arguments or _WORKERS in call.keywords):
            return True
    return False


def _calls_base(call: Call) -> bool:
    return call.last_name == "__init__"


def _read_in(program: Program, cls: Class) -> Call | None:
    """A call by which a class reads a file for each item of a batch, itself or by a function that it calls."""
    reached = _reached(program, cls)
    reads = (call for call in program.calls if call.function in reached and reads_single_files(call.symbol))
    return next(reads, None)


def _reached(program: Program, cls: Class) -> set[Function | None]:
    """The functions that `__getitem__` of a class leads to."""
    first = cls.methods.get("__getitem__")
    found: set[Function | None] = {first} if first is not None else set()
    pending = list(found)
    while pending:
        function = pending.pop()
        new = _called_by(program).get(function, set()) - found
        found |= new
        pending += new
    return found


@once_a_program
def _called_by(program: Program) -> dict[Function | None, set[Function]]:
    found: dict[Function | None, set[Function]] = {}
    for call in program.calls:
        called = _function_of(call)
        if called is not None:
            found.setdefault(call.function, set()).add(called)
    return found


def _function_of(call: Call) -> Function | None:
    """The function of the program that a call runs; of an unknown object, the method that the caller's class has."""
    match call.callee, call.function:
        case Function() as called, _:
            return called
        case Method(owner=None, name=name), Function(owner=Class(methods=methods)):
            return methods.get(name)
        case _:
            return None
