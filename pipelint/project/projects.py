"""A project: the settings of one configuration, the rules that they turn on, and the TensorFlow to check for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from pipelint.knowledge.versions import NEWEST_TENSORFLOW
from pipelint.model.grades import Severity
from pipelint.model.tensorflow_version import Version
from pipelint.project.configuration_file import ConfigurationFile, find_configuration
from pipelint.project.load_rules import load_registry
from pipelint.project.local_rules import LocalRules
from pipelint.project.local_rules_gate import LocalRulesGate
from pipelint.project.module_files import News
from pipelint.project.modules import Modules
from pipelint.project.read_settings import read_settings
from pipelint.project.registry import RegisteredRule, Registry
from pipelint.project.setting_keys import DEFAULT_BASELINE
from pipelint.project.settings import Settings, selector_problem, specificity
from pipelint.source.address_space import AddressSpace
from pipelint.source.discovery import root_around
from pipelint.source.errors import FileError, UserError
from pipelint.source.paths import absolute, leads_out, shown_path

if TYPE_CHECKING:
    from pipelint.model.finding import Finding  # the model is large, and a file without TensorFlow never meets it
    from pipelint.project.requirements import Named, Required
    from pipelint.rule import Rule
    from pipelint.source.document import Document


MOST_AGAIN = 40
"""How many files are followed again as one program for each fix that is tried: more take longer than anybody waits, and
the file is then followed with those that it imports and that import it."""


@dataclass(frozen=True)
class Overrides:
    """What the command line says, on top of every configuration."""

    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: Severity | None = None
    target_tensorflow: Version | None = None
    baseline: Path | None = None
    no_baseline: bool = False
    allow_local_rules: bool = False
    exclude: tuple[str, ...] | None = None
    extend_exclude: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] | None = None
    """Like the exclusions by patterns that are relative to the working directory."""
    fixable: tuple[str, ...] | None = None
    unfixable: tuple[str, ...] = ()
    min_severity: Severity | None = None
    ignore_noqa: bool = False
    isolated: bool = False
    """Whether no configuration file is read."""
    given: tuple[str, ...] = ()
    """Entries of a configuration, as KEY=VALUE."""

    def validate(self, registry: Registry) -> None:
        """Refuse entries that stand for no rule."""
        options = {
            "--select": self.select or (),
            "--extend-select": self.extend_select,
            "--ignore": self.ignore,
            "--fixable": self.fixable or (),
            "--unfixable": self.unfixable,
            "--per-file-ignores": tuple(chain.from_iterable((self.per_file_ignores or {}).values())),
        }
        for option, entries in options.items():
            for entry in entries:
                if problem := selector_problem(entry, registry.known):
                    raise UserError(f"{option}: {problem}")


@dataclass(frozen=True, eq=False)
class Project:
    """Settings and rules for the files below one configuration file."""

    settings: Settings
    registry: Registry
    overrides: Overrides = Overrides()
    has_all_rules: bool = True
    """False where rules that the configuration names were not loaded."""
    _required: dict[Path, Required | None] = field(default_factory=dict, repr=False)
    _named: dict[Path, Named] = field(default_factory=dict, repr=False)
    _installable: dict[Path, Version] = field(default_factory=dict, repr=False)
    _modules: dict[Path, Modules] = field(default_factory=dict, repr=False)
    _modules_around: dict[Path, Modules] = field(default_factory=dict, repr=False)
    """By the directory of the file that imports them."""
    _expected: set[Path] = field(default_factory=set, repr=False)
    space: AddressSpace = field(default_factory=AddressSpace, repr=False)
    """Where the texts of its modules stand."""
    instead: Mapping[Path, bytes | None] = field(default_factory=dict, repr=False)
    """What stands in for the contents of files."""
    unreadable: dict[Path | None, FileError] = field(default_factory=dict, repr=False)
    """The requirement files that were asked for and are no files, or too large, by their paths."""

    @cached_property
    def enabled(self) -> tuple[RegisteredRule, ...]:
        """The rules that are on; the command line decides over the configuration, whatever is more specific."""
        chosen = Settings(
            select=self.overrides.select, extend_select=self.overrides.extend_select, ignore=self.overrides.ignore
        )
        return tuple(
            rule
            for rule in self.registry
            if chosen.selects(rule.code, rule.name, self.settings.selects(rule.code, rule.name, rule.type.default))
        )

    def modules(self, path: Path) -> Modules:
        """The modules that a file can import: those below the root of the project that it stands in."""
        directory = path.parent
        if directory not in self._modules_around:
            root = root_around(directory)
            root = root if directory.is_relative_to(root) else directory
            self._modules_around[directory] = self._modules.setdefault(root, Modules(root, self.space, self.instead))
        return self._modules_around[directory]

    def news(self) -> dict[Path, News]:
        """What was looked at since this was asked for the last time, by the root of the modules."""
        return {root: modules.files.news() for root, modules in self._modules.items()}

    def expect(self, paths: Iterable[Path]) -> None:
        """Tell which files are going to be checked."""
        by_modules: dict[Modules, list[Path]] = {}
        self._expected.update(map(absolute, paths))
        for path in self._expected:
            by_modules.setdefault(self.modules(path), []).append(path)
        for modules, given in by_modules.items():
            modules.graph.expect(given)

    def expects(self, path: Path) -> bool:
        """Whether a file is one of those that are going to be checked."""
        return absolute(path) in self._expected

    def connects(self, path: Path) -> bool:
        """Whether imports connect a file with another one that is going to be checked."""
        return len(self.modules(absolute(path)).graph.connected(absolute(path))) > 1

    def left_behind(self, path: Path) -> bool:
        """Whether a file is one that the project's programs do without."""
        here = absolute(path)
        return here in self.modules(here).left_over

    def with_files(self, instead: Mapping[Path, bytes | None]) -> Project:
        """The same project as it would be with other contents of some files, None for those that would not be there."""
        space = AddressSpace(self.space)
        for file in instead:
            self.modules(file)  # so that what is on disk around it is read once
        modules = {root: known.with_files(space, instead) for root, known in self._modules.items()}
        other = replace(self, instead=instead, _modules=modules, _modules_around={}, _expected=set(), space=space)
        other.expect(self._expected)
        return other

    def with_document(self, document: Document) -> Project:
        """The same project with another content of one file, if few enough files have to be followed again for it."""
        path = absolute(document.path)
        if len(self.modules(path).graph.group(path)) > MOST_AGAIN:
            return self
        return self.with_files({**self.instead, path: document.data})

    @cached_property
    def _instances(self) -> tuple[Rule, ...]:
        return tuple(rule.type(self.settings.rule_options.get(rule.name)) for rule in self.enabled)

    def rules(self, path: Path) -> tuple[Rule, ...]:
        """The rules that apply to a file."""
        given = self.overrides.per_file_ignores
        settings = self.settings if given is None else Settings(per_file_ignores=given)
        ignored = settings.ignored_entries(path)
        return tuple(rule for rule in self._instances if specificity(ignored, rule.code, rule.name) is None)

    def graded(self, finding: Finding) -> Finding:
        """The finding with the severity that the configuration gives its rule."""
        severity = self.settings.severity_of(finding.code, finding.name)
        return finding if severity is None else replace(finding, severity=severity)

    def may_fix(self, finding: Finding) -> bool:
        """Whether the fixes of a finding's rule may be applied."""
        fixable = self.settings.fixable if self.overrides.fixable is None else self.overrides.fixable
        unfixable = self.settings.unfixable + self.overrides.unfixable
        return Settings(select=fixable, ignore=unfixable).selects(finding.code, finding.name, default=True)

    @property
    def exclude(self) -> tuple[str, ...]:
        """What the configuration leaves out, by patterns that are relative to its root."""
        usual = self.settings.exclude if self.overrides.exclude is None else ()
        return usual + self.settings.extend_exclude

    @property
    def exclude_given(self) -> tuple[str, ...]:
        """What the command line leaves out, by patterns that are relative to the working directory."""
        return (self.overrides.exclude or ()) + self.overrides.extend_exclude

    def target(self, path: Path) -> Version:
        """The TensorFlow that a file is checked for: the newest there is where nothing in the project names one."""
        asked = self.overrides.target_tensorflow or self.settings.target_tensorflow
        if asked:
            return asked
        required = self._required_for(path)
        return required.oldest if required is not None else self._newest_there_is(path)

    def asks_for_target(self, path: Path) -> bool:
        """Whether the user or the project asks for the target."""
        asked = self.overrides.target_tensorflow or self.settings.target_tensorflow or self._required_for(path)
        return asked is not None

    def newest(self, path: Path) -> Version:
        """The newest TensorFlow that may run a file: the target itself where that is asked for, or pinned."""
        asked = self.overrides.target_tensorflow or self.settings.target_tensorflow
        if asked:
            return asked
        required, installable = self._required_for(path), self._newest_there_is(path)
        admitted = required.newest if required is not None else None
        return min(admitted or installable, installable)

    def _newest_there_is(self, path: Path) -> Version:
        """The newest TensorFlow that there is for the Pythons that the project admits."""
        directory = path if path.is_dir() else path.parent
        if directory not in self._installable:
            from pipelint.project.requirements import newest_for_its_python  # as below

            self._installable[directory] = newest_for_its_python(directory) or NEWEST_TENSORFLOW
        return self._installable[directory]

    def oldest(self, path: Path, run_with: Version | None = None) -> Version:
        """The oldest TensorFlow that may run a file.

        That is the target; where nobody asks for one, what a README or an image has, or a notebook was last run with.
        """
        target = self.target(path)
        if self.asks_for_target(path):
            return target
        named = self._named_for(path)
        return min(target, named.run_with or target, named.newest or target, run_with or target)

    def written_for(self, path: Path, run_with: Version | None = None) -> Version:
        """The oldest TensorFlow that is so much as named: what is written into a file is to work with it, too."""
        oldest = self.oldest(path, run_with)
        if self.overrides.target_tensorflow or self.settings.target_tensorflow:
            return oldest
        return min(oldest, self._named_for(path).written_for or oldest)

    def names_release(self, path: Path) -> bool:
        """Whether a README or an image names a release that runs a file."""
        return self._named_for(path).run_with is not None

    def _named_for(self, path: Path) -> Named:
        directory = path if path.is_dir() else path.parent
        if directory not in self._named:
            from pipelint.project.requirements import named_by_project  # as below

            self._named[directory] = named_by_project(directory)
        return self._named[directory]

    def _required_for(self, path: Path) -> Required | None:
        directory = path if path.is_dir() else path.parent
        if directory not in self._required:
            from pipelint.project.requirements import required_by_project  # files without TensorFlow need none

            try:
                self._required[directory] = required_by_project(directory)
            except FileError as error:
                self._required[directory] = None
                self.unreadable[error.path] = error
        return self._required[directory]

    @property
    def fail_on(self) -> Severity:
        """The least severity that makes the run fail."""
        return self.overrides.fail_on or self.settings.fail_on

    @property
    def min_severity(self) -> Severity:
        """The least severity that is reported and fixed."""
        return self.overrides.min_severity or self.settings.min_severity

    @property
    def baseline(self) -> Path | None:
        """The file that lists the findings which stay quiet: the one that is named, or that of the usual name."""
        if self.overrides.no_baseline:
            return None
        return self.overrides.baseline or self.settings.baseline or self._usual_baseline

    @cached_property
    def _usual_baseline(self) -> Path | None:
        root = self.settings.root
        # Without a configuration the root is where pipelint runs, which may be further down than last time.
        top = root if self.settings.source else root_around(root)
        places = (place / DEFAULT_BASELINE for place in (root, *root.parents) if place.is_relative_to(top))
        found = next((place for place in places if place.is_file()), None)
        if found and leads_out(found, top):
            raise UserError(
                f"{shown_path(found)} is a link that leads out of the project; use --baseline for its target"
            )
        return found


