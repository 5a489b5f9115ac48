"""Finds the rules: rule packs that are installed, and the directories named by `rule-paths`."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import Distribution, EntryPoint, entry_points
from pathlib import Path
from types import ModuleType

from pipelint.project.settings import selector_problem
from pipelint.rule import Rule
from pipelint.source.errors import UserError

GROUP = "pipelint.rules"

_CODE = re.compile(r"[A-Z]+[0-9]{3}")
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@dataclass(frozen=True)
class RegisteredRule:
    """A rule and where it comes from."""

    type: type[Rule]
    file: Path
    distribution: Distribution | None = None

    @property
    def code(self) -> str:
        """The stable code, such as PIPE201."""
        return self.type.code

    @property
    def name(self) -> str:
        """The stable name, such as unparallelized-map."""
        return self.type.name

    @cached_property
    def url(self) -> str | None:
        """Where the rule can be read: its file on the project's site, or the site of a third party's pack."""
        if self.distribution is None:
            return None
        project = _project_url(self.distribution)
        if project is None or self.distribution.name != "pipelint":
            return project
        return f"{project}/blob/main/rules/{self.file.name}"

    @property
    def examines_suppressions(self) -> bool:
        """Whether the rule is about suppression comments rather than about code."""
        return self.type.check_suppressions is not Rule.check_suppressions


class Registry:
    """All rules that are known, in the order of their codes."""

    def __init__(self, rules: Iterable[RegisteredRule]) -> None:
        self._rules: dict[str, RegisteredRule] = {}
        names: dict[str, RegisteredRule] = {}
        for rule in rules:
            for key, taken in ((rule.code, self._rules), (rule.name, names)):
                if key in taken:
                    raise UserError(
                        f"two rules are called {key}: {taken[key].file} and {rule.file}; rename one of them"
                    )
            self._rules[rule.code] = names[rule.name] = rule
        self._rules = dict(sorted(self._rules.items()))
        self._names = names

    def __iter__(self) -> Iterator[RegisteredRule]:
        return iter(self._rules.values())

    def __getitem__(self, code: str) -> RegisteredRule:
        return self._rules[code]

    @cached_property
    def known(self) -> Mapping[str, str]:
        """The name of each rule by its code."""
        return {rule.code: rule.name for rule in self}

    @cached_property
    def usual(self) -> frozenset[str]:
        """The codes of the rules about code that are on by default."""
        return frozenset(rule.code for rule in self if rule.type.default and not rule.examines_suppressions)

    @property
    def options(self) -> Mapping[str, Mapping[str, int]]:
        """The options of each rule, with their defaults, by its name."""
        return {rule.name: rule.type.options for rule in self}

    def named_by(self, text: str) -> bool:
        """Whether a text may hold a suppression comment that names pipelint or one of these rules."""
        return self._mentions.search(text) is not None

    @cached_property
    def _mentions(self) -> re.Pattern[str]:
        families = "|".join(sorted({code.rstrip("0123456789") for code in self._rules}))
        return re.compile(rf"#[ \t]*(?:pipelint\b|noqa\b[^\n]*(?:{families})[0-9])", re.IGNORECASE)

    def find(self, code_or_name: str) -> RegisteredRule:
        """The one rule of that code or name."""
        rule = self._rules.get(code_or_name.upper()) or self._names.get(code_or_name.lower())
        if rule is None:
            raise UserError(selector_problem(code_or_name, self.known, families=False) or code_or_name)
        return rule


def load_registry(rule_paths: Sequence[Path] = ()) -> Registry:
    """Load every installed rule pack and the rules in `rule_paths`."""
    rules = [
        rule for pack in sorted(entry_points(group=GROUP), key=lambda pack: pack.name) for rule in _load_pack(pack)
    ]
    for path in rule_paths:
        rules += _load_path(path)
    if not rules:
        raise UserError("no rule pack is installed; install pipelint itself with `pip install pipelint`")
    return Registry(rules)


def _load_pack(pack: EntryPoint) -> Iterator[RegisteredRule]:
    origin = f"rule pack '{pack.name}' ({pack.value})"
    package = _import(pack.value, origin)
    for info in pkgutil.iter_modules(getattr(package, "__path__", [])):
        if not info.name.startswith("_"):
            yield _rule_of(_import(f"{pack.value}.{info.name}", origin), origin, pack.dist)


def _load_path(path: Path) -> Iterator[RegisteredRule]:
    origin = f"rule-paths entry {path}"
    if not path.exists():
        raise UserError(f"{origin} does not exist; name a directory of rules or one rule's file")
    for file in sorted(path.glob("*.py")) if path.is_dir() else [path]:
        if not file.stem.startswith("_"):
            yield _rule_of(_import_file(file, origin), origin, None)


def _import(name: str, origin: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except Exception as error:
        raise _cannot_load(name, origin, error) from error


def _import_file(file: Path, origin: str) -> ModuleType:
    name = f"pipelint_rule_paths.{file.stem}_{abs(hash(file.resolve())):x}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise UserError(f"{origin}: {file} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up by name while it is being executed.
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise _cannot_load(str(file), origin, error) from error
    return module


def _cannot_load(name: str, origin: str, error: Exception) -> UserError:
    reason = " ".join(str(error).split())
    return UserError(f"{origin}: cannot load {name}: {type(error).__name__}: {reason}")


def _rule_of(module: ModuleType, origin: str, distribution: Distribution | None) -> RegisteredRule:
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
    missing = [name for name in ("code", "name", "severity", "fix") if not hasattr(rule, name)]
    if missing:
        raise UserError(f"{origin}: {file}: {rule.__name__} does not set {', '.join(missing)}")
    if not _CODE.fullmatch(rule.code) or not _NAME.fullmatch(rule.name):
        raise UserError(f"{origin}: {file}: a code is like PIPE201 and a name like unparallelized-map")
    return RegisteredRule(rule, file, distribution)


def _project_url(distribution: Distribution) -> str | None:
    urls: dict[str, str] = {}
    for entry in distribution.metadata.get_all("Project-URL") or ():
        label, _, url = str(entry).partition(",")
        urls[label.strip().lower()] = url.strip().rstrip("/")
    return next((urls[label] for label in ("source", "repository", "homepage") if label in urls), None)
