"""What twice the cores and a tf.data service would give pipelines whose every cost is known."""

from __future__ import annotations

from typing import Any

import pytest

from pipelint.dynamic.profile import Scaling, Service
from tests.dynamic.measured_chains import PURE, PYTHON, RANDOM, Chain, step

MEBIBYTE = 2**20
TUNED = {"num_parallel_calls": -1}


def mapped(milliseconds: float = 8.0, **known: Any) -> Chain:
    """A map that takes so long for a batch, with a batch behind it that costs next to nothing."""
    return Chain().then("range").then("map", milliseconds, **{"function": PURE, **known}).then("batch").then("prefetch")


def scaled(chain: Chain, cores: int = 2, **known: Any) -> Scaling:
    found = chain.profile(cores=cores, **known).scaling
    assert found is not None
    return found


class TestTwiceTheCores:
    def test_work_that_tensorflow_tunes_gets_all_of_them(self) -> None:
        found = scaled(mapped(arguments=TUNED, parallelism=2))
        assert found.cores == 4
        assert found.batches_per_second == pytest.approx(500)

    def test_a_map_that_tensorflow_made_parallel_gets_them_too(self) -> None:
        found = scaled(mapped(rewritten="ParallelMapV2", parallelism=2))
        assert found.batches_per_second == pytest.approx(500)

    def test_waiting_calls_get_the_threads_that_come_with_them(self) -> None:
        found = scaled(mapped(80, waits=1.0, arguments=TUNED, parallelism=2))
        assert found.batches_per_second == pytest.approx(50)

    def test_a_number_of_calls_that_is_written_stays(self) -> None:
        found = scaled(mapped(arguments={"num_parallel_calls": 3}, parallelism=3))
        assert found.batches_per_second == pytest.approx(375)
        assert found.resource == "thread"

    @pytest.mark.parametrize("rewritten", [None, "MapAndBatch"])
    def test_one_call_at_a_time_stays_one(self, rewritten: str | None) -> None:
        chain = mapped(function=RANDOM, rewritten=rewritten)
        found = scaled(chain, batches_per_second=120.0)
        assert found.batches_per_second == pytest.approx(120)
        assert (found.resource, found.held_by and found.held_by.op) == ("thread", "map")

    def test_the_cycle_of_an_interleave_stays(self) -> None:
        chain = Chain().then("list_files").then("TFRecordDataset", 8, waits=1.0, inside=True)
        chain.then("interleave", inputs=(0,), inner=(1,), function=PURE, arguments={**TUNED, "cycle_length": 2})
        assert scaled(chain).batches_per_second == pytest.approx(scaled(chain, cores=4).batches_per_second)

    def test_pythons_lock_stays_one(self) -> None:
        found = scaled(mapped(lock=1.0, function=PYTHON, arguments=TUNED, parallelism=2))
        assert found.resource == "lock"
        assert found.batches_per_second == pytest.approx(125)

    def test_a_pool_that_the_options_set_stays(self) -> None:
        chain = mapped(80, waits=1.0, arguments=TUNED, parallelism=2)
        chain.then("with_options", options={"threading.private_threadpool_size": 2})
        assert scaled(chain).batches_per_second == pytest.approx(25)

    def test_the_rate_goes_on_from_what_was_measured(self) -> None:
        found = scaled(mapped(arguments=TUNED, parallelism=2), batches_per_second=200.0)
        assert found.batches_per_second == pytest.approx(400)

    def test_tuning_that_is_still_under_way_is_no_gain_of_cores(self) -> None:
        found = scaled(mapped(arguments=TUNED, parallelism=1), batches_per_second=200.0)
        assert found.batches_per_second == pytest.approx(400)

    def test_nothing_is_said_where_nobody_waits(self) -> None:
        chain = mapped(arguments=TUNED, parallelism=2)
        assert chain.profile(step=step(0.2, waiting=0.0), batches_per_second=250.0).scaling is None

    def test_nothing_is_said_where_no_stage_was_measured(self) -> None:
        assert mapped().profile(costs={}, batches_per_second=50.0).scaling is None


class TestService:
    def test_as_many_workers_as_the_step_is_faster(self) -> None:
        chain = mapped(arguments=TUNED, parallelism=2, bytes_per_element=8.0)
        service = scaled(chain, step=step(0.001, waiting=0.75)).service
        assert service is not None
        assert service.workers == 4
        assert service.batches_per_second == pytest.approx(1000)

    def test_none_are_needed_where_this_machine_does_at_its_limit(self) -> None:
        chain = mapped(function=RANDOM)
        assert scaled(chain, step=step(0.005, waiting=0.4)).service is None

    def test_none_are_counted_without_a_step(self) -> None:
        assert scaled(mapped(arguments=TUNED, parallelism=2)).service is None

    def test_python_code_stays_in_its_process(self) -> None:
        chain = mapped(lock=1.0, function=PYTHON)
        profile = chain.profile(step=step(0.001, waiting=0.9))
        assert profile.scaling is not None
        assert profile.scaling.service == Service(only_here=profile.stages[1])

    def test_large_batches_are_bound_by_what_a_consumer_receives(self) -> None:
        def service(mebibytes: float) -> Service:
            chain = mapped(400, arguments=TUNED, parallelism=2)
            chain.then("take", bytes_per_element=mebibytes * MEBIBYTE)
            found = scaled(chain, step=step(0.01, waiting=0.9)).service
            assert found is not None
            return found

        assert service(1).batches_per_second == pytest.approx(100)
        assert 5 < (service(100).batches_per_second or 0.0) < 20
        assert service(1000) == Service()
