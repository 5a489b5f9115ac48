"""What the rules say of measured pipelines, and what it would give."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pipelint.dynamic.profile import PipelineProfile, SourceFix, Suggestion
from pipelint.knowledge.consumption import ConsumerKind, Purpose
from pipelint.model.consumer import Consumer
from pipelint.model.cost import TrialRun
from pipelint.model.definitions import Cause, Effect
from pipelint.model.grades import Safety, Severity
from pipelint.model.locations import NOWHERE, Place
from pipelint.project.load_rules import load_registry
from pipelint.project.projects import Project
from pipelint.project.settings import Settings
from tests.dynamic.measured_chains import PURE, PYTHON, RANDOM, Chain, analysed, run, step

IN_TF_FUNCTION = Consumer(ConsumerKind.LOOP, Place("train.py", 99), Purpose.TRAINING, in_tf_function=True)


def augmented(**known: Any) -> PipelineProfile:
    chain = Chain().then("from_tensor_slices", 0.1).then("map", 12, function=RANDOM)
    return chain.then("batch", 0.9, arguments={"batch_size": 32}).profile(**{"prefetch_injected": True} | known)


def by_name(profile: PipelineProfile) -> dict[str, Suggestion]:
    return {suggestion.name: suggestion for suggestion in profile.suggestions}


def test_a_rule_speaks_of_the_live_stage_with_its_measured_cost() -> None:
    profile = augmented()
    (suggestion,) = profile.suggestions
    assert (suggestion.name, suggestion.place) == ("unparallelized-map", Place("train.py", 2, 6, 9))
    assert suggestion.stage is profile.stages[1]
    assert "one element at a time; it takes 92% of the time (12 ms of 13 ms a batch)" in suggestion.message
    assert suggestion.predicted_speedup == pytest.approx(4)


def test_a_fix_is_offered_where_the_source_takes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = "import tensorflow as tf\nds = tf.data.Dataset.range(9).map(lambda x: tf.image.random_hue(tf.io.decode_jpeg(x), 0.1))\nlist(ds)\n"
    Path("train.py").write_text(source)
    (suggestion,) = augmented().suggestions
    assert suggestion.fix == SourceFix("add num_parallel_calls=AUTOTUNE", Safety.UNSAFE)


def test_what_a_library_did_is_mended_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("train.py").write_text("import library\nlibrary.train()\n")
    (suggestion,) = augmented().suggestions
    assert not suggestion.fix
    assert suggestion.message.endswith("; by hand: add num_parallel_calls=AUTOTUNE")


LOOP = Consumer(ConsumerKind.LOOP, Place("train.py", 99), Purpose.TRAINING)


def fed(op: str, milliseconds: float = 12, **known: Any) -> PipelineProfile:
    lock, arguments = known.pop("lock", 1.0), known.pop("arguments", {})
    chain = Chain().then(op, milliseconds, lock=lock, waits=known.pop("waits", 0.0), function=PURE, arguments=arguments)
    return chain.profile(**{"prefetch_injected": True, "batches_per_second": 1e3 / milliseconds} | known)


def test_python_that_holds_the_lock_is_given_to_processes() -> None:
    (suggestion,) = fed("PyDataset").suggestions
    assert (suggestion.code, suggestion.place) == ("PIPE502", Place("train.py", 1, 6, 9))
    assert "`super().__init__(workers=4, use_multiprocessing=True)`" in suggestion.message
    assert suggestion.predicted_speedup == pytest.approx(4)
    assert not fed("PyDataset", arguments={"workers": 4, "use_multiprocessing": True}).suggestions


def test_fit_of_keras_2_is_told_the_workers_itself() -> None:
    keras_2 = Consumer(ConsumerKind.FIT, Place("train.py", 99), Purpose.TRAINING, takes_workers=True)
    (suggestion,) = fed("PyDataset", consumer=keras_2).suggestions
    assert "`fit(..., workers=4, use_multiprocessing=True)`" in suggestion.message


def test_training_gains_no_more_than_what_the_input_costs_it() -> None:
    (suggestion,) = fed("PyDataset", step=step(0.0109, waiting=0.09)).suggestions
    assert suggestion.predicted_speedup == pytest.approx(4)
    assert suggestion.training_speedup == pytest.approx(1 / 0.91)


def test_processors_that_both_take_from_each_other_are_not_freed_by_more_threads() -> None:
    (suggestion,) = augmented(step=step(0.02, waiting=0.2)).suggestions
    assert suggestion.predicted_speedup == pytest.approx(4)
    assert suggestion.training_speedup == pytest.approx(1)


def test_what_is_advised_of_a_generator_is_not_beyond_the_limit() -> None:
    profile = fed("generator")
    (suggestion,) = profile.suggestions
    assert suggestion.predicted_speedup is not None
    assert profile.limit_batches_per_second == pytest.approx(suggestion.predicted_speedup * 1e3 / 12)


def test_a_pydataset_that_waits_is_given_threads() -> None:
    (suggestion,) = fed("PyDataset", lock=0.1, waits=0.9).suggestions
    assert suggestion.message.startswith("`decode` makes one batch after the other in one thread")
    assert "`super().__init__(workers=4)`" in suggestion.message


def test_a_generator_of_fit_gives_way_to_what_has_workers() -> None:
    (suggestion,) = fed("generator").suggestions
    assert suggestion.code == "PIPE501"
    assert "a PyDataset with workers" in suggestion.message


@pytest.mark.parametrize("op", ["generator", "PyDataset"])
def test_a_loop_has_its_batches_made_ahead(op: str) -> None:
    (suggestion,) = fed(op, consumer=LOOP, prefetch_injected=False, step=step(0.012, 0.5)).suggestions
    assert suggestion.code == "PIPE501"
    assert "the loop waits while `decode` makes its next batch" in suggestion.message
    assert suggestion.predicted_speedup == pytest.approx(2)


def scaled(trial: TrialRun | None, **known: Any) -> PipelineProfile:
    chain = Chain().then("range", 0.1).then("map", 8, function=PURE, tried=trial)
    return chain.then("batch", 0.1).profile(**{"prefetch_injected": True, "batches_per_second": 120} | known)


def test_a_map_that_was_faster_behind_its_batch_is_told_with_what_it_gave() -> None:
    (suggestion, *_) = scaled(TrialRun(12.0, 0.2, 14.0)).suggestions
    assert (suggestion.name, suggestion.place) == ("vectorizable-map", Place("train.py", 2, 6, 9))
    assert (suggestion.trial, suggestion.predicted_speedup) == (TrialRun(12.0, 0.2, 14.0), 14.0)
    assert scaled(TrialRun(12.0)).limit_batches_per_second == pytest.approx(12 * 120)
    assert "`decode` can be given whole batches" in suggestion.message
    assert suggestion.message.endswith("from what its stages cost, 14x was to be expected")


@pytest.mark.parametrize("trial", [None, TrialRun(0.9, 0.02, 2.0), TrialRun(1.03, 0.02, 2.0), TrialRun(1.4, 0.5, 2.0)])
def test_what_was_no_faster_beyond_doubt_is_not_advised(trial: TrialRun | None) -> None:
    assert "vectorizable-map" not in by_name(scaled(trial))


def test_a_trial_says_nothing_to_a_step_that_does_not_wait() -> None:
    assert "vectorizable-map" not in by_name(scaled(TrialRun(12.0), step=step(0.1, 0.0)))


def test_a_shard_that_was_faster_before_a_map_is_told_with_what_it_gave() -> None:
    chain = Chain().then("range", 0.1).then("map", 8, function=PURE)
    chain.then("shard", 0.0, arguments={"num_shards": 4, "index": 0}, tried=TrialRun(3.6, 0.1, 4.0))
    suggestion = by_name(chain.then("batch", 0.1).profile(batches_per_second=120))["take-after-expensive-map"]
    assert suggestion.speedup == 3.6
    assert "`shard` drops elements that `decode` has computed before" in suggestion.message


@pytest.mark.parametrize(
    ("calls", "how"), [(None, "with `num_parallel_calls=tf.data.AUTOTUNE`"), (4, "without `num_parallel_calls`")]
)
def test_a_batch_that_was_faster_in_another_way_is_remarked(calls: int | None, how: str) -> None:
    chain = (
        Chain().then("range", 0.1).then("batch", 8, tried=TrialRun(1.5, 0.1), arguments={"num_parallel_calls": calls})
    )
    (remark,) = chain.profile(batches_per_second=120).remarks
    assert remark == f"the batch at train.py:2 {how} gave 1.5x (1.4x to 1.7x)"


def test_a_bottleneck_without_advice_says_why_and_what_was_considered() -> None:
    calls = {"num_parallel_calls": -1}
    chain = Chain().then("TFRecordDataset", 0.1).then("map", 8, function=PURE, arguments=calls, parallelism=4)
    (busy,) = chain.then("batch", 0.1).profile(batches_per_second=480, prefetch_injected=True).remarks
    assert busy.startswith("no advice for the map at train.py:2: with everything parallel that can be")
    (arrays,) = fed("arrays", lock=0.0).remarks
    assert arrays == "no advice for the arrays at train.py:1: its batches are in memory already"
    waited_for = fed("generator", consumer=LOOP, prefetch_injected=False, step=step(0.0005, 0.96))
    assert not waited_for.suggestions
    assert "PIPE501 (generator-per-element) would give about 1" in waited_for.remarks[0]


def test_what_a_helper_makes_is_mended_in_the_call_of_the_helper() -> None:
    helper = "image_dataset_from_directory"
    chain = Chain().then("from_tensor_slices", 0.1, helper=helper).then("shuffle", 0.1, helper=helper)
    chain.then("map", 8, function=PURE, arguments={"num_parallel_calls": -1}, parallelism=4, helper=helper)
    (remark,) = chain.then("batch", 0.1, helper=helper).profile(batches_per_second=480, prefetch_injected=True).remarks
    way = "pass shuffle=False and batch_size=None, then cache, shuffle and batch"
    assert remark.endswith(f"; `{helper}` makes it: {way}")


def test_nothing_is_said_of_batches_that_no_step_waits_for() -> None:
    assert not fed("generator", 1, step=step(0.1, 0.0)).suggestions


def test_a_fix_is_not_praised_for_what_threads_would_give() -> None:
    calls = {"num_parallel_calls": 8}
    chain = Chain().then("from_tensor_slices").then("map", 80, waits=0.9, function=PURE, arguments=calls, parallelism=4)
    profile = chain.then("batch", 1).profile(prefetch_injected=True)
    assert "hardcoded-parallelism" not in by_name(profile)
    assert any("private_threadpool_size" in remark for remark in profile.remarks)


def test_no_advice_to_speed_up_what_does_not_wait() -> None:
    profile = augmented(step=step(0.041, waiting=0.02), batches_per_second=77.0)
    assert not profile.suggestions
    assert profile.remarks == ("no advice to speed it up: the step does not wait for it",)


def test_no_advice_about_what_would_not_be_faster() -> None:
    chain = Chain().then("from_generator", 50, lock=0.1, waits=0.8).then("map", 1, function=RANDOM)
    assert "unparallelized-map" not in by_name(chain.then("batch", 1).profile(prefetch_injected=True))


def test_no_advice_to_make_calls_parallel_that_are_too_short_for_it() -> None:
    chain = Chain().then("from_tensor_slices").then("map", 12, function=RANDOM, elements=1024).then("batch", 1)
    profile = chain.profile(prefetch_injected=True)
    assert not profile.suggestions
    assert profile.limit_batches_per_second == pytest.approx(1000 / 12)


def test_short_calls_that_the_batch_makes_are_handed_over_in_any_case() -> None:
    chain = Chain().then("from_tensor_slices")
    chain = chain.then("map", 12, function=RANDOM, elements=1024, rewritten="MapAndBatch")
    profile = chain.then("batch", 0.1, rewritten="MapAndBatch").profile(prefetch_injected=True)
    suggestion = by_name(profile)["unparallelized-map"]
    assert suggestion.predicted_speedup == pytest.approx(4, rel=0.1)


def test_no_advice_about_what_tensorflow_did_by_itself() -> None:
    chain = Chain().then("from_tensor_slices").then("map", 12, function=PURE, rewritten="ParallelMapV2", parallelism=4)
    assert not chain.then("batch", 1).profile(prefetch_injected=True).suggestions


def test_wrong_results_are_told_however_fast_the_pipeline_is() -> None:
    chain = Chain().then("from_tensor_slices").then("map", 1, function=RANDOM).then("cache").then("batch", 1)
    found = by_name(chain.profile(prefetch_injected=True, step=step(0.05, waiting=0.0)))
    assert found["cache-after-random"].severity is Severity.ERROR
    assert found["cache-after-random"].predicted_speedup is None


def test_a_prefetch_is_worth_the_overlap_with_the_step() -> None:
    profile = augmented(prefetch_injected=False, consumer=IN_TF_FUNCTION, step=step(0.013, waiting=0.5))
    suggestion = by_name(profile)["missing-prefetch"]
    assert line(suggestion) == 3
    assert suggestion.predicted_speedup == pytest.approx(2)
    assert "; the step takes 13 ms a batch and the pipeline 13 ms" in suggestion.message


def test_what_a_prefetch_gives_is_not_known_without_a_step() -> None:
    suggestion = by_name(augmented(prefetch_injected=False, consumer=IN_TF_FUNCTION))["missing-prefetch"]
    assert suggestion.predicted_speedup is None


def test_a_prefetch_in_the_middle_is_moved_for_the_overlap() -> None:
    chain = Chain().then("from_tensor_slices", 1).then("prefetch", arguments={"buffer_size": 2})
    profile = chain.then("padded_batch", 10).profile(consumer=IN_TF_FUNCTION, step=step(0.01, waiting=0.5))
    assert by_name(profile)["prefetch-not-last"].predicted_speedup == pytest.approx(20 / 11)


def test_python_code_is_weighed_against_the_same_work_in_the_graph() -> None:
    chain = Chain().then("from_tensor_slices").then("map", 18, lock=0.95, function=PYTHON)
    found = by_name(chain.then("batch", 2).profile(prefetch_injected=True))
    assert found["py-function-in-map"].predicted_speedup == pytest.approx(4)
    assert "unparallelized-map" not in found


def test_python_code_that_hardly_costs_is_left_alone() -> None:
    chain = Chain().then("from_tensor_slices").then("map", 0.1, lock=0.95, function=PYTHON)
    chain.then("map", 40, function=PURE, rewritten="ParallelMapV2", parallelism=4)
    assert not chain.then("batch", 2).profile(prefetch_injected=True).suggestions


READS_AND_DRAWS = replace(RANDOM, causes=(*RANDOM.causes, Cause(Effect.READ, "tf.io.read_file", NOWHERE)))


def test_rules_speak_without_a_figure_where_no_stage_was_measured() -> None:
    chain = Chain().then("from_tensor_slices").then("map", 20, function=READS_AND_DRAWS).then("batch", 0.1)
    (suggestion,) = chain.profile(costs={}, batches_per_second=70.0).suggestions
    assert (suggestion.name, suggestion.predicted_speedup) == ("unparallelized-map", None)


def test_a_generator_is_weighed_alike() -> None:
    chain = Chain().then("from_generator", 18, lock=0.95).then("batch", 2, arguments={"batch_size": 32})
    assert by_name(chain.profile(prefetch_injected=True))["generator-per-element"].predicted_speedup == pytest.approx(4)


def test_work_that_waits_is_told_to_take_more_threads_than_cores() -> None:
    chain = Chain().then("from_tensor_slices").then("map", 20, waits=0.98, function=PYTHON).then("batch", 0.1)
    suggestion = by_name(chain.profile(cores=2, prefetch_injected=True))["unparallelized-map"]
    assert "`options.threading.private_threadpool_size = 16` lets more calls wait at once" in suggestion.message
    assert suggestion.predicted_speedup == pytest.approx(16, rel=0.05)


def test_threads_are_not_said_to_give_more_than_they_did() -> None:
    chain = Chain().then("from_tensor_slices").then("map", 20, waits=0.98, function=PYTHON).then("batch", 0.1)
    known = {"batches_per_second": 48.0, "best_batches_per_second": 96.0, "prefetch_injected": True}
    suggestion = by_name(chain.profile(cores=2, **known))["unparallelized-map"]
    assert suggestion.predicted_speedup == pytest.approx(2, rel=0.05)


def test_waiting_calls_that_are_parallel_already_get_a_remark_about_threads() -> None:
    chain = Chain().then("from_tensor_slices")
    chain.then("map", 20, waits=0.98, function=PURE, arguments={"num_parallel_calls": -1}, parallelism=2)
    profile = chain.then("batch", 0.1).profile(cores=2, prefetch_injected=True)
    assert not profile.suggestions
    (remark,) = profile.remarks
    assert remark.startswith("the map at train.py:2 waits for most of its time: `options.threading.private_threadpool")
    assert remark.endswith("(predicted 8.0x)")


def test_a_waiting_stage_that_no_rule_may_speak_of_is_told_of_both_settings() -> None:
    chain = Chain().then("from_tensor_slices").then("map", 20, waits=0.98, function=PURE).then("batch", 0.1)
    project = Project(Settings(ignore=("PIPE",)), load_registry())
    (remark,) = judged(chain, project).remarks
    assert "`num_parallel_calls=tf.data.AUTOTUNE` and `options.threading.private_threadpool_size = 16` let" in remark


def test_files_that_wait_inside_an_interleave_get_a_cycle_and_threads() -> None:
    chain = Chain().then("list_files", several=True).then("TextLineDataset", 0.1, inside=True)
    chain.then("map", 20, waits=0.98, function=PURE, inside=True)
    chain.then("interleave", inputs=(0,), inner=(2,), function=PURE).then("batch", 0.1)
    suggestion = by_name(chain.profile(cores=2, prefetch_injected=True))["unparallelized-interleave"]
    assert "`cycle_length=16` and `options.threading.private_threadpool_size = 16` let more" in suggestion.message
    assert suggestion.predicted_speedup == pytest.approx(16, rel=0.05)


def test_records_that_are_opened_one_after_the_other_could_be_read_at_once() -> None:
    chain = Chain().then("list_files", several=True).then("TFRecordDataset", 10, inside=True)
    chain.then("flat_map", inputs=(0,), inner=(1,), function=PURE).then("batch", 0.1)
    assert by_name(chain.profile(prefetch_injected=True))["serial-record-reads"].predicted_speedup == pytest.approx(4)


def test_a_cache_that_is_legal_and_fits_is_a_remark() -> None:
    chain = Chain().then("from_tensor_slices", 1, cardinality=1000)
    chain.then(
        "map", 8, function=PURE, cardinality=1000, element_bytes=10_000, rewritten="ParallelMapV2", parallelism=4
    )
    profile = chain.then("shuffle", 0.5).then("batch", 0.5).profile(prefetch_injected=True)
    work = "would hold 9.5 MiB and spare every epoch but the first its work"
    assert profile.remarks == (f"a cache after the map at train.py:2 {work} (predicted 2.5x)",)


def test_one_place_is_told_once_however_many_stages_it_made() -> None:
    chain, place = Chain().then("from_tensor_slices"), Place("train.py", 2, 6, 9)
    chain.then("map", 12, function=RANDOM, place=place).then("map", 6, function=RANDOM, place=place)
    profile = chain.then("batch", 1).profile(prefetch_injected=True)
    (suggestion,) = profile.suggestions
    assert suggestion.stage is profile.stages[1]


def test_the_largest_gain_comes_first() -> None:
    chain = Chain().then("from_tensor_slices").then("map", 4, function=RANDOM).then("map", 9, function=RANDOM)
    profile = chain.then("batch", 1).profile(prefetch_injected=True)
    assert [line(suggestion) for suggestion in profile.suggestions] == [3, 2]


def line(suggestion: Suggestion) -> int | None:
    return suggestion.place.line if suggestion.place is not None else None


def judged(chain: Chain, project: Project) -> PipelineProfile:
    return analysed(run(chain.pipeline(prefetch_injected=True)), project).pipelines[0]


def test_a_rule_that_is_ignored_says_nothing() -> None:
    chain = Chain().then("from_tensor_slices").then("map", 12, function=RANDOM).then("batch", 1)
    project = Project(Settings(ignore=("unparallelized-map",)), load_registry())
    assert not judged(chain, project).suggestions


RULE = """
from pipelint.model.grades import Severity
from pipelint.rule import Rule

