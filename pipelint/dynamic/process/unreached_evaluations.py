"""What a program would evaluate behind its training, where it never gets: found by the names in its source."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from types import FrameType
from typing import Any

import tensorflow as tf

from pipelint.dynamic.capture import places
from pipelint.dynamic.capture.places import Origin
from pipelint.dynamic.process.consumed_dataset import ConsumedDataset
from pipelint.knowledge.consumption import ConsumerKind, Purpose
from pipelint.knowledge.words import purpose_of_words
from pipelint.model.consumer import Consumer
from pipelint.model.locations import Place

_METHODS = {kind.value: kind for kind in (ConsumerKind.EVALUATE, ConsumerKind.PREDICT)}


@dataclass(frozen=True)
class _Use:
    """A name that a loop runs over, or that a call is given."""

    name: str
    kind: ConsumerKind
    line: int


def evaluations() -> list[ConsumedDataset]:
    """The datasets that the user's running code names for evaluation further down, in the order of their lines."""
    found: list[ConsumedDataset] = []
    for frame in _users_frames():
        path = places.path_of(frame.f_code.co_filename)
        for use in _uses(places.source_of(path).tree, frame.f_lineno):
            dataset = _value(frame, use.name)
            known = any(dataset is other.dataset for other in found)
            if isinstance(dataset, tf.data.Dataset) and not known:
                consumer = Consumer(use.kind, Place(path, use.line), Purpose.EVALUATION)
                found.append(ConsumedDataset(dataset, consumer))
    return found


def _users_frames() -> Iterator[FrameType]:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if places.origin(frame.f_code.co_filename) is Origin.USER:
            yield frame
        frame = frame.f_back


def _uses(tree: ast.Module, line: int) -> list[_Use]:
    """The loops over names, and the calls of names, behind a line that speak of evaluation."""
    uses = []
    for node in ast.walk(tree):
        if isinstance(node, ast.For) and node.lineno > line:
            uses += [_Use(name, ConsumerKind.LOOP, node.lineno) for name in _names(node.iter)]
        elif isinstance(node, ast.Call) and node.lineno > line:
            called = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            kind = _METHODS.get(called, ConsumerKind.LOOP)
            given = [*node.args, *(keyword.value for keyword in node.keywords)]
            uses += [_Use(argument.id, kind, node.lineno) for argument in given if isinstance(argument, ast.Name)]
    told = [use for use in uses if purpose_of_words([use.name]) is Purpose.EVALUATION]
    return sorted(told, key=lambda use: use.line)


def _names(iterated: ast.expr) -> list[str]:
    """The names in what a loop runs over, `enumerate(val_ds)` included; `val_ds.take(1)` is another dataset."""
    if isinstance(iterated, ast.Name):
        return [iterated.id]
    if isinstance(iterated, ast.Call) and isinstance(iterated.func, ast.Name):
        return [argument.id for argument in iterated.args if isinstance(argument, ast.Name)]
    return []


def _value(frame: FrameType, name: str) -> Any:
    return frame.f_locals.get(name, frame.f_globals.get(name))
