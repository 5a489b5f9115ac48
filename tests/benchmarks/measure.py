"""Measures the pairs in evidence/: `python -m tests.benchmarks.measure [PAIR...] [--blocks N] [--output FILE] [--render]`.

Each run has a process of its own, slow and fast by turns, so that what else the machine does meets both alike. A run is
repeated until two in a row agree, and the last one counts. The ratio is the median over the blocks, with an interval of
95% by bootstrap. What was found goes to rules/evidence.json, from which the documentation of the rules is made; pairs that
were not measured keep their entries. rules/EVIDENCE.md shows all of them; `--render` writes that page and measures nothing.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime, timezone
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from typing import Any

from pipelint.rule import Evidence, MeasuredRatio
from tests.benchmarks.evidence_page import page
from tests.linting import REGISTRY

ROOT = Path(__file__).parent.parent.parent
PAIRS = Path(__file__).parent / "evidence"
OUTPUT = ROOT / "rules" / Evidence.FILE
PAGE = ROOT / "rules" / "EVIDENCE.md"
COMMAND = "python -m tests.benchmarks.measure"
VARIANTS = ("slow", "fast")
AGREE = 0.1
MOST_RUNS = 3
RESAMPLES = 2000


def names() -> list[str]:
    """The pairs that there are: one by the name of its rule, and one more where TensorFlow does the same by itself."""
    return sorted(path.stem.replace("_", "-") for path in PAIRS.glob("[!_]*.py"))


def about(name: str) -> str:
    """What the programs of a pair do: the first paragraph of its docstring, read without TensorFlow."""
    source = (PAIRS / f"{name.replace('-', '_')}.py").read_text("utf-8")
    documentation = ast.get_docstring(ast.parse(source)) or ""
    return " ".join(documentation.partition("\n\n")[0].split())


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


def measurement(name: str, found: Sequence[float], load: float) -> MeasuredRatio:
    """What the ratios of the blocks say, and under which conditions they came about."""
    low, high = interval(found)
    return MeasuredRatio(
        about=about(name),
        ratio=round(median(found), 2),
        low=round(low, 2),
        high=round(high, 2),
        tensorflow=_tensorflow(),
        cores=os.cpu_count() or 1,
        load=round(load, 1),
        date=datetime.now(timezone.utc).date().isoformat(),
        command=f"{COMMAND} {name}",
    )


def record(file: Path, measured: Mapping[str, MeasuredRatio]) -> None:
    """Write what was measured to the file, beside the pairs that stand there already."""
    pairs: dict[str, Any] = json.loads(file.read_text("utf-8"))["pairs"] if file.exists() else {}
    for name, result in measured.items():
        pairs[name] = {key: value for key, value in asdict(result).items() if key != "command"}
    written = {"version": 1, "command": COMMAND, "pairs": dict(sorted(pairs.items()))}
    file.write_text(json.dumps(written, indent=2) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="How many times slower the slow program of each pair is.")
    parser.add_argument("pairs", nargs="*", metavar="PAIR", default=names())
    parser.add_argument("--blocks", type=int, default=5)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    parser.add_argument("--render", action="store_true", help="write rules/EVIDENCE.md and measure nothing")
    parser.add_argument("--variant", choices=VARIANTS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.variant:
        _say(str(timed(arguments.pairs[0], arguments.variant)))
        # TensorFlow may hang at exit while a Python function of a dataset still runs.
        os._exit(0)
    if arguments.render:
        PAGE.write_text(page(REGISTRY), "utf-8")
        return
    # Before the pairs themselves keep the machine busy.
    load = os.getloadavg()[0]
    _say(
        f"{_tensorflow()}, {os.cpu_count()} cores, load {load:.1f}\n\n| pair | ratio | interval |\n| --- | --- | --- |"
    )
    for name in arguments.pairs:
        result = measurement(name, ratios(name, arguments.blocks), load)
        record(arguments.output, {name: result})
        _say(f"| {name} | {result.ratio} | {result.low} to {result.high} |")
    if arguments.output == OUTPUT:
        PAGE.write_text(page(REGISTRY), "utf-8")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _tensorflow() -> str:
    for package in ("tensorflow", "tensorflow-cpu"):
        try:
            return f"{package} {version(package)}"
        except PackageNotFoundError:
            continue
    return "?"


if __name__ == "__main__":
    main()
