"""What is worth a trial in a measured pipeline."""

from __future__ import annotations

from dataclasses import replace

from pipelint.dynamic.predict.rate_model import RateModel
from pipelint.dynamic.predict.what_if import plan_change_of
from pipelint.dynamic.tune.cache_places import Room, cache_repairs
from pipelint.dynamic.tune.candidates import Candidate, candidates
from pipelint.dynamic.tune.epochs import EpochProfiles
from pipelint.model.cost import TrialRun
from pipelint.model.definitions import Cause, Effect
from pipelint.model.pipeline import Pipeline, Stage
from pipelint.model.repair import InsertAfter, MoveAfter, NewCall, SetArgument, SetOption, SliceItems, Together
from pipelint.model.values import AUTOTUNE, Argument, Literal
from tests.profiles import FIT, MEASURED, Made, pipeline, stage

GIB = 2**30
MUCH = Room(8 * GIB)


def _pipeline(*stages: Made, passes: int | None = 5, **counts: int) -> Pipeline:
    made = pipeline(*stages, consumer=replace(FIT, passes=passes)).pipeline
    for each in made.every_stage:
        each.cardinality = counts.get(each.op, 1000)
    return made


def _found(whole: Pipeline) -> list[Candidate]:
    return candidates(RateModel(whole, 2), MUCH, None)


def _stage(whole: Pipeline, op: str) -> Stage:
    return next(each for each in whole.every_stage if each.op == op)


def _with_argument(each: Stage, name: str, value: object) -> None:
    each.arguments = {**each.arguments, name: Argument(Literal(value), each.name)}


READ = (stage("from_tensor_slices", 3), stage("map", 4, 0, function="load", share=1.0), stage("batch", 5, 1))
SHUFFLED = (
    stage("from_tensor_slices", 3),
    stage("shuffle", 4, 0),
    stage("map", 5, 1, function="load", share=1.0),
    stage("batch", 6, 2),
)


def test_a_cache_goes_behind_the_last_stage_that_is_the_same_in_each_epoch() -> None:
    whole = _pipeline(*READ)
    (kept,) = cache_repairs(whole, MUCH, None)
    assert kept.repair == InsertAfter(_stage(whole, "batch"), (NewCall("cache"),))


def test_a_shuffle_above_it_comes_behind_the_cache_which_then_holds_no_batches() -> None:
    whole = _pipeline(*SHUFFLED)
    _with_argument(_stage(whole, "shuffle"), "buffer_size", 500)
    (kept,) = cache_repairs(whole, MUCH, None)
    assert kept.repair == MoveAfter(_stage(whole, "shuffle"), (_stage(whole, "map"),), (), (NewCall("cache"),))


def test_files_that_are_listed_in_another_order_each_time_are_shuffled_behind_the_cache() -> None:
    listed = (stage("list_files", 3), stage("map", 4, 0, function="load", share=1.0), stage("batch", 5, 1))
    whole = _pipeline(*listed, list_files=300, map=400)
    (kept,) = cache_repairs(whole, MUCH, None)
    again = NewCall("shuffle", (("", Literal(400)),))
    assert kept.repair == Together(
        (
            SetArgument(_stage(whole, "list_files"), "shuffle", Literal(False)),
            InsertAfter(_stage(whole, "map"), (NewCall("cache"), again)),
        )
    )


def test_a_shuffle_of_files_becomes_one_of_all_that_was_read_of_them() -> None:
    files = (
        stage("from_tensor_slices", 3),
        stage("shuffle", 4, 0),
        stage("interleave", 5, 1, function="read", share=1.0),
    )
    whole = _pipeline(*files, interleave=9_000, shuffle=8, from_tensor_slices=8)
    (kept,) = cache_repairs(whole, MUCH, None)
    assert isinstance(kept.repair, MoveAfter)
    assert kept.repair.replacing == (("buffer_size", Literal(9_000)),)


