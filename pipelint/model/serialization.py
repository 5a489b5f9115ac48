"""A pipeline as plain data, and back: what goes to another process, or into JSON.

The stages stand in one list and name each other by their places in it, so that a long pipeline is no deep one, and
what is used twice, a dataset or a function, stays one object. What only the front end that read a program knows of it
(the calls that a function makes, the other ways in which a dataset may be built) is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import Field, fields
from enum import Enum
from typing import Any

from pipelint.knowledge.consumption import ConsumerKind, Purpose
from pipelint.model.consumer import Consumer
from pipelint.model.cost import Cost, InnerCost, Inside, Measurement, Start, Step, TrialRun
from pipelint.model.definitions import Cause, Effect, MappedFunction
from pipelint.model.locations import Place, Region
from pipelint.model.pipeline import Dataset, Pipeline, Stage
from pipelint.model.values import UNKNOWN, Argument, Literal, Symbol, Text

_RECORDS = {
    kind.__name__: kind
    for kind in (
        *(Argument, Cause, Consumer, ConsumerKind, Cost, Effect, InnerCost, Inside, Literal, MappedFunction),
        *(Measurement, Place, Purpose, Region, Start, Step, Symbol, Text, TrialRun),
    )
}
_CLASS, _SET, _MAPPING = "class", "set", "mapping"
WRITTEN_APART: dict[type, frozenset[str]] = {
    Stage: frozenset({"function", "inputs", "inner", "pipeline"}),
    MappedFunction: frozenset({"function"}),
}
"""Fields that are written another way, or not at all."""


def to_plain(pipeline: Pipeline) -> dict[str, Any]:
    """The pipeline as dictionaries, lists and constants that JSON can hold."""
    functions = list(dict.fromkeys(stage.function for stage in pipeline.every_stage if stage.function is not None))
    return {
        "functions": [_plain(function) for function in functions],
        "stages": [_stage(stage, pipeline.numbers, functions) for stage in pipeline.every_stage],
        "options_known": pipeline.options_known,
        "measurement": _plain(pipeline.measurement),
        "consumers": [_plain(consumer) for consumer in pipeline.consumers],
        "complete": pipeline.dataset is not None and pipeline.dataset.complete,
        "places": _places(pipeline.dataset) if pipeline.dataset is not None else None,
    }


def from_plain(data: Mapping[str, Any]) -> Pipeline:
    """The pipeline that `to_plain` made this of."""
    functions: tuple[MappedFunction, ...] = _restored(data["functions"])
    stages: list[Stage] = []
    for written in data["stages"]:
        function = None if written["function"] is None else functions[written["function"]]
        inner = tuple(Pipeline(stages[end], options_known=known) for end, known in written["inner"])
        inputs = tuple(stages[number] for number in written["inputs"])
        stages.append(Stage(**_fields_of(Stage, written), function=function, inputs=inputs, inner=inner))
    pipeline = Pipeline(stages[-1], options_known=data["options_known"], measurement=_restored(data["measurement"]))
    pipeline.adopt_stages()
    if data["places"] is not None:
        consumers: tuple[Consumer, ...] = _restored(data["consumers"])
        places = tuple((consumers[number], _restored(place)) for number, place in data["places"])
        pipeline.dataset = Dataset((pipeline,), consumers, data["complete"], places)
    return pipeline


def _stage(stage: Stage, numbers: Mapping[Stage, int], functions: list[MappedFunction]) -> dict[str, Any]:
    return {
        **_written(stage),
        "function": None if stage.function is None else functions.index(stage.function),
        "inputs": [numbers[part] for part in stage.inputs],
        "inner": [[numbers[inner.end], inner.options_known] for inner in stage.inner],
    }


def _places(dataset: Dataset) -> list[Any]:
    return [[dataset.consumers.index(consumer), _plain(place)] for consumer, place in dataset.places]


def _written(record: Any) -> dict[str, Any]:
    return {each.name: _plain(getattr(record, each.name)) for each in _kept(type(record))}


def _kept(kind: Any) -> Iterator[Field[Any]]:
    return (each for each in fields(kind) if each.name not in WRITTEN_APART.get(kind, ()))


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, frozenset):
        return {_CLASS: _SET, "members": sorted(value)}
    if isinstance(value, Mapping):
        return {_CLASS: _MAPPING, "members": {name: _plain(each) for name, each in value.items()}}
    if isinstance(value, Enum):
        return {_CLASS: type(value).__name__, "value": value.value}
    if type(value).__name__ not in _RECORDS or (isinstance(value, Literal) and not _is_constant(value.value)):
        # A value of which nothing is known here.
        return {_CLASS: "Value"}
    return {_CLASS: type(value).__name__, **_written(value)}


def _is_constant(value: object) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_constant, value))
    return value is None or isinstance(value, (bool, int, float, str))


def _restored(data: Any) -> Any:
    if isinstance(data, list):
        return tuple(_restored(each) for each in data)
    if not isinstance(data, dict):
        return data
    match data[_CLASS]:
        case "Value":
            return UNKNOWN
        case "set":
            return frozenset(data["members"])
        case "mapping":
            return {name: _restored(each) for name, each in data["members"].items()}
    kind: Any = _RECORDS[data[_CLASS]]
    return kind(data["value"]) if issubclass(kind, Enum) else kind(**_fields_of(kind, data))


def _fields_of(kind: Any, data: Mapping[str, Any]) -> dict[str, Any]:
    return {each.name: _restored(data[each.name]) for each in _kept(kind)}
