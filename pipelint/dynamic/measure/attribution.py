"""What each stage costs: the pipeline in sequence, as the engine's model and the clocks of the process see it."""

from __future__ import annotations

import statistics
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

import tensorflow as tf

from pipelint.dynamic.measure.disturbance import least_disturbed
from pipelint.dynamic.measure.drain import Drain, Window
from pipelint.dynamic.measure.engine import Tally, Totals
from pipelint.dynamic.measure.python_clock import PythonClock
from pipelint.dynamic.measure.serialized_graph import Branch, DatasetGraph
from pipelint.knowledge import graph_ops
from pipelint.model.cost import Cost
from pipelint.model.pipeline import Stage

_CALL_SECONDS = 20e-6
"""About what calling a function costs TensorFlow besides the operations in it."""
_CALLS = 256
_LEAST_ROUNDS = 3
_ENOUGH_ROUNDS = 15
_HOLDS_THE_LOCK = 0.5
"""Functions that seem to hold the lock for more of their work than this are taken to hold it throughout."""
_QUIET = 0.5
"""How many processors others may use before waiting cannot be told from their work."""


@dataclass(frozen=True)
class Attribution:
    """The costs of all stages for one final batch, in sequence."""

    costs: dict[Stage, Cost]
    batches: int


@dataclass
class _Share:
    """What one dataset of the graph takes for one final batch."""

    branch: Branch
    totals: Totals
    calls: float
    """Of its function: one for each element of its inputs."""
    seconds: float
    tokens: tuple[str, ...]
    """Of the Python functions that it calls."""
    reads: bool
    wait: float = 0.0
    lock: float = 0.0


def attribute(
    graph: DatasetGraph, tree: Branch, *, seconds: float, warm_batches: int, progress: Callable[[float], None]
) -> Attribution:
    """Run the graph, which must be one in sequence, and the parts of it that end at a function, for so many seconds."""
    return _Attributing(graph, tree, seconds, warm_batches, progress).run()


@dataclass(frozen=True)
class _Look:
    """One window of a probe, with what the engine counted in it."""

    window: Window
    totals: Mapping[Branch, Totals]

    @property
    def unseen(self) -> float:
        """The time for one batch that the engine does not count."""
        return (self.window.seconds - sum(totals.seconds for totals in self.totals.values())) / self.window.batches


class _Probe:
    """The pipeline, or a part of it that ends at one of its functions, run by itself window by window."""

    def __init__(self, graph: DatasetGraph, tree: Branch, warm_batches: int, *, waits: bool, group: int = 1) -> None:
        self.group = group
        """How many elements of the pipeline are one of the probe's."""
        self._waits = waits
        self._tally = Tally(tree)
        self._drain = Drain(_observed(graph.dataset()), self._tally, warm_batches=warm_batches)
        self._looks: list[_Look] = []
        self._tally.take()
        self.look()
        self.elements_per_batch = {key: totals.elements for key, totals in self.totals.items()}
        self._looks.clear()

    def look(self) -> None:
        """Run for one window."""
        window, totals = self._drain.window(), self._tally.take()
        if not self._waits:
            # In one thread that never waits, the time beyond the processor's is what others took, if they took any.
            undisturbed = min(1.0, max(window.cpu_seconds / window.seconds, 1 - window.disturbance))
            window = replace(window, seconds=undisturbed * window.seconds)
            for each in totals.values():
                each.seconds *= undisturbed
        self._looks.append(_Look(window, totals))

    def __del__(self) -> None:
        # TensorFlow lets an iterator go only at the next turn of its tuning, which can be seconds away.
        threading.Thread(target=list.clear, args=([self.__dict__.pop("_drain", None)],), daemon=True).start()

    def __len__(self) -> int:
        return len(self._looks)

    @property
    def quiet(self) -> list[_Look]:
        """The windows in which others disturbed least."""
        return least_disturbed(self._looks, lambda look: look.window.disturbance, epochs=self._drain.epochs)

    @property
    def disturbance(self) -> float:
        """How many processors others used meanwhile."""
        return statistics.fmean(look.window.disturbance for look in self.quiet)

    @property
    def batches(self) -> int:
        """How many batches were taken in all."""
        return sum(look.window.batches for look in self._looks)

    @property
    def all_seconds(self) -> float:
        """The time of all windows."""
        return sum(look.window.seconds for look in self._looks)

    @property
    def seconds(self) -> float:
        """The time on the wall for one batch."""
        return _per_batch(self.quiet, lambda look: look.window.seconds)

    @property
    def cpu_seconds(self) -> float:
        """The time on all processors for one batch."""
        return _per_batch(self.quiet, lambda look: look.window.cpu_seconds)

    @property
    def unseen_seconds(self) -> float:
        """The time that the engine does not count, for one batch."""
        return max(0.0, statistics.median(look.unseen for look in self.quiet))

    @property
    def totals(self) -> dict[Branch, Totals]:
        """What each dataset did for one batch."""
        added: dict[Branch, Totals] = defaultdict(Totals)
        for look in self.quiet:
            for key, totals in look.totals.items():
                added[key].join(totals)
        batches = sum(look.window.batches for look in self.quiet)
        for totals in added.values():
            totals.scale(1 / batches)
        return dict(added)