class Projects:
    """Finds the project of each file: the nearest configuration upwards, or the one that the command line names.

    `tell` is given a line for each configuration whose local rules were not loaded.
    """

    def __init__(self, overrides: Overrides, config: Path | None = None, *, tell: Callable[[str], None]) -> None:
        self.overrides = overrides
        self.config = config
        self._tell = tell
        self._told: set[str] = set()
        self._by_directory: dict[Path, Project] = {}
        self._by_source: dict[Path | None, Project] = {}
        self._registries: dict[tuple[Path, ...], Registry] = {}

    def of(self, path: Path) -> Project:
        """The project that a file or directory belongs to."""
        return self._of_directory(path) if path.is_dir() else self.of_file(path)

    def of_file(self, path: Path) -> Project:
        """The project that a file belongs to, whether it exists or not."""
        return self._of_directory(path.parent)

    def _of_directory(self, directory: Path) -> Project:
        # The configuration that the command line names is everybody's.
        key = directory if self.config is None else self.config
        if key not in self._by_directory:
            self._by_directory[key] = self._load(absolute(directory))
        return self._by_directory[key]

    def _load(self, directory: Path) -> Project:
        has_parent = directory.parent != directory
        if self.config is None and has_parent and not (directory / "pyproject.toml").is_file():
            return self._of_directory(directory.parent)
        # Settings name the rule paths, and only with the rules at hand can the other settings be checked.
        file = self.configuration(directory)
        unchecked = read_settings(file)
        if unchecked.source not in self._by_source:
            registry, complete = self._rules_of(unchecked)
            settings = read_settings(file, registry, all_rules_known=complete, given=self.given)
            self._by_source[unchecked.source] = Project(settings, registry, self.overrides, complete)
        return self._by_source[unchecked.source]

    def configuration(self, directory: Path) -> ConfigurationFile | None:
        """The configuration of a directory, if it has one; raises ConfigError."""
        return None if self.overrides.isolated else find_configuration(directory, self.config)

    @cached_property
    def given(self) -> ConfigurationFile | None:
        """What the command line says in the words of a configuration; raises ConfigError."""
        return ConfigurationFile.given(self.overrides.given)

    def known_rules(self) -> Registry:
        """The rules of the configuration that the user works under, whatever else is wrong in it."""
        return self._rules_of(read_settings(self.configuration(Path.cwd())))[0]

    def _rules_of(self, settings: Settings) -> tuple[Registry, bool]:
        """The installed rules with those that the settings name, and whether these were let in."""
        local = LocalRules.of(settings)
        refusal = None if local is None else self._gate.refusal(local)
        if refusal and refusal not in self._told:
            self._told.add(refusal)
            self._tell(refusal)
        return self._registry(() if local is None or refusal else local.paths), not refusal

    @cached_property
    def _gate(self) -> LocalRulesGate:
        root = read_settings(self.configuration(Path.cwd()))
        return LocalRulesGate(LocalRules.of(root), self.overrides.allow_local_rules)

    def _registry(self, rule_paths: tuple[Path, ...]) -> Registry:
        if rule_paths not in self._registries:
            registry = load_registry(rule_paths)
            self.overrides.validate(registry)
            self._registries[rule_paths] = registry
        return self._registries[rule_paths]
