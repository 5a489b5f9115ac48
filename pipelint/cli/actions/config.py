"""`pipelint config`: explains the keys of the configuration."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import asdict

from pipelint.cli.actions.output import complain, emit
from pipelint.cli.actions.status import OK
from pipelint.display.terminal import Palette, wants_color, width_of, wrapped
from pipelint.project.projects import Overrides, Projects
from pipelint.project.registry import Registry
from pipelint.project.setting_keys import SETTING_KEYS, SettingKey
from pipelint.project.settings import suggestion
from pipelint.source.errors import UserError


def run_config(key: str | None, output_format: str, color: str, allow_local_rules: bool) -> int:
    """Explain one key, or list all of them."""
    registry = Projects(Overrides(allow_local_rules=allow_local_rules), tell=complain).known_rules()
    keys = {known.name: known for known in (*SETTING_KEYS, *_of_rules(registry))}
    if key is not None and _table(key) not in keys:
        raise UserError(f"unknown key {key!r}; {suggestion(key, keys, '`pipelint config` lists the keys')}")
    chosen = list(keys.values()) if key is None else [keys[_table(key)]]
    if output_format == "json":
        text = json.dumps({"version": 1, "keys": [asdict(one) for one in chosen]}, indent=2) + "\n"
    else:
        paint = Palette(wants_color(color, sys.stdout))
        text = _listed(chosen, paint) if key is None else _explained(chosen[0], paint, width_of(sys.stdout))
    emit(text, sys.stdout)
    return OK


def _table(key: str) -> str:
    """The key without the name of pipelint's table, and without that of an option in a rule's table."""
    return key.removeprefix("tool.pipelint.").partition(".")[0]


def _of_rules(registry: Registry) -> Iterable[SettingKey]:
    """The tables of the rules that have options."""
    for name, options in registry.options.items():
        if options:
            values = ", ".join(f"{option} = {number}" for option, number in options.items())
            yield SettingKey(
                name,
                "a table of whole numbers",
                f"{{ {values} }}",
                f"The numbers that the rule {name} goes by; `pipelint rule {name}` says what they mean.",
                f"{name} = {{ {values} }}",
            )


def _listed(keys: Iterable[SettingKey], paint: Palette) -> str:
    keys = list(keys)
    width = max(len(key.name) for key in keys)
    rows = (f"{paint(f'{key.name:<{width}}', 'cyan', bold=True)}  {key.default}\n" for key in keys)
    return (
        "".join(rows) + "\n`pipelint config KEY` explains one; `pipelint check --show-settings` shows those in force.\n"
    )


def _explained(key: SettingKey, paint: Palette, width: int | None) -> str:
    lines = [
        paint(key.name, "cyan", bold=True),
        "",
        key.about,
        "",
        f"Value:    {key.type}",
        f"Default:  {key.default}",
        *([f"Option:   {key.option}"] if key.option else []),
        f"Example:  {key.example}",
    ]
    return "".join(f"{wrapped(line, width, 10 if ':  ' in line else 0)}\n" for line in lines)
