"""A measured pipeline names the stage that costs most, and says what could not be measured and why."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import pytest

pytest.importorskip("tensorflow", reason="measuring needs TensorFlow")

from pipelint.dynamic.capture import lineage
from pipelint.dynamic.capture.stages import describe
from pipelint.dynamic.measure import measurement
from pipelint.knowledge.consumption import ConsumerKind
from pipelint.model.consumer import Consumer
from pipelint.model.cost import Cost, Measurement
from pipelint.model.locations import NOWHERE
from pipelint.model.pipeline import Pipeline, Stage
from tests.dynamic.programs import Program

pytestmark = pytest.mark.timing
SECONDS = 0.5
DATA = "tf.data.Dataset"
WORK = """
import time, tensorflow as tf

def graph(rounds):
    def compute(x):
        matrix = tf.fill([64, 64], 1e-9 * tf.cast(x, tf.float32))
        for _ in range(rounds):
            matrix = 0.01 * tf.linalg.matmul(matrix, matrix)
        return tf.cast(tf.cast(x, tf.float32) + tf.reduce_sum(matrix), tf.int64)
    return tf.autograph.experimental.do_not_convert(compute)

def in_python(function):
    called = lambda x: tf.ensure_shape(tf.numpy_function(function, [x], tf.int64), x.shape)
    return tf.autograph.experimental.do_not_convert(called)

def spin(x):
    end = time.thread_time() + 0.002
    while time.thread_time() < end:
        pass
    return x

def wait(x):
    time.sleep(0.004)
    return x

