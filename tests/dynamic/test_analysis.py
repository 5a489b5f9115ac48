"""From a recording to a profile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipelint.dynamic.analysis import analyse
from pipelint.dynamic.profile import StepProfile
from pipelint.dynamic.recording import RecordedConsumer, RecordedPipeline, RecordedStage, Recording, StageCost
from pipelint.model.locations import Place
from tests.dynamic.recordings import GIBIBYTE, PURE, PYTHON, Chain, step


def test_a_stage_has_its_share_of_the_time_of_all() -> None:
    profile = Chain().then("range", 2).then("map", 6, function=PURE).then("batch", 2).profile()
    assert [stage.share for stage in profile.stages] == pytest.approx([0.2, 0.6, 0.2])
    assert [stage.rate for stage in profile.stages] == pytest.approx([500, 1000 / 6, 500])
    assert sum(stage.seconds_per_batch or 0 for stage in profile.stages) == pytest.approx(0.01)


def test_places_are_as_findings_show_them_with_the_line_of_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "data" / "train.py"
    script.parent.mkdir()
    script.write_text("def build(ds):\n    return ds.batch(2)\n", encoding="utf-8")
    stage = RecordedStage(0, "batch", Place(str(script), 2, 15, 20, "build"))
    recorded = RecordedPipeline(RecordedConsumer("fit", "training", Place(str(script), 9)), (stage,))
    pipeline = analyse(Recording("train.py", "2.21.0", 2, GIBIBYTE, (recorded,))).pipelines[0]
    (shown,) = pipeline.stages
    assert (shown.path, shown.line, shown.column, shown.source) == ("data/train.py", 2, 15, "return ds.batch(2)")
    assert (pipeline.path, pipeline.line) == ("data/train.py", 9)


def test_a_cell_keeps_its_name() -> None:
    stage = RecordedStage(0, "batch", Place("<ipython-input-3>", 1))
    recorded = RecordedPipeline(RecordedConsumer("iter"), (stage,))
    assert analyse(Recording("dataset", "2.21.0", 2, 0, (recorded,))).pipelines[0].stages[0].path == "<ipython-input-3>"


def test_a_stage_leads_to_its_inputs_and_to_the_pipelines_inside_it() -> None:
    chain = Chain().then("list_files").then("TFRecordDataset", 1, nested_in=2)
    profile = chain.then("interleave", 1, inputs=(0,), inner=(1,), function=PURE).profile()
    assert [(stage.inputs, stage.nested_in) for stage in profile.stages] == [((), None), ((), 2), ((0, 1), None)]


def test_what_tensorflow_rewrote_and_what_the_function_is_are_shown_on_the_stage() -> None:
    chain = Chain().then("range").then("map", 1, function=PYTHON, rewritten="MapAndBatch")
    stage = chain.profile().stages[1]
    assert (stage.rewritten_by_tensorflow, stage.stateful) == ("MapAndBatch", True)
    assert stage.function == "`load`"


def test_a_pipeline_that_the_step_does_not_wait_for_is_bound_by_its_consumer() -> None:
    chain = Chain().then("range").then("map", 6, function=PURE).then("batch", 1)
    profile = chain.profile(step=step(0.041, waiting=0.01), batches_per_second=140.0)
    assert (profile.bound, profile.input_bound) == ("consumer", 0.01)
    assert profile.step == StepProfile(0.041, 0.041 / 0.99)


@pytest.mark.parametrize(("cost", "bound"), [({}, "cpu"), ({"waits": 0.9}, "io"), ({"lock": 0.9}, "python")])
def test_a_pipeline_is_bound_by_what_its_bottleneck_spends_time_on(cost: dict[str, Any], bound: str) -> None:
    profile = Chain().then("range").then("map", 6, function=PURE, **cost).then("batch", 1).profile()
    assert (profile.bottleneck, profile.bound) == (1, bound)


def test_a_pipeline_that_fills_the_machine_is_bound_by_memory() -> None:
    profile = Chain().then("range").then("batch", 1).profile(memory_bytes=15 * GIBIBYTE)
    assert profile.bound == "memory"


def test_a_pipeline_of_which_only_the_throughput_is_known_is_still_told() -> None:
    chain = Chain().then("range").then("map", function=PURE).then("batch")
    profile = chain.profile(costs={}, batches_per_second=50.0, note="the graph could not be read")
    assert (profile.batches_per_second, profile.limit_batches_per_second, profile.bottleneck) == (50.0, None, None)
    assert [stage.share for stage in profile.stages] == [None] * 3
    assert profile.note == "the graph could not be read"


def test_stages_that_cost_nothing_have_no_rate_and_no_share_of_nothing() -> None:
    chain = Chain().then("range").then("batch")
    profile = chain.profile(costs={0: StageCost(1.0, 0.0, 0.0), 1: StageCost(1.0, 0.0, 0.0)}, batches_per_second=1e5)
    assert [(stage.rate, stage.share, stage.bound) for stage in profile.stages] == [(None, 0.0, None)] * 2


def test_later_epochs_are_analysed_by_what_is_left_to_do() -> None:
    chain = Chain().then("range").then("map", 50, function=PURE).then("cache").then("batch", 1)
    later = {stage: cost for stage, cost in chain.costs.items() if stage >= 2}
    profile = chain.profile(costs=later, epoch="later")
    assert (profile.epoch, profile.bottleneck) == ("later", 3)
    assert profile.limit_batches_per_second == pytest.approx(4000)


def test_a_run_that_ended_early_keeps_its_reason() -> None:
    profile = analyse(Recording("train.py", "2.21.0", 2, GIBIBYTE, (), "train.py:3 raised ValueError"))
    assert (profile.pipelines, profile.error) == ((), "train.py:3 raised ValueError")
