"""How right `pipelint profile` is: pipelines whose costs are known, measured, and run at their best setting.

`python -m tests.benchmarks.truth [CASE...] [--seconds N]` prints, for each pipeline, the bottleneck named, the largest
error of a stage's share in points, and the predicted limit over the rate that the best setting really reaches.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import tensorflow as tf

from pipelint.cli.actions.profile import analysed
from pipelint.dynamic.capture import lineage
from pipelint.dynamic.capture.stages import describe
from pipelint.dynamic.measure.measured_run import MeasuredRun
from pipelint.dynamic.measure.measurement import measure
from pipelint.dynamic.profile import PipelineProfile
from pipelint.knowledge.consumption import ConsumerKind
from pipelint.model.consumer import Consumer
from pipelint.model.locations import NOWHERE
from pipelint.model.pipeline import Stage
from tests.benchmarks.truth_cases import AS_WRITTEN, CASES, POOL, Case, best, drained

CORES = os.cpu_count() or 1


@dataclass(frozen=True)
class Verdict:
    """What was said of a case, and what is true."""

    case: str
    expected: str
    named: str
    share_error: float
    """In points."""
    limit: float
    reached: float
    seconds: float

    @property
    def limit_ratio(self) -> float:
        """The predicted limit over what the best setting reaches."""
        return self.limit / self.reached


def profiled(case: Case, seconds: float) -> PipelineProfile:
    """What pipelint says of the case as it is written."""
    dataset = case.build(AS_WRITTEN)
    pipelines = measure(
        dataset,
        describe(dataset),
        Consumer(ConsumerKind.ITERATOR, NOWHERE),
        seconds=seconds,
        progress=lambda text, share: None,
    )
    profile = analysed(MeasuredRun("truth", tf.__version__, CORES, 1 << 34, tuple(pipelines)), Path())
    return next(pipeline for pipeline in profile.pipelines if pipeline.measurement.epoch == case.epoch)


def judged(name: str, seconds: float) -> Verdict:
    """Compare what is said of a case with the truth."""
    case = CASES[name]()
    start = time.perf_counter()
    pipeline = profiled(case, seconds)
    taken = time.perf_counter() - start
    labels: dict[Stage, str] = {}
    counts: dict[str, int] = {}
    for stage in pipeline.stages:
        counts[stage.op] = counts.get(stage.op, 0) + 1
        labels[stage] = f"{stage.op} {counts[stage.op]}"
    total = sum(case.costs.values())
    errors = [abs((stage.share or 0.0) - case.costs.get(labels[stage], 0.0) / total) for stage in pipeline.stages]
    return Verdict(
        name,
        case.bottleneck,
        labels[pipeline.bottleneck] if pipeline.bottleneck is not None else "none",
        100 * max(errors),
        pipeline.limit_batches_per_second or 0.0,
        _reached(case),
        taken,
    )


def _reached(case: Case) -> float:
    """The batches a second of the best of the settings that a person would try."""
    rates = []
    for setting in (AS_WRITTEN, best(None), best(POOL)):
        dataset = case.build(setting)
        if case.epoch == "later":
            for _ in dataset:
                pass
            dataset = dataset.repeat()
        rates.append(drained(dataset, 2.0))
    return max(rates)


def main() -> None:
    """Judge the cases named, or all."""
    parser = argparse.ArgumentParser()
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--seconds", type=float, default=10.0)
    arguments = parser.parse_args()
    lineage.install()
    sys.stdout.write(f"tensorflow {tf.__version__}, {CORES} cores\n")
    sys.stdout.write(f"{'case':32}{'bottleneck':20}{'named':20}{'shares off':>12}{'limit':>9}{'reached':>9}\n")
    for name in arguments.cases or CASES:
        verdict = judged(name, arguments.seconds)
        right = "" if verdict.named == verdict.expected else "  WRONG"
        sys.stdout.write(
            f"{name:32}{verdict.expected:20}{verdict.named:20}{verdict.share_error:9.1f} pt"
            f"{verdict.limit:9.1f}{verdict.reached:9.1f}{verdict.limit_ratio:7.2f}{verdict.seconds:6.1f}s{right}\n"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main()
