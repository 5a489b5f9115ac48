"""Remembers, for each tf.data dataset, the call of the user's program that made it."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, wraps
from types import CodeType, FrameType, FunctionType
from typing import Any

from pipelint.dynamic.capture import places
from pipelint.dynamic.capture.constants import Constant, closure_of, constant, options_set
from pipelint.dynamic.capture.places import Origin, Site, TracedSite
from pipelint.model.locations import Place

_REMEMBERS = "_pipelint_remembers"
_CALL = "_pipelint_call"
_MADE_HERE = "_pipelint_datasets"
_VERSION = re.compile(r"_?[vV][12]$")
_made = 0
"""How many datasets there were."""
_defaults: dict[CodeType, Mapping[str, object]] = {}


@dataclass(eq=False)
class DatasetCall:
    """One call of tf.data's interface; all the datasets that it makes on the way share it."""

    op: str | None
    """As written in source, None where a dataset was made without one."""
    site: Site | TracedSite | None
    arguments: Mapping[str, Constant] = field(default_factory=dict)
    options: Mapping[str, Constant] = field(default_factory=dict)
    helper: str = ""
    """The library's function that makes the call for the user, "" where it is their own."""

    @cached_property
    def place(self) -> Place | None:
        """The name that is called, in the user's source."""
        return self.site.place(self.op) if self.site is not None else None


def install() -> None:
    """Remember every dataset from now on. Doing so again changes nothing."""
    dataset_class = _dataset_class()
    original = dataset_class.__init__
    if hasattr(original, _REMEMBERS):
        return

    @wraps(original)
    def remembering(self: Any, variant_tensor: Any) -> None:
        original(self, variant_tensor)
        # The user's program runs on whatever becomes of the internals that are looked at here.
        with suppress(Exception):
            _remember(self, sys._getframe(1))

    setattr(remembering, _REMEMBERS, True)
    dataset_class.__init__ = remembering


def uninstall() -> None:
    """Leave TensorFlow as it was; what is remembered stays."""
    dataset_class = _dataset_class()
    if hasattr(dataset_class.__init__, _REMEMBERS):
        dataset_class.__init__ = dataset_class.__init__.__wrapped__


def call_of(dataset: Any) -> DatasetCall | None:
    """The call that made the dataset, None for one made before `install`."""
    return getattr(dataset, _CALL, None)


def any_made() -> bool:
    """Whether the program has made a dataset since `install`."""
    return _made > 0


def made_in(graph: Any) -> tuple[Any, ...]:
    """The datasets that a traced function made, in order."""
    return getattr(graph, _MADE_HERE, ())


def _dataset_class() -> Any:
    from tensorflow.python.data.ops.dataset_ops import DatasetV2

    return DatasetV2


def _remember(dataset: Any, maker: FrameType) -> None:
    global _made  # noqa: PLW0603 - one program runs in a process
    _made += 1
    # An attribute, and not a table: it dies with the dataset, whatever refers to what.
    setattr(dataset, _CALL, _call(maker))
    graph = dataset._graph_attr
    if hasattr(graph, "outer_graph"):
        # Nothing else holds the datasets inside a function once it is traced.
        setattr(graph, _MADE_HERE, (*made_in(graph), dataset))


def _call(innermost: FrameType) -> DatasetCall:
    """The call of tf.data's interface that is running, the same one for all the datasets that it makes."""
    entry, caller = _entry(innermost)
    if entry is None:
        return DatasetCall(None, _site(caller))
    # A frame keeps what is added to its locals until it ends; the address of a frame, in contrast, is used again.
    call: DatasetCall | None = entry.f_locals.get(_CALL)
    if call is None:
        values = entry.f_locals
        op = _op(entry.f_code, values)
        arguments = {**_given(entry), **_given_to_factory(values.get("transformation_func"))}
        options = options_set(values["options"]) if op == "with_options" else {}
        call = values[_CALL] = DatasetCall(op, _site(caller), arguments, options, _helper(caller))
    return call


