"""A pipeline that went through JSON is the same pipeline."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelint.knowledge.consumption import ConsumerKind
from pipelint.model.consumer import Consumer
from pipelint.model.cost import Cost, Measurement, Step, TrialRun
from pipelint.model.definitions import Cause, Effect, Function, MappedFunction
from pipelint.model.locations import NOWHERE, Location, Place, Region
from pipelint.model.pipeline import Pipeline, Stage
from pipelint.model.serialization import WRITTEN_APART, from_plain, to_plain
from pipelint.model.values import AUTOTUNE, UNKNOWN, Argument, Literal, Text

words = st.text(max_size=8)
figures = st.floats(min_value=0, max_value=1e12)
constants = st.recursive(
    st.none() | st.booleans() | st.integers() | figures | words, lambda inner: st.tuples(inner, inner), max_leaves=4
)
locations: st.SearchStrategy[Location] = st.one_of(
    st.just(NOWHERE),
    st.builds(Region, st.integers(0, 99), st.integers(0, 99)),
    st.builds(Place, words, st.integers(1, 99), st.none() | st.integers(1, 99), st.none(), words),
)
values = st.one_of(st.just(UNKNOWN), st.just(AUTOTUNE), st.builds(Literal, constants), st.builds(Text, words))
arguments = st.dictionaries(words, st.builds(Argument, values, locations, st.none() | st.integers()), max_size=3)
causes = st.builds(Cause, st.sampled_from(Effect), words, locations)
functions = st.builds(
    MappedFunction,
    st.none() | words,
    locations,
    st.booleans(),
    st.lists(causes, max_size=2).map(tuple),
    stateful=st.none() | st.booleans(),
)
costs = st.builds(Cost, figures, figures, figures, rewritten=st.none() | words, buffered_bytes=figures)
measurements = st.builds(
    Measurement,
    epoch=st.sampled_from([None, "first", "later"]),
    timeline=st.lists(st.tuples(figures, figures), max_size=3).map(tuple),
    step=st.none() | st.builds(Step, figures, figures, figures),
    note=words,
)


@st.composite
def pipelines(draw: Any) -> Pipeline:
    """Any graph of stages, with datasets and functions that are used twice and pipelines inside functions."""
    shared = draw(st.lists(functions, max_size=2))
    stages: list[Stage] = []
    for number in range(draw(st.integers(1, 8))):
        earlier = st.lists(st.sampled_from(stages), max_size=2) if stages else st.just([])
        inner = draw(earlier) if number > 2 else []
        stages.append(
            Stage(
                op=draw(words),
                name=draw(locations),
                call=draw(locations),
                arguments=draw(arguments),
                function=draw(st.sampled_from([None, *shared])),
                inputs=tuple(draw(earlier)),
                inner=tuple(Pipeline(end, options_known=draw(st.booleans())) for end in inner),
                guards=draw(st.frozensets(words, max_size=2)),
                cost=draw(st.none() | costs),
                tried=draw(st.none() | st.builds(TrialRun, figures, figures, st.none() | figures)),
                cardinality=draw(st.none() | st.integers(-1, 99)),
            )
        )
    pipeline = Pipeline(stages[-1], measurement=draw(st.none() | measurements))
    pipeline.adopt_stages()
    return (
        pipeline.consumed_by(Consumer(draw(st.sampled_from(ConsumerKind)), draw(locations)))
        if draw(st.booleans())
        else pipeline
    )


def numbered(pipeline: Pipeline) -> list[tuple[Any, ...]]:
    """How the stages hang together, and the objects that they share."""
    numbers, used = pipeline.numbers, [stage.function for stage in pipeline.every_stage]
    return [
        (
            stage.op,
            [numbers[part] for part in stage.inputs],
            [numbers[inner.end] for inner in stage.inner],
            [numbers[taker] for taker in stage.outputs if taker in numbers],
            numbers[stage.nested_in] if stage.nested_in is not None else None,
            used.index(stage.function),
        )
        for stage in pipeline.every_stage
    ]


@settings(deadline=None, derandomize=True, max_examples=80)
@given(pipelines())
def test_what_comes_back_is_what_was_written(pipeline: Pipeline) -> None:
    back = from_plain(json.loads(json.dumps(to_plain(pipeline))))
    assert to_plain(back) == to_plain(pipeline)
    assert numbered(back) == numbered(pipeline)
    assert [(stage.name, stage.cost) for stage in back.stages] == [
        (stage.name, stage.cost) for stage in pipeline.stages
    ]
    assert back.measurement == pipeline.measurement
    assert [(user.kind, user.region) for user in back.consumers] == [
        (user.kind, user.region) for user in pipeline.consumers
    ]


def test_a_pipeline_of_thousands_is_no_deep_one() -> None:
    stage = Stage("range", NOWHERE, NOWHERE)
    for _ in range(5000):
        stage = Stage("map", NOWHERE, NOWHERE, inputs=(stage,))
    assert len(from_plain(json.loads(json.dumps(to_plain(Pipeline(stage))))).stages) == 5001


def test_what_json_has_no_word_for_is_not_known() -> None:
    stage = Stage("map", NOWHERE, NOWHERE, arguments={"map_func": Argument(Literal(b"bytes"), NOWHERE)})
    (back,) = from_plain(to_plain(Pipeline(stage))).stages
    assert back.arguments["map_func"].value is UNKNOWN


@pytest.mark.parametrize(("kind", "apart"), WRITTEN_APART.items())
def test_what_is_written_apart_are_fields(kind: Any, apart: frozenset[str]) -> None:
    assert apart <= {each.name for each in fields(kind)}


def test_the_function_of_the_program_stays_behind_and_nothing_comes_in_its_place() -> None:
    mapped = MappedFunction("load", NOWHERE, resolved=True, function=Function("load", NOWHERE))
    stage = Stage("map", NOWHERE, NOWHERE, function=mapped)
    (back,) = from_plain(to_plain(Pipeline(stage))).stages
    assert back.function is not None
    assert (back.function.name, back.function.resolved) == ("load", True)
    assert back.function.function is None
