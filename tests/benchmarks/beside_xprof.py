"""pipelint beside TensorFlow's own profiler, on the same pipelines in one run.

`python -m tests.benchmarks.beside_xprof [CASE...]` prints what xprof's input-pipeline analyser and pipelint say of each,
how long each takes, and what a batch costs more while each watches: on the wall, and in time of all processors.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from importlib.metadata import version
from itertools import chain, count, repeat, takewhile
from pathlib import Path
from statistics import median
from typing import Any

import tensorflow as tf

from pipelint.cli.actions.profile import analysed
from pipelint.dynamic.capture import lineage, stages
from pipelint.dynamic.measure.disturbance import least_disturbed
from pipelint.dynamic.measure.drain import Drain, Window
from pipelint.dynamic.measure.engine import Tally
from pipelint.dynamic.measure.serialized_graph import DatasetGraph
from pipelint.dynamic.measure.stages_of_nodes import stages_of_nodes
from pipelint.dynamic.measure.step import Terms, time_step
from pipelint.dynamic.measure.step_runs import by_keras
from pipelint.dynamic.process.consumed_dataset import ConsumedDataset
from pipelint.dynamic.process.measuring_session import MeasuringSession
from pipelint.knowledge.consumption import ConsumerKind, Purpose
from pipelint.model.consumer import Consumer
from pipelint.model.cost import Step
from pipelint.model.locations import NOWHERE
from pipelint.source.paths import shown_place
from tests.benchmarks.measure import interval
from tests.benchmarks.truth_cases import AS_WRITTEN, BATCH, CASES, numbers, python_work

FIT = "a Keras model in fit"
CHOSEN = (
    "two maps, the second heavy",
    "filter",
    "a generator that works",
    "interleave that waits inside",
    "a prefetch between",
    FIT,
)
WARM_SECONDS = 1.0
STRETCH_SECONDS = 0.4
RUN_IN_SECONDS = 0.2
"""What was fetched ahead while nobody took it is gone after so long."""
VARIANTS = ("alone", "xprof", "pipelint")
CATEGORIES = ("enqueue", "preprocessing", "advanced_file_read", "demanded_file_read", "unclassified_nonequeue")
"""Where xprof sees input time go, in the order of its advice."""
STEP = partial(tf.profiler.experimental.Trace, "train", _r=1)
WIDTHS = (10, 38, 26, 7, 14, 24, 7, 26, 26)


@dataclass(frozen=True)
class Subject:
    """A pipeline with what consumes it."""

    dataset: Any
    truth: str
    consume: Callable[[float], None]
    """Takes batches for so many seconds, each marked as a step for xprof."""
    epoch: str | None = None
    step: Callable[[Terms], Step] | None = None


@dataclass(frozen=True)
class Verdict:
    """What one tool says of a pipeline."""

    seconds: float
    bottleneck: str
    share: float
    input_bound: str
    advice: str
    place: str = "-"
    limit: str = "-"


def looped(name: str) -> Subject:
    """A pipeline of known cost in a loop."""
    case = CASES[name]()
    dataset = case.build(AS_WRITTEN)
    batches = chain.from_iterable(repeat(dataset))

    def consume(seconds: float) -> None:
        end = time.perf_counter() + seconds
        for number in takewhile(lambda _: time.perf_counter() < end, count()):
            with STEP(step_num=number):
                next(batches)

    return Subject(dataset, case.bottleneck, consume, case.epoch)


def fitted() -> Subject:
    """A small model that waits for a Python function."""
    import keras

    dataset = numbers().map(python_work(2.0))
    dataset = dataset.map(lambda x: (tf.fill([256], tf.cast(x, tf.float32)), 0.0)).batch(BATCH)
    model = keras.Sequential([keras.Input([256]), keras.layers.Dense(256, "relu"), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    run = partial(model.fit, shuffle=False, verbose=0)

    def consume(seconds: float) -> None:
        end = time.perf_counter() + seconds
        marked = ExitStack()

        def leave(number: int, logs: object = None) -> None:
            marked.close()
            model.stop_training = time.perf_counter() >= end

        marks = keras.callbacks.LambdaCallback(
            on_train_batch_begin=lambda number, logs=None: marked.enter_context(STEP(step_num=number)),
            on_train_batch_end=leave,
        )
        run(dataset, callbacks=[marks])

    step = partial(time_step, by_keras(run, keras.callbacks.Callback), dataset)
    return Subject(dataset, "map 1", consume, step=step)


def said_by_xprof(given: Subject, converter: Any, seconds: float) -> Verdict:
    """What the input-pipeline analyser says after so many seconds of trace."""
    begun = time.perf_counter()
    given.consume(WARM_SECONDS)
    with tempfile.TemporaryDirectory(prefix="pipelint-xprof-") as folder:
        with tf.profiler.experimental.Profile(folder):
            given.consume(seconds)
        traces = [str(path) for path in Path(folder).rglob("*.xplane.pb")]
        data, _ = converter.xspace_to_tool_data(traces, "input_pipeline_analyzer", {})
    _, steps, operations, advice, *_ = json.loads(data)
    columns = [column["id"] for column in operations["cols"]]
    rows = [dict(zip(columns, [cell["v"] for cell in row["c"]], strict=True)) for row in operations["rows"]]
    worst = max(rows, key=lambda row: float(row["selfTimeInMs"]))
    spent = [float(operations["p"][f"{category}_us"]) for category in CATEGORIES]
    text = advice["rows"][spent.index(max(spent))]["c"][0]["v"]
    conclusion = re.search(r"(\w+) input-bound because (?:only )?([\d.]+%)", steps["p"]["input_conclusion"])
    return Verdict(
        time.perf_counter() - begun,
        worst["opName"].removeprefix("Iterator::Root::"),
        worst["selfTimeInPercent"],
        f"{conclusion[2]} {conclusion[1]}" if conclusion else "?",
        re.sub(r"<[^>]*>", "", text),
    )


def said_by_pipelint(given: Subject, seconds: float) -> Verdict:
    """What pipelint says when it may take about so many seconds."""
    begun = time.perf_counter()
    session = MeasuringSession("beside xprof", seconds, lambda message: None)
    consumer = Consumer(ConsumerKind.FIT if given.step else ConsumerKind.ITERATOR, NOWHERE, Purpose.TRAINING)
    session.measure([ConsumedDataset(given.dataset, consumer, given.step)])
    profile = analysed(session.run, Path())
    pipeline = next(found for found in profile.pipelines if found.measurement.epoch == given.epoch)
    index, worst = next(each for each in enumerate(pipeline.stages) if each[1] is pipeline.bottleneck)
    number = Counter(stage.op for stage in pipeline.stages[: index + 1])[worst.op]
    first = pipeline.suggestions[0] if pipeline.suggestions else None
    return Verdict(
        time.perf_counter() - begun,
        f"{worst.op} {number}",
        worst.share or 0.0,
        "-" if pipeline.input_bound is None else f"{pipeline.input_bound:.1%}",
        f"{first.code} {first.message} ({first.predicted_speedup or 1:.1f}x)" if first else "no suggestion",
        shown_place(worst.place),
        f"{pipeline.limit_batches_per_second or 0:.1f} of now {pipeline.measurement.batches_per_second or 0:.1f}/s",
    )


class Watched(Drain):
    """One iterator for all variants: another would be tuned otherwise."""

    def stretch(self, tally: Tally | None) -> Window:
        """A moment of draining with all that it took, looks at the engine included where a tally asks for them."""
        self._tally = tally
        self.window(seconds=RUN_IN_SECONDS)
        wall, cpu = time.perf_counter(), time.process_time()
        window = self.window(seconds=STRETCH_SECONDS)
        return replace(window, seconds=time.perf_counter() - wall, cpu_seconds=time.process_time() - cpu)


def watched(dataset: Any, blocks: int) -> list[dict[str, Window]]:
    """The drained dataset in each of the blocks that others disturb least: alone, and watched by each tool."""
    graph = DatasetGraph.of(dataset)
    tally = Tally(graph.branches(stages_of_nodes(graph, dataset, stages.describe(dataset))))
    drain = Watched(dataset, warm_batches=3)
    drain.window(seconds=2 * WARM_SECONDS)
    measured: list[dict[str, Window]] = []
    with tempfile.TemporaryDirectory(prefix="pipelint-xprof-") as folder:
        for block in range(blocks):
            turn = block % len(VARIANTS)
            found = {}
            for variant in (*VARIANTS[turn:], *VARIANTS[:turn]):
                with tf.profiler.experimental.Profile(folder) if variant == "xprof" else nullcontext():
                    found[variant] = drain.stretch(tally if variant == "pipelint" else None)
            measured.append(found)
    return least_disturbed(measured, lambda found: max(window.disturbance for window in found.values()))


def added(blocks: list[dict[str, Window]], tool: str, cost: Callable[[Window], float]) -> str:
    """How much more a batch costs while the tool watches, with an interval of 95%."""
    per_batch = [{name: cost(window) / window.batches for name, window in block.items()} for block in blocks]
    ratios = [block[tool] / block["alone"] - 1 for block in per_batch]
    low, high = interval(ratios)
    return f"{median(ratios):+.1%} ({low:+.1%}, {high:+.1%})"


def main() -> None:
    parser = argparse.ArgumentParser(description="pipelint beside TensorFlow's own profiler.")
    parser.add_argument("cases", nargs="*", metavar="CASE", default=CHOSEN)
    parser.add_argument("--seconds", type=float, default=20.0, help="for pipelint, a pipeline")
    parser.add_argument("--trace", type=float, default=5.0, help="for TensorFlow's profiler, a pipeline")
    parser.add_argument("--blocks", type=int, default=30)
    arguments = parser.parse_args()
    try:
        converter = import_module("xprof.convert.raw_to_tool_data")
    except ImportError:
        sys.exit("this needs xprof: pip install xprof")
    lineage.install()
    _say([f"tensorflow {tf.__version__}, xprof {version('xprof')}, {os.cpu_count()} cores"])
    _say(["tool", "bottleneck", "where", "share", "input-bound", "limit, batches", "took", "wall", "processors"])
    for name in arguments.cases:
        given = fitted() if name == FIT else looped(name)
        xprof, pipelint = said_by_xprof(given, converter, arguments.trace), said_by_pipelint(given, arguments.seconds)
        blocks = watched(given.dataset, arguments.blocks)
        _say([f"\n{name}: the truth is {given.truth} (load {os.getloadavg()[0]:.1f})"])
        for tool, said in (("xprof", xprof), ("pipelint", pipelint)):
            costs = [added(blocks, tool, lambda run: run.seconds), added(blocks, tool, lambda run: run.cpu_seconds)]
            words = [tool, said.bottleneck, said.place, f"{said.share:.0%}", said.input_bound, said.limit]
            _say([*words, f"{said.seconds:.1f}s", *costs])
            _say(["", said.advice])
    # TensorFlow may hang at exit while a Python function of a dataset still runs.
    os._exit(0)


def _say(row: list[str]) -> None:
    line = "".join(cell.ljust(width - 1) + " " for cell, width in zip(row, WIDTHS, strict=False))
    sys.stdout.write(f"{line.rstrip()}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
