"""Where TensorFlow and Keras tell a `ProgramWatch` what the user's program does with its datasets."""

from __future__ import annotations

import dis
import inspect
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps
from types import FrameType, ModuleType
from typing import Any, TypeVar
from weakref import WeakSet

import tensorflow as tf
from tensorflow.python.autograph.operators import control_flow
from tensorflow.python.data.ops import dataset_ops, iterator_ops
from tensorflow.python.distribute import distribute_lib, input_lib
from tensorflow.python.eager.polymorphic_function import polymorphic_function
from tensorflow.python.util import tf_stack

from pipelint.dynamic.capture import places
from pipelint.dynamic.capture.loop_feeds import is_in_loop
from pipelint.dynamic.capture.places import Origin, Site
from pipelint.dynamic.measure import step_runs
from pipelint.dynamic.measure.step import Terms, held, time_step, time_step_on
from pipelint.dynamic.process.consumed_dataset import ConsumedDataset
from pipelint.dynamic.process.import_hook import after_import
from pipelint.dynamic.process.keras_feeds import ENDLESS, KerasFeed, feed_of
from pipelint.dynamic.process.program_watch import ProgramWatch, TracedActivity, WatchedLoop
from pipelint.dynamic.process.write_guard import WriteGuard
from pipelint.knowledge.consumption import ConsumerKind, Purpose
from pipelint.knowledge.keras import APPLIES_GRADIENTS
from pipelint.model.consumer import Consumer
from pipelint.model.cost import Step
from pipelint.model.locations import NOWHERE, Place
from pipelint.model.pipeline import Pipeline

_LOOP = "_pipelint_loop"
_ORIGINAL = "_pipelint_original"
_FRAMEWORKS = frozenset({"tensorflow", "keras", "tf_keras", "pipelint"})
_DATA = "tensorflow.python.data."
_Result = TypeVar("_Result")


@dataclass(frozen=True)
class _KerasCall:
    """One call of `fit`, `evaluate` or `predict`."""

    method: ConsumerKind
    original: Callable[..., Any]
    model: Any
    arguments: dict[str, Any]
    callback: type
    place: Place | None
    passes: int | None
    """How many epochs there are; None where a loop around the call may bring it back."""

    @property
    def begins_anew(self) -> bool:
        """Whether each of several epochs makes a new iterator."""
        return self.arguments.get("steps_per_epoch") is None and self.passes != 1


