"""Batches that a PyDataset makes in Python, and in how many threads or processes it does that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipelint.rule import (
    Call,
    Class,
    Consumer,
    ConsumerKind,
    FeedKind,
    Function,
    Method,
    Program,
    Purpose,
    Region,
    Stage,
    once_a_program,
    reads_single_files,
)

_WORKERS = "workers"


def single_worker_feeds(program: Program) -> Iterator[tuple[Class, Sequence[Region], Call]]:
    """The PyDatasets that read files for training in one thread, with where they are taken and a call that reads."""
    taken: dict[Class, list[Region]] = {}
    for feed in program.feeds:
        if feed.kind is not FeedKind.PYDATASET or feed.consumer.purpose is not Purpose.TRAINING:
            continue
        if feed.cls is not None and feed.call is not None and not _has_workers(program, feed.cls, feed.call):
            taken.setdefault(feed.cls, []).append(feed.call.name)
    for cls, places in taken.items():
        read = _read_in(program, cls)
        if read is not None:
            yield cls, tuple(dict.fromkeys(places)), read


def measured_pydatasets(program: Program) -> Iterator[tuple[Stage, Consumer]]:
    """The measured PyDatasets for which more could work at once, with no workers or threads that share a lock, and `fit`."""
    for feed in program.feeds:
        # In a loop nobody would start the workers.
        in_fit = feed.consumer.kind is ConsumerKind.FIT
        if feed.stage is None or feed.kind is not FeedKind.PYDATASET or not in_fit:
            continue
        locked = feed.stage.bound == "python" and feed.stage.omits("use_multiprocessing")
        if locked or feed.stage.omits(_WORKERS):
            yield feed.stage, feed.consumer


def measured_python(program: Program) -> Iterator[tuple[Stage, str]]:
    """The measured Python code that gives `fit` or a loop its batches and has no workers, with what to do about it."""
    for feed in program.feeds:
        in_loop = feed.consumer.kind is not ConsumerKind.FIT
        alone = feed.kind is FeedKind.GENERATOR or (in_loop and feed.kind is FeedKind.PYDATASET)
        if feed.stage is not None and alone:
            yield feed.stage, _about_measured(feed.stage, feed.consumer)


def _about_measured(stage: Stage, consumer: Consumer) -> str:
    name = f"`{stage.function.name}`" if stage.function is not None else "Python code"
    if consumer.kind is ConsumerKind.FIT:
        return (
            f"{name} makes one batch after the other in one thread of Python: a PyDataset with workers and "
            f"use_multiprocessing=True, or a tf.data map with num_parallel_calls, makes several at a time"
        )
    return (
        f"the loop waits while {name} makes its next batch: a tf.data dataset that ends in prefetch(tf.data.AUTOTUNE), "
        f"with from_generator if need be, makes it while the step runs"
    )


def _has_workers(program: Program, cls: Class, taker: Call) -> bool:
    """Whether the program asks for workers, or may do so out of sight: of `fit`, of the class or of its base."""
    if taker.hides_arguments or _WORKERS in taker.keywords:
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
