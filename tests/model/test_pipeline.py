"""The walks of a pipeline, on one in which a dataset is used twice and one stands inside a function."""

from __future__ import annotations

import pytest

from pipelint.knowledge.consumption import ConsumerKind
from pipelint.model.consumer import Consumer
from pipelint.model.cost import Cost, Measurement
from pipelint.model.locations import NOWHERE
from pipelint.model.pipeline import Pipeline, Stage


def stage(op: str, *inputs: Stage, inner: Stage | None = None) -> Stage:
    return Stage(op, NOWHERE, NOWHERE, inputs=inputs, inner=(Pipeline(inner),) if inner is not None else ())


def ops(stages: object) -> list[str]:
    return [each.op for each in stages]  # type: ignore[attr-defined]


@pytest.fixture
def pipeline() -> Pipeline:
    """`zip((source.map(f), source.skip(1)))`, read file by file, and batched."""
    source = stage("interleave", stage("list_files"), inner=stage("parse", stage("records")))
    made = Pipeline(stage("batch", stage("zip", stage("map", source), stage("skip", source))))
    made.adopt_stages()
    return made.consumed_by(Consumer(ConsumerKind.FIT, NOWHERE))


def named(pipeline: Pipeline, op: str) -> Stage:
    return next(each for each in pipeline.every_stage if each.op == op)


def test_stages_come_once_and_behind_their_inputs(pipeline: Pipeline) -> None:
    assert ops(pipeline.stages) == ["list_files", "interleave", "map", "skip", "zip", "batch"]
    assert ops(pipeline.every_stage) == ["list_files", "records", "parse", *ops(pipeline.stages)[1:]]


def test_a_dataset_that_is_used_twice_has_two_outputs(pipeline: Pipeline) -> None:
    assert ops(named(pipeline, "interleave").outputs) == ["map", "skip"]
    assert ops(named(pipeline, "interleave").downstream()) == ["map", "skip", "zip", "batch"]
    assert named(pipeline, "batch").outputs == ()


def test_upstream_is_everything_once_and_before_what_it_takes_from(pipeline: Pipeline) -> None:
    assert ops(named(pipeline, "zip").upstream()) == ["skip", "map", "interleave", "list_files"]
    assert ops(named(pipeline, "interleave").upstream(inside=True)) == ["parse", "records", "list_files"]


def test_the_trunk_ends_where_branches_merge(pipeline: Pipeline) -> None:
    assert ops(pipeline.trunk) == ["zip", "batch"]


def test_what_stands_inside_a_function_knows_where(pipeline: Pipeline) -> None:
    (inner,) = pipeline.nested
    assert ops(inner.stages) == ["records", "parse"]
    assert named(pipeline, "records").nested_in is named(pipeline, "interleave")
    assert inner.outermost is pipeline


def test_a_dataset_from_outside_that_a_function_returns_stays_outside() -> None:
    other = stage("other")
    flat = stage("flat_map", stage("range"), inner=other)
    made = Pipeline(stage("zip", flat, other))
    made.adopt_stages()
    assert other.pipeline is made
    assert ops(other.outputs) == ["zip"]


def test_a_measured_copy_leaves_the_pipeline_as_it_is(pipeline: Pipeline) -> None:
    costs = {named(pipeline, "map"): Cost(seconds=3.0, cpu_seconds=3.0), named(pipeline, "records"): Cost(seconds=1.0)}
    copy = pipeline.measured(costs, Measurement(epoch="first"))
    assert (named(copy, "map").share, named(copy, "records").share, named(copy, "skip").share) == (0.75, 0.25, None)
    assert (named(copy, "map").bound, named(copy, "records").bound) == ("cpu", "io")
    assert copy.consumers == pipeline.consumers
    assert pipeline.measurement is None
    assert named(pipeline, "map").cost is None
