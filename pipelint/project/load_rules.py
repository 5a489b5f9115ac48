"""Loads the rules: those of the packs that are installed, and those in the directories named by `rule-paths`."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

from pipelint.project.installed_packs import Pack, installed_packs
from pipelint.project.registry import RegisteredRule, Registry
from pipelint.source.errors import UserError


def load_registry(rule_paths: Sequence[Path] = ()) -> Registry:
    """The rules of every installed pack, and those in `rule_paths`; asking for a rule raises UserError if one is none.

    The code in `rule_paths` runs at once, and that of the packs when a rule is asked for.
    """
    packs = {pack: _import(pack.package, _origin(pack)) for pack in installed_packs()}
    own = [rule for path in rule_paths for rule in _load_path(path)]
    if not packs and not own:
        raise UserError("no rule pack is installed; install pipelint itself with `pip install pipelint`")

    def load() -> Iterator[RegisteredRule]:
        for pack, package in packs.items():
            yield from _load_pack(pack, package)
        yield from own

    return Registry(load, [Path(place) for package in packs.values() for place in _places(package)])


def _origin(pack: Pack) -> str:
    return f"rule pack '{pack.name}' ({pack.package})"


def _places(package: ModuleType) -> list[str]:
    return list(getattr(package, "__path__", []))


def _load_pack(pack: Pack, package: ModuleType) -> Iterator[RegisteredRule]:
    origin = _origin(pack)
    for info in pkgutil.iter_modules(_places(package)):
        if not info.name.startswith("_"):
            yield _rule_of(_import(f"{pack.package}.{info.name}", origin), origin, pack.distribution)


def _load_path(path: Path) -> Iterator[RegisteredRule]:
    origin = f"rule-paths entry {path}"
    if not path.exists():
        raise UserError(f"{origin} does not exist; name a directory of rules or one rule's file")
    for file in sorted(path.glob("*.py")) if path.is_dir() else [path]:
        if file.is_file() and not file.stem.startswith("_"):
            yield _rule_of(_import_file(file, origin), origin, None)


def _import(name: str, origin: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except Exception as error:
        raise _cannot_load(name, origin, error) from error


def _import_file(file: Path, origin: str) -> ModuleType:
    name = f"pipelint_rule_paths.{file.stem}_{abs(hash(file.resolve())):x}"
    module = ModuleType(name)
    module.__file__ = str(file)
    # Dataclasses look their module up by name while it is being executed.
    sys.modules[name] = module
    # What a rule imports from beside it would leave files there, and those end the trust.
    writes_nothing, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        # Compiled from the source that was trusted: a cached bytecode beside it may hold anything.
        exec(compile(file.read_bytes(), str(file), "exec"), vars(module))  # noqa: S102
    except Exception as error:
        del sys.modules[name]
        raise _cannot_load(str(file), origin, error) from error
    finally:
        sys.dont_write_bytecode = writes_nothing
    return module


def _cannot_load(name: str, origin: str, error: Exception) -> UserError:
    reason = " ".join(str(error).split())
    return UserError(f"{origin}: cannot load {name}: {type(error).__name__}: {reason}")


def _rule_of(module: ModuleType, origin: str, distribution: str | None) -> RegisteredRule:
    from pipelint.project.rule_contract import broken_promises  # the model is large
    from pipelint.rule import Rule

    file = Path(module.__file__ or module.__name__)
    own = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Rule) and value.__module__ == module.__name__
    ]
    if len(own) != 1:
        raise UserError(
            f"{origin}: {file} holds {len(own)} rules; each module of a rule pack holds one subclass of Rule"
        )
    rule = own[0]
    if broken := broken_promises(rule):
        raise UserError(f"{origin}: {file}: {rule.__name__} {'; '.join(broken)}")
    return RegisteredRule(rule, file, distribution)