def _per_batch(looks: list[_Look], measure: Callable[[_Look], float]) -> float:
    return sum(map(measure, looks)) / sum(look.window.batches for look in looks)


@dataclass
class _Attributing:
    graph: DatasetGraph
    tree: Branch
    seconds: float
    warm_batches: int
    progress: Callable[[float], None]
    clock: PythonClock = field(default_factory=PythonClock)

    def run(self) -> Attribution:
        calls_python = any(self._tokens(branch) for branch in self.tree.walk())
        with self.clock.listening(to_the_lock=calls_python):
            whole = _Probe(self.graph, self.tree, self.warm_batches, waits=self._waits(self.tree))
            probes = self._probes(whole)
            self.clock.reset()
            self._rounds(whole, probes)
        shares = self._shares(whole)
        self._add_overheads(whole, probes, shares)
        self._add_waits(whole, shares)
        within = {part for branch in self.tree.walk() for part in branch.parts if part.stage is branch.stage}
        costs = {stage: _cost(members, within) for stage, members in _by_stage(shares).items()}
        return Attribution(costs, whole.batches)

    def _probes(self, whole: _Probe) -> dict[Branch, _Probe]:
        """The pipeline up to each of its functions, where there are several; the last one is that of the whole."""
        elements = whole.elements_per_batch
        probes = {}
        for head in self._heads if len(self._heads) > 1 else ():
            group = round(elements.get(head, 0.0))
            if head is not self._last and group:
                shorter = self.graph.cut_at(head.node, group)
                probes[head] = _Probe(shorter, head, self.warm_batches, waits=self._waits(head), group=group)
        return probes

    def _rounds(self, whole: _Probe, probes: dict[Branch, _Probe]) -> None:
        """Take turns, so that what disturbs the machine disturbs all of them."""
        begun = time.perf_counter()
        while len(whole) < _ENOUGH_ROUNDS:
            self.clock.resume()
            whole.look()
            self.clock.pause()
            for probe in probes.values():
                probe.look()
            taken = time.perf_counter() - begun
            self.progress(min(1.0, taken / self.seconds))
            if taken > 2 * self.seconds or (taken > self.seconds and len(whole) >= _LEAST_ROUNDS):
                return

    @cached_property
    def _heads(self) -> list[Branch]:
        """The datasets that call functions, or whose functions return some that do, the last first."""
        return [branch for branch in self.tree.walk(inside=False) if any(part.functions for part in _own(branch))]

    @cached_property
    def _last(self) -> Branch | None:
        """The one of them behind all others, if there is one."""
        behind = set(self._heads[0].walk(inside=False)) if self._heads else set()
        return self._heads[0] if self._heads and all(head in behind for head in self._heads) else None

    def _tokens(self, branch: Branch) -> tuple[str, ...]:
        """The tokens of the Python functions that a dataset's own functions call."""
        return tuple(node.attr["token"].s.decode() for node in self._operations(branch) if node.op in graph_ops.PYTHON)

    def _shares(self, whole: _Probe) -> list[_Share]:
        totals = whole.totals
        return [
            _Share(
                branch,
                totals[branch],
                sum(totals[part].elements for part in branch.inputs if part in totals),
                totals[branch].seconds,
                self._tokens(branch),
                self._reads(branch),
            )
            for branch in self.tree.walk()
            if branch in totals
        ]

    def _waits(self, tree: Branch) -> bool:
        """Whether something in a tree may wait: for a file, or in Python."""
        return any(self._reads(branch) or self._tokens(branch) for branch in tree.walk())

    def _reads(self, branch: Branch) -> bool:
        ops = [branch.op, *(str(node.op) for node in self._operations(branch))]
        return any(op.startswith(graph_ops.READERS) for op in ops)

    def _operations(self, branch: Branch) -> Iterable[Any]:
        """The operations in a dataset's functions, without those of the datasets that they return."""
        inner = {name for part in branch.inner for piece in part.walk() for name in piece.functions}
        return self.graph.ops_of(branch.functions, without=inner)

    def _add_overheads(self, whole: _Probe, probes: dict[Branch, _Probe], shares: list[_Share]) -> None:
        """Give each function the time around its operations, which the engine does not count."""
        by_branch = {share.branch: share for share in shares}
        unseen: dict[Branch, float] = {}
        # From the sources down, so that what is upstream is known.
        for head in reversed(self._heads):
            if head in probes and head in by_branch:
                probe = probes[head]
                total = probe.unseen_seconds / probe.group * by_branch[head].totals.elements
            else:
                total = whole.unseen_seconds if head is self._last else 0.0
            unseen[head] = max(0.0, total - sum(unseen[part] for part in head.walk(inside=False) if part in unseen))
        scale = min(1.0, whole.unseen_seconds / (sum(unseen.values()) or 1.0))
        for head in self._heads:
            calling = [by_branch[part] for part in _own(head) if part.functions and part in by_branch]
            _divide(unseen[head] * scale, calling)
            for share in calling:
                share.seconds += share.branch.in_line * call_seconds() * share.calls

    def _add_waits(self, whole: _Probe, shares: list[_Share]) -> None:
        """Tell waiting from work: Python functions by their own clocks, reading by what the process did not compute."""
        for share in shares:
            times = [self.clock.times[token] for token in share.tokens if token in self.clock.times]
            waited = sum(time.waited_seconds for time in times) / whole.batches
            if share.tokens:
                share.wait = max(0.0, min(share.seconds, waited))
                share.lock = share.seconds - share.wait
        held = self.clock.lock_share(whole.all_seconds)
        for share in shares:
            share.lock *= 1.0 if held > _HOLDS_THE_LOCK else held
        # Others that hold the processors make all work look like waiting.
        idle = max(0.0, whole.seconds - whole.cpu_seconds) if whole.disturbance < _QUIET else 0.0
        waiting = idle - sum(share.wait for share in shares)
        reading = [share for share in shares if share.reads and not share.tokens]
        total = sum(share.seconds for share in reading)
        for share in reading:
            share.wait = max(0.0, min(share.seconds, waiting * share.seconds / total)) if total else 0.0


