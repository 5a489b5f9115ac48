"""The public call behind an operation of a graph: its name as users know it, and where they wrote it."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import lru_cache
from types import MethodType, ModuleType
from typing import Any

from pipelint.dynamic.capture import places
from pipelint.dynamic.capture.places import Origin
from pipelint.knowledge.graph_ops import public_call
from pipelint.knowledge.keras import CONTAINER_LAYERS
from pipelint.model.locations import Place


@dataclass(frozen=True)
class PublicCall:
    """A call of TensorFlow or Keras that the user, or a library, made."""

    name: str
    place: Place | None
    draws_seed: bool = False
    """Whether Keras keeps the state of a random generator for it."""


def call_behind(op: Any) -> PublicCall:
    """The call that put the operation into its graph."""
    frames = [(frame.filename, frame.lineno, frame.name) for frame in op.traceback]
    last = next((index for index, frame in _reversed(frames) if frame[2] == "wrapper_helper"), -1)
    user = next((index for index, frame in _reversed(frames) if places.origin(frame[0]) is Origin.USER), -1)
    inward = frames[max(last, user) + 1 :]
    name = next((name for frame in inward if (name := _symbol(frame[0], frame[2])) is not None), public_call(op.type))
    place = _call_on(frames[user][0], frames[user][1], name) if user > last else None
    return PublicCall(name, place, any(_is(frame[0], "random/seed_generator.py") for frame in inward))


def public_name(symbol: Any) -> str | None:
    """The name under which TensorFlow or Keras exports a function or the class of a layer."""
    from tensorflow.python.util import tf_export

    if isinstance(symbol, MethodType):
        owner = public_name(type(symbol.__self__))
        return f"{owner}.{symbol.__name__}" if owner is not None else None
    if (getattr(symbol, "__module__", None) or "").startswith("tensorflow."):
        name = tf_export.get_canonical_name_for_symbol(symbol)
        return f"tf.{name}" if name and "__" not in name else None
    layer = symbol if isinstance(symbol, type) else type(symbol)
    return _exported_layer(layer) if layer.__module__.startswith("keras.") else None


def _reversed(frames: list[tuple[str, int, str]]) -> list[tuple[int, tuple[str, int, str]]]:
    return list(enumerate(frames))[::-1]


def _is(filename: str, ending: str) -> bool:
    return filename.replace("\\", "/").endswith(ending)


@lru_cache(maxsize=4096)
def _symbol(filename: str, function: str) -> str | None:
    """The public name of a function, or of the layer that a file of Keras defines."""
    module = _module(filename)
    if module is None:
        return None
    if places.origin(filename) is Origin.TENSORFLOW:
        symbol = getattr(module, function, None)
        return public_name(symbol) if symbol is not None else None
    if _is(filename, "keras/src/random/random.py"):
        return f"keras.random.{function}"
    classes = [value for value in vars(module).values() if isinstance(value, type)]
    own = [_exported_layer(value) for value in classes if value.__module__ == module.__name__]
    return next((name for name in own if name is not None), None)


def _exported_layer(layer: type) -> str | None:
    keras: Any = sys.modules.get("keras")
    name = layer.__name__
    if keras is None or name in CONTAINER_LAYERS or name.startswith("Base"):
        return None
    return f"keras.layers.{name}" if getattr(keras.layers, name, None) is layer else None


@lru_cache(maxsize=4096)
def _module(filename: str) -> ModuleType | None:
    if places.origin(filename) not in (Origin.TENSORFLOW, Origin.LIBRARY):
        return None
    for module in tuple(sys.modules.values()):
        if getattr(module, "__file__", None) == filename:
            return module
    return None


def _call_on(filename: str, line: int, name: str) -> Place:
    """The place of the call on a line: the one of that name, or the only one."""
    source = places.source_of(places.path_of(filename))
    calls = [call for call in source.calls if call.lineno <= line <= (call.end_lineno or 0)]
    named = [call for call in calls if places.called_name(call) == name.rpartition(".")[2]]
    chosen = named or calls
    return source.name_of(chosen[0]) if len(chosen) == 1 else source.line(line)
