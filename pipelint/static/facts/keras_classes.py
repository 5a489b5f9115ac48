"""What Keras offers, as far as the interpreter must know it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from pipelint.knowledge import names
from pipelint.model.code import TraceKind
from pipelint.model.values import UNKNOWN, Symbol, Value
from pipelint.static.abstract.values import ClassValue

_PACKAGES = (
    "keras", "keras_nlp", "keras_hub", "keras_cv", "keras_tuner", "tensorflow_addons", "tensorflow_hub", "keras_rs",
    "tensorflow_recommenders", "tensorflow_probability", "spektral", "tensorflow_gnn",
)  # fmt: skip
_MODEL_MAKERS = frozenset({"keras.models.load_model", "keras.models.clone_model", "keras.models.model_from_json"})
_STAR_MODULES = frozenset({"keras.layers", "keras.models", "keras", "tensorflow"})
_STAR_FUNCTIONS = frozenset({"Input", "load_model", "concatenate", "add"})

_STATIC_RESULTS = frozenset(
    {
        "int_shape", "ndim", "floatx", "epsilon", "image_data_format", "is_keras_tensor", "is_sparse", "is_tensor",
        "dtype",
        "executing_eagerly", "inside_function", "get_static_value", "as_dtype", "get", "deserialize", "serialize",
        "learning_phase", "backend", "get_uid", "standardize_dtype", "assert_same_structure", "is_nested", "get_logger",
        "has_strategy", "get_strategy", "broadcast_static_shape", "constant_value", "is_symbolic_tensor", "result_type",
        "name_scope", "control_dependencies", "device", "dimension_value", "dimension_at_index", "as_shape",
        "TensorShape", "TensorSpec", "RaggedTensorSpec", "Dimension",
    }
)  # fmt: skip
_STATIC_MODULES = ("tensorflow.config.", "tensorflow.test.", "keras.config.", "keras.utils.", "keras.ops.shape",
                   "tensorflow.python.framework.")  # fmt: skip

_NETWORK_NAME = re.compile(
    r"(Layer|Model|Network|Net|Cell|Encoder|Decoder|Attention|Conv\w*|Pool\w*|Norm\w*|Embeddings?"
    r"|RNN|MLP)$"
)
_NO_KERAS = frozenset(
    {"torch", "flax", "jax", "pydantic", "django", "sklearn", "mxnet", "paddle", "sonnet", "builtins"}
)

TRACED_METHODS = {
    "call": TraceKind.CALL,
    "train_step": TraceKind.STEP,
    "test_step": TraceKind.STEP,
    "predict_step": TraceKind.STEP,
}
"""Methods of Keras classes that Keras traces, and the kind of traced function that each is."""


def exports(module: str, name: str) -> bool:
    """Whether `from module import *` may bring this name; only modules whose names are known count."""
    return module in _STAR_MODULES and (name[:1].isupper() or name in _STAR_FUNCTIONS)


def is_model(symbol: str) -> bool:
    """Whether calling this symbol makes a Keras model."""
    if symbol in ("keras.Model", "keras.Sequential") or symbol in _MODEL_MAKERS:
        return True
    package, _, rest = symbol.partition(".")
    made = rest.startswith(("applications.", "models.")) and rest.rpartition(".")[2][:1].isupper()
    return package in _PACKAGES and made


def is_layer(symbol: str) -> bool:
    """Whether calling this symbol makes a Keras layer."""
    last = symbol.rpartition(".")[2]
    return names.root(symbol) in _PACKAGES and ".layers." in symbol and last[:1].isupper()


def is_network_class(symbol: str) -> bool:
    """Whether a class with this base is a Keras layer or model."""
    return symbol in ("keras.Model", "keras.Sequential", "keras.Functional") or is_layer(symbol) or is_model(symbol)


def is_static(function: str) -> bool:
    """Whether a function of TensorFlow or Keras tells what is known while tracing: shapes, types, settings."""
    return function.rpartition(".")[2] in _STATIC_RESULTS or function.startswith(_STATIC_MODULES)


def outside_bases(cls: ClassValue) -> Iterator[str]:
    """The bases, at any depth, that come from a library."""
    for ancestor in cls.ancestry():
        for base in ancestor.bases:
            if isinstance(base, Symbol):
                yield base.name


def is_network(cls: ClassValue) -> bool:
    """Whether a class of the user is a Keras layer or model: by its bases or, if these stand elsewhere, by its look."""
    return any(is_network_class(base) for base in outside_bases(cls)) or _looks_like_network(cls)


def _looks_like_network(cls: ClassValue) -> bool:
    """Whether a class has a `call` with an input, and a base of another module whose name says layer or model."""
    ancestry = list(cls.ancestry())
    if not any(ancestor.names_tensorflow for ancestor in ancestry):
        return False
    named = any(
        isinstance(base, Symbol) or base is UNKNOWN
        for ancestor in ancestry
        for base, node in zip(ancestor.bases, ancestor.node.bases, strict=True)
        if _NETWORK_NAME.search(ast.unparse(node).partition("[")[0]) and not _foreign(base)
    )
    return named and any(_is_call(item) for ancestor in ancestry for item in ancestor.node.body)


def _foreign(base: Value) -> bool:
    return isinstance(base, Symbol) and names.root(base.name) in _NO_KERAS


def _is_call(node: ast.stmt) -> bool:
    if not isinstance(node, ast.FunctionDef) or node.name != "call":
        return False
    parameters = [argument.arg for argument in node.args.args]
    return len(parameters) > 1 and parameters[0] == "self" and not {"y_true", "y_pred"} & set(parameters)


def is_user_model(cls: ClassValue) -> bool:
    """Whether a class of the user is a Keras model."""
    return any(base in ("keras.Model", "keras.Sequential", "keras.Functional") for base in outside_bases(cls))
