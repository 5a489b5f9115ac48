"""Calls of Python libraries that need the values of tensors, and what TensorFlow has in their place."""

from __future__ import annotations

from dataclasses import dataclass

from pipelint.rule import Argument, Call, Event, Fix, Literal, Program, ReplaceCallee, Switch, TraceKind

_LIBRARIES = frozenset({"numpy", "cv2", "PIL"})
_NEED_NO_VALUES = frozenset(
    {
        "shape", "ndim", "size", "isscalar", "iinfo", "finfo", "dtype", "issubdtype", "result_type", "promote_types",
        "can_cast",
    }
)  # fmt: skip
_NO_DRAWS = frozenset(
    {
        "seed", "RandomState", "default_rng", "Generator", "get_state", "set_state", "SeedSequence", "PCG64", "MT19937",
        "Philox", "getstate", "setstate", "Random", "SystemRandom", "BitGenerator",
    }
)  # fmt: skip
_EAGER_SWITCHES = (
    "tensorflow.config.run_functions_eagerly",
    "tensorflow.config.experimental_run_functions_eagerly",
)
_KERAS_3 = (2, 16)
_SHORT = (("tensorflow.", "tf."), ("numpy.", "np."), ("builtins.", ""), ("datetime.datetime.", "datetime."))
_KNOWS_ITS_INPUT = ("ndarray", "eager", "is_tensor", "tf.Tensor", "numpy", "is_symbolic", "inside_function")


def reads_values(call: Call) -> bool:
    """Whether numpy, OpenCV or PIL is given a tensor that has no value while a graph is recorded."""
    return (
        call.on_tensor
        and call.library in _LIBRARIES
        and not draws(call)
        and call.last_name not in _NEED_NO_VALUES
        and not is_guarded(call)
    )


def draws(call: Call) -> bool:
    """Whether Python or numpy draws a random number: once, when the graph is recorded."""
    return call.symbol.startswith(("numpy.random.", "random.")) and call.last_name not in _NO_DRAWS


def is_guarded(event: Event) -> bool:
    """Whether a test makes sure that no tensor of a graph is seen (`isinstance(x, np.ndarray)`)."""
    return any(word in guard for guard in event.guards for word in _KNOWS_ITS_INPUT)


def traced_kinds(program: Program) -> frozenset[TraceKind]:
    """The kinds of functions that run as graphs here: where tracing is turned off, only mapped ones do."""
    if any(call.symbol in _EAGER_SWITCHES and _is_true(call.argument("run_eagerly")) for call in program.calls):
        return frozenset({TraceKind.MAP})
    eager = any(
        (isinstance(event, Switch) and event.attribute == "run_eagerly" and event.value == Literal(True))
        or (isinstance(event, Call) and event.last_name == "compile" and _is_true(event.argument("run_eagerly")))
        for event in program.events
    )
    by_keras = frozenset() if eager else frozenset({TraceKind.STEP, TraceKind.CALL})
    return frozenset({TraceKind.MAP, TraceKind.FUNCTION}) | by_keras


def _is_true(argument: Argument | None) -> bool:
    return argument is not None and argument.value == Literal(True)


@dataclass(frozen=True)
class _Equivalent:
    """What stands for a numpy function where its arguments are written in a way that both understand alike."""

    tensorflow: str
    keras: str = ""
    fewest: int = 1
    most: int = 1
    """How many arguments may be given by position."""
    keywords: frozenset[str] = frozenset()
    needs: str = ""
    """An argument that must be there, at this position or by this name, since the defaults differ."""

    def accepts(self, call: Call) -> bool:
        """Whether the call means the same there."""
        keywords, positional = set(call.keywords), len(call.positional)
        if not self.fewest <= positional <= self.most or not keywords <= self.keywords:
            return False
        return not self.needs or self.needs in keywords or positional == self.most


_AXIS = frozenset({"axis"})
_REDUCED = frozenset({"axis", "keepdims"})


def _plain(names: str, module: str = "tensorflow", count: int = 1) -> dict[str, _Equivalent]:
    """Functions of the same name and arguments."""
    return {name: _Equivalent(f"{module}.{name}", name, count, count) for name in names.split()}


