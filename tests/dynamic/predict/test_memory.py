"""What buffers and caches will hold, and where a cache may stand."""

from __future__ import annotations

from typing import Any

import pytest

from pipelint.dynamic.predict.memory import cache_place, holdings
from pipelint.model.definitions import MappedFunction
from tests.dynamic.measured_chains import GIBIBYTE, PURE, PYTHON, RANDOM, Chain

SIZED: dict[str, Any] = {"cardinality": 1000, "element_bytes": 10_000}


def test_a_shuffle_buffer_is_foretold_before_it_bursts() -> None:
    chain = Chain().then("range").then("map", function=PURE, cardinality=50_000)
    chain.then("shuffle", arguments={"buffer_size": 10_000}, element_bytes=588 * 1024, cardinality=50_000)
    profile = chain.profile()
    assert profile.memory_forecast_bytes == 10_000 * 588 * 1024
    assert "the shuffle buffer at train.py:3 will hold 10,000 elements of 588 KiB: 5.6 GiB of 16 GiB" in profile.remarks


def test_a_buffer_that_does_not_fit_says_so() -> None:
    chain = Chain().then("range").then("shuffle", arguments={"buffer_size": 2**20}, element_bytes=2**20)
    assert chain.profile().remarks[0].endswith("1 TiB of 16 GiB, which does not fit")


@pytest.mark.parametrize(
    ("stage", "held"),
    [
        ({"op": "shuffle", "arguments": {"buffer_size": 5000}, **SIZED}, 10_000_000),
        ({"op": "shuffle", "arguments": {"buffer_size": 50}, **SIZED}, 500_000),
        ({"op": "prefetch", "arguments": {"buffer_size": 4}, **SIZED}, 40_000),
        ({"op": "prefetch", "arguments": {"buffer_size": -1}, **SIZED}, None),
        ({"op": "cache", **SIZED}, 10_000_000),
        ({"op": "cache", "arguments": {"filename": "/tmp/cache"}, **SIZED}, None),
        ({"op": "cache", "cardinality": None, "element_bytes": 10_000}, None),
        ({"op": "cache", "cardinality": -1, "element_bytes": 10_000}, None),
        ({"op": "shuffle", "arguments": {"buffer_size": 50}}, None),
    ],
)
def test_a_forecast_rests_on_known_counts_and_sizes(stage: dict[str, Any], held: int | None) -> None:
    assert Chain().then("range").then(**stage).profile().memory_forecast_bytes == held


def test_measured_sizes_win_over_shapes() -> None:
    chain = Chain().then("range").then("cache", cardinality=10, element_bytes=1, bytes_per_element=100.0)
    assert [holding.bytes for holding in holdings(chain.pipeline())] == [1000]


def place(chain: Chain, machine_bytes: int = 16 * GIBIBYTE) -> int | None:
    pipeline = chain.pipeline()
    found = cache_place(pipeline, machine_bytes)
    return pipeline.numbers[found.stage] if found else None


def decoded(function: MappedFunction = PURE) -> Chain:
    return Chain().then("from_tensor_slices", cardinality=1000, element_bytes=8).then("map", function=function, **SIZED)


def test_a_cache_stands_as_close_to_the_end_as_it_may() -> None:
    assert place(decoded().then("batch", cardinality=32, element_bytes=320_000).then("prefetch")) == 2


def test_a_cache_stays_before_what_is_random() -> None:
    assert place(decoded().then("map", function=RANDOM, **SIZED).then("batch", cardinality=32, element_bytes=9)) == 1


def test_a_cache_stays_before_a_shuffle_that_reshuffles() -> None:
    shuffled = {"op": "shuffle", **SIZED}
    assert place(decoded().then(**shuffled)) == 1
    assert place(decoded().then(**shuffled, arguments={"reshuffle_each_iteration": False})) == 2


def test_a_cache_stays_before_an_endless_repeat() -> None:
    assert place(decoded().then("repeat", cardinality=-1).then("batch", cardinality=-1, element_bytes=9)) == 1


def test_a_cache_stays_behind_what_takes_a_part() -> None:
    assert place(decoded().then("take", cardinality=100, element_bytes=10_000)) == 2
    assert place(decoded().then("take", cardinality=100, element_bytes=10_000).then("map", function=RANDOM)) == 2
    assert place(decoded().then("take", cardinality=100).then("map", function=RANDOM)) is None


def test_a_cache_may_stand_behind_a_source_that_branches_share() -> None:
    shared = decoded().then("map", function=RANDOM, **SIZED).then("map", inputs=(1,), function=RANDOM, **SIZED)
    assert place(shared.then("zip", inputs=(2, 3), **SIZED).then("batch", **SIZED)) == 1
    apart = decoded().then("from_tensor_slices", inputs=()).then("map", function=RANDOM, **SIZED)
    assert place(apart.then("zip", inputs=(1, 3), **SIZED).then("batch", **SIZED)) is None


def test_a_cache_has_to_fit_beside_the_buffers() -> None:
    read = Chain().then("TFRecordDataset", cardinality=1000, element_bytes=8).then("map", function=PURE, **SIZED)
    assert place(read, machine_bytes=10_000_000) == 0
    buffered = read.then("shuffle", arguments={"buffer_size": 1000}, **SIZED)
    assert place(buffered, machine_bytes=15_000_000) == 0
    assert place(buffered, machine_bytes=30_000_000) == 1


@pytest.mark.parametrize(
    "chain",
    [
        pytest.param(Chain().then("from_generator", **SIZED).then("map", function=PURE, **SIZED), id="a generator"),
        pytest.param(Chain().then("list_files", **SIZED).then("map", function=PURE, **SIZED), id="shuffled files"),
        pytest.param(
            Chain().then("from_tensor_slices").then("map", function=PURE, cardinality=1000), id="unknown size"
        ),
        pytest.param(Chain().then("from_tensor_slices").then("map", function=PYTHON, **SIZED), id="stateful function"),
        pytest.param(decoded().then("cache", **SIZED).then("batch", **SIZED), id="cached already"),
        pytest.param(Chain().then("from_tensor_slices", **SIZED).then("batch", **SIZED), id="in memory already"),
        pytest.param(
            Chain()
            .then("from_tensor_slices")
            .then("map", inside=True, function=RANDOM)
            .then("interleave", inputs=(0,), inner=(1,), function=PURE, **SIZED),
            id="random inside",
        ),
    ],
)
def test_no_cache_where_it_could_change_the_elements_or_is_no_use(chain: Chain) -> None:
    assert place(chain) is None