def _entry(innermost: FrameType) -> tuple[FrameType | None, FrameType | None]:
    """The outermost frame of tf.data below the first one outside TensorFlow, and that one."""
    entry: FrameType | None = None
    handed_over: list[tuple[object, FrameType | None]] = []
    frame: FrameType | None = innermost
    while frame is not None:
        filename = frame.f_code.co_filename
        origin = places.origin(filename)
        if origin is Origin.TENSORFLOW:
            if filename.endswith("structured_function.py"):
                if frame.f_code.co_name == "wrapper_helper":
                    handed_over.append((frame.f_locals["self"]._func, entry))
            elif "python/data/" in filename.replace("\\", "/"):
                entry = frame
        elif origin is not Origin.SYSTEM:
            break
        frame = frame.f_back
    if handed_over and entry is not None:
        # `interleave(tf.data.TFRecordDataset)`: the class is the user's choice, though TensorFlow calls it.
        given = [entry.f_locals.get(name) for name in inspect.getargs(entry.f_code).args]
        for function, inner in handed_over:
            if inner is not None and any(function is value for value in given):
                return inner, frame
    return entry, frame


def _site(caller: FrameType | None) -> Site | TracedSite | None:
    """The innermost frame of the user's code, else that of the library which calls TensorFlow."""
    for frame in _outwards(caller):
        origin = places.origin(frame.f_code.co_filename)
        if origin is Origin.GENERATED:
            return _traced_site(frame)
        if origin is Origin.USER:
            return _site_of(frame)
    return _site_of(caller) if caller is not None else None


def _helper(caller: FrameType | None) -> str:
    """The function of a library that the user called, between their frame and the one that calls TensorFlow."""
    name = ""
    for frame in _outwards(caller):
        origin = places.origin(frame.f_code.co_filename)
        if origin is Origin.USER:
            return name
        if origin is Origin.LIBRARY:
            name = frame.f_code.co_name
    return ""


def _site_of(frame: FrameType) -> Site:
    return Site(frame.f_code, frame.f_lasti, places.path_of(frame.f_code.co_filename), frame.f_lineno)


def _traced_site(frame: FrameType) -> TracedSite | None:
    from tensorflow.python.util import tf_stack

    for mapped in reversed(tf_stack.extract_stack()):
        if places.origin(mapped.filename) is Origin.USER:
            return TracedSite(_site_of(frame), places.path_of(mapped.filename), mapped.lineno)
    return None


def _outwards(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _op(code: CodeType, values: Mapping[str, Any]) -> str | None:
    name = code.co_name
    if name == "__init__":
        name = type(values["self"]).__name__
    elif name == "apply" and hasattr(values.get("transformation_func"), "__qualname__"):
        name = values["transformation_func"].__qualname__.partition(".<locals>")[0]
    elif name == "_apply_fn":
        name = getattr(code, "co_qualname", name).partition(".<locals>")[0]
    return None if name.startswith("_") else _VERSION.sub("", name)


def _given(frame: FrameType) -> dict[str, Constant]:
    """The constant arguments of a call that differ from the defaults."""
    values, parameters = frame.f_locals, inspect.getargs(frame.f_code)
    if frame.f_code not in _defaults:
        _defaults[frame.f_code] = _defaults_of(frame)
    given = {name: values[name] for name in parameters.args if name in values}
    if frame.f_code.co_name == "range" and parameters.varargs is not None:
        positional = values[parameters.varargs]
        given |= dict(zip(("stop",) if len(positional) == 1 else ("start", "stop", "step"), positional, strict=False))
    return _without_defaults(given, _defaults[frame.f_code])


def _given_to_factory(transformation: object) -> dict[str, Constant]:
    """The arguments of `tf.data.experimental.map_and_batch(...)`, which the function that it returns closes over."""
    if not isinstance(transformation, FunctionType):
        return {}
    return _without_defaults(closure_of(transformation), {})


def _without_defaults(values: Mapping[str, object], defaults: Mapping[str, object]) -> dict[str, Constant]:
    constants = {name: constant(value) for name, value in values.items()}
    return {name: value for name, value in constants.items() if value is not None and value != defaults.get(name)}


def _defaults_of(frame: FrameType) -> Mapping[str, object]:
    """The defaults of the function that runs in the frame."""
    name = frame.f_code.co_name
    owners = (type(frame.f_locals.get("self")), _dataset_class())
    candidates = [frame.f_globals.get(name), *(getattr(owner, name, None) for owner in owners)]
    for candidate in candidates:
        function = inspect.unwrap(candidate) if callable(candidate) else None
        if getattr(function, "__code__", None) is frame.f_code:
            assert function is not None
            return {name: parameter.default for name, parameter in inspect.signature(function).parameters.items()}
    return {}
