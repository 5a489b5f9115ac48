"""A child process that does not measure, but behaves in the ways that a supervisor must deal with."""

from __future__ import annotations

import os
import signal
import sys
import time

from pipelint.dynamic.measure.measured_run import MeasuredRun
from pipelint.dynamic.process import channel
from pipelint.dynamic.process.channel import Progress, Result
from pipelint.knowledge.consumption import ConsumerKind, Purpose
from pipelint.model.locations import NOWHERE
from pipelint.model.pipeline import Consumer, Pipeline, Stage


def main() -> None:
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
    sys.stdout.write("the child waits\n")
    sys.stdout.flush()
    time.sleep(60)


main()
