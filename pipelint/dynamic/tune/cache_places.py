"""Where a cache, in memory or in a file, keeps what is the same in each epoch, and the shuffle that then follows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pipelint.display.figures import size
from pipelint.dynamic.predict.memory import holdings
from pipelint.dynamic.predict.rate_model import cost_of
from pipelint.knowledge.stages import BATCHING, COMMUTES_WITH_CACHE, KEEPS, MULTIPLIES, NO_WORK, SHUFFLES, VARIES
from pipelint.model.definitions import Effect
from pipelint.model.pipeline import Pipeline, Stage
from pipelint.model.repair import CodeRepair, InsertAfter, MoveAfter, NewCall, SetArgument, Together
from pipelint.model.values import Literal

_ROOM = 0.7
"""The part of the machine's memory that a cache may fill beside the buffers and the program itself."""
_SMALL = 0.5
"""A place before the last one is worth a trial where it holds less than this part of the bytes."""
_FILE = "training.cache"
_IN_MEMORY = (NewCall("cache"),)
_IN_A_FILE = (NewCall("cache", (("", Literal(_FILE)),)),)


@dataclass(frozen=True)
class Room:
    """What there is to keep elements in, in bytes."""

    memory: int
    disk: int = 0


@dataclass(frozen=True)
class KeptElements:
    """A cache behind a stage: what it holds, and what has to be changed for it."""

    stage: Stage
    bytes: float
    repair: CodeRepair
    besides: str = ""
    """What is changed together with it, in words that follow its name."""
    file: str = ""
    """Where it keeps them, unless in memory."""

    @property
    def where(self) -> str:
        """Where it keeps how much, in words."""
        if self.file:
            return f"{size(self.bytes)} in the file {self.file}, to be removed whenever data or code change"
        return f"{size(self.bytes)} in memory"


def cache_repairs(pipeline: Pipeline, room: Room, rows: int | None) -> list[KeptElements]:
    """The last place for a cache that is allowed and fits, and one where it would hold much less; else a file."""
    if _passes_once(pipeline):
        return []
    memory = _ROOM * room.memory - sum(holding.bytes for holding in holdings(pipeline))
    fitting = [kept for kept in _legal(pipeline, rows, _IN_MEMORY) if kept.bytes <= memory]
    too_large = [kept for kept in [*_legal(pipeline, rows, _IN_A_FILE)][-1:] if kept.bytes > memory]
    in_file = [replace(kept, file=_FILE) for kept in too_large if kept.bytes <= _ROOM * room.disk]
    if not fitting:
        return in_file
    *earlier, last = fitting
    smaller = [kept for kept in earlier if kept.bytes < _SMALL * last.bytes and _spares(kept.stage, last.stage)]
    return [*in_file, last, *smaller[-1:]]


def _passes_once(pipeline: Pipeline) -> bool:
    """Whether each element is asked for once, so that nothing would be read from a cache."""
    repeated = any(stage.op in ("repeat", "shuffle_and_repeat") for stage in pipeline.every_stage)
    return not repeated and all(consumer.passes == 1 for consumer in pipeline.consumers)


def _spares(early: Stage, late: Stage) -> bool:
    """Whether the earlier of two caches spares nearly all that the later one does."""
    work = [sum(cost_of(part).seconds for part in (stage, *stage.upstream(inside=True))) for stage in (early, late)]
    return work[0] > 0.8 * work[1]


def _legal(pipeline: Pipeline, rows: int | None, cache: tuple[NewCall, ...]) -> Iterator[KeptElements]:
    """The places on the way to the end, from the source on, up to what differs from epoch to epoch."""
    existing = next((stage for stage in pipeline.stages if stage.op in KEEPS), None)
    for stage in pipeline.trunk:
        if _differs(stage) or stage.op in ("repeat", "shuffle_and_repeat", "take_while"):
            return
        above = (stage, *stage.upstream())
        if stage.op in COMMUTES_WITH_CACHE | SHUFFLES | KEEPS or stage.helper or not _works(stage):
            continue
        if any(part.op == "take" for part in stage.downstream()):
            continue  # A cache that is not read to its end is never complete.
        if existing is not None and existing in above and not _works_behind(existing, stage):
            continue
        count, each = _count(stage, rows), stage.bytes_per_element
        repair = _repair(stage, existing, count, cache) if count is not None else None
        if count is not None and each is not None and repair is not None:
            yield KeptElements(stage, count * each, *repair)


