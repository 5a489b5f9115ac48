"""Rates, limits and bottlenecks of pipelines whose every cost is known."""

from __future__ import annotations

from typing import Any

import pytest

from tests.dynamic.measured_chains import PURE, PYTHON, RANDOM, Chain


def test_stages_without_threads_of_their_own_take_turns_in_one() -> None:
    model = Chain().then("range", 1).then("map", 4, function=RANDOM).then("batch", 5).model()
    assert model.rate(model.current) == pytest.approx(100)


def test_a_prefetch_lets_both_its_sides_run_at_once() -> None:
    chain = Chain().then("range", 4).then("prefetch").then("filter", 6, function=PURE)
    model = chain.model()
    assert model.rate(model.current) == pytest.approx(1000 / 6)


def test_a_parallel_map_delivers_as_its_calls_overlap() -> None:
    chain = Chain().then("range").then("map", 8, function=PURE, arguments={"num_parallel_calls": -1}, parallelism=2)
    model = chain.model()
    assert model.rate(model.current) == pytest.approx(250)


def test_a_map_that_tensorflow_made_parallel_counts_as_parallel() -> None:
    chain = Chain().then("range").then("map", 8, function=PURE, rewritten="ParallelMapV2", parallelism=4)
    model = chain.model()
    assert model.rate(model.current) == pytest.approx(500)


def test_threads_do_not_make_cores() -> None:
    chain = Chain().then("range").then("map", 8, function=PURE, arguments={"num_parallel_calls": 32}, parallelism=32)
    model = chain.model(cores=2)
    assert model.rate(model.current) == pytest.approx(250)


def test_calls_that_wait_are_bounded_by_the_threads_of_the_pool() -> None:
    waiting: dict[str, Any] = {
        "waits": 1.0,
        "function": PURE,
        "arguments": {"num_parallel_calls": 16},
        "parallelism": 16,
    }
    plain = Chain().then("range").then("map", 20, **waiting).model(cores=2)
    pooled = Chain().then("range").then("map", 20, **waiting)
    pooled.then("with_options", options={"threading.private_threadpool_size": 16})
    roomy = pooled.model(cores=2)
    assert plain.rate(plain.current) == pytest.approx(100)
    assert roomy.rate(roomy.current) == pytest.approx(800)


def test_pythons_lock_lets_one_call_through_however_many_threads_there_are() -> None:
    chain = Chain().then("range")
    chain.then("map", 10, lock=1.0, function=PYTHON, arguments={"num_parallel_calls": 4}, parallelism=4)
    model = chain.model()
    assert model.rate(model.current) == pytest.approx(100)
    assert model.limit(model.current).resource == "lock"


def interleaved(**interleave: Any) -> Chain:
    chain = Chain().then("list_files", several=True)
    chain.then("TFRecordDataset", 12, inside=True, waits=0.9)
    return chain.then("interleave", 0.0, inputs=(0,), inner=(1,), function=PURE, **interleave)


def test_what_is_nested_in_a_parallel_interleave_runs_with_its_parallelism() -> None:
    parallel = interleaved(arguments={"num_parallel_calls": 4}, parallelism=4).model()
    sequential = interleaved().model()
    assert parallel.rate(parallel.current) == pytest.approx(4 * sequential.rate(sequential.current))


def test_the_function_of_a_parallel_interleave_opens_one_pipeline_at_a_time() -> None:
    chain = Chain().then("list_files", several=True).then("TFRecordDataset", 1, inside=True)
    chain.then("interleave", 10, inputs=(0,), inner=(1,), function=PURE, arguments={"num_parallel_calls": 4})
    model = chain.model()
    assert model.rate(model.best) == pytest.approx(100)
    assert model.bottleneck is model.pipeline.every_stage[2]


def test_branches_of_a_zip_share_the_thread_that_pulls_it() -> None:
    chain = Chain().then("range", 3).then("range", 5, inputs=()).then("zip", 2, inputs=(0, 1))
    model = chain.model()
    assert model.rate(model.current) == pytest.approx(100)
    assert model.bottleneck is model.pipeline.every_stage[1]


