"""From a measured run to a profile."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pipelint.dynamic.measure.measured_run import MeasuredRun
from pipelint.dynamic.profile import Profile
from pipelint.knowledge.consumption import ConsumerKind, Purpose
from pipelint.model.consumer import Consumer
from pipelint.model.cost import Cost
from pipelint.model.locations import NOWHERE, Place
from pipelint.report.profile import json as profile_json
from tests.dynamic.measured_chains import GIBIBYTE, PURE, PYTHON, RANDOM, Chain, analysed, run, step


def shown(profile: Profile) -> Any:
    """The first pipeline as JSON shows it."""
    return json.loads(profile_json.render(profile))["pipelines"][0]


def test_a_stage_has_its_share_of_the_time_of_all() -> None:
    chain = Chain().then("range", 2).then("map", 6, function=PURE).then("batch", 2)
    stages = shown(analysed(run(chain.pipeline())))["stages"]
    assert [stage["share"] for stage in stages] == pytest.approx([0.2, 0.6, 0.2])
    assert [stage["rate"] for stage in stages] == pytest.approx([500, 1000 / 6, 500])
    assert sum(stage["seconds_per_batch"] or 0 for stage in stages) == pytest.approx(0.01)


def test_places_are_as_findings_show_them_with_the_line_of_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "data" / "train.py"
    script.parent.mkdir()
    script.write_text("def build(ds):\n    return ds.batch(2)\n", encoding="utf-8")
    chain = Chain().then("batch", place=Place(str(script), 2, 15, 20, "build"))
    pipeline = shown(
        analysed(run(chain.pipeline(consumer=Consumer(ConsumerKind.FIT, Place(str(script), 9), Purpose.TRAINING))))
    )
    (stage,) = pipeline["stages"]
    assert (stage["path"], stage["line"], stage["column"]) == ("data/train.py", 2, 15)
    assert stage["source"] == "return ds.batch(2)"
    assert (pipeline["path"], pipeline["line"]) == ("data/train.py", 9)


def test_a_cell_keeps_its_name() -> None:
    chain = Chain().then("batch", place=Place("<ipython-input-3>", 1))
    pipeline = shown(analysed(run(chain.pipeline(consumer=Consumer(ConsumerKind.ITERATOR, NOWHERE)))))
    assert pipeline["stages"][0]["path"] == "<ipython-input-3>"


def test_a_stage_leads_to_its_inputs_and_to_the_pipelines_inside_it() -> None:
    chain = Chain().then("list_files").then("TFRecordDataset", 1, inside=True)
    pipeline = chain.then("interleave", 1, inputs=(0,), inner=(1,), function=PURE).pipeline()
    stages = shown(analysed(run(pipeline)))["stages"]
    assert [(stage["inputs"], stage["nested_in"]) for stage in stages] == [([], None), ([], 2), ([0, 1], None)]


def test_what_tensorflow_rewrote_and_what_the_function_is_are_shown_on_the_stage() -> None:
    chain = Chain().then("range").then("map", 1, function=PYTHON, rewritten="MapAndBatch")
    stage = shown(analysed(run(chain.pipeline())))["stages"][1]
    assert (stage["rewritten_by_tensorflow"], stage["stateful"]) == ("MapAndBatch", True)
    assert stage["function"] == "`load`"


def test_a_pipeline_that_the_step_does_not_wait_for_is_bound_by_its_consumer() -> None:
    chain = Chain().then("range").then("map", 6, function=PURE).then("batch", 1)
    profile = chain.profile(step=step(0.041, waiting=0.01), batches_per_second=140.0)
    assert profile.bound == "consumer"
    assert profile.input_bound == pytest.approx(0.01)
    assert profile.step == step(0.041, waiting=0.01)


@pytest.mark.parametrize(("seconds", "share"), [(0.005, 0.5), (0.05, 0.0)])
def test_a_step_of_another_machine_waits_for_what_this_pipeline_takes_longer(seconds: float, share: float) -> None:
    chain = Chain().then("range").then("map", 9, function=RANDOM).then("batch", 1)
    measured = run(chain.pipeline(step=step(0.2, waiting=0.1), batches_per_second=100.0)).with_step(seconds)
    (profile,) = analysed(measured).pipelines
    assert profile.input_bound == pytest.approx(share)
    assert bool(profile.suggestions) == (share > 0)


@pytest.mark.parametrize(("cost", "bound"), [({}, "cpu"), ({"waits": 0.9}, "io"), ({"lock": 0.9}, "python")])
def test_a_pipeline_is_bound_by_what_its_bottleneck_spends_time_on(cost: dict[str, Any], bound: str) -> None:
    profile = Chain().then("range").then("map", 6, function=PURE, **cost).then("batch", 1).profile()
    assert (profile.bottleneck, profile.bound) == (profile.stages[1], bound)


def test_a_pipeline_that_fills_the_machine_is_bound_by_memory() -> None:
    profile = Chain().then("range").then("batch", 1).profile(memory_bytes=15 * GIBIBYTE)
    assert profile.bound == "memory"


def test_a_pipeline_of_which_only_the_throughput_is_known_is_still_told() -> None:
    chain = Chain().then("range").then("map", function=PURE).then("batch")
    profile = chain.profile(costs={}, batches_per_second=50.0, note="the graph could not be read")
    assert profile.measurement.batches_per_second == 50.0
    assert (profile.limit_batches_per_second, profile.bottleneck) == (None, None)
    assert [stage.share for stage in profile.stages] == [None] * 3
    assert profile.note == "the graph could not be read"


def test_stages_that_cost_nothing_have_no_rate_and_no_share_of_nothing() -> None:
    chain = Chain().then("range").then("batch")
    free = dict.fromkeys(chain.stages, Cost(elements=1.0))
    stages = shown(analysed(run(chain.pipeline(costs=free, batches_per_second=1e5))))["stages"]
    assert [(stage["rate"], stage["share"], stage["bound"]) for stage in stages] == [(None, 0.0, None)] * 2


def test_later_epochs_are_analysed_by_what_is_left_to_do() -> None:
    chain = Chain().then("range").then("map", 50, function=PURE).then("cache").then("batch", 1)
    later = {stage: chain.costs[stage] for stage in chain.stages[2:]}
    profile = chain.profile(costs=later, epoch="later")
    assert (profile.measurement.epoch, profile.bottleneck) == ("later", profile.stages[3])
    assert profile.limit_batches_per_second == pytest.approx(4000)


def test_a_run_that_ended_early_keeps_its_reason() -> None:
    profile = analysed(MeasuredRun("train.py", "2.21.0", 2, GIBIBYTE, error="train.py:3 raised ValueError"))
    assert (profile.pipelines, profile.error) == ((), "train.py:3 raised ValueError")
