"""Runs targets as the child of `pipelint profile` does, each in a fork of one process that has TensorFlow loaded."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow  # noqa: F401

from pipelint.dynamic.process import worker
from pipelint.dynamic.process.channel import Job, Message, Result
from pipelint.dynamic.process.target import parse

AT_ONCE = 2
SECONDS = 0.5


def run(case: dict[str, Any], answer: Path) -> None:
    """Never returns."""
    os.chdir(case["folder"])
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)

    def tell(message: Message) -> None:
        if isinstance(message, Result):
            pipelines = [
                {
                    "kind": pipeline.consumers[0].kind.value,
                    "role": pipeline.consumers[0].purpose.value,
                    "ops": [stage.op for stage in pipeline.every_stage],
                    "places": [stage.place.path for stage in pipeline.every_stage if stage.place is not None],
                    "measured": known is not None and known.batches_per_second is not None,
                }
                for pipeline in message.run.pipelines
                for known in [pipeline.measurement]
            ]
            answer.write_text(json.dumps({"error": message.run.error, "pipelines": pipelines}))

    target = parse(case["target"], case.get("call"), tuple(case.get("arguments", ())))
    worker.work(Job(target, SECONDS, case["folder"]), tell, sys.stdlib_module_names)


def main() -> None:
    cases = json.loads(Path(sys.argv[1]).read_text())
    running = 0
    for case in cases.values():
        if os.fork() == 0:
            run(case, Path(case["folder"]) / "answer.json")
        running += 1
        if running == AT_ONCE:
            os.wait()
            running -= 1
    for _ in range(running):
        os.wait()


if __name__ == "__main__":
    main()
