"""Runs programs under a `ProgramWatch` one after the other in one process, and prints what it would have measured of each."""

from __future__ import annotations

import json
import os
import sys
import traceback
from pathlib import Path
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow as tf

from pipelint.dynamic.measure.step import Terms
from pipelint.dynamic.process.consumed_dataset import ConsumedDataset
from pipelint.dynamic.process.hooks import Hooks
from pipelint.dynamic.process.program_watch import ProgramWatch
from pipelint.dynamic.process.write_guard import WriteGuard


class Finished(BaseException):
    """The program was ended."""


class Recorder:
    """Stands where a session measures."""

    step_seconds = 0.3
    times_steps = True

    def __init__(self) -> None:
        self.measured: list[tuple[Any, dict[str, Any]]] = []
        self.error: str | None = None
        self.asides: list[str] = []

    def measure(self, consumptions: list[ConsumedDataset]) -> None:
        for consumption in consumptions:
            if any(consumption.dataset is dataset for dataset, _ in self.measured):
                continue
            consumer = consumption.consumer
            told: dict[str, Any] = {
                "kind": consumer.kind.value,
                "role": consumer.purpose.value,
                "line": consumer.place.line if consumer.place else None,
                "traced": consumer.in_tf_function,
                "element": None,
                "source": None,
                "step": None,
            }
            self.measured.append((consumption.dataset, told))
            if consumption.measure_feed is not None:
                fed = consumption.measure_feed(consumer, seconds=1.0, progress=self.progress)
                place = fed.end.place
                told["source"] = [fed.end.op, place.line if place else None]
            else:
                told["element"] = str(tf.nest.flatten(consumption.dataset.element_spec)[0].shape)
                for _ in consumption.dataset.take(2):
                    pass
            if consumption.step is not None:
                self.add_step(consumption.dataset, consumption.step(self.terms(consumption.dataset)))

    def terms(self, dataset: Any) -> Terms:
        return Terms(0.3)

    def add_step(self, dataset: Any, step: Any, note: str = "") -> None:
        for other, told in self.measured:
            if other is dataset and step is not None:
                told["step"] = step.seconds > 0 and step.period_seconds > 0 and 0 <= step.waiting_share <= 1

    def progress(self, text: str, fraction: float) -> None:
        pass

    def aside(self, text: str) -> None:
        self.asides.append(text)


def run(hooks: Hooks, guard: WriteGuard, path: Path) -> dict[str, Any]:
    def finish() -> None:
        raise Finished

    recorder = Recorder()
    hooks.watch = watch = ProgramWatch(recorder, guard, finish, script=path)  # type: ignore[arg-type]
    names: dict[str, Any] = {"__name__": "__main__", "__file__": str(path), "reached": []}
    failure = None
    try:
        exec(compile(path.read_text(), str(path), "exec"), names)
        watch.end_of_program()
    except Finished:
        pass
    except Exception:  # noqa: BLE001
        failure = traceback.format_exc()
    finally:
        guard.refuse_with(None)
    measured = [told for _, told in recorder.measured]
    told = {"reached": names["reached"], "error": recorder.error, "asides": recorder.asides, "failure": failure}
    return {"measured": measured, **told}


def main() -> None:
    guard = WriteGuard(sys.argv[3])
    guard.install()
    hooks = Hooks(None, guard)  # type: ignore[arg-type]
    hooks.watch = ProgramWatch(Recorder(), guard, sys.exit)  # type: ignore[arg-type]
    hooks.install()
    results = {path.parent.name: run(hooks, guard, path) for path in sorted(Path(sys.argv[1]).glob("*/train.py"))}
    Path(sys.argv[2]).write_text(json.dumps(results))
    os._exit(0)


if __name__ == "__main__":
    main()
