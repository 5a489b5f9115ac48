"""A child process that does not measure, but behaves in the ways that a supervisor must deal with."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

from pipelint.dynamic.measure.measured_run import MeasuredRun
from pipelint.dynamic.process import channel
from pipelint.dynamic.process.channel import Progress, Result
from pipelint.knowledge.consumption import ConsumerKind, Purpose
from pipelint.model.consumer import Consumer
from pipelint.model.locations import NOWHERE
from pipelint.model.pipeline import Pipeline, Stage


def leave_processes(numbers: str) -> None:
    """One in the group of the child, one that has left it, and one that nobody is the parent of."""
    waiting = [sys.executable, "-c", "import time; time.sleep(600)"]
    near = subprocess.Popen(waiting)
    far = subprocess.Popen(waiting, start_new_session=True)
    text = f"import subprocess; print(subprocess.Popen({waiting!r}, start_new_session=True, stdout=-3, stderr=-3).pid)"
    orphan = int(subprocess.check_output([sys.executable, "-c", text]))
    with open(numbers, "w", encoding="utf-8") as file:
        json.dump([near.pid, far.pid, orphan], file)


def main(loaded: frozenset[str]) -> None:
    if os.environ["PRETEND"] == "dies unseen":
        sys.exit(3)
    line = channel.join()
    job = line.take()
    pipeline = Pipeline(Stage("range", NOWHERE, NOWHERE)).consumed_by(
        Consumer(ConsumerKind.FIT, NOWHERE, Purpose.TRAINING)
    )
    line.tell(Progress("measuring each stage", 0.5, measuring=True))
    if os.environ["PRETEND"] != "dies early":
        line.tell(Result(MeasuredRun(job.target.text, "2.21.0", 2, 0, (pipeline,)), complete=False))
    if os.environ["PRETEND"].startswith("dies"):
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGSEGV)
    if os.environ["PRETEND"] == "speaks nonsense":
        line._connection.send_bytes(os.environ["NONSENSE"].encode())
        time.sleep(60)
    if os.environ["PRETEND"] == "hangs in the step":
        line.tell(Progress("timing the step", 0.0, measuring=True, else_note="the step was not timed"))
    if os.environ["PRETEND"] == "leaves processes":
        leave_processes(os.environ["NUMBERS"])
        line.tell(Result(MeasuredRun(job.target.text), complete=True))
    sys.stdout.write("the child waits\n")
    sys.stdout.flush()
    time.sleep(60)
