"""From a live dataset to the stages of the program that built it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from pipelint.dynamic.capture import functions, lineage, unwatched_datasets
from pipelint.dynamic.capture.constants import options_set
from pipelint.dynamic.capture.lineage import DatasetCall
from pipelint.knowledge.stages import LOADERS, MERGES
from pipelint.model.locations import NOWHERE
from pipelint.model.pipeline import Pipeline, Stage
from pipelint.model.values import Argument, Literal

_ENDLESS = -1


@dataclass(frozen=True)
class CapturedPipeline:
    """The pipeline of a live dataset, with the live objects behind its stages."""

    pipeline: Pipeline
    parts: Mapping[Stage, tuple[Any, ...]]
    """All the datasets that the call of a stage made; the first is what the stage gives."""


@dataclass(eq=False)
class _Group:
    """The datasets that one call made, and what they stand on."""

    parts: tuple[Any, ...]
    inputs: tuple[Any, ...]
    inner: tuple[Any, ...]
    """What its functions return."""

    @property
    def end(self) -> Any:
        return self.parts[0]


def describe(dataset: Any) -> CapturedPipeline:
    """The stages that lead to this dataset."""
    stages: dict[int, Stage] = {}
    parts: dict[Stage, tuple[Any, ...]] = {}
    for group in _groups(dataset):
        stage = stages[id(group.end)] = _stage(group, stages)
        parts[stage] = group.parts
    pipeline = Pipeline(stages[id(dataset)])
    pipeline.adopt_stages()
    return CapturedPipeline(pipeline, parts)


def _groups(root: Any) -> list[_Group]:
    """The groups that lead to a dataset, each behind those that it needs."""
    found: dict[int, _Group] = {}
    waiting: list[tuple[Any, _Group | None]] = [(root, None)]
    while waiting:
        dataset, done = waiting.pop()
        if done is not None:
            found[id(dataset)] = done
        elif id(dataset) not in found:
            group = _group(dataset)
            waiting.append((dataset, group))
            waiting += [(other, None) for other in reversed((*group.inputs, *group.inner))]
    return list(found.values())


def _group(end: Any) -> _Group:
    call = lineage.call_of(end)
    parts: list[Any] = [end]
    inputs: list[Any] = []
    inner: list[Any] = []
    for part in parts:
        below = [other for other in _below(part) if not _is_in(other, parts)]
        # What a call uses in several of its parts was given to it once.
        inputs += [other for other in below if not _belongs(other, part, call) and not _is_in(other, inputs)]
        parts += [other for other in below if _belongs(other, part, call)]
        for other in _returned(part):
            if not _is_in(other, parts):
                (parts if call is not None and lineage.call_of(other) is call else inner).append(other)
    return _Group(tuple(parts), tuple(inputs), tuple(inner))


def _is_in(dataset: Any, known: list[Any]) -> bool:
    return any(dataset is other for other in known)


def _below(dataset: Any) -> Iterator[Any]:
    """The datasets that this one wraps or takes its elements from; an argument of a traced function is none."""
    wrapped = (getattr(dataset, name, None) for name in ("_dataset", "_impl"))
    for other in (*wrapped, *dataset._inputs()):
        if other is not None and type(other).__name__ != "_VariantDataset":
            yield other


def _belongs(other: Any, part: Any, call: DatasetCall | None) -> bool:
    """Whether a dataset was made on the way by the call that made the other one."""
    if call is not None:
        return lineage.call_of(other) is call
    wrapped = other._variant_tensor is part._variant_tensor
    names_files = other is getattr(part, "_filenames", None)
    file_names = names_files and unwatched_datasets.op_of(other) == "from_tensor_slices"
    generates = unwatched_datasets.op_of(part) == "from_generator"
    return lineage.call_of(other) is None and (wrapped or file_names or generates)


def _returned(dataset: Any) -> Iterator[Any]:
    """The datasets that the functions of this one return."""
    for wrapper in dataset._functions():
        graph = wrapper.function.graph
        known = {id(inner._variant_tensor): inner for inner in lineage.made_in(graph)}
        for outside, inside in graph.captures:
            known |= {
                id(inside): other for other in functions.datasets_seen(wrapper) if other._variant_tensor is outside
            }
        for output in graph.outputs:
            while output.op.type == "Identity" and id(output) not in known:
                output = output.op.inputs[0]  # noqa: PLW2901
            if id(output) in known:
                yield known[id(output)]


def _stage(group: _Group, stages: Mapping[int, Stage]) -> Stage:
    end, call = group.end, lineage.call_of(group.end)
    op = call.op if call is not None and call.op is not None else unwatched_datasets.op_of(end)
    arguments = call.arguments if call is not None else unwatched_datasets.arguments_of(end)
    options = options_set(end._options_attr) if call is None and op == "with_options" else {}
    place = call.place if call is not None else None
    at = place or NOWHERE
    files = _files(op, group.parts)
    return Stage(
        op=op,
        name=at,
        call=at,
        arguments={name: Argument(Literal(value), at) for name, value in arguments.items()},
        function=functions.of_stage(op, group.parts, at),
        inputs=tuple(stages[id(dataset)] for dataset in group.inputs),
        inner=tuple(Pipeline(stages[id(dataset)]) for dataset in group.inner),
        options={name: Literal(value) for name, value in (call.options if call is not None else options).items()},
        is_source=not group.inputs or op in MERGES,
        yields_batches=op in LOADERS,
        several=None if files is None else files > 1,
        element_bytes=_element_bytes(end),
        cardinality=_cardinality(end),
        built_in=place.function if place is not None else "",
        helper=call.helper if call is not None else "",
    )


def _element_bytes(dataset: Any) -> int | None:
    import tensorflow as tf

    total = 0
    for spec in tf.nest.flatten(dataset.element_spec):
        if not isinstance(spec, tf.TensorSpec) or not spec.shape.is_fully_defined() or not spec.dtype.size:
            return None
        if spec.dtype in (tf.string, tf.variant, tf.resource):
            return None
        total += prod(spec.shape) * spec.dtype.size
    return total


def _cardinality(dataset: Any) -> int | None:
    if not hasattr(dataset._variant_tensor, "numpy"):
        return None
    count = int(dataset.cardinality())
    return count if count >= _ENDLESS else None


def _files(op: str, parts: tuple[Any, ...]) -> int | None:
    """How many files a reader or `list_files` names."""
    for part in parts:
        names: Any = getattr(part, "_filenames", None)
        if hasattr(names, "element_spec") and not hasattr(names, "_tensors"):
            return _cardinality(names)
        if names is None and op == "list_files":
            names = part
        tensor = names._tensors[0] if hasattr(names, "_tensors") else names
        shape = getattr(tensor, "shape", None)
        if shape is not None and shape.is_fully_defined():
            return int(prod(shape))
    return None