_EQUIVALENTS: dict[str, _Equivalent] = {
    **_plain("abs exp floor round sign sin cos tan sinh cosh tanh sqrt square"),
    **_plain("ceil log log1p expm1 reciprocal", "tensorflow.math"),
    **_plain("maximum minimum multiply add subtract divide matmul logical_and logical_or", count=2),
    **_plain("equal not_equal less less_equal greater greater_equal", count=2),
    **_plain("logical_not"),
    "absolute": _Equivalent("tensorflow.abs", "absolute"),
    "negative": _Equivalent("tensorflow.negative", "negative"),
    "arcsin": _Equivalent("tensorflow.asin", "arcsin"),
    "arccos": _Equivalent("tensorflow.acos", "arccos"),
    "arctan": _Equivalent("tensorflow.atan", "arctan"),
    "arctan2": _Equivalent("tensorflow.atan2", "arctan2", 2, 2),
    "power": _Equivalent("tensorflow.pow", "power", 2, 2),
    "isnan": _Equivalent("tensorflow.math.is_nan", "isnan"),
    "isinf": _Equivalent("tensorflow.math.is_inf", "isinf"),
    "isfinite": _Equivalent("tensorflow.math.is_finite", "isfinite"),
    "sum": _Equivalent("tensorflow.reduce_sum", "sum", 1, 2, _REDUCED),
    "mean": _Equivalent("tensorflow.reduce_mean", "mean", 1, 2, _REDUCED),
    "max": _Equivalent("tensorflow.reduce_max", "max", 1, 2, _REDUCED),
    "amax": _Equivalent("tensorflow.reduce_max", "max", 1, 2, _REDUCED),
    "min": _Equivalent("tensorflow.reduce_min", "min", 1, 2, _REDUCED),
    "amin": _Equivalent("tensorflow.reduce_min", "min", 1, 2, _REDUCED),
    "prod": _Equivalent("tensorflow.reduce_prod", "prod", 1, 2, _REDUCED),
    "std": _Equivalent("tensorflow.math.reduce_std", "std", 1, 2, _REDUCED),
    "var": _Equivalent("tensorflow.math.reduce_variance", "var", 1, 2, _REDUCED),
    "argmax": _Equivalent("tensorflow.argmax", "argmax", 1, 2, _AXIS, needs="axis"),
    "argmin": _Equivalent("tensorflow.argmin", "argmin", 1, 2, _AXIS, needs="axis"),
    "cumsum": _Equivalent("tensorflow.cumsum", "cumsum", 1, 2, _AXIS, needs="axis"),
    "concatenate": _Equivalent("tensorflow.concat", "concatenate", 1, 2, _AXIS, needs="axis"),
    "stack": _Equivalent("tensorflow.stack", "stack", 1, 2, _AXIS),
    "expand_dims": _Equivalent("tensorflow.expand_dims", "expand_dims", 1, 2, _AXIS, needs="axis"),
    "squeeze": _Equivalent("tensorflow.squeeze", "squeeze", 1, 2, _AXIS),
    "sort": _Equivalent("tensorflow.sort", "sort", 1, 2, _AXIS),
    "argsort": _Equivalent("tensorflow.argsort", "argsort", 1, 2, _AXIS),
    "repeat": _Equivalent("tensorflow.repeat", "repeat", 2, 3, _AXIS),
    "transpose": _Equivalent("tensorflow.transpose", "transpose", 1, 2),
    "reshape": _Equivalent("tensorflow.reshape", "reshape", 2, 2),
    "clip": _Equivalent("tensorflow.clip_by_value", "clip", 3, 3),
    "where": _Equivalent("tensorflow.where", "where", 3, 3),
    "zeros_like": _Equivalent("tensorflow.zeros_like", "zeros_like"),
    "ones_like": _Equivalent("tensorflow.ones_like", "ones_like"),
    "einsum": _Equivalent("tensorflow.einsum", "einsum", 2, 8),
    "tensordot": _Equivalent("tensorflow.tensordot", "tensordot", 2, 3, frozenset({"axes"}), needs="axes"),
    "asarray": _Equivalent("tensorflow.convert_to_tensor", "convert_to_tensor"),
    "array": _Equivalent("tensorflow.convert_to_tensor", "convert_to_tensor"),
}


def replacement(program: Program, call: Call) -> str | None:
    """The function of TensorFlow, or of Keras where the file uses no other, that means the same as this call."""
    equivalent = _EQUIVALENTS.get(call.symbol.removeprefix("numpy.")) if call.library == "numpy" else None
    if equivalent is None or call.expression is None or not equivalent.accepts(call):
        return None
    if program.only_keras or program.keras_backend in ("jax", "torch"):
        return f"keras.ops.{equivalent.keras}" if program.target >= _KERAS_3 else None
    return equivalent.tensorflow


def instead(program: Program, call: Call) -> tuple[str, Fix | None]:
    """What stands for this call, as the end of a message, and the fix that calls it; nothing where nothing does."""
    name = replacement(program, call)
    if name is None:
        return "", None
    fix = Fix.unsafe(f"call {shown(name)}", ReplaceCallee(call, name))
    return f"; {shown(name)} does the same", fix


def shown(name: str) -> str:
    """A canonical name as users write it."""
    for long, short in _SHORT:
        if name.startswith(long):
            return short + name.removeprefix(long)
    return name
