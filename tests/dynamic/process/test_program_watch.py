"""Where `pipelint profile` takes over from a program, and what it lets run through."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.dynamic.consumed_programs import PROGRAMS

pytest.importorskip("tensorflow", reason="programs are run on TensorFlow")


@dataclass(frozen=True)
class Outcome:
    """What became of a program."""

    program: str
    measured: list[dict[str, Any]]
    reached: list[Any]
    error: str | None
    asides: list[str]

    @property
    def here(self) -> int:
        """The line of the program that counts."""
        return self.marked("HERE")

    def marked(self, word: str) -> int:
        lines = enumerate(self.program.splitlines(), start=1)
        return next(number for number, line in lines if word in line.partition("# ")[2].split())

    def summary(self) -> list[tuple[str, str]]:
        return [(one["kind"], one["role"]) for one in self.measured]


@dataclass(frozen=True)
class Runs:
    """All the programs, run in one process."""

    outcomes: dict[str, Any]
    written: list[str]

    def __getitem__(self, name: str) -> Outcome:
        told = self.outcomes[name]
        assert told["failure"] is None, told["failure"]
        return Outcome(PROGRAMS[name], told["measured"], told["reached"], told["error"], told["asides"])


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    # A program that speaks of training makes evaluation wait, so each has a folder of its own.
    folder = tmp_path_factory.mktemp("programs")
    for name, program in PROGRAMS.items():
        (folder / name).mkdir()
        (folder / name / "train.py").write_text(program)
    work = tmp_path_factory.mktemp("work")
    result = folder / "outcomes.json"
    scratch = tmp_path_factory.mktemp("scratch")
    driver = Path(__file__).parents[1] / "consumption_driver.py"
    completed = subprocess.run(
        [sys.executable, driver, folder, result, scratch],
        cwd=work,
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert completed.returncode == 0, completed.stderr
    return Runs(json.loads(result.read_text()), sorted(os.listdir(work)))


@pytest.mark.parametrize(
    "name",
    [
        "fit",
        "fit_in_several_steps_at_once",
        "fit_eagerly_with_a_step_of_its_own",
        "fit_that_traces_a_function_of_its_own",
    ],
)
def test_fit_is_taken_over_at_its_line_and_its_step_is_timed(runs: Runs, name: str) -> None:
    training = runs[name].measured[0]
    assert (training["kind"], training["role"], training["line"]) == ("fit", "training", runs[name].here)
    assert training["step"]


def test_validation_data_comes_behind_training_and_nothing_behind_fit_happens(runs: Runs) -> None:
    assert runs["fit"].summary() == [("fit", "training"), ("evaluate", "evaluation")]
    assert runs["fit"].reached == []


def test_glances_adapt_and_evaluation_run_through_before_fit(runs: Runs) -> None:
    outcome = runs["fit_behind_evaluate_and_glances"]
    assert outcome.summary() == [("fit", "training"), ("evaluate", "evaluation")]
    assert outcome.reached == ["glance"] * 10
    assert outcome.measured[0]["line"] == outcome.here
    [aside] = outcome.asides
    assert aside.endswith(": evaluate comes before any training, so it runs through, and is measured later")


@pytest.mark.parametrize(("name", "kind"), [("evaluate_alone", "evaluate"), ("predict_alone", "predict")])
def test_evaluation_counts_where_no_training_is_to_come(runs: Runs, name: str, kind: str) -> None:
    assert runs[name].summary() == [(kind, "evaluation")]
    assert runs[name].measured[0]["step"]
    assert runs[name].reached == []


@pytest.mark.parametrize(
    ("name", "op"),
    [
        ("fit_on_arrays", "arrays"),
        ("fit_on_arrays_among_others", "arrays"),
        ("fit_on_a_generator", "generator"),
        ("fit_on_a_generator_that_ends", "generator"),
        ("fit_on_a_pydataset", "PyDataset"),
    ],
)
def test_fit_is_measured_whatever_feeds_it(runs: Runs, name: str, op: str) -> None:
    [fed] = runs[name].measured
    assert (fed["kind"], fed["role"], fed["line"]) == ("fit", "training", runs[name].here)
    assert fed["source"] == [op, runs[name].marked("SOURCE")]
    assert fed["step"]
    assert runs[name].reached == []


@pytest.mark.parametrize(
    ("name", "op"),
    [
        ("loop_over_a_generator", "generator"),
        ("loop_that_asks_an_iterator", "generator"),
        ("loop_under_a_tape_on_slices", "arrays"),
        ("loop_that_makes_its_batches_in_the_call", "PyDataset"),
        ("loop_on_what_a_model_predicts", "arrays"),
    ],
)
def test_a_loop_that_python_feeds_is_timed_with_what_makes_its_batches(runs: Runs, name: str, op: str) -> None:
    [fed] = runs[name].measured
    assert (fed["kind"], fed["role"], fed["line"]) == ("loop", "training", runs[name].here)
    assert fed["source"] == [op, runs[name].marked("SOURCE")]
    assert fed["step"]
    assert runs[name].reached == []


def test_a_loop_of_a_few_turns_is_measured_when_all_is_over(runs: Runs) -> None:
    [fed] = runs["loop_of_a_few_turns"].measured
    assert fed["source"] == ["generator", runs["loop_of_a_few_turns"].marked("SOURCE")]
    assert runs["loop_of_a_few_turns"].reached == ["behind"]


def test_training_that_cannot_be_timed_is_told_of_at_its_third_step(runs: Runs) -> None:
    outcome = runs["training_outside_of_loops"]
    [aside] = outcome.asides
    assert f"train.py:{outcome.here}: no loop around this makes or takes what it trains on" in aside
    assert (outcome.measured, outcome.reached) == ([], ["behind"])


@pytest.mark.parametrize(
    "name", ["training_loop", "training_loop_behind_an_evaluation_loop", "training_of_three_batches", "train_on_batch"]
)
def test_a_loop_that_trains_is_taken_over_and_timed(runs: Runs, name: str) -> None:
    training = runs[name].measured[0]
    assert (training["kind"], training["role"], training["line"]) == ("loop", "training", runs[name].here)
    assert training["step"]


def test_an_iterator_asked_for_by_name_is_one(runs: Runs) -> None:
    assert runs["iterator_by_name"].summary() == [("iter", "training")]
    assert runs["iterator_by_name"].measured[0]["step"]


def test_the_program_never_gets_behind_its_training_loop(runs: Runs) -> None:
    for name in ("training_loop", "training_of_three_batches", "iterator_by_name", "distributed_loop"):
        assert set(runs[name].reached) <= {"step"}, name


def test_an_evaluation_loop_before_training_runs_through_and_is_measured_last(runs: Runs) -> None:
    outcome = runs["training_loop_behind_an_evaluation_loop"]
    assert outcome.reached == ["evaluated"] * 40
    assert outcome.summary() == [("loop", "training"), ("loop", "unknown")]


def test_what_is_evaluated_behind_training_is_found_by_its_name(runs: Runs) -> None:
    outcome = runs["evaluation_behind_training_loop"]
    assert outcome.summary() == [("loop", "training"), ("loop", "evaluation"), ("loop", "evaluation")]
    assert [one["line"] - outcome.here for one in outcome.measured] == [0, 2, 4]
    assert runs["evaluate_behind_fit"].summary() == [("fit", "training"), ("evaluate", "evaluation")]
    assert outcome.reached == runs["evaluate_behind_fit"].reached == []


def test_a_dataset_of_one_batch_is_measured_when_all_is_over(runs: Runs) -> None:
    assert runs["training_of_a_single_batch"].reached == ["epoch", "epoch"]
    assert runs["training_of_a_single_batch"].summary() == [("loop", "training")]


def test_training_on_a_few_batches_at_a_time_is_measured_when_all_is_over(runs: Runs) -> None:
    outcome = runs["training_of_few_batches_at_a_time"]
    assert outcome.reached == ["epoch", "epoch"]
    assert [(one["role"], one["line"]) for one in outcome.measured] == [("training", outcome.here)]


def test_of_a_place_that_looks_through_many_datasets_one_is_measured(runs: Runs) -> None:
    outcome = runs["many_files_looked_through"]
    assert outcome.reached == [0, 1, 2]
    assert outcome.summary() == [("loop", "training"), ("loop", "unknown")]


def test_nothing_is_written_while_a_loop_is_timed(runs: Runs) -> None:
    outcome = runs["training_loop_that_saves"]
    assert outcome.reached == []
    assert outcome.summary() == [("loop", "training")]


def test_no_program_wrote_a_file(runs: Runs) -> None:
    assert runs["file_cache"].summary() == [("fit", "training")]
    assert runs.written == []


@pytest.mark.parametrize("name", ["plain_loop", "loop_of_another_library"])
def test_a_loop_without_training_counts_where_none_is_to_come(runs: Runs, name: str) -> None:
    assert runs[name].summary() == [("loop", "unknown")]
    assert runs[name].measured[0]["line"] == runs[name].here


def test_glances_alone_consume_nothing(runs: Runs) -> None:
    assert runs["glances_only"].measured == []


@pytest.mark.parametrize("name", ["dataset_given_to_a_traced_function", "dataset_captured_by_a_traced_function"])
def test_a_dataset_consumed_inside_a_traced_function_keeps_its_lineage(runs: Runs, name: str) -> None:
    [consumed] = runs[name].measured
    assert (consumed["role"], consumed["traced"], consumed["line"]) == ("training", True, runs[name].here)
    assert runs[name].reached == []


def test_the_step_of_a_traced_loop_is_timed_on_a_dataset_of_ours(runs: Runs) -> None:
    assert runs["dataset_given_to_a_traced_function"].measured[0]["step"]


def test_traced_evaluation_before_training_runs_through(runs: Runs) -> None:
    outcome = runs["traced_evaluation_before_traced_training"]
    assert outcome.reached == [40 * 4 * 5.0]
    assert [one["role"] for one in outcome.measured] == ["training", "unknown"]


def test_an_iterator_given_to_a_traced_function_is_its_consumer(runs: Runs) -> None:
    [consumed] = runs["iterator_given_to_a_traced_function"].measured
    assert (consumed["kind"], consumed["role"], consumed["traced"]) == ("iter", "training", False)
    assert consumed["line"] == runs["iterator_given_to_a_traced_function"].here
    assert consumed["step"]


def test_a_distributed_dataset_is_the_one_it_was_made_from(runs: Runs) -> None:
    [consumed] = runs["distributed_loop"].measured
    assert (consumed["kind"], consumed["role"], consumed["element"]) == ("loop", "training", "(None, 3)")
