"""Measures the pairs in evidence/: `python -m tests.benchmarks.measure [RULE...] [--blocks N]`.

Each run has a process of its own, slow and fast by turns, so that what else the machine does meets both alike. A run is
repeated until two in a row agree, and the last one counts. The ratio is the median over the blocks, with an interval of
95% by bootstrap.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent.parent
EVIDENCE = Path(__file__).parent / "evidence"
VARIANTS = ("slow", "fast")
AGREE = 0.1
MOST_RUNS = 3
RESAMPLES = 2000


def names() -> list[str]:
    """The rules that have a pair."""
    return sorted(path.stem.replace("_", "-") for path in EVIDENCE.glob("[!_]*.py"))


def timed(name: str, variant: str) -> float:
    """Seconds of a run once it is warm, in this process."""
    module = import_module(f"tests.benchmarks.evidence.{name.replace('-', '_')}")
    run = getattr(module, variant)(module.SIZE)
    run()
    seconds: list[float] = []
    for _ in range(MOST_RUNS):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
        if len(seconds) > 1 and abs(seconds[-1] / seconds[-2] - 1) < AGREE:
            break
    return seconds[-1]


def in_a_process(name: str, variant: str) -> float:
    """The same in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.measure", name, "--variant", variant]
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1"}
    completed = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return float(completed.stdout.split()[-1])


def ratios(name: str, blocks: int) -> list[float]:
    """How many times slower the slow one was in each block; blocks start with either by turns."""
    found = []
    for block in range(blocks):
        order = VARIANTS if block % 2 == 0 else VARIANTS[::-1]
        seconds = {variant: in_a_process(name, variant) for variant in order}
        found.append(seconds["slow"] / seconds["fast"])
    return found


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Where the median lies with 95% confidence."""
    generator = random.Random(1)
    medians = sorted(median(generator.choices(values, k=len(values))) for _ in range(RESAMPLES))
    return medians[RESAMPLES // 40], medians[-RESAMPLES // 40]


def main() -> None:
    parser = argparse.ArgumentParser(description="How many times slower the slow program of each pair is.")
    parser.add_argument("rules", nargs="*", metavar="RULE", default=names())
    parser.add_argument("--blocks", type=int, default=5)
    parser.add_argument("--variant", choices=VARIANTS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.variant:
        _say(str(timed(arguments.rules[0], arguments.variant)))
        # TensorFlow may hang at exit while a Python function of a dataset still runs.
        os._exit(0)
    _say(f"tensorflow {_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {platform.machine()}\n")
    _say("| rule | ratio | interval |\n| --- | --- | --- |")
    for name in arguments.rules:
        found = ratios(name, arguments.blocks)
        low, high = interval(found)
        _say(f"| {name} | {median(found):.2f} | {low:.2f} to {high:.2f} |")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _version() -> str:
    for package in ("tensorflow", "tensorflow-cpu"):
        try:
            return version(package)
        except ModuleNotFoundError:
            continue
    return "?"


if __name__ == "__main__":
    main()
