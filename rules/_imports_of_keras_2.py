"""Imports and names of packages that only Keras 2 had."""

from __future__ import annotations

from pipelint.rule import GONE_FROM_KERAS, GONE_MODULES, GONE_NAMES, Module, Program, Reference, once_a_program

from ._keras_3 import KERAS_3, only_lacks_keras_2


@once_a_program
def _failing_imports(program: Program) -> dict[Module, Reference]:
    """What modules import first that Keras 3 lacks, by which they show that they are written for Keras 2."""
    found: dict[Module, Reference] = {}
    for reference in program.references:
        if reference.imported and not reference.guarded:
            module = program.module_at(reference.region)
            gone = (*GONE_MODULES, *GONE_FROM_KERAS) if reference.package == "keras" else GONE_MODULES
            if f"{reference.name}.".startswith(tuple(f"{name}." for name in gone)):
                found.setdefault(module, reference)
    return found


def failing_import(program: Program, module: Module) -> Reference | None:
    """What a module, or else another one that runs with it, imports and Keras 3 lacks."""
    failing = _failing_imports(program)
    beside = (imported for other, imported in failing.items() if other.start in module.near)
    return failing.get(module) or next(beside, None)


def gone_names(program: Program) -> dict[tuple[Module, str], list[Reference]]:
    """What modules use, or import, of packages that only Keras 2 had, where they may run on Keras 3."""
    found: dict[tuple[Module, str], list[Reference]] = {}
    for reference in program.references:
        if reference.name in GONE_NAMES and only_lacks_keras_2(program, reference):
            found.setdefault((program.module_at(reference.region), reference.name), []).append(reference)
    return found


def about_import(imported: Reference) -> str:
    """What is to be said of an import that fails, in a file that has more such things."""
    return f"{KERAS_3} has no {imported.name}: this import fails, and more in this file is for Keras 2"
