"""What a mapped function does: random, Python, state, decoding, reading, or nothing but arithmetic."""

from __future__ import annotations

import ast

from pipelint.knowledge import names
from pipelint.knowledge.effects import PY_FUNCTIONS
from pipelint.model.code import (
    Call,
    Cause,
    Class,
    Effect,
    Event,
    Function,
    MappedFunction,
    Method,
    Trace,
    TraceKind,
    VariableRead,
)
from pipelint.model.locations import Region
from pipelint.model.values import UNKNOWN, Literal, Symbol, Value
from pipelint.static.abstract.machine import Machine
from pipelint.static.abstract.values import (
    EAGER,
    TENSOR,
    Arguments,
    Choice,
    Closure,
    Given,
    Instance,
    Partial,
    Sequence,
    alternatives,
    parameters,
)
from pipelint.static.facts import events, keras_classes, tracing
from pipelint.static.facts.first_axis import selects, takes_apart

_STATELESS_RANDOM = frozenset(
    {
        "set_seed", "fold_in", "split", "create_rng_state", "get_global_generator", "set_global_generator", "Algorithm",
        "Generator", "from_seed", "from_state", "from_key_counter", "from_non_deterministic_state", "SeedGenerator",
    }
)  # fmt: skip
_STATELESS_LAYERS = frozenset(
    {
        "InputLayer", "Rescaling", "Resizing", "CenterCrop", "CategoryEncoding", "Hashing", "HashedCrossing", "Flatten",
        "Reshape", "Concatenate", "Add", "Multiply", "Subtract", "Average", "Maximum", "Minimum", "Dot", "Activation",
        "ReLU", "ELU",
        "LeakyReLU", "Softmax", "Permute", "RepeatVector", "Masking", "Discretization", "Normalization",
        "UnitNormalization", "MelSpectrogram", "AutoContrast", "Equalization", "ZeroPadding1D", "ZeroPadding2D",
        "ZeroPadding3D", "Cropping1D", "Cropping2D", "Cropping3D", "UpSampling1D", "UpSampling2D", "UpSampling3D",
        "MaxPooling1D", "MaxPooling2D", "MaxPooling3D", "AveragePooling1D", "AveragePooling2D", "AveragePooling3D",
        "GlobalAveragePooling1D", "GlobalAveragePooling2D", "GlobalMaxPooling1D", "GlobalMaxPooling2D",
    }
)  # fmt: skip
_RANDOM_LAYERS = frozenset({"RandAugment", "AugMix", "MixUp", "CutMix", "GridMask", "Augmenter", "Solarization"})
_RANDOM_WHEN_TRAINING = frozenset(
    {"Dropout", "GaussianNoise", "GaussianDropout", "AlphaDropout", "SpatialDropout1D", "SpatialDropout2D"}
)
_STATEFUL = (
    "tensorflow.print", "tensorflow.summary.", "tensorflow.io.write_", "tensorflow.timestamp", "tensorflow.queue.",
    "tensorflow.debugging.check_numerics",
)  # fmt: skip
_HARMLESS = frozenset(
    {
        "numpy", "builtins", "math", "functools", "os", "re", "string", "itertools", "collections", "operator",
        "typing", "logging", "tensorflow_addons", "random", "time", "pathlib", "copy",
    }
)  # fmt: skip
_READS = (
    "open", "load", "imread", "read", "read_csv", "load_img", "read_file", "imread_v2", "loadtxt", "genfromtxt",
    "read_image", "wavread", "get", "urlopen",
)  # fmt: skip
_DECODERS = frozenset(
    {
        "PIL", "cv2", "librosa", "soundfile", "skimage", "imageio", "pydicom", "nibabel", "albumentations", "imgaug",
        "SimpleITK", "tifffile", "rasterio", "pydub", "matplotlib",
    }
)  # fmt: skip
_WAITS = ("time.sleep", "requests.", "urllib.", "boto3.", "httpx.")


