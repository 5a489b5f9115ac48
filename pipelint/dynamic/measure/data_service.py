"""Runs a pipeline in a tf.data service on this machine: a dispatcher, worker processes, and one of them killed."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import tensorflow as tf

from pipelint.dynamic.capture import error_lines
from pipelint.dynamic.capture.stages import CapturedPipeline
from pipelint.dynamic.measure.drain import Drain
from pipelint.dynamic.measure.measurement import TellProgress
from pipelint.dynamic.measure.read_contents import comparable, rows_of
from pipelint.dynamic.measure.serialized_graph import DatasetGraph
from pipelint.dynamic.tuning import KilledWorker, ServiceRun
from pipelint.knowledge.stages import SHUFFLES, SPLITS
from pipelint.model.pipeline import Pipeline

_WORKER = """
import sys
import tensorflow as tf
service = tf.data.experimental.service
address, port = sys.argv[1:]
worker = service.WorkerServer(service.WorkerConfig(address, port=int(port), heartbeat_interval_ms=100))
print("ready", flush=True)
worker.join()
"""
_BEFORE_KILL = 3
"""One part in so many of the elements is taken before a worker is killed."""


def run_service(captured: CapturedPipeline, workers: int, *, seconds: float, progress: TellProgress) -> ServiceRun:
    """What one worker, two and so on give, and what is missing after one of several was killed."""
    pipeline = captured.pipeline
    here = next((stage for stage in pipeline.every_stage if stage.runs_python), None)
    if here is not None:
        return ServiceRun(note=f"workers cannot run the Python code of the {here.op}")
    chosen, *others = shardings_of(pipeline)
    dataset = captured.parts[pipeline.end][0]
    rates: list[float] = []
    killed: list[KilledWorker] = []
    try:
        for count in range(1, workers + 1):
            progress(f"measuring {count} of {workers} workers", count / (workers + 1))
            with _Service.of(count) as service:
                shared = service.distributed(dataset.repeat(), chosen)
                rates.append(Drain(shared, calibrated=False).run(seconds).rate)
        cut, random = comparable(pipeline)
        if workers > 1 and cut is not None:
            progress(f"killing one of {workers} workers", workers / (workers + 1))
            killed = [_kill(captured.parts[cut][0], workers, sharding) for sharding in (chosen, *others)]
    except (tf.errors.OpError, ValueError, TypeError) as error:
        return ServiceRun(chosen, tuple(rates), tuple(killed), note=error_lines.summary(error))
    return ServiceRun(chosen, tuple(rates), tuple(killed), note=f"examples are compared before {random}" * bool(random))


def shardings_of(pipeline: Pipeline) -> tuple[str, ...]:
    """How workers can share the data, the best first: a mode that would change what a stream holds is not among them.

    Workers that each give everything lose nothing, but make an epoch longer; parts of the source make each epoch what
    it was, while no worker dies. Where a stage takes a part of what it is given, a part of that would be another one.
    """
    if any(stage.op in SPLITS for stage in pipeline.every_stage):
        return ("OFF",)
    has_end = pipeline.end.cardinality is None or pipeline.end.cardinality >= 0
    shuffled = any(stage.op in SHUFFLES for stage in pipeline.every_stage)
    return ("OFF", "DYNAMIC") if shuffled and not has_end else ("DYNAMIC", "OFF")


class _Service:
    """A dispatcher in this process, and workers in processes of their own."""

    def __init__(self, workers: int) -> None:
        service = tf.data.experimental.service
        self._dispatcher = service.DispatchServer(service.DispatcherConfig(port=0))
        self._ports = _free_ports(workers)
        self.workers = [self._started(port) for port in self._ports]
        for worker in self.workers:
            _await(worker)

    def _started(self, port: int) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", _WORKER, self._dispatcher.target.partition("://")[2], str(port)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)  # noqa: S603 - TensorFlow

    def kill_and_restart(self) -> None:
        """Kill a worker, and start another one at its address, as a cluster does: a consumer waits for that."""
        _end(self.workers[0])
        self.workers[0] = self._started(self._ports[0])

    @classmethod
    @contextmanager
    def of(cls, workers: int) -> Iterator[_Service]:
        service = cls(workers)
        try:
            yield service
        finally:
            for worker in service.workers:
                _end(worker)

    def distributed(self, dataset: Any, sharding: str) -> Any:
        """The dataset as its workers make it."""
        policy = tf.data.experimental.service.ShardingPolicy[sharding]
        return dataset.apply(tf.data.experimental.service.distribute(policy, self._dispatcher.target))


def _free_ports(count: int) -> list[int]:
    """Ports that nobody listens at."""
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("localhost", 0))
        return [int(each.getsockname()[1]) for each in sockets]


def _await(worker: subprocess.Popen[bytes]) -> None:
    assert worker.stdout is not None
    worker.stdout.readline()


def _end(worker: subprocess.Popen[bytes]) -> None:
    worker.kill()
    # That waits for it, and closes what it said.
    worker.communicate()


def _kill(dataset: Any, workers: int, sharding: str) -> KilledWorker:
    """Take one epoch, and kill a worker in the middle of it."""
    epoch = DatasetGraph.of(dataset).without_caches().in_one_order().dataset()
    expected = Counter(row for element in epoch for row in rows_of(element))
    total = expected.total()
    seen: Counter[Any] = Counter()
    with _Service.of(workers) as service:
        is_killed = False
        for element in service.distributed(epoch, sharding):
            seen.update(rows_of(element))
            if not is_killed and seen.total() * _BEFORE_KILL >= total:
                is_killed = True
                service.kill_and_restart()
    return KilledWorker(sharding, total, (expected - seen).total(), (seen - expected).total())
