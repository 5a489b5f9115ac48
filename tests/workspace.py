"""A project in a temporary directory, and pipelint run in it through its public door."""

from __future__ import annotations

import json
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from pipelint.cli.command_line import command_line

PIPELINT = [sys.executable, "-m", "pipelint"]
RULE = '''
from pipelint.rule import Edit, Fix, ReplaceText, Rule, Safety, Severity

NEW = {new!r}


class TheRule(Rule):
    """Calls of `tf.{old}`."""

    code = "{code}"
    name = "{name}"
    severity = Severity.{severity}
    fix = "{safety}"
    default = {default}

    def check(self, program):
        for reference in program.references:
            if reference.name == "tensorflow.{old}":
                yield self.finding(reference.region, {message!r}, fix=self.rewrite(reference.region))

    def rewrite(self, region):
        if NEW is None:
            return None
        return Fix(f"write tf.{{NEW}}", Safety("{safety}"), ReplaceText((Edit(region, f"tf.{{NEW}}"),)))
'''


@dataclass(frozen=True)
class Outcome:
    """What a run of pipelint said."""

    status: int
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        return json.loads(self.stdout)

    @property
    def errors(self) -> list[str]:
        """The lines on stderr."""
        return self.stderr.splitlines()


@dataclass
class Workspace:
    """A project with rules of its own, read through `rule-paths` as a third party's would be."""

    root: Path

    def __post_init__(self) -> None:
        (self.root / "own_rules").mkdir()
        self.configure()

    def configure(self, toml: str = "", select: str = "TEST") -> None:
        """Write pyproject.toml; only the rules of the test are on, so that pipelint's own do not mix in."""
        head = f'[tool.pipelint]\nrule-paths = ["own_rules"]\nexclude = ["own_rules"]\nselect = ["{select}"]\n'
        (self.root / "pyproject.toml").write_text(head + textwrap.dedent(toml))

    def rule(
        self,
        code: str,
        name: str,
        old: str,
        new: str | None = None,
        *,
        safety: str = "safe",
        severity: str = "WARNING",
        message: str | None = None,
        default: bool = True,
    ) -> None:
        """Add a rule that finds `tf.old` and rewrites it to `tf.new`."""
        message = f"tf.{old} is slow" if message is None else message
        self.raw_rule(name, RULE.format(**{key: value for key, value in locals().items() if key != "self"}))

    def raw_rule(self, name: str, source: str) -> None:
        (self.root / "own_rules" / f"{name.replace('-', '_')}.py").write_text(textwrap.dedent(source))

    def install_rules(self, url: str) -> None:
        """Make the rules a stranger's installed pack whose site is `url`, for a process with the root in sys.path."""
        if (self.root / "own_rules").exists():
            (self.root / "own_rules").rename(self.root / "strange_rules")
        self.write("pyproject.toml", '[tool.pipelint]\nexclude = ["strange_rules"]\nselect = ["TEST"]\n')
        metadata = f"Metadata-Version: 2.1\nName: strange\nVersion: 1.0\nProject-URL: Source, {url}\n"
        self.write("strange-1.0.dist-info/METADATA", metadata)
        self.write("strange-1.0.dist-info/entry_points.txt", "[pipelint.rules]\nstrange = strange_rules\n")

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def read(self, name: str) -> str:
        return (self.root / name).read_bytes().decode()

    def notebook(self, name: str, *cells: str) -> Path:
        """A notebook whose first cell is Markdown, followed by the code cells."""
        head = {"cell_type": "markdown", "metadata": {}, "source": ["# Title"]}
        code = [
            {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [], "source": cell.splitlines(True)}
            for cell in cells
        ]
        document = {"cells": [head, *code], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        return self.write(name, json.dumps(document, indent=1) + "\n")

    def run(self, *arguments: str | Path, stdin: str | bytes = "", env: dict[str, str] | None = None) -> Outcome:
        result = CliRunner().invoke(command_line, [str(argument) for argument in arguments], input=stdin, env=env)
        return Outcome(result.exit_code, result.stdout, result.stderr)

    def check(self, *arguments: str | Path, stdin: str | bytes = "") -> Outcome:
        return self.run("check", *arguments, stdin=stdin)


IMPORT = "import tensorflow as tf; from tensorflow.data import Dataset"


def tf(*lines: str) -> str:
    """A script that imports what pipelint is about."""
    return "\n".join([IMPORT, *lines]) + "\n"