def mapped_function(machine: Machine, given: Given, element: Value) -> tuple[MappedFunction, Trace, Value]:
    """Follow the function that a stage applies to elements of this kind."""
    value = given.value
    function = value.function if isinstance(value, Partial) else value
    key = None
    if isinstance(function, Closure) and function is value:
        key = (function.node, id(function.bound), function.scope.number, element)
        if key in machine.mapped:
            return machine.mapped[key]
    name = function.name if isinstance(function, Closure) else _symbol_name(function)
    identity = function.identity if isinstance(function, Closure) else None
    trace = Trace(name or "lambda", TraceKind.MAP, machine.region(given.node), identity)
    with machine.recording(trace):
        result, resolved = _follow(machine, value, given, element)
    machine.traces.append(trace)
    resolved = resolved and trace.complete
    mapped = MappedFunction(name, trace.region, resolved, tuple(_causes(trace.events)), trace.python, identity)
    if isinstance(function, Closure):
        mapped.takes_apart, mapped.selects = takes_apart(machine, function), selects(function)
    if key is not None:
        machine.mapped[key] = (mapped, trace, result)
    return mapped, trace, result


def _symbol_name(value: Value) -> str | None:
    match value:
        case Symbol(name=name):
            return names.display(name)
        case Instance(symbol=str() as symbol):
            return symbol.rpartition(".")[2]
        case Instance(cls=cls) if cls is not None:
            return cls.node.name
        case _:
            return None


def _follow(machine: Machine, value: Value, given: Given, element: Value) -> tuple[Value, bool]:
    match value:
        case Closure():
            return machine.enter(value, tracing.tensors_for(value, element)), True
        case Partial(function=Closure() as function, call=call):
            tensors = _remaining(function, call, element)
            merged = Arguments(None, (*call.positional, *tensors), call.keywords, call.hides)
            return machine.enter(function, merged), True
        case Instance() | Symbol() | Partial():
            result = machine.call(value, _call_at(given.node, element))
            return result, not isinstance(value, Partial)
        case Choice():
            outcomes = [_follow(machine, option, given, element) for _, option in alternatives(value)]
            return outcomes[0][0], all(resolved for _, resolved in outcomes)
        case _:
            return UNKNOWN, False


def _remaining(function: Closure, call: Arguments, element: Value) -> tuple[Given, ...]:
    """The tensors for the parameters that a partial leaves open."""
    required = tracing.tensors_for(function, TENSOR).positional[len(call.positional) :]
    taken = sum(1 for name in call.keywords if any(arg.arg == name for arg in parameters(function.node)))
    count = max(len(required) - min(taken, len(required) - 1 if required else 0), 0)
    items = element.items if isinstance(element, Sequence) and len(element.items) == count else None
    return tuple(Given(items[index] if items else TENSOR, given.node) for index, given in enumerate(required[:count]))


def _call_at(node: ast.expr, element: Value) -> Arguments:
    """A call that TensorFlow makes of something named by this expression."""
    call = ast.copy_location(ast.Call(func=node, args=[], keywords=[]), node)
    items = element.items if isinstance(element, Sequence) else (TENSOR,)
    return Arguments(call, tuple(Given(item, node) for item in items))


def _causes(recorded: list[Event]) -> list[Cause]:
    causes = []
    for event in recorded:
        effect = effect_of(event)
        if effect is not None:
            causes.append(Cause(effect, _shown(event).removesuffix(".__call__"), event.region))
    return causes


def _shown(event: Event) -> str:
    match event:
        case VariableRead():
            return "tf.Variable.read"
        case Call():
            return names.display(event.symbol) or event.last_name
        case _:
            return ""


def effect_of(event: Event) -> Effect | None:
    """The effect of what happens inside a mapped function, None if it has none that matters."""
    match event:
        case VariableRead():
            return Effect.STATE
        case Call(callee=Symbol() | Method(owner=Symbol())):
            return _effect_of_library(event)
        case Call(callee=Function() | Class() | Method(owner=Class(), name="__call__")):
            # It was followed, and what it does stands beside it.
            return None
        case Call():
            # Nothing is known of it, or it comes from a base that is not known.
            return Effect.UNKNOWN
        case _:
            return None


def _effect_of_library(call: Call) -> Effect | None:
    name = call.symbol
    if name in PY_FUNCTIONS:
        return Effect.PYTHON
    if name.startswith("tensorflow.compat.v1."):
        name = "tensorflow." + name.removeprefix("tensorflow.compat.v1.")
    root, last = names.root(name), name.rpartition(".")[2]
    if _is_random(name, last, call):
        return Effect.RANDOM
    if name.endswith(".__call__"):
        return _effect_of_object(name.removesuffix(".__call__"), call)
    if name.startswith(_STATEFUL):
        return Effect.STATE
    if name.startswith(("tensorflow.lookup.", "tensorflow.Variable.")):
        return None if last[:1].isupper() else Effect.STATE
    if root == "tensorflow":
        if last.startswith("decode_") or last == "parse_tensor":
            return Effect.DECODE
        return Effect.READ if last == "read_file" else None
    return None if root == "keras" or root in _HARMLESS else Effect.UNKNOWN


