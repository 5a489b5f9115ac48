"""Functions that get functions: which of them call what they get, give it back, or leave it as it is.

As of TensorFlow 2.18 to 2.21 and Keras 3; tested against `inspect.signature` of each.
"""

from __future__ import annotations

FunctionParameters = dict[str, int]
"""Parameters that hold functions, alone or in lists, dicts and pairs, with their positions."""

CALLS: dict[str, FunctionParameters] = {
    "tensorflow.case": {"pred_fn_pairs": 0, "default": 1},
    "tensorflow.cond": {"true_fn": 1, "false_fn": 2},
    "tensorflow.data.Dataset.reduce": {"reduce_func": 1},
    "tensorflow.foldl": {"fn": 0},
    "tensorflow.foldr": {"fn": 0},
    "tensorflow.map_fn": {"fn": 0},
    "tensorflow.nest.map_structure": {"func": 0},
    "tensorflow.ragged.map_flat_values": {"op": 0},
    "tensorflow.scan": {"fn": 0},
    "tensorflow.signal.inverse_mdct": {"window_fn": 1},
    "tensorflow.signal.inverse_stft": {"window_fn": 4},
    "tensorflow.signal.mdct": {"window_fn": 2},
    "tensorflow.signal.stft": {"window_fn": 4},
    "tensorflow.sparse.map_values": {"op": 0},
    "tensorflow.switch_case": {"branch_fns": 1, "default": 2},
    "tensorflow.vectorized_map": {"fn": 0},
    "tensorflow.while_loop": {"cond": 0, "body": 1},
    "tensorflow.python.framework.smart_cond.smart_cond": {"true_fn": 1, "false_fn": 2},
    "keras.ops.associative_scan": {"f": 0},
    "keras.ops.cond": {"true_fn": 1, "false_fn": 2},
    "keras.ops.fori_loop": {"body_fun": 2},
    "keras.ops.map": {"f": 0},
    "keras.ops.scan": {"f": 0},
    "keras.ops.switch": {"branches": 1},
    "keras.ops.vectorized_map": {"function": 0},
    "keras.ops.while_loop": {"cond": 0, "body": 1},
    "keras.tree.map_structure": {"func": 0},
    "keras.tree.map_structure_up_to": {"func": 1},
    "keras.tree.traverse": {"func": 0},
}
"""Functions of TensorFlow and Keras that call the functions which they get, with tensors."""

CALLS_OF_KERAS_2: dict[str, FunctionParameters] = {
    "keras.backend.foldl": {"fn": 0},
    "keras.backend.foldr": {"fn": 0},
    "keras.backend.in_test_phase": {"x": 0, "alt": 1},
    "keras.backend.in_train_phase": {"x": 0, "alt": 1},
    "keras.backend.map_fn": {"fn": 0},
    "keras.backend.rnn": {"step_function": 0},
    "keras.backend.switch": {"then_expression": 1, "else_expression": 2},
}
"""The same in Keras 2."""

GIVES_BACK: dict[str, str] = {
    "tensorflow.autograph.experimental.do_not_convert": "func",
    "tensorflow.custom_gradient": "f",
    "tensorflow.grad_pass_through": "f",
    "tensorflow.recompute_grad": "f",
    "keras.ops.custom_gradient": "f",
    "keras.remat": "f",
}
"""Functions that give back the function which they get, as far as its results go, by their first parameter."""

OWN_GRADIENT = frozenset({"tensorflow.custom_gradient", "keras.ops.custom_gradient"})
"""Decorators of functions that say themselves what their gradients are."""

KEEPS_MEANING = frozenset(
    {
        *GIVES_BACK,
        "abc.abstractmethod", "contextlib.contextmanager", "dataclasses.dataclass", "enum.unique", "functools.cache",
        "functools.lru_cache", "functools.total_ordering", "functools.wraps",
        "keras.saving.register_keras_serializable", "keras.utils.register_keras_serializable",
        "tensorflow.Module.with_name_scope", "typing.final", "typing.no_type_check", "typing.overload",
        "typing.override", "typing.runtime_checkable", "typing_extensions.final", "typing_extensions.override",
    }
)  # fmt: skip
"""Decorators, with and without arguments, under which a function or class does what its body says."""

ABSTRACT = frozenset({"abc.abstractmethod", "abc.abstractproperty"})
"""Decorators of methods whose bodies are not what runs."""

ASKS_ONLY = frozenset(
    {
        "builtins.callable", "builtins.hasattr", "builtins.id", "builtins.isinstance", "builtins.issubclass",
        "builtins.print", "builtins.super", "builtins.type",
    }
)  # fmt: skip
"""Builtins that call nothing of what they get."""
HOLDS = frozenset(
    {
        "builtins.dict", "builtins.enumerate", "builtins.iter", "builtins.list", "builtins.next", "builtins.reversed",
        "builtins.set", "builtins.tuple", "builtins.zip",
    }
)  # fmt: skip
"""Builtins that keep or pass on the functions in what they get."""
RUNS_TEXT = frozenset({"builtins.__import__", "builtins.eval", "builtins.exec", "importlib.import_module"})
"""Functions that run code which is no part of the program's text."""
LOADS_OBJECTS = frozenset({"tensorflow.saved_model.load", "tensorflow.compat.v1.saved_model.load"})
"""Functions that give an object with functions of its own, of which the program shows nothing."""

SORTS = frozenset({"builtins.max", "builtins.min", "builtins.sorted"})
"""Builtins that call their `key` with each element."""
GROWS = frozenset({"add", "append", "appendleft", "extend", "insert", "setdefault", "update", "__setitem__"})
"""Methods of containers that put something into them."""


def called_parameters(name: str) -> FunctionParameters | None:
    """The parameters whose functions a function of a library calls; None where it is not known to call any."""
    plain = name.replace("tensorflow.compat.v1.", "tensorflow.", 1)
    return CALLS.get(plain) or CALLS_OF_KERAS_2.get(plain)
