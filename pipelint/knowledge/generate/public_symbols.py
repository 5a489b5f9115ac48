"""The public functions, classes and methods of TensorFlow and Keras, by canonical names."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from pipelint.knowledge import names

_ROOTS = ("tensorflow", "tensorflow.compat.v1", "tensorflow.keras", "keras")
_PRIVATE = frozenset({"src", "api", "compat", "keras", "python", "core", "tools", "dtensor", "security"})
"""Modules below the roots that are not public, or that are a root of their own."""
_SPECIAL_METHODS = ("__call__", "__getitem__")
"""Methods that a program calls without naming them."""
NEVER_CALLED = (
    # how names begin, and why not
    ("tensorflow.io.gfile.", "touches files"),
    ("tensorflow.config.", "configures the process"),
    ("tensorflow.distribute.", "starts servers"),
    ("tensorflow.tpu.", "needs a TPU"),
    ("tensorflow.profiler.", "starts the profiler"),
    ("tensorflow.saved_model.", "reads and writes models"),
    ("tensorflow.sysconfig.", "tells how TensorFlow was built"),
    ("tensorflow.lite.", "converts models"),
    ("tensorflow.mlir.", "converts models"),
    ("tensorflow.test.", "serves tests"),
    ("tensorflow.train.", "serves training"),
    ("tensorflow.estimator.", "serves training"),
    ("tensorflow.debugging.experimental.", "configures the process"),
    ("tensorflow.data.experimental.service.", "starts servers"),
    ("tensorflow.metrics.", "serves training"),
    ("tensorflow.feature_column.", "serves training"),
    ("tensorflow.layers.", "serves training"),
    ("tensorflow.nn.rnn_cell.", "serves training"),
    ("tensorflow.Graph", "holds what is traced"),
    ("tensorflow.Session", "runs graphs"),
    ("tensorflow.linalg.LinearOperator", "has dozens of methods that no map calls"),
    ("tensorflow.errors.", "is raised"),
    ("tensorflow.types.", "is never made"),
    ("tensorflow.optimizers.", "serves training"),
    ("keras.datasets.", "downloads"),
    ("keras.config.", "configures the process"),
    ("keras.distribution.", "configures the process"),
    ("keras.callbacks.", "serves training"),
    ("keras.metrics.", "serves training"),
    ("keras.optimizers.", "serves training"),
    ("keras.models.", "serves training"),
    ("keras.Model", "serves training"),
    ("keras.wrappers.", "serves training"),
    ("keras.export.", "writes models"),
    ("keras.saving.", "reads and writes models"),
    ("keras.utils.get_file", "downloads"),
    ("tensorflow.app.", "ends the process"),
    ("tensorflow.flags.", "configures the process"),
    ("tensorflow.logging.", "configures the process"),
    ("tensorflow.gfile.", "touches files"),
    ("keras.backend.clear_session", "configures the process"),
)
_CONFIGURES = ("set_", "enable_", "disable_", "reset_", "clear_")
"""How the last names begin of functions that configure the process."""
_COMPUTES = frozenset({"set_diag", "reset_shape"})
"""Functions that do not, though."""


def is_callable_here(name: str) -> bool:
    """Whether a symbol may be called by a program that only looks."""
    plain, last = name.replace("tensorflow.compat.v1.", "tensorflow.", 1), names.last(name)
    if plain.startswith("keras.applications.") and last != "preprocess_input":
        # It makes a whole network, or downloads the names of classes.
        return False
    return not plain.startswith(tuple(start for start, _ in NEVER_CALLED)) and (
        last in _COMPUTES or not last.startswith(_CONFIGURES)
    )


def functions_and_classes() -> dict[str, Any]:
    """Every public function and class by its canonical names; operations of `tf.raw_ops` are not among them."""
    found: dict[str, Any] = {}
    for root in _ROOTS:
        for name, symbol in _members(_module(root), root, frozenset()):
            found.setdefault(names.canonical(name), symbol)
    return {name: symbol for name, symbol in found.items() if ".raw_ops." not in name}


def _module(name: str) -> Any:
    if name.startswith("tensorflow."):
        # Modules of the API are attributes of the package, some of them lazy.
        found = importlib.import_module("tensorflow")
        for part in name.split(".")[1:]:
            found = getattr(found, part)
        return found
    return importlib.import_module(name)


def _members(module: Any, path: str, above: frozenset[int]) -> Iterator[tuple[str, Any]]:
    try:
        listed = [name for name in dir(module) if not name.startswith("_")]
    except ImportError:
        # A lazy module says only here that it is missing.
        return
    for name in listed:
        try:
            member = getattr(module, name)
            is_public = not isinstance(member, ModuleType) or names.root(member.__name__) in ("tensorflow", "keras")
        except (AttributeError, ImportError):
            continue
        if isinstance(member, ModuleType):
            if name not in _PRIVATE and is_public and id(member) not in above:
                yield from _members(member, f"{path}.{name}", above | {id(member)})
        elif callable(member):
            yield f"{path}.{name}", member


def methods_of(cls: type) -> list[str]:
    """The public methods of a class, and those that Python calls by a sign."""
    found = []
    for name, member in inspect.getmembers(cls):
        is_public = not name.startswith("_") or name in _SPECIAL_METHODS
        of_python = any(getattr(kind, name, None) is member for kind in (tuple, str, type))
        if is_public and callable(member) and not inspect.isclass(member) and not of_python:
            found.append(name)
    return found