def _works(stage: Stage) -> bool:
    return any(part.op not in NO_WORK for part in (stage, *stage.upstream(inside=True)))


def _works_behind(cache: Stage, stage: Stage) -> bool:
    return any(part.op not in NO_WORK for part in stage.straight_up_to(cache)[:-1]) or stage.op not in NO_WORK


def _differs(stage: Stage) -> bool:
    """Whether its elements are known to be others in each epoch; Python code is asked when it runs."""
    for part in (stage, *stage.inner_stages):
        function = part.function
        for drawn in (function, function.python if function is not None else None):
            if drawn is not None and drawn.cause(Effect.RANDOM) is not None:
                return True
        if part.op in VARIES and part.op != "from_generator":
            return True
    return any(part.op in SHUFFLES for part in stage.inner_stages)


def _count(stage: Stage, rows: int | None) -> int | None:
    """How many elements it gives in an epoch; where TensorFlow cannot tell, an epoch that was read does."""
    count = stage.cardinality
    if count is None and rows is not None:
        batches = [part.argument("batch_size") for part in (stage, *stage.upstream()) if part.op in BATCHING]
        sizes = [size.integer for size in batches if size is not None and size.integer]
        count = rows // sizes[0] if sizes else rows
    return count if count is not None and count > 0 else None


def _repair(
    stage: Stage, existing: Stage | None, count: int, cache: tuple[NewCall, ...]
) -> tuple[CodeRepair, str] | None:
    """What puts a cache there, and what goes with it in words; None where a shuffle would come behind its batch."""
    above = tuple(stage.straight_up())
    shuffles = [part for part in above if part.op == "shuffle" and not _keeps_order(part)]
    listing = next((part for part in (stage, *above) if part.op == "list_files" and _lists_anew(part)), None)
    others = [part for part in stage.upstream() if part not in above and part.op in SHUFFLES]
    if others or len(shuffles) > 1 or any(part.op in SHUFFLES - {"shuffle"} for part in above):
        return None
    batched = [part for part in (stage, *above) if part.op in BATCHING]
    if batched and (shuffles or listing is not None):
        return None
    if existing is not None:
        same = existing in above and not shuffles and listing is None and cache is _IN_MEMORY
        return (MoveAfter(existing, (stage,)), ", moved there") if same else None
    moved = MoveAfter(shuffles[0], (stage,), _buffer(shuffles[0], stage, count), cache) if shuffles else None
    if listing is None:
        return (moved, ", and shuffle after it") if moved is not None else (InsertAfter(stage, cache), "")
    in_order = SetArgument(listing, "shuffle", Literal(False))
    if moved is not None:
        return Together((in_order, moved)), ", and shuffle after it"
    # One that follows anyway and holds everything will do.
    follows = any((part.shuffle_buffer or 0) >= count for part in stage.downstream())
    again = () if follows else (NewCall("shuffle", (("", Literal(count)),)),)
    new = InsertAfter(stage, (*cache, *again))
    return Together((in_order, new)), ", and shuffle after it instead of in list_files"


def _buffer(shuffle: Stage, stage: Stage, count: int) -> tuple[tuple[str, Literal], ...]:
    """The size of a buffer that held few elements, each of which gives many by then."""
    many = any(part.op in MULTIPLIES for part in (stage, *stage.straight_up_to(shuffle)))
    return (("buffer_size", Literal(count)),) if many else ()


def _keeps_order(stage: Stage) -> bool:
    given = stage.argument("reshuffle_each_iteration")
    return given is not None and given.constant is False


def _lists_anew(stage: Stage) -> bool:
    given = stage.argument("shuffle")
    return not (given is not None and given.constant is False)
