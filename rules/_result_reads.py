"""What makes Python wait for the result of a step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pipelint.rule import Call, Event, HostRead, Loop, Method, Program, ReadBy, Region

from ._step_loops import takes_step, tells_when_to_end
from ._timed_loops import is_timed

_SHOWN = frozenset({"set_postfix", "set_description"})
"""Methods of tqdm's bars that make a text of what they are given, whenever they are called."""
_READS = {
    "tensorflow.Tensor.numpy": "`.numpy()` waits for",
    "builtins.float": "`float()` waits for",
    "builtins.int": "`int()` waits for",
    "builtins.bool": "`bool()` waits for",
    "builtins.round": "`round()` waits for",
    "builtins.print": "`print` waits for",
    "builtins.str": "`str()` waits for",
    "builtins.str.format": "`format` waits for",
}


def reading_of(event: Event) -> str | None:
    """What reads the result of a step, None where nothing does."""
    match event:
        case HostRead(by=by):
            return f"{by.value} waits for"
        case Call(on_step_result=True) if event.library == "numpy":
            return f"`np.{event.last_name}` waits for"
        case Call(on_step_result=True) if event.library == "logging":
            return f"`logging.{event.last_name}` waits for"
        case Call(on_step_result=True, callee=Method(name=name)) if name in _SHOWN:
            return f"`{name}` waits for"
        case Call(on_step_result=True):
            return _READS.get(event.symbol)
        case _:
            return None


def waits_for_steps(program: Program, steps: Mapping[Loop, list[frozenset[str]]]) -> Iterator[list[Event]]:
    """The reads of results, those together with no step between them: the device is done when the first is over.

    Where one of these is needed then and there, the others cost nothing.
    """
    found: dict[Region, list[list[Event]]] = {}
    for event in program.events:
        loop = loop_of_read(event, steps) if reading_of(event) else None
        if loop is None:
            continue
        together = found.setdefault(loop.region, [])
        if not together or _is_new_since(program, together[-1][0], event):
            together.append([event])
        else:
            together[-1].append(event)
    every = (reads for together in found.values() for reads in together)
    return (_one_a_statement(program, reads) for reads in every if not any(_is_needed(program, one) for one in reads))


def _one_a_statement(program: Program, reads: list[Event]) -> list[Event]:
    """The first read of each statement."""
    first: dict[int, Event] = {}
    for event in reads:
        first.setdefault(program.statement_at(event.region), event)
    return list(first.values())


def _is_needed(program: Program, event: Event) -> bool:
    """Whether the value decides what the same turn does or what it goes on with, or the wait is what is timed."""
    decides = isinstance(event, HostRead) and event.by is ReadBy.TEST
    goes_on = isinstance(event, Call) and event.written_back
    return decides or goes_on or is_timed(program, event) or tells_when_to_end(program, event)


def _is_new_since(program: Program, read: Event, event: Event) -> bool:
    """Whether another step is taken between two reads, so that the later one waits again."""
    between = (call for call in program.calls if read.region.end <= call.region.start < event.region.start)
    return any(takes_step(program, call) for call in between)


def loop_of_read(event: Event, steps: Mapping[Loop, list[frozenset[str]]]) -> Loop | None:
    """The innermost loop of steps around a read that is made after each of them, be it for each part of the result."""
    loop = next((loop for loop in reversed(event.loops) if loop in steps), None)
    if event.trace is not None or loop is None or loop.epochs or loop.few:
        return None
    return loop if any(event.held - loop.always <= held for held in steps[loop]) else None