spinning, waiting = in_python(spin), in_python(wait)
heavy, light = graph(60), graph(3)
heavily = lambda x: tf.data.Dataset.range(50).map(heavy)
endless = tf.data.Dataset.range(1 << 60)
generated = tf.data.Dataset.from_generator(
    lambda: (wait(x) for x in range(1 << 40)), output_signature=tf.TensorSpec([], tf.int64)
)
"""
DOMINATED = {
    "the first of two maps": ("endless.map(heavy).map(light).batch(8)", "map 1"),
    "the last of two maps": ("endless.map(light).map(heavy).batch(8)", "map 2"),
    "a map behind the batch": ("endless.map(light).batch(4).map(lambda x: x + graph(120)(x[0]))", "map 2"),
    "one branch of a zip": (f"{DATA}.zip((endless.map(light), endless.map(heavy))).batch(8)", "map 2"),
    "a map inside an interleave": ("endless.interleave(heavily, cycle_length=2).map(light).batch(8)", "map 1"),
    "a filter": ("endless.filter(lambda x: heavy(x) >= 0).map(light).batch(8)", "filter 1"),
    "a parallel map": ("endless.map(light, 2).map(heavy, 2).batch(8).prefetch(1)", "map 2"),
    "Python": ("endless.map(light).map(spinning).batch(8)", "map 2"),
    "a generator": ("generated.map(light).batch(8)", "from_generator 1"),
    "a wait": ("endless.map(waiting).map(light).batch(8)", "map 1"),
}


class Measured:
    """What was measured of the dataset of a program."""

    def __init__(self, program: Program, pipelines: list[Pipeline]) -> None:
        self.program = program
        self.pipelines = pipelines

    @property
    def only(self) -> Pipeline:
        (pipeline,) = self.pipelines
        return pipeline

    @property
    def whole(self) -> Measurement:
        """What was measured of the only pipeline as a whole."""
        return measurement_of(self.only)

    def stage(self, name: str, pipeline: Pipeline | None = None) -> Stage:
        """`map 2` is the second map in the order of the source."""
        op, number = name.split()
        return [stage for stage in (pipeline or self.only).every_stage if stage.op == op][int(number) - 1]

    def cost(self, name: str, pipeline: Pipeline | None = None) -> Cost:
        cost = self.stage(name, pipeline).cost
        assert cost is not None
        return cost

    def settle(self, holds: bool) -> None:
        """Judge what costs say of each other; a run that says of itself that it was disturbed proves nothing wrong."""
        if not holds and any("the figures are rough" in measurement_of(each).note for each in self.pipelines):
            pytest.skip("other programs took the processors")
        assert holds, [(stage.op, stage.cost) for stage in self.only.every_stage]

    @property
    def is_whole(self) -> bool:
        """Whether nothing kept it from being measured: others may disturb, and large buffers be made small."""
        return not re.search(
            "raised|no elements|only the whole", "".join(measurement_of(each).note for each in self.pipelines)
        )


def measurement_of(pipeline: Pipeline) -> Measurement:
    assert pipeline.measurement is not None
    return pipeline.measurement


Measure = Callable[..., Measured]


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Measure:
    """Measure the dataset `ds` of a program; the same one is measured once."""
    lineage.install()
    known: dict[tuple[str, bool], Measured] = {}

    def measure(source: str, *, in_tf_function: bool = False) -> Measured:
        if (source, in_tf_function) not in known:
            program = Program(tmp_path_factory.mktemp("program") / "train.py", f"{WORK}\n{source}")
            dataset = program.names["ds"]
            consumer = Consumer(ConsumerKind.LOOP, NOWHERE, in_tf_function=in_tf_function)
            told: list[float] = []
            pipelines = measurement.measure(
                dataset, describe(dataset), consumer, seconds=SECONDS, progress=lambda _, share: told.append(share)
            )
            assert all(0 <= share <= 1 for share in told)
            known[source, in_tf_function] = Measured(program, pipelines)
        return known[source, in_tf_function]

    return measure


class TestCosts:
    @pytest.mark.parametrize("case", DOMINATED)
    def test_the_stage_with_ten_times_the_work_costs_most(self, measured: Measure, case: str) -> None:
        source, dominating = DOMINATED[case]
        run = measured(f"ds = {source}")
        dearest = max(run.only.every_stage, key=lambda stage: stage.share or 0.0)
        run.settle(dearest is run.stage(dominating))

    @pytest.mark.parametrize("case", DOMINATED)
    def test_the_costs_of_all_stages_add_up(self, measured: Measure, case: str) -> None:
        run = measured(f"ds = {DOMINATED[case][0]}")
        costs = [stage.cost for stage in run.only.every_stage]
        assert run.is_whole
        assert run.whole.batches > 0
        assert run.whole.batches_per_second is not None
        assert sum(stage.share or 0.0 for stage in run.only.every_stage) == pytest.approx(1)
        for cost in costs:
            assert cost is not None
            assert 0 <= cost.cpu_seconds <= cost.seconds
            assert 0 <= cost.lock_seconds <= cost.seconds

    def test_elements_and_bytes_for_a_batch_are_exact(self, measured: Measure) -> None:
        run = measured("ds = endless.map(lambda x: tf.zeros([1000])).batch(4).map(lambda x: x + 1).unbatch().batch(8)")
        names = ("range 1", "map 1", "batch 1", "map 2", "unbatch 1", "batch 2")
        assert [run.cost(name).elements for name in names] == pytest.approx([8, 8, 2, 2, 8, 1], rel=0.02)
        for name, size in (("map 1", 4000), ("batch 1", 16000), ("batch 2", 32000)):
            assert run.cost(name).bytes_per_element == pytest.approx(size, rel=0.1)

    def test_a_dataset_that_is_used_twice_gives_its_elements_twice(self, measured: Measure) -> None:
        shared = "shared = endless.map(lambda x: x + 1)"
        run = measured(f"{shared}\nds = tf.data.Dataset.zip((shared.map(light), shared)).batch(4)")
        names = ("range 1", "map 1", "map 2", "zip 1")
        assert [run.cost(name).elements for name in names] == pytest.approx([8, 8, 4, 4], rel=0.05)

    def test_a_filter_takes_more_than_it_gives(self, measured: Measure) -> None:
        run = measured("ds = endless.filter(lambda x: x % 4 == 0).map(light).batch(8)")
        assert run.cost("filter 1").elements == pytest.approx(8, rel=0.02)
        assert run.cost("range 1").elements == pytest.approx(32, rel=0.02)

    def test_python_holds_the_lock_and_the_graph_does_not(self, measured: Measure) -> None:
        run = measured(f"ds = {DOMINATED['Python'][0]}")
        assert run.cost("map 2").lock_seconds > 0
        assert run.cost("map 1").lock_seconds == 0

    def test_a_function_that_sleeps_mostly_waits(self, measured: Measure) -> None:
        run = measured(f"ds = {DOMINATED['a wait'][0]}")
        cost = run.cost("map 1")
        run.settle(max(cost.cpu_seconds, cost.lock_seconds) < cost.seconds / 2)

    def test_a_generator_that_sleeps_mostly_waits(self, measured: Measure) -> None:
        run = measured(f"ds = {DOMINATED['a generator'][0]}")
        run.settle(run.cost("from_generator 1").cpu_seconds < run.cost("from_generator 1").seconds / 2)


class TestAsItRan:
    ZIP = f"ds = {DOMINATED['one branch of a zip'][0]}"

    def test_stateless_maps_were_made_parallel_and_batches_fetched_ahead(self, measured: Measure) -> None:
        run = measured(self.ZIP)
        assert run.cost("map 1").rewritten == run.cost("map 2").rewritten == "ParallelMapV2"
        assert run.cost("zip 1").rewritten is None
        assert run.whole.prefetch_injected

    def test_nothing_is_fetched_ahead_inside_a_function_of_tensorflow(self, measured: Measure) -> None:
        run = measured(self.ZIP, in_tf_function=True)
        assert not run.whole.prefetch_injected
        assert run.whole.batches_per_second is not None

    def test_the_last_map_and_the_batch_were_fused(self, measured: Measure) -> None:
        run = measured(f"ds = {DOMINATED['the first of two maps'][0]}")
        assert run.cost("map 1").rewritten == "ParallelMapV2"
        assert run.cost("map 2").rewritten == run.cost("batch 1").rewritten == "MapAndBatch"

    def test_what_the_user_made_parallel_was_not_rewritten(self, measured: Measure) -> None:
        run = measured(f"ds = {DOMINATED['a parallel map'][0]}")
        assert run.cost("map 1").rewritten is None
        assert run.cost("map 1").parallelism == 2
        assert not run.whole.prefetch_injected

    def test_a_python_function_was_called_once_at_a_time(self, measured: Measure) -> None:
        assert measured(f"ds = {DOMINATED['Python'][0]}").cost("map 2").parallelism == 1


class TestCaches:
    CACHED = "ds = tf.data.Dataset.range(200).map(heavy).cache().map(light).batch(8)"

    def test_the_first_epoch_and_later_ones_are_told_apart(self, measured: Measure) -> None:
        run = measured(self.CACHED)
        first, later = run.pipelines
        assert [measurement_of(each).epoch for each in (first, later)] == ["first", "later"]
        assert run.is_whole
        assert run.cost("map 1", first).seconds > 0
        assert run.cost("map 1", later).elements == 0, "what is cached is not computed again"

    def test_the_file_of_a_cache_is_not_written(self, measured: Measure, tmp_path: Path) -> None:
        path = str(tmp_path / "cache")
        run = measured(f"ds = tf.data.Dataset.range(100).map(light).cache({path!r}).batch(8)")
        assert [measurement_of(each).epoch for each in run.pipelines] == ["first", "later"]
        assert not list(tmp_path.iterdir())


class TestStarts:
    def test_a_generator_that_begins_slowly_is_what_the_first_batch_waits_for(self, measured: Measure) -> None:
        run = measured(
            "def slow_to_begin():\n"
            "    time.sleep(1.0)\n"
            "    yield from range(1 << 20)\n"
            "ds = tf.data.Dataset.from_generator(slow_to_begin, output_signature=tf.TensorSpec([], tf.int64)).batch(8)"
        )
        assert run.whole.start is not None
        run.settle(run.cost("from_generator 1").start_seconds > run.whole.start.seconds / 2)

    def test_a_shuffle_buffer_is_filled_where_there_is_time(self, measured: Measure) -> None:
        start = measured("ds = endless.map(light).shuffle(64).batch(8)").whole.start
        assert start is not None
        assert start.buffers_at_most is None

    def test_one_that_takes_longer_is_not_waited_for(self, measured: Measure) -> None:
        run = measured("ds = endless.map(waiting).shuffle(100_000).batch(8)")
        assert run.whole.start is not None
        assert run.whole.start.buffers_at_most is not None
        assert "smaller shuffle buffers" in run.whole.note

    def test_the_first_epoch_fills_a_buffer_with_no_more_than_there_is(self, measured: Measure) -> None:
        source = "ds = tf.data.Dataset.range(100).map(light).cache().shuffle(100_000).batch(8)"
        first, later = measured(source).pipelines
        assert measurement_of(first).start is not None
        assert measurement_of(later).start is None, "its caches are not those that are full"

    def test_epochs_that_begin_within_the_measurement_are_told(self, measured: Measure) -> None:
        short, long = (
            measured(f"ds = {source}.map(light).batch(8)").whole.start for source in (f"{DATA}.range(16)", "endless")
        )
        assert short is not None
        assert long is not None
        assert (short.in_rate, long.in_rate) == (True, False)


class TestSizes:
    @pytest.mark.parametrize(
        "source",
        [
            "tf.data.Dataset.range(4).map(heavy).batch(4)",
            "tf.data.Dataset.range(1).map(heavy)",
            "tf.data.Dataset.range(40).map(light).shuffle(1000).repeat(2).batch(4).take(3)",
            "endless.map(heavy)",
        ],
    )
    def test_tiny_endless_and_unbatched_datasets_are_measured_whole(self, measured: Measure, source: str) -> None:
        run = measured(f"ds = {source}")
        assert run.is_whole
        assert run.cost("map 1").seconds > 0
        assert run.whole.batches_per_second is not None

    def test_no_elements(self, measured: Measure) -> None:
        run = measured("ds = tf.data.Dataset.range(0).map(heavy).batch(4)")
        assert run.whole.note == "the dataset has no elements"
        assert run.whole.batches_per_second is None

    def test_too_much_to_copy(self, measured: Measure, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(measurement, "_SERIALIZED_AT_MOST", 1000)
        run = measured("ds = tf.data.Dataset.from_tensor_slices(tf.zeros([1000, 4])).repeat().batch(8)")
        assert [stage.cost for stage in run.only.stages] == [None] * 3
        assert run.whole.batches_per_second is not None
        assert "only the whole was measured" in run.whole.note

    def test_a_silent_engine(self, measured: Measure) -> None:
        run = measured(
            "options = tf.data.Options()\n"
            "options.autotune.enabled = False\n"
            "ds = endless.map(spinning).map(light).batch(8).with_options(options)"
        )
        assert run.is_whole
        assert run.cost("map 1").seconds > 0
        assert run.whole.batches_per_second is not None
        assert not run.whole.prefetch_injected


class TestErrors:
    FAILING: ClassVar = {
        "an operation": "ds = tf.data.Dataset.range(9).map(lambda x: tf.debugging.check_numerics(1 / (x - 5), 'no'))",
        "Python": "ds = tf.data.Dataset.range(9).map(in_python(lambda x: 1 // (5 - int(x)) + x)).batch(2)",
        "a generator": "ds = tf.data.Dataset.from_generator(lambda: (1 // (5 - x) for x in range(9)), tf.int64)",
        "a missing file": "ds = tf.data.TFRecordDataset(['/missing/file']).map(tf.strings.length).batch(2)",
        "elements that differ": "ds = tf.data.Dataset.range(9).map(lambda x: tf.range(x)).batch(2)",
    }
    WITH_A_PLACE = ("an operation", "Python", "a generator")

    @pytest.mark.parametrize("case", FAILING)
    def test_the_note_says_in_one_line_what_was_raised(self, measured: Measure, case: str) -> None:
        run = measured(self.FAILING[case])
        assert "the dataset raised " in run.whole.note
        assert "\n" not in run.whole.note
        assert [stage.op for stage in run.only.stages]

    @pytest.mark.parametrize("case", WITH_A_PLACE)
    def test_the_note_says_where(self, measured: Measure, case: str) -> None:
        run = measured(self.FAILING[case])
        line = len(run.program.source.splitlines())
        assert re.search(rf"train\.py:{line}: ", run.whole.note)

    def test_an_error_after_a_while(self, measured: Measure) -> None:
        run = measured("ds = endless.map(in_python(lambda x: 1 // (200 - int(x)) + x)).batch(2)")
        assert "ZeroDivisionError" in run.whole.note
