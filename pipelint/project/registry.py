"""The rules that are known, by code and by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from pipelint.project.installed_packs import project_urls
from pipelint.project.settings import selector_problem
from pipelint.source.errors import UserError
from pipelint.source.paths import shown_path

if TYPE_CHECKING:
    from pipelint.rule import Rule  # the model is large, and a file without TensorFlow never meets it

_DIRECTIVE = re.compile(r"#[ \t]*(?:pipelint|(?P<noqa>noqa))\b", re.IGNORECASE)


@dataclass(frozen=True)
class RegisteredRule:
    """A rule and where it comes from."""

    type: type[Rule]
    file: Path
    distribution: str | None = None
    """The name of what was installed and brought it."""

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
        """Where the rule can be read: its page, which stays where it is, or the site of a third party's pack."""
        if self.distribution is None:
            return None
        project = _project_url(self.distribution)
        if project is None or self.distribution != "pipelint":
            return project
        return f"{project}/blob/main/docs/rules/{self.name}.md"

    @property
    def foreign_origin(self) -> str:
        """Who brought the rule, in words, where it is not pipelint: a rule pack, or a file of the user's own."""
        if self.distribution == "pipelint":
            return ""
        return f"the rule pack {self.distribution}" if self.distribution else shown_path(self.file)

    @property
    def is_about_suppressions(self) -> bool:
        """Whether the rule is about suppression comments rather than about code."""
        from pipelint.rule import Rule

        return self.type.check_suppressions is not Rule.check_suppressions


class Registry:
    """All rules that are known, in the order of their codes; they are loaded when the first of them is asked for."""

    def __init__(self, load: Callable[[], Iterable[RegisteredRule]], packs: Sequence[Path] = ()) -> None:
        self._load = load
        self.packs = packs
        """The directories of the installed packs that rules come from."""

    @cached_property
    def _rules(self) -> dict[str, RegisteredRule]:
        by_code: dict[str, RegisteredRule] = {}
        by_name: dict[str, RegisteredRule] = {}
        for rule in self._load():
            for key, taken in ((rule.code, by_code), (rule.name, by_name)):
                if key in taken:
                    raise UserError(
                        f"two rules are called {key}: {taken[key].file} and {rule.file}; rename one of them"
                    )
            by_code[rule.code] = by_name[rule.name] = rule
        return dict(sorted(by_code.items()))

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
        return frozenset(rule.code for rule in self if rule.type.default and not rule.is_about_suppressions)

    @property
    def options(self) -> Mapping[str, Mapping[str, int]]:
        """The options of each rule, with their defaults, by its name."""
        return {rule.name: rule.type.options for rule in self}

    def named_by(self, text: str) -> bool:
        """Whether a text may hold a suppression comment that names pipelint or one of these rules."""
        searched = 0
        for found in _DIRECTIVE.finditer(text):
            if not found["noqa"]:
                return True
            if found.start() < searched:
                continue  # the first noqa of a line was asked for all behind it
            end = text.find("\n", found.end())
            searched = end if end >= 0 else len(text)
            if self._code.search(text, found.end(), searched):
                return True
        return False

    @cached_property
    def _code(self) -> re.Pattern[str]:
        families = "|".join(sorted({code.rstrip("0123456789") for code in self._rules}))
        return re.compile(rf"(?:{families})[0-9]", re.IGNORECASE)

    def find(self, code_or_name: str) -> RegisteredRule:
        """The one rule of that code or name."""
        by_name = {rule.name: rule for rule in self}
        rule = self._rules.get(code_or_name.upper()) or by_name.get(code_or_name.lower())
        if rule is None:
            raise UserError(selector_problem(code_or_name, self.known, families=False) or code_or_name)
        return rule


def _project_url(distribution: str) -> str | None:
    urls = project_urls(distribution)
    return next((urls[label] for label in ("source", "repository", "homepage") if label in urls), None)
