"""Each numpy function that a fix replaces, beside what the fix calls: over several types, negative, empty and wide."""

from __future__ import annotations

import textwrap

import pytest

from pipelint.knowledge.numpy_equivalents import EQUIVALENTS, NO_GRADIENT, TAKES_SIZES
from pipelint.model.program import Module
from pipelint.static.analyse import analyse
from rules import _python_calls as python_calls
from tests.knowledge.installed import np, resolve, tf

ONE = [
    "abs",
    "absolute",
    "arccos",
    "arcsin",
    "arctan",
    "array",
    "asarray",
    "ceil",
    "cos",
    "cosh",
    "exp",
    "expm1",
    "floor",
    "isfinite",
    "isinf",
    "isnan",
    "log",
    "log1p",
    "negative",
    "ones_like",
    "reciprocal",
    "round",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "tan",
    "tanh",
    "zeros_like",
]
TWO = ["add", "arctan2", "divide", "maximum", "minimum", "multiply", "power", "subtract"]
COMPARED = ["equal", "greater", "greater_equal", "less", "less_equal", "not_equal"]
REDUCED = ["amax", "amin", "max", "mean", "min", "prod", "std", "sum", "var"]
CALLS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(ONE, ("x",)),
    **dict.fromkeys(TWO, ("x, x", "x, 2", "x, 0.5")),
    **dict.fromkeys(COMPARED, ("x, x", "x, 1")),
    **dict.fromkeys(("logical_and", "logical_or"), ("x > 1, x > 2",)),
    **dict.fromkeys(REDUCED, ("x", "x, 0", "x, axis=1", "x, axis=-1, keepdims=True", "x, axis=(0, 1)")),
    **dict.fromkeys(("argmax", "argmin", "cumsum", "expand_dims"), ("x, axis=-1", "x, 0")),
    **dict.fromkeys(("argsort", "sort"), ("x", "x, axis=-1", "x, 0")),
    "clip": ("x, 1, 2", "x, 0.5, 1.5"),
    "concatenate": ("[x, x], axis=1", "(x, x), 0"),
    "einsum": ("'ij,kj->ik', x, x",),
    "logical_not": ("x > 1",),
    "matmul": ("x, x.T",),
    "repeat": ("x, 2", "x, 2, axis=1", "x, 2, 0"),
    "reshape": ("x, (3, 2)", "x, -1", "x, [-1]"),
    "squeeze": ("x[None]", "x[None], 0", "x[None], axis=0"),
    "stack": ("[x, x]", "[x, x], axis=-1", "[x, x], 1"),
    "tensordot": ("x, x, axes=2", "x, x, 2"),
    "transpose": ("x", "x, (1, 0)"),
    "where": ("x > 1, x, -x", "x > 1, x, 0", "x > 1, x, 0.5"),
}
"""For each function, arguments that the fix accepts."""

SAMPLES = {
    "float32": np.array([[-2.5, -0.5, 0.0], [0.5, 1.5, 2.5]], "float32"),
    "float64": np.array([[-2.5, -0.5, 0.0], [0.5, 1.5, 2.5]], "float64"),
    "int32": np.array([[-2, -1, 0], [1, 2, 3]], "int32"),
    "wide": np.array([[0, 1, 2], [3, 200, 255]], "uint8"),
    "empty": np.zeros((2, 0), "float32"),
}
WIDENED = {"float32": "f", "float64": "f", "empty": "f", "int32": "if", "wide": "uif"}
"""The kinds of numbers that may come of each; how wide they are is up to each library."""
NO_FLOATS = ("int32", "wide")

pytestmark = pytest.mark.filterwarnings("ignore")


def replaced(function: str, arguments: str, *, only_keras: bool) -> str | None:
    """The name that a fix puts in the place of the numpy function."""
    source = textwrap.dedent(
        f"""
        import numpy as np
        import tensorflow as tf
        class Wave(tf.keras.layers.Layer):
            def call(self, x):
                return np.{function}({arguments})
        """
    )
    program = analyse(source, target=(2, 21))
    program.modules = (Module(only_keras=only_keras),)
    calls = [call for trace in program.traces for call in trace.calls if call.symbol == f"numpy.{function}"]
    return python_calls.replacement(program, calls[0])