class Hooks:
    """Stands between the program and what it consumes datasets with."""

    def __init__(self, watch: ProgramWatch, guard: WriteGuard) -> None:
        self.watch = watch
        """Who is told."""
        self._guard = guard
        self._seen: WeakSet[Any] = WeakSet()
        self._iterated: list[Any] | None = None
        """The datasets of Keras' own that it iterates, while somebody asks."""

    def install(self) -> None:
        """Tell the watch of everything that happens from now on."""
        _wrap(dataset_ops.DatasetV2, "__iter__", self._iter)
        _wrap(iterator_ops.OwnedIterator, "_next_internal", self._next)
        _wrap(input_lib.DistributedDataset, "__iter__", self._iter)
        _wrap(input_lib.DistributedDatasetsFromFunction, "__iter__", self._iter)
        _wrap(input_lib.DistributedIteratorBase, "get_next", self._next)
        _wrap(distribute_lib.StrategyBase, "experimental_distribute_dataset", self._distribute)
        _wrap(distribute_lib.StrategyBase, "distribute_datasets_from_function", self._distribute_from_function)
        _wrap(polymorphic_function.Function, "__call__", self._function_call)
        _wrap(tf.GradientTape, "gradient", self._trains)
        _wrap(control_flow, "_tf_distributed_iterable_for_stmt", self._traced_for)
        registry = control_flow.for_loop_registry._registry
        registry[dataset_ops.DatasetV2] = _wrapped(registry[dataset_ops.DatasetV2], self._traced_for)
        for name in ("keras", "tf_keras"):
            after_import(name, self._keras)

    def _keras(self, keras: ModuleType) -> None:
        callback = keras.callbacks.Callback
        for method in (ConsumerKind.FIT, ConsumerKind.EVALUATE, ConsumerKind.PREDICT):
            _wrap(_owner(keras.Model, method.value), method.value, partial(self._keras_method, method, callback))
        _wrap(_owner(keras.Model, "train_on_batch"), "train_on_batch", self._trains)
        for name in APPLIES_GRADIENTS:
            if owner := _owner(keras.optimizers.Optimizer, name):
                _wrap(owner, name, self._trains)
        for name in ("save", "save_weights", "export"):
            if owner := _owner(keras.Model, name):
                self._guard.refuse_calls(owner, name)

    def _trains(self, original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if not self.watch.paused:
            self.watch.trains()
        with self.watch.loops.inside_step():
            return original(*args, **kwargs)

    # Keras

    def _keras_method(
        self, method: ConsumerKind, callback: type, original: Callable[..., Any], model: Any, *args: Any, **kwargs: Any
    ) -> Any:
        frame = _user_of(sys._getframe(2))
        if frame is not None and not self.watch.paused:
            arguments = inspect.signature(original).bind(model, *args, **kwargs).arguments
            epochs = arguments.get("epochs", 1)
            passes = epochs if isinstance(epochs, int) and not _comes_back(frame) else None
            place = _place(frame, method.value)
            self._keras_call(_KerasCall(method, original, model, arguments, callback, place, passes))
            self.watch.loops.runs_model()
        with self.watch.loops.inside_step():
            return original(model, *args, **kwargs)

    def _keras_call(self, call: _KerasCall) -> None:
        data = _dataset(call.arguments.get("x"))
        if call.method is not ConsumerKind.FIT:
            if data is not None:
                self.watch.evaluate(self._keras_consumption(call, data, call.method, Purpose.EVALUATION))
            return
        validation = _dataset(call.arguments.get("validation_data"))
        consumptions = []
        if data is not None:
            consumptions.append(self._keras_consumption(call, data, ConsumerKind.FIT, Purpose.TRAINING))
        elif (feed := feed_of(call.arguments, call.place)) is not None:
            consumptions.append(self._fed(call, feed))
        if validation is not None:
            consumptions.append(self._keras_consumption(call, validation, ConsumerKind.EVALUATE, Purpose.EVALUATION))
        self.watch.fit(consumptions, on_arrays=data is None)

    def _fed(self, call: _KerasCall, feed: KerasFeed) -> ConsumedDataset:
        takes_workers = "workers" in inspect.signature(call.original).parameters
        where = call.place or NOWHERE
        consumer = Consumer(ConsumerKind.FIT, where, Purpose.TRAINING, passes=call.passes, takes_workers=takes_workers)
        fit = partial(call.original, call.model, verbose=0)

        def measure(*args: Any, **kwargs: Any) -> Pipeline:
            if feed.take is None:
                self._iterated = []
                try:
                    self._guarded(feed.made_of_arrays, fit, call.callback, self._iterated)
                finally:
                    self._iterated = None
            return feed.measure(*args, **kwargs)

        step = partial(self._guarded, feed.time_step, fit, call.callback)
        return ConsumedDataset(feed.data, consumer, step, measure, feed.made_by_keras)

    def _keras_consumption(
        self, call: _KerasCall, dataset: Any, method: ConsumerKind, purpose: Purpose
    ) -> ConsumedDataset:
        consumer = Consumer(method, call.place or NOWHERE, purpose, passes=call.passes)
        return ConsumedDataset(dataset, consumer, partial(self._keras_step, call, dataset, method))

    def _keras_step(self, call: _KerasCall, dataset: Any, method: ConsumerKind, terms: Terms) -> Step:
        original = getattr(type(call.model), method.value) if method is not call.method else call.original
        kept = {"class_weight": call.arguments.get("class_weight")} if method is ConsumerKind.FIT else {}
        chosen = dataset if terms.stand_in is None else terms.stand_in
        # An epoch that never ends by itself: the clock ends it.
        endless = {"steps_per_epoch" if method is ConsumerKind.FIT else "steps": ENDLESS}

        def run(data: Any, callbacks: list[Any]) -> None:
            how = {"epochs": ENDLESS} if data is chosen else endless
            original(call.model, data, verbose=0, callbacks=callbacks, **kept, **how)

        in_epochs = chosen if method is ConsumerKind.FIT and call.begins_anew else None
        timed = step_runs.by_keras(run, call.callback)
        return self._guarded(time_step_on, timed, held(chosen), chosen.repeat(), terms, in_epochs)

    # Python loops

    def _iter(self, original: Callable[..., Any], dataset: Any) -> Any:
        iterator = original(dataset)
        if self._iterated is not None:
            self._iterated.append(dataset)
        if self.watch.paused:
            return iterator
        source = _dataset(dataset)
        if source is None:
            return iterator
        if self.watch.trace is not None:
            self._note_traced(source)
        elif tf.executing_eagerly() and (frame := _user_of(sys._getframe(2))) is not None:
            kind = _kind_of_iteration(frame)
            consumer = Consumer(kind, _place(frame, "iter"), passes=None if _comes_back(frame) else 1)
            loop = self.watch.open_loop(source, consumer)
            if isinstance(iterator, iterator_ops.OwnedIterator):
                loop.restart = partial(iterator_ops.OwnedIterator.__init__, iterator)
                loop.release = partial(setattr, iterator, "_iterator_resource", None)
            setattr(iterator, _LOOP, loop)
        return iterator

    def _next(self, original: Callable[..., Any], iterator: Any, *args: Any, **kwargs: Any) -> Any:
        loop: WatchedLoop | None = vars(iterator).get(_LOOP)
        if loop is None or self.watch.paused:
            return original(iterator, *args, **kwargs)
        if not tf.executing_eagerly():
            if self.watch.trace is not None:
                self.watch.trace.loops.append(loop)
            return original(iterator, *args, **kwargs)
        self.watch.before_next(loop)
        try:
            element = original(iterator, *args, **kwargs)
        except tf.errors.OutOfRangeError:
            if not self.watch.begin_again(loop):
                raise
            element = original(iterator, *args, **kwargs)
        self.watch.after_next(loop)
        return element

    def _distribute(self, original: Callable[..., Any], strategy: Any, dataset: Any, *args: Any, **kwargs: Any) -> Any:
        distributed = original(strategy, dataset, *args, **kwargs)
        if distributed is not dataset:
            setattr(distributed, _ORIGINAL, dataset)
        return distributed

    def _distribute_from_function(
        self, original: Callable[..., Any], strategy: Any, function: Callable[..., Any], *args: Any, **kwargs: Any
    ) -> Any:
        made: list[Any] = []

        def remembering(context: Any) -> Any:
            made.append(function(context))
            return made[-1]

        distributed = original(strategy, remembering, *args, **kwargs)
        if made and distributed is not made[0]:
            setattr(distributed, _ORIGINAL, made[0])
        return distributed

    # Traced functions

    def _function_call(self, original: Callable[..., Any], function: Any, *args: Any, **kwargs: Any) -> Any:
        watch = self.watch
        frame = sys._getframe(2)
        if watch.paused or watch.trace is not None or not tf.executing_eagerly() or _user_of(frame) is None:
            return original(function, *args, **kwargs)
        if function not in self._seen:
            self._seen.add(function)
            watch.first_call(function, self._traced(function, args, kwargs))
        watch.call(function, self._arguments(original, function, args, kwargs, frame))
        with watch.loops.inside_step():
            return original(function, *args, **kwargs)

    def _traced(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> TracedActivity:
        """What the function does with datasets, seen by tracing it ahead of its call."""
        trace = self.watch.trace = TracedActivity()
        try:
            function.get_concrete_function(*args, **kwargs)
        except Exception:  # noqa: BLE001 - the call itself will raise it where the program expects it
            return TracedActivity()
        finally:
            self.watch.trace = None
        return trace

    def _traced_for(self, original: Callable[..., Any], iterable: Any, *args: Any, **kwargs: Any) -> Any:
        if self.watch.trace is not None and (source := _dataset(iterable)) is not None:
            self._note_traced(source)
        return original(iterable, *args, **kwargs)

    def _note_traced(self, dataset: Any) -> None:
        """Note the datasets behind a traced loop that exist outside the trace too."""
        assert self.watch.trace is not None
        if isinstance(dataset, dataset_ops._VariantDataset):
            return
        if not tf.is_symbolic_tensor(dataset._variant_tensor):
            frames = [frame for frame in tf_stack.extract_stack() if places.origin(frame.filename) is Origin.USER]
            place = Place(places.path_of(frames[-1].filename), frames[-1].lineno) if frames else None
            self.watch.trace.datasets.append((dataset, place))
            return
        for behind in dataset._inputs():
            self._note_traced(behind)

    def _arguments(
        self,
        original: Callable[..., Any],
        function: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        frame: FrameType,
    ) -> list[ConsumedDataset]:
        """The datasets and iterators that a traced function is given, with how to call it on others."""
        found = []
        purpose = self.watch.purpose_of(function)
        for argument in tf.nest.flatten((args, kwargs)):
            call = partial(_call_with, partial(original, function), args, kwargs, argument)
            loop: WatchedLoop | None = getattr(argument, "__dict__", {}).get(_LOOP)
            if loop is not None:
                consumer = Consumer(ConsumerKind.ITERATOR, _place(frame, None), purpose)
                own = isinstance(argument, iterator_ops.OwnedIterator)
                run = step_runs.by_traced_call(call)
                timing = partial(self._guarded, time_step, run, loop.dataset) if own else None
                found.append(ConsumedDataset(loop.dataset, consumer, timing))
            elif (dataset := _dataset(argument)) is not None:
                consumer = Consumer(ConsumerKind.LOOP, _place(frame, None), purpose, in_tf_function=True)
                own = dataset is argument
                run = step_runs.by_traced_loop(call)
                timing = partial(self._guarded, time_step, run, dataset) if own else None
                found.append(ConsumedDataset(dataset, consumer, timing))
        return found

    def _guarded(self, timing: Callable[..., _Result], *args: Any) -> _Result:
        with self._guard.on(), warnings.catch_warnings():
            # They would be about a call of ours.
            warnings.simplefilter("ignore")
            return timing(*args)


def _call_with(call: Callable[..., Any], args: Any, kwargs: Any, old: Any, new: Any) -> Any:
    """Call with one argument exchanged, however deep it is nested."""
    new_args, new_kwargs = tf.nest.map_structure(lambda value: new if value is old else value, (args, kwargs))
    return call(*new_args, **new_kwargs)


def _wrap(owner: Any, name: str, hook: Callable[..., Any]) -> None:
    setattr(owner, name, _wrapped(getattr(owner, name), hook))


def _wrapped(original: Any, hook: Callable[..., Any]) -> Any:
    @wraps(original)
    def hooked(*args: Any, **kwargs: Any) -> Any:
        return hook(original, *args, **kwargs)

    return hooked


def _owner(kind: Any, name: str) -> Any:
    """The class that a method really comes from."""
    return next((owner for owner in kind.__mro__ if name in vars(owner)), None)


def _dataset(value: Any) -> Any:
    """The dataset as the program built it, behind a distributed one too; None for anything else."""
    value = getattr(value, "__dict__", {}).get(_ORIGINAL, value)
    return value if isinstance(value, dataset_ops.DatasetV2) else None


def _user_of(frame: FrameType | None) -> FrameType | None:
    """The frame that uses tf.data, None where that is TensorFlow or Keras itself."""
    while frame is not None and str(frame.f_globals.get("__name__")).startswith(_DATA):
        frame = frame.f_back
    if frame is None or str(frame.f_globals.get("__name__")).partition(".")[0] in _FRAMEWORKS:
        return None
    return frame


def _comes_back(frame: FrameType | None) -> bool:
    """Whether a loop of the user's leads to where a frame stands, in its function or in one that called it."""
    while frame is not None:
        if places.origin(frame.f_code.co_filename) is Origin.USER:
            tree = places.source_of(places.path_of(frame.f_code.co_filename)).tree
            if is_in_loop(tree, frame.f_lineno):
                return True
        frame = frame.f_back
    return False


def _place(frame: FrameType, op: str | None) -> Place:
    """The innermost place of the user's own code, where a library stands between."""
    user: FrameType | None = frame
    while user is not None and places.origin(user.f_code.co_filename) is not Origin.USER:
        user = user.f_back
    chosen = user or frame
    path = places.path_of(chosen.f_code.co_filename)
    if _is_for(chosen):
        # Python gives the place of the whole statement.
        return places.source_of(path).line(chosen.f_lineno)
    return Site(chosen.f_code, chosen.f_lasti, path, chosen.f_lineno).place(op)


def _kind_of_iteration(frame: FrameType) -> ConsumerKind:
    """`iter` where the program asks for an iterator by name, else `loop`."""
    if _is_for(frame):
        return ConsumerKind.LOOP
    source = places.source_of(places.path_of(frame.f_code.co_filename))
    call = source.call_at(frame.f_code, frame.f_lasti)
    if call is not None:
        named = places.called_name(call) == "iter"
    else:
        named = any("iter(" in line for line in source.lines[frame.f_lineno - 1 : frame.f_lineno])
    return ConsumerKind.ITERATOR if named else ConsumerKind.LOOP


def _is_for(frame: FrameType) -> bool:
    return frame.f_code.co_code[frame.f_lasti] == dis.opmap["GET_ITER"]