def test_the_limit_has_every_core_at_work_on_what_can_be_parallel() -> None:
    chain = Chain().then("range").then("map", 10, function=RANDOM).then("map", 10, function=RANDOM).then("batch")
    assert chain.model().limit_batches_per_second == pytest.approx(200)


def test_the_limit_leaves_a_generator_alone_with_its_thread() -> None:
    chain = Chain().then("from_generator", 10, lock=0.5).then("map", 10, function=PURE).then("batch")
    assert chain.model().limit_batches_per_second == pytest.approx(100)


def test_the_limit_gives_waiting_work_more_threads_than_cores() -> None:
    chain = Chain().then("range").then("map", 20, waits=1.0, function=PURE).then("batch")
    assert chain.model(cores=2).limit_batches_per_second == pytest.approx(800)


def test_only_several_record_files_can_be_read_at_once() -> None:
    one, many = (Chain().then("TFRecordDataset", 10, waits=1.0, several=several).model() for several in (False, True))
    assert one.limit_batches_per_second == pytest.approx(100)
    assert many.limit_batches_per_second == pytest.approx(1600)


def test_the_limit_is_never_below_what_was_measured() -> None:
    model = Chain().then("range", 10).then("batch").model(batches_per_second=300.0)
    assert model.limit_batches_per_second == pytest.approx(300)


def test_predictions_start_from_the_measured_rate() -> None:
    chain = Chain().then("range").then("map", 10, function=RANDOM).then("batch")
    model = chain.model(batches_per_second=80.0)
    assert model.rate(model.current) == pytest.approx(80)
    assert model.limit_batches_per_second == pytest.approx(320)


@pytest.mark.parametrize(
    ("chain", "bottleneck"),
    [
        pytest.param(
            Chain().then("range", 1).then("map", 9, function=PURE).then("batch", 2), 1, id="largest in a thread"
        ),
        pytest.param(
            Chain()
            .then("range", 6)
            .then("map", 16, function=PURE, arguments={"num_parallel_calls": 4}, parallelism=4)
            .then("batch", 1),
            0,
            id="sequential before parallel",
        ),
        pytest.param(
            Chain()
            .then("range", 1)
            .then("map", 8, lock=1.0, function=PYTHON, arguments={"num_parallel_calls": 4}, parallelism=4)
            .then("filter", 6, function=PURE),
            1,
            id="python holds its lock",
        ),
        pytest.param(
            Chain()
            .then("range", 1)
            .then("map", 20, function=PURE, arguments={"num_parallel_calls": 4}, parallelism=4)
            .then("map", 12, function=PURE, arguments={"num_parallel_calls": 4}, parallelism=4),
            1,
            id="all cores at work",
        ),
    ],
)
def test_the_bottleneck_has_most_of_the_scarcest_resource(chain: Chain, bottleneck: int) -> None:
    model = chain.model()
    assert model.bottleneck is model.pipeline.every_stage[bottleneck]


@pytest.mark.parametrize(
    ("cost", "bound"),
    [
        ({"function": PURE}, "cpu"),
        ({"function": PURE, "waits": 0.9}, "io"),
        ({"function": PYTHON, "lock": 0.9}, "python"),
        ({"function": PYTHON, "lock": 0.05, "waits": 0.9}, "io"),
        ({"function": PYTHON}, "python"),
        ({"function": PYTHON, "lock": 0.1}, "python"),
    ],
)
def test_a_stage_is_bound_by_what_it_spends_its_time_on(cost: dict[str, Any], bound: str) -> None:
    pipeline = Chain().then("range", 0.01).then("map", 10, **cost).pipeline()
    assert [stage.bound for stage in pipeline.stages] == [None, bound]


def test_nothing_is_claimed_where_only_the_throughput_is_known() -> None:
    model = Chain().then("range").then("batch").model(costs={}, batches_per_second=10.0)
    assert (model.limit_batches_per_second, model.bottleneck) == (None, None)
    assert model.speedup(model.best) is None