def test_no_cache_behind_what_draws_random_numbers_nor_where_it_does_not_fit_nor_for_one_epoch() -> None:
    whole = _pipeline(*READ)
    function = _stage(whole, "map").function
    assert function is not None
    function.causes = (Cause(Effect.RANDOM, "tf.image.random_crop", function.location),)
    assert cache_repairs(whole, MUCH, None) == []
    assert cache_repairs(_pipeline(*READ), Room(GIB // 2), None) == []
    assert cache_repairs(_pipeline(*READ, passes=1), MUCH, None) == []


def test_what_does_not_fit_into_memory_is_kept_in_a_file_where_the_disk_has_room() -> None:
    whole = _pipeline(*READ)
    (kept,) = cache_repairs(whole, Room(GIB // 2, 4 * GIB), None)
    assert kept.repair == InsertAfter(_stage(whole, "batch"), (NewCall("cache", (("", Literal("training.cache")),)),))
    assert kept.where.endswith("in the file training.cache, to be removed whenever data or code change")
    assert cache_repairs(whole, Room(GIB // 2, GIB // 2), None) == []


def test_a_cache_is_not_added_to_another_one_but_may_move() -> None:
    cached = (
        stage("from_tensor_slices", 3),
        stage("map", 4, 0, function="load", share=0.1),
        stage("cache", 5, 1),
        stage("map", 6, 2, function="decode", share=0.9),
    )
    whole = _pipeline(*cached)
    (kept,) = cache_repairs(whole, MUCH, None)
    assert kept.repair == MoveAfter(_stage(whole, "cache"), (whole.end,))


def test_what_waits_gets_threads_and_parallel_calls_together() -> None:
    waiting = replace(READ[1], waits=0.9)
    whole = _pipeline(READ[0], waiting, READ[2])
    found = _found(whole)
    threads = [each for each in found if each.code == "private-threads"]
    assert whole.dataset is not None
    pool = SetOption(whole.dataset, "threading.private_threadpool_size", Literal(16))
    assert [each.repair for each in threads] == [
        Together((SetArgument(_stage(whole, "map"), "num_parallel_calls", calls), pool))
        for calls in (AUTOTUNE, Literal(16))
    ]
    assert {each.group for each in threads} == {"threads"}, "tried against each other"
    (calls,) = [each for each in found if each.code == "PIPE201"]
    assert (threads[0].predicted or 0) > (calls.predicted or 0) > 1


def test_parallel_calls_in_all_stages_that_make_one_at_a_time_are_one_trial() -> None:
    maps = (
        stage("from_tensor_slices", 3),
        stage("map", 4, 0, function="load", share=0.5),
        stage("map", 5, 1, function="crop", share=0.5),
        stage("batch", 6, 2),
    )
    whole = _pipeline(*maps)
    first, second = (each for each in whole.every_stage if each.op == "map")
    together = [each for each in _found(whole) if isinstance(each.repair, Together)]
    both = tuple(SetArgument(each, "num_parallel_calls", AUTOTUNE) for each in (first, second))
    assert both in [each.repair.repairs for each in together if isinstance(each.repair, Together)]


def test_batch_goes_before_a_map_that_a_run_has_shown_to_take_batches() -> None:
    whole = _pipeline(*SHUFFLED)
    _stage(whole, "map").tried = TrialRun(3.0, 0.1)
    (found,) = [each for each in _found(whole) if each.code == "PIPE104"]
    assert found.repair == MoveAfter(_stage(whole, "batch"), _stage(whole, "map").inputs)
    assert found.predicted == 3.0


def test_a_generator_may_give_way_to_slices() -> None:
    rows = replace(stage("from_generator", 3, function="rows", share=0.9), op="from_generator")
    whole = _pipeline(rows, stage("batch", 4, 0))
    (found,) = [each for each in _found(whole) if each.code == "PIPE501"]
    assert found.repair == SliceItems(_stage(whole, "from_generator"))
    assert (found.predicted or 0) > 2


def test_what_waits_in_a_shuffled_stream_may_come_in_any_order() -> None:
    whole = _pipeline(SHUFFLED[0], SHUFFLED[1], replace(SHUFFLED[2], waits=0.9), SHUFFLED[3])
    _with_argument(_stage(whole, "map"), "num_parallel_calls", 8)
    found = [each.repair for each in _found(whole) if each.code == "PIPE207"]
    assert found == [SetArgument(_stage(whole, "map"), "deterministic", Literal(False))]
    ordered = _pipeline(READ[0], replace(READ[1], waits=0.9), READ[2])
    _with_argument(_stage(ordered, "map"), "num_parallel_calls", 8)
    assert not [each for each in _found(ordered) if each.code == "PIPE207"]


def test_a_number_of_calls_where_autotune_makes_fewer_than_there_are_processors() -> None:
    whole = _pipeline(*READ)
    each = _stage(whole, "map")
    _with_argument(each, "num_parallel_calls", -1)
    assert each.cost is not None
    for parallelism, expected in ((1.0, [SetArgument(each, "num_parallel_calls", Literal(2))]), (2.0, [])):
        each.cost = replace(each.cost, parallelism=parallelism)
        assert [found.repair for found in _found(whole) if found.code == "PIPE202"] == expected


def test_options_that_are_off_are_switched_on_again() -> None:
    whole = _pipeline(*READ, stage("with_options", 6, 2))
    whole.end.options = {"autotune.enabled": Literal(False), "deterministic": Literal(False)}
    found = [each.title for each in _found(whole) if each.code == "PIPE205"]
    assert found == ["options.autotune.enabled on again"]


def test_the_model_reads_the_repairs_of_caches_and_threads() -> None:
    whole = _pipeline(*READ)
    model = RateModel(whole, 2)
    cache = plan_change_of(InsertAfter(_stage(whole, "map"), (NewCall("cache"),)), model).plan
    assert cache is not None
    assert cache.cached == {_stage(whole, "from_tensor_slices"), _stage(whole, "map")}
    other = plan_change_of(InsertAfter(_stage(whole, "map"), (NewCall("repeat"),)), model).plan
    assert other is None


def test_a_cache_spares_all_epochs_but_the_first() -> None:
    later = pipeline(*READ, consumer=replace(FIT, passes=5), measured=replace(MEASURED, batches_per_second=100.0))
    assert EpochProfiles(later).with_cache(1000.0) == 5 / (1 + 4 / 1000)
    first = pipeline(*READ, consumer=replace(FIT, passes=5), measured=replace(MEASURED, batches_per_second=10.0))
    both = EpochProfiles(later, first)
    assert both.combined({"first": 2.0}) == (1 / 10 + 4 / 100) / (1 / 20 + 4 / 100)
