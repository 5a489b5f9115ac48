"""Which thing of a library a name or a dotted expression stands for."""

from __future__ import annotations

import ast
import builtins

from pipelint.knowledge import names
from pipelint.knowledge.keras import STAR_LAYERS, STAR_MODULES
from pipelint.model.values import UNKNOWN, Literal, Symbol, Value
from pipelint.source.bindings import dotted_parts
from pipelint.static.abstract.imported_modules import ModuleValue
from pipelint.static.abstract.machine import Machine

_BUILTINS = frozenset(dir(builtins))


def named(machine: Machine, name: str) -> Value:
    """The value of a name: what the program binds it to, else a builtin, else what a star import may bring."""
    value = machine.lookup(name)
    if value is not None:
        return value
    if name == "__name__":
        return Literal(machine.scope.module.run_as)
    if name in _BUILTINS:
        return Symbol(f"builtins.{name}")
    for module in reversed(machine.scope.module.stars):
        if name in STAR_MODULES.get(module, ()):
            return Symbol(names.canonical(f"{module}.{name}"))
    # Classes of layers are too many to list, so what another module is known to bring goes before them.
    if "keras.layers" in machine.scope.module.stars and (name[:1].isupper() or name in STAR_LAYERS):
        return Symbol(names.canonical(f"keras.layers.{name}"))
    return UNKNOWN


def symbol_of(machine: Machine, node: ast.expr) -> str:
    """The canonical name of the library's thing that a dotted expression names, "" where it names another."""
    parts = dotted_parts(node)
    start = named(machine, parts[0]) if parts is not None else UNKNOWN
    if isinstance(start, ModuleValue):
        value = machine.evaluate(node)
        return value.name if isinstance(value, Symbol) else ""
    if parts is None or not isinstance(start, Symbol):
        return ""
    return names.canonical(".".join([start.name, *parts[1:]]))
