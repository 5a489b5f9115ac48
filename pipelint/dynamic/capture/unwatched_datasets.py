"""What a dataset tells of itself: for those that were made before anybody looked."""

from __future__ import annotations

import re
from typing import Any

from pipelint.dynamic.capture.constants import Constant, constant
from pipelint.knowledge.graph_ops import KEPT_ARGUMENTS, METHOD_OF_CLASS

_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def op_of(dataset: Any) -> str:
    """The method or class that a user writes for such a dataset, by the name of its class."""
    name = re.sub(r"V[12]$", "", type(dataset).__name__)
    if _function_module(dataset).endswith("from_generator_op"):
        return "from_generator"
    if not name.startswith("_"):
        return "cache" if name == "CacheDataset" else name
    name = name.lstrip("_")
    plain = name.removesuffix("Dataset").removeprefix("Parallel")
    return METHOD_OF_CLASS.get(name) or _WORDS.sub("_", plain).lower()


def _function_module(dataset: Any) -> str:
    """The module that defines the function which the dataset applies, "" without one."""
    function = getattr(getattr(dataset, "_map_func", None), "_func", None)
    return getattr(function, "__module__", None) or ""


def arguments_of(dataset: Any) -> dict[str, Constant]:
    """The arguments that the dataset keeps, those at their defaults left out."""
    found = {name: constant(getattr(dataset, f"_{name}", None)) for name in KEPT_ARGUMENTS}
    given: dict[str, Constant] = {
        name: value for name, value in found.items() if value is not None and value != KEPT_ARGUMENTS[name]
    }
    if "deterministic" in given:
        given["deterministic"] = given["deterministic"] == "true"
    return given
