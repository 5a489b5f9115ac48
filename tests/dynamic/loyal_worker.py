"""A child process whose program starts another one and waits, and that leaves when its parent has gone."""

from __future__ import annotations

import subprocess
import sys
import threading

from pipelint.dynamic.process import channel, worker


def main(loaded: frozenset[str]) -> None:
    line = channel.join()
    job = line.take()
    started = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    leaving = threading.Thread(target=worker._leave_with_parent, args=(line, job.scratch))
    leaving.start()
    sys.stdout.write(f"{started.pid}\n")
    sys.stdout.flush()
    leaving.join()