def _is_random(name: str, last: str, call: Call) -> bool:
    if "stateless" in name or last in _STATELESS_RANDOM:
        return False
    if name.startswith("keras.random."):
        # With a number for a seed Keras draws the same value each time and keeps no state.
        seed = call.argument("seed")
        return seed is None or seed.integer is None
    if name.startswith(("tensorflow.random.", "tensorflow.raw_ops.Random")):
        return True
    if name == "tensorflow.nn.dropout" or last == "sample_distorted_bounding_box":
        return True
    return "random_" in last and names.root(name) in ("tensorflow", "tensorflow_addons", "keras")


def _effect_of_object(symbol: str, call: Call) -> Effect | None:
    last = symbol.rpartition(".")[2]
    if last.startswith("Random") or last in _RANDOM_LAYERS:
        return Effect.RANDOM
    if last in _RANDOM_WHEN_TRAINING:
        training = call.argument("training")
        return Effect.RANDOM if training is not None and training.value == Literal(True) else None
    if symbol in ("keras.Sequential", "keras.layers.Lambda"):
        # What it holds was followed and stands beside it.
        return None
    if keras_classes.is_layer(symbol):
        return None if last in _STATELESS_LAYERS else Effect.STATE
    if symbol == "keras.Model":
        return Effect.STATE
    return None if names.root(symbol) in ("tensorflow", "keras") else Effect.UNKNOWN


def python_function(machine: Machine, given: Arguments) -> None:
    """Follow the Python function behind a py_function and remember what it does."""
    function = given.get(0, "func")
    first = given.positional[0].node if given.positional else None
    node = given.keywords["func"].node if "func" in given.keywords else first
    if machine.recorder is None or function is None or node is None:
        return
    machine.recorder.python = _python_behind(machine, function, machine.region(node))


def decorated_function(machine: Machine, function: Closure, given: Arguments) -> Value:
    """A call of a function that a decorator turns into a py_function."""
    events.record(machine, Symbol("tensorflow.py_function"), given)
    if machine.recorder is not None and given.node is not None:
        machine.recorder.python = _python_behind(machine, function, machine.region(given.node.func))
    return TENSOR if machine.is_traced else EAGER


def _python_behind(machine: Machine, function: Value, region: Region) -> MappedFunction:
    inner = function.function if isinstance(function, Partial) else function
    match inner:
        case Closure():
            trace, _ = tracing.trace(machine, inner, TraceKind.PYTHON, tracing.tensors_for(inner, UNKNOWN))
            causes = [cause for cause in map(python_cause, trace.calls) if cause is not None]
            return MappedFunction(inner.name, region, True, tuple(causes), function=inner.identity)
        case Symbol():
            cause = python_cause(Call(region=region, callee=inner, name=region))
            known = cause is None or cause.effect is not Effect.UNKNOWN
            return MappedFunction(_symbol_name(inner), region, known, (cause,) if cause is not None else ())
        case _:
            return MappedFunction(_symbol_name(inner), region, False)


def python_cause(call: Call) -> Cause | None:
    """What a call in a Python function does that decides how the function may run, None where it does nothing such."""
    match call.callee:
        case Function() | Class() | Method(owner=Class()):
            return None
        case None | Method(owner=None):
            return Cause(Effect.UNKNOWN, call.last_name, call.region)
    name = call.symbol
    effect: Effect | None = None
    if name.startswith(_WAITS):
        effect = Effect.READ
    elif call.library in _DECODERS or name.startswith(("keras.utils.load_img", "keras.preprocessing.image.")):
        effect = Effect.DECODE
    elif name == "builtins.open" or (call.library in ("numpy", "scipy", "pandas", "h5py") and call.last_name in _READS):
        effect = Effect.READ
    elif call.library not in _HARMLESS and call.library != "tensorflow":
        effect = Effect.UNKNOWN
    return Cause(effect, names.display(name), call.region) if effect is not None else None
