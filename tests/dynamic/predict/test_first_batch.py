"""The time up to the first batch of pipelines whose every cost is known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pipelint.dynamic.profile import FirstBatch, PipelineProfile
from pipelint.knowledge.consumption import ConsumerKind, Purpose
from pipelint.model.consumer import Consumer
from pipelint.model.cost import Start
from pipelint.model.locations import NOWHERE
from tests.dynamic.measured_chains import PURE, RANDOM, Chain, step

BUFFER = 1_000
WAITS = "waiting for its first batch"


def shuffled(batches: int | None = 200, **known: Any) -> Chain:
    """A thousand elements of 1 ms each are shuffled before there is a batch of ten."""
    count = None if batches is None else max(-1, 10 * batches)
    chain = Chain().then("range", elements=10.0)
    chain.then("map", 10, elements=10.0, function=RANDOM, cardinality=count, **known)
    chain.then("shuffle", elements=10.0, arguments={"buffer_size": BUFFER}, cardinality=count)
    return chain.then("batch", cardinality=batches).then("prefetch", cardinality=batches)


def started(profile: PipelineProfile) -> FirstBatch:
    assert profile.first_batch is not None
    return profile.first_batch


def remarks(profile: PipelineProfile) -> str:
    return "\n".join(remark for remark in profile.remarks if WAITS in remark)


class TestCauses:
    def test_a_shuffle_that_fills_its_buffer(self) -> None:
        profile = shuffled().profile(start=Start(1.05, 1.04, 0.02), batches_per_second=100.0)
        first = started(profile)
        assert (first.seconds, first.later_seconds, first.predicted) == (1.05, 1.04, False)
        assert first.delay is not None
        assert (first.delay.stage, first.delay.elements) == (profile.stages[2], BUFFER)
        assert first.delay.seconds == pytest.approx(1.0, rel=0.01)

    def test_it_fills_as_fast_as_its_input_runs(self) -> None:
        chain = shuffled(arguments={"num_parallel_calls": -1}, parallelism=4)
        first = started(chain.profile(start=Start(0.3), batches_per_second=400.0))
        assert first.delay is not None
        assert first.delay.seconds == pytest.approx(0.25, rel=0.01)

    def test_a_buffer_takes_no_more_than_there_is(self) -> None:
        first = started(shuffled(batches=30).profile(start=Start(0.35), batches_per_second=100.0))
        assert first.delay is not None
        assert first.delay.elements == 300

    def test_a_source_that_takes_long_to_begin(self) -> None:
        chain = Chain().then("from_generator", 1).then("batch", 1)
        chain.costs[chain.stages[0]] = replace(chain.costs[chain.stages[0]], start_seconds=0.7)
        profile = chain.profile(start=Start(0.72), batches_per_second=500.0)
        first = started(profile)
        assert first.delay is not None
        assert (first.delay.stage, first.delay.elements) == (profile.stages[0], None)

    def test_nothing_is_named_that_is_the_smaller_part(self) -> None:
        assert started(shuffled().profile(start=Start(3.0), batches_per_second=100.0)).delay is None

    def test_nothing_is_known_where_nothing_was_measured(self) -> None:
        assert shuffled().profile(costs={}, note="no").first_batch is None


class TestPredicted:
    def test_buffers_that_were_made_smaller_are_filled_by_calculation(self) -> None:
        chain = shuffled()
        first = started(chain.profile(start=Start(0.3, 0.29, buffers_at_most=256), batches_per_second=100.0))
        assert first.predicted
        assert first.seconds == pytest.approx(0.3 + 0.744, rel=0.01)

    def test_later_epochs_fill_them_from_the_cache(self) -> None:
        chain = Chain().then("range", elements=10.0).then("map", 10, elements=10.0, function=PURE)
        chain.then("cache", 0.01, elements=10.0)
        chain.then("shuffle", 0.01, elements=10.0, arguments={"buffer_size": BUFFER}).then("batch", 0.1)
        later = {stage: chain.costs[stage] for stage in chain.stages[2:]}
        first = started(chain.profile(costs=later, epoch="later", batches_per_second=5000.0))
        assert first.predicted
        assert first.seconds < 0.1 * started(chain.profile(start=Start(1.1), batches_per_second=100.0)).seconds


class TestEpochs:
    def test_a_short_epoch_has_a_large_part_before_its_first_batch(self) -> None:
        chain = shuffled(batches=200, arguments={"num_parallel_calls": -1}, parallelism=4)
        profile = chain.profile(start=Start(0.25, 0.25), step=step(0.004, waiting=0.05), batches_per_second=400.0)
        first = started(profile)
        assert first.epoch_batches == 200
        assert first.share == pytest.approx(0.25 / (first.epoch_seconds or 0.0))
        assert "the shuffle at train.py:3 fills its buffer" in remarks(profile)
        assert "if it stands before the map at train.py:2" in remarks(profile)

    def test_a_long_epoch_has_none_to_speak_of(self) -> None:
        chain = shuffled(batches=20_000, arguments={"num_parallel_calls": -1}, parallelism=4)
        profile = chain.profile(start=Start(0.25, 0.25), step=step(0.004, waiting=0.05), batches_per_second=400.0)
        assert (started(profile).share or 1.0) < 0.01
        assert not remarks(profile)

    def test_what_has_to_be_made_anyway_is_not_lost(self) -> None:
        profile = shuffled().profile(start=Start(1.0, 1.0), step=step(0.0001, waiting=0.99), batches_per_second=100.0)
        assert (started(profile).share or 0.0) > 0.3
        assert not remarks(profile)

    def test_a_buffer_of_paths_spares_the_epoch_no_decoding(self) -> None:
        chain = Chain().then("from_tensor_slices", elements=10.0, cardinality=300)
        chain.then("shuffle", elements=10.0, arguments={"buffer_size": BUFFER}, cardinality=300)
        chain.then("map", 10, elements=10.0, function=RANDOM, cardinality=300).then("batch", cardinality=30)
        first = started(chain.profile(start=Start(0.02, 0.02), batches_per_second=100.0))
        assert first.epoch_seconds == pytest.approx(0.02 + 29 * 0.01)

    def test_a_smaller_buffer_where_the_source_itself_is_dear(self) -> None:
        chain = Chain().then("TFRecordDataset", 10, elements=10.0)
        chain.then("shuffle", elements=10.0, arguments={"buffer_size": BUFFER}, cardinality=2000)
        chain.then("batch", cardinality=200).then("prefetch", cardinality=200)
        profile = chain.profile(start=Start(1.0, 1.0), step=step(0.01, waiting=0.05), batches_per_second=100.0)
        assert "with a buffer of " in remarks(profile)

    def test_a_generator_does_anew_what_stands_before_its_first_element(self) -> None:
        chain = Chain().then("from_generator", 1).then("batch", 1, cardinality=20)
        chain.costs[chain.stages[0]] = replace(chain.costs[chain.stages[0]], start_seconds=0.7)
        profile = chain.profile(start=Start(0.72, 0.71), batches_per_second=500.0)
        assert "the from_generator at train.py:1 does before its first element" in remarks(profile)

    def test_a_rate_with_starts_in_it_counts_them_once(self) -> None:
        chain = shuffled(batches=20, arguments={"num_parallel_calls": -1}, parallelism=4)
        known: dict[str, Any] = {"batches_per_second": 40.0}
        apart = started(chain.profile(start=Start(0.25, 0.25), **known))
        counted = started(chain.profile(start=Start(0.25, 0.25, in_rate=True), **known))
        assert (counted.share or 0.0) >= (apart.share or 0.0)

    def test_without_an_end_there_is_one_start(self) -> None:
        first = started(shuffled(batches=-1).profile(start=Start(1.1, 1.1), batches_per_second=100.0))
        assert (first.later_seconds, first.epoch_batches, first.share) == (None, None, None)

    def test_a_single_epoch_has_one_start(self) -> None:
        once = Consumer(ConsumerKind.FIT, NOWHERE, Purpose.TRAINING, passes=1)
        assert started(shuffled().profile(start=Start(1.05, 1.04), consumer=once)).later_seconds is None

    def test_an_end_that_nobody_knows_has_later_starts_and_no_share(self) -> None:
        first = started(shuffled(batches=None).profile(start=Start(1.1, 1.0), batches_per_second=100.0))
        assert (first.later_seconds, first.epoch_batches, first.share) == (1.0, None, None)

    def test_the_first_epoch_before_a_cache_says_nothing_of_later_ones(self) -> None:
        chain = shuffled(arguments={"num_parallel_calls": -1}, parallelism=4)
        known: dict[str, Any] = {"start": Start(0.25, 0.25), "batches_per_second": 400.0}
        profile = chain.profile(epoch="first", step=step(0.004, waiting=0.05), **known)
        assert started(profile).later_seconds is None
        assert not remarks(profile)
