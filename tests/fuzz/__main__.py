"""`python -m tests.fuzz --inputs 100000 --seed 1`: random inputs, any number of them, each failure minimised and kept."""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass

from tests.fuzz.cases import KINDS, Case, make
from tests.fuzz.minimise import kind_of, minimised
from tests.fuzz.progress import say

SHARES = ("program", "mutation", "comment", "notebook") * 4 + ("configuration",) * 3 + ("growth",)
"""Which kinds are made how often where none is asked for."""
SLOW = 2.0
"""Seconds of the processor for one input that are worth a look, though no failure yet."""


@dataclass(frozen=True)
class Failure:
    """An input that broke something."""

    kind: str
    seed: str
    case: Case
    complaint: str


@dataclass(frozen=True)
class Share:
    """The part of a run that one process does."""

    seed: int
    first: int
    step: int
    inputs: int
    kind: str | None

    def outcomes(self) -> Iterator[tuple[str, float, Failure | None]]:
        """The seed of each input, the seconds of the processor that it took, and what it broke."""
        for number in range(self.first, self.inputs, self.step):
            kind = self.kind or SHARES[number % len(SHARES)]
            seed = f"{self.seed}:{kind}:{number}"
            case = make(kind, random.Random(seed))
            start = time.process_time()
            complaint = case.complaint()
            seconds = time.process_time() - start
            yield seed, seconds, Failure(kind, seed, case, complaint) if complaint else None


def _work(share: Share) -> tuple[float, list[Failure]]:
    # What is loaded by now stays, and need not be looked through for garbage again and again.
    gc.freeze()
    gc.set_threshold(50_000)
    slowest, found = 0.0, []
    for number, (seed, seconds, failure) in enumerate(share.outcomes(), start=1):
        slowest = max(slowest, seconds)
        if seconds > SLOW:
            say(f"{seed}: takes {seconds:.1f} s", sys.stderr)
        if failure:
            found.append(failure)
            say(f"{failure.seed}: {failure.case.ordeal} {failure.case.setting}: {failure.complaint[:400]}")
        if number % 1000 == 0:
            say(f"... {number} inputs, {len(found)} failures, slowest {slowest:.1f} s", sys.stderr)
    return slowest, found


def main() -> int:
    """Try inputs, tell what broke, keep it minimised, and say how many there were."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", choices=list(KINDS))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=int, default=20, help="how many different failures to minimise and keep")
    options = parser.parse_args()
    if os.path.isdir("/dev/shm"):
        tempfile.tempdir = "/dev/shm"  # projects are made and thrown away by the thousand
    start = time.monotonic()
    shares = [Share(options.seed, job, options.jobs, options.inputs, options.kind) for job in range(options.jobs)]
    if options.jobs == 1:
        results = [_work(shares[0])]
    else:
        with multiprocessing.Pool(options.jobs) as pool:
            results = pool.map(_work, shares)
    seconds = time.monotonic() - start
    failures = [failure for _, found in results for failure in found]
    different: dict[str, Failure] = {}
    for failure in sorted(failures, key=lambda failure: len(failure.case.data)):
        different.setdefault(kind_of(failure.complaint), failure)
    for failure in list(different.values())[: options.keep]:
        small = minimised(failure.case, failure.complaint)
        say(f"\n{failure.complaint[:400]}\n  {failure.seed}, {small.ordeal} {small.setting}: kept as {small.keep()}")
    slowest = max(seconds_of_one for seconds_of_one, _ in results)
    say(
        f"{options.inputs} inputs, seed {options.seed}, {seconds:.0f} s ({options.inputs / seconds:.0f} a second), "
        f"slowest {slowest:.1f} s: {len(failures)} failures, {len(different)} different"
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