def _own(branch: Branch) -> Iterable[Branch]:
    """A dataset and those that its function returns."""
    yield branch
    for part in branch.inner:
        yield from part.walk()


def _divide(seconds: float, shares: list[_Share]) -> None:
    weights = [share.seconds + _CALL_SECONDS * share.calls for share in shares]
    for share, weight in zip(shares, weights, strict=True):
        share.seconds += seconds * weight / sum(weights) if sum(weights) else 0.0


def _by_stage(shares: list[_Share]) -> dict[Stage, list[_Share]]:
    stages: dict[Stage, list[_Share]] = defaultdict(list)
    for share in shares:
        if share.branch.stage is not None:
            stages[share.branch.stage].append(share)
    return stages


def _cost(members: list[_Share], within: Container[Branch]) -> Cost:
    # A stage made of several datasets gives what its last one gives, which runs twice where it is used twice.
    last = [share.totals for share in members if share.branch not in within] or [members[0].totals]
    elements = sum(totals.elements for totals in last)
    seconds = sum(share.seconds for share in members)
    return Cost(
        elements=elements,
        seconds=seconds,
        cpu_seconds=seconds - sum(share.wait for share in members),
        lock_seconds=sum(share.lock for share in members),
        bytes_per_element=sum(totals.bytes_produced for totals in last) / elements if elements else None,
    )


@lru_cache(maxsize=1)
def call_seconds() -> float:
    """What it costs TensorFlow to call a function in another thread, as it does outside of our measurements."""
    function = tf.autograph.experimental.do_not_convert(lambda x: x + 1)
    plain = DatasetGraph.of(tf.data.Dataset.range(1 << 60).map(function).batch(_CALLS))
    times = []
    for graph in (plain, plain.in_sequence()):
        drain = Drain(_observed(graph.dataset()))
        times.append(min(1 / drain.window(seconds=0.03).rate for _ in range(20)))
    return max(0.0, times[0] - times[1]) / _CALLS


def _observed(dataset: Any) -> Any:
    """The dataset exactly as its graph is, with the engine's model on."""
    options = tf.data.Options()
    options.autotune.enabled = True
    options.experimental_optimization.apply_default_optimizations = False
    return dataset.with_options(options)