@pytest.mark.parametrize("only_keras", [False, True], ids=["tf", "keras.ops"])
@pytest.mark.parametrize("function", EQUIVALENTS)
def test_a_fix_computes_what_numpy_computed(function: str, only_keras: bool) -> None:
    compared = 0
    for arguments in CALLS[function]:
        name = replaced(function, arguments, only_keras=only_keras)
        assert name is not None
        for kind, x in SAMPLES.items():
            if EQUIVALENTS[function].only_floats and kind in NO_FLOATS:
                continue
            compared += _agree(function, name, arguments, kind, x)
    assert compared >= len(CALLS[function])


def _agree(function: str, name: str, arguments: str, kind: str, x: object) -> bool:
    """Compare one call; a kind of tensor that either refuses is refused aloud, not computed otherwise."""
    try:
        expected = np.asarray(eval(f"np.{function}({arguments})", {"np": np, "x": x}))
        scope = {"f": resolve(name), "x": tf.constant(x), "tf": tf}
        found = np.asarray(eval(f"f({arguments.replace('x.T', 'tf.transpose(x)')})", scope))
    except (ValueError, TypeError, tf.errors.OpError):
        return False
    where = f"{name}({arguments}) of {kind}"
    assert found.shape == expected.shape, where
    # With small integers numpy computes in half precision.
    np.testing.assert_allclose(found, expected, rtol=2e-3 if expected.dtype == "float16" else 1e-5, err_msg=where)
    same = found.dtype.kind == expected.dtype.kind
    assert same or (found.dtype.kind in WIDENED[kind] and expected.dtype.kind in WIDENED[kind]), where
    if kind in ("float32", "float64"):
        assert found.dtype == expected.dtype or expected.dtype.kind != "f", where
    return True


def test_what_is_the_same_only_for_floats_is_not_for_integers() -> None:
    for function in (name for name, row in EQUIVALENTS.items() if row.only_floats):
        x = SAMPLES["wide"]
        ours = np.asarray(resolve(EQUIVALENTS[function].tensorflow)(x, axis=1))
        assert (ours != getattr(np, function)(x, axis=1)).any()


def test_every_replacement_is_tried() -> None:
    assert set(CALLS) == set(EQUIVALENTS)


def test_a_call_that_both_read_differently_is_not_replaced() -> None:
    for function, arguments in (("argmax", "x"), ("concatenate", "[x, x]"), ("where", "x"), ("sum", "x, dtype=float")):
        assert replaced(function, arguments, only_keras=False) is None


@pytest.mark.parametrize("name", sorted(NO_GRADIENT - {"unique"}))
def test_tensorflow_has_no_gradient_through_it_either(name: str) -> None:
    function = getattr(tf.math, name, None) or getattr(tf, name)
    x = tf.Variable([1.5, -2.5])
    with tf.GradientTape() as tape:
        y = function(x, 1.0) if name in ("equal", "greater") else function(x)
    gradient = tape.gradient(y, x)
    assert gradient is None or not np.any(gradient)


def test_tensorflow_knows_no_gradient_of_what_is_unique() -> None:
    x = tf.Variable([1.5, -2.5])
    with tf.GradientTape() as tape:
        y = tf.unique(x).y
    with pytest.raises(LookupError):
        tape.gradient(y, x)


@pytest.mark.parametrize("name", sorted(TAKES_SIZES))
def test_a_size_has_no_gradient_and_what_is_made_of_it_lets_others_pass(name: str) -> None:
    x = tf.Variable([1.5, -2.5])
    with tf.GradientTape() as tape:
        y = x * np.ravel(getattr(np, name)(tf.shape(x)[0]))[:2].astype("float32")
    assert tape.gradient(y, x) is not None
    assert not tf.shape(x).dtype.is_floating