class Outside(Rule):
    '''Comes with another pack.'''
    code, name, severity, fix = "XX001", "outside", Severity.ADVICE, "none"

    def check(self, program):
        {body}
"""


def said_by_rule(tmp_path: Path, body: str, chain: Chain) -> PipelineProfile:
    (tmp_path / "outside.py").write_text(RULE.format(body=body), encoding="utf-8")
    return judged(chain, Project(Settings(), load_registry([tmp_path])))


def test_a_rule_that_fails_costs_only_its_own_word(tmp_path: Path) -> None:
    chain = Chain().then("from_tensor_slices").then("map", 12, function=RANDOM).then("batch", 1)
    profile = said_by_rule(tmp_path, "raise RuntimeError('out of order')", chain)
    assert set(by_name(profile)) == {"unparallelized-map"}
    (told,) = [remark for remark in profile.remarks if remark.startswith("XX001 (outside), from ")]
    assert "outside.py, fails: RuntimeError: out of order" in told


@pytest.mark.parametrize(
    ("expression", "seen"),
    [
        ("program.target", "(2, 21)"),
        ("[(user.kind.value, user.purpose.value) for user in pipeline.consumers]", "[('fit', 'training')]"),
        ("[stage.op for stage in pipeline.stages]", "['list_files', 'interleave', 'batch']"),
        ("[stage.op for stage in pipeline.stages if stage.is_source]", "['list_files']"),
        ("[part.op for inner in pipeline.nested for part in inner.stages]", "['TFRecordDataset']"),
        ("[inner.nested_in.op for inner in pipeline.nested]", "['interleave']"),
        ("pipeline.stages[0].several", "True"),
        ("pipeline.end.argument('batch_size').integer", "32"),
        ("pipeline.stages[1].argument('num_parallel_calls').is_autotune", "True"),
        ("pipeline.turns_off('autotune.enabled')", "True"),
        ("pipeline.end.share", "0.25"),
        ("[stage.bound for stage in pipeline.stages]", "[None, None, 'cpu']"),
        (
            "[stage.name.order for stage in pipeline.stages] == sorted(stage.name.order for stage in pipeline.stages)",
            "True",
        ),
    ],
)
def test_rules_see_the_live_graph_as_they_see_source(tmp_path: Path, expression: str, seen: str) -> None:
    chain = Chain().then("list_files", several=True).then("TFRecordDataset", 3, inside=True)
    chain.then("interleave", inputs=(0,), inner=(1,), function=PURE, arguments={"num_parallel_calls": -1})
    chain.then("batch", 1, arguments={"batch_size": 32}, options={"autotune.enabled": False})
    body = f"[pipeline] = program.pipelines; yield self.finding(pipeline.end.name, repr({expression}))"
    assert by_name(said_by_rule(tmp_path, body, chain))["outside"].message == seen


def test_a_dataset_that_was_asked_for_has_a_consumer_without_a_place(tmp_path: Path) -> None:
    chain = Chain().then("range").then("batch", 1)
    (tmp_path / "outside.py").write_text(
        RULE.format(body="[one] = program.datasets; yield self.finding(one.places[0][1], one.consumers[0].kind.value)"),
        encoding="utf-8",
    )
    asked = chain.pipeline(consumer=Consumer(ConsumerKind.ASKED_FOR, NOWHERE))
    profile = analysed(run(asked), Project(Settings(), load_registry([tmp_path]))).pipelines[0]
    assert (profile.consumer.kind.value, by_name(profile)["outside"].message) == ("dataset", "dataset")


def test_a_pipeline_of_a_thousand_stages_is_analysed() -> None:
    chain = Chain().then("from_tensor_slices", cardinality=1000, element_bytes=8)
    for _ in range(1000):
        chain.then("map", 0.1, function=PURE, arguments={"num_parallel_calls": -1}, cardinality=1000, element_bytes=8)
    assert chain.profile().limit_batches_per_second == pytest.approx(40)
