"""The documentation of rules as text for a terminal, JSON, or Markdown."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence

from pipelint.display.figures import figure
from pipelint.project.registry import RegisteredRule
from pipelint.rule import Evidence, Example, MeasuredRatio

VERSION = 1

_WIDTH = 100


def render(rules: Sequence[RegisteredRule], output_format: str, *, index: bool, color: bool = False) -> str:
    """The rules as `text`, `json` or `markdown`; with `index` as a catalogue, else as the pages of single rules."""
    if output_format == "json":
        return as_json(rules)
    if output_format == "markdown":
        return as_markdown(rules, index=index)
    return _listing(rules) if index else _on_terminal("\n".join(_page(rule) for rule in rules), color=color)


def as_json(rules: Sequence[RegisteredRule]) -> str:
    """The facts and the text of each rule, for programs."""
    entries = [
        {
            "code": rule.code,
            "name": rule.name,
            "severity": rule.type.severity.value,
            "fix": rule.type.fix,
            "default": rule.type.default,
            "summary": rule.type.summary(),
            "documentation": rule.type.documentation(),
            "url": rule.url,
        }
        for rule in rules
    ]
    return json.dumps({"version": VERSION, "rules": entries}, indent=2) + "\n"


def as_markdown(rules: Sequence[RegisteredRule], *, index: bool) -> str:
    """The pages of the rules, or with `index` a table that leads to them."""
    return _table(rules, lambda rule: rule.url) if index else "\n".join(_page(rule) for rule in rules)


def as_site(rules: Sequence[RegisteredRule]) -> dict[str, str]:
    """The files of a directory with a page for each rule, and a table of them in `index.md`."""
    pages = {f"{rule.name}.md": _page(rule) for rule in rules}
    return {"index.md": _table(rules, lambda rule: f"{rule.name}.md"), **pages}


def _table(rules: Sequence[RegisteredRule], address: Callable[[RegisteredRule], str | None]) -> str:
    def linked(rule: RegisteredRule) -> str:
        url, title = address(rule), f"{rule.code} {rule.name}"
        return f"[{title}]({url})" if url else title

    rows = [
        f"| {linked(rule)} | {rule.type.summary()} "
        f"| {rule.type.severity.value}{'' if rule.type.default else ', off by default'} | {rule.type.fix} |"
        for rule in rules
    ]
    head = ["| rule | what it finds | severity | fix |", "| --- | --- | --- | --- |"]
    return "\n".join(["# Rules", "", *head, *rows]) + "\n"


def _page(registered: RegisteredRule) -> str:
    """One rule: its title, its facts, what it is about with its evidence and an example, and all that it knows."""
    rule = registered.type
    facts = [rule.severity.value, f"fix: {rule.fix}", f"since {rule.since}"]
    if not rule.default:
        facts.append("off by default")
    summary, _, more = rule.documentation().partition("\n\n")
    parts = [f"# {rule.code} {rule.name}", " · ".join(facts), summary]
    if rule.evidence:
        parts.append(_evidence(rule.evidence, rule.evidence.measured(registered.file)))
        repaired = Evidence(rule.evidence.by_itself).measured(registered.file)
        parts += [f"**TensorFlow already does this**: {_told(repaired)}"] if repaired else []
    shown = next((example for example in rule.examples if not example.silent), None)
    if shown:
        parts.append(_example(shown))
    parts += [more] if more else []
    if rule.options:
        defaults = "\n".join(f"{option} = {value}" for option, value in rule.options.items())
        parts.append(f"## Options\n```toml\n[tool.pipelint.{rule.name}]\n{defaults}\n```")
    return "\n\n".join(parts) + "\n"


def _evidence(evidence: Evidence, measured: MeasuredRatio | None) -> str:
    if not evidence.pair:
        return f"**Source**: {evidence.source}"
    told = _told(measured) if measured else "not yet"
    return f"**Measured**: {told} · {evidence.source}" if evidence.source else f"**Measured**: {told}"


def _told(measured: MeasuredRatio) -> str:
    return f"{_ratio(measured)} · {measured.about} · `{measured.command}`"


def _ratio(measured: MeasuredRatio) -> str:
    """The ratio with its interval, and where it was found."""
    interval = f"({figure(measured.low)} to {figure(measured.high)})"
    ratio = f"{figure(measured.ratio)} times slower" if measured.shown else "no ratio shown here"
    return f"{ratio} {interval}; {measured.tensorflow}, {measured.cores} cores"


def _example(example: Example) -> str:
    before = f"**Example**: {example.title}\n\n{_block(example.before)}"
    return before if example.after is None else f"{before}\n\nUse instead:\n\n{_block(example.after)}"


def _block(code: str) -> str:
    return f"```python\n{code.strip()}\n```"


def _listing(rules: Sequence[RegisteredRule]) -> str:
    """One line per rule."""
    name, severity, fix = (max(map(len, column)) for column in zip(*map(_columns, rules), strict=True))
    return "".join(
        f"{rule.code}  {rule.name:<{name}}  {rule.type.severity.value:<{severity}}  {'fix: ' + rule.type.fix:<{fix}}  "
        f"{rule.type.summary()}{'' if rule.type.default else ' (off by default)'}\n"
        for rule in rules
    )


def _columns(rule: RegisteredRule) -> tuple[str, str, str]:
    return rule.name, rule.type.severity.value, f"fix: {rule.type.fix}"


def _on_terminal(markdown: str, *, color: bool) -> str:
    from rich.console import Console
    from rich.markdown import Markdown

    width = min(_WIDTH, Console().width) if color else _WIDTH
    console = Console(file=io.StringIO(), width=width, force_terminal=color, color_system="auto" if color else None)
    with console.capture() as capture:
        console.print(Markdown(markdown, hyperlinks=color))
    return "".join(f"{line.rstrip()}\n" for line in capture.get().splitlines())
