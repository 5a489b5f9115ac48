"""A project over time: files and settings come and go, and pipelint is run in between, in any order."""

from __future__ import annotations

import random
import shutil
import tempfile
from pathlib import Path

from click.testing import CliRunner
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from pipelint.cli.command_line import command_line
from tests.fuzz.configurations import configuration
from tests.fuzz.invariants import FAULT, is_source
from tests.fuzz.programs import program

seeds = st.integers(0, 2**32).map(random.Random)
names = st.sampled_from(["train.py", "data.py", "models/net.py"])


class ProjectOverTime(RuleBasedStateMachine):
    """Whatever the order, programs stay programs, and a run never says that pipelint itself is at fault."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp(prefix="pipelint-fuzz-"))
        (self.root / "models").mkdir()
        self.valid: set[Path] = set()
        self.configured = False

    def teardown(self) -> None:
        shutil.rmtree(self.root)

    @rule(name=names, rng=seeds)
    def write(self, name: str, rng: random.Random) -> None:
        text = program(rng).encode()
        (self.root / name).write_bytes(text)
        self.valid = self.valid | {self.root / name} if is_source(text) else self.valid - {self.root / name}

    @rule(rng=seeds)
    def configure(self, rng: random.Random) -> None:
        name, data = configuration(rng)
        (self.root / name).write_bytes(data)
        self.configured = True

    @precondition(lambda self: self.configured)
    @rule()
    def forget_the_configuration(self) -> None:
        for path in self.root.iterdir():
            if path.is_file() and path.suffix != ".py":
                path.unlink()
        self.configured = False

    @rule()
    def fixes_settle(self) -> None:
        if self._run("--fix") != 2:
            before = self._contents()
            self._run("--fix")
            assert self._contents() == before

    @rule()
    def all_fixes_show_and_then_write(self) -> None:
        before = self._contents()
        self._run("--diff", "--unsafe-fixes")
        assert self._contents() == before
        self._run("--fix", "--unsafe-fixes")

    @rule()
    def silence(self) -> None:
        if self._run("--add-noqa") == 0 and not self.configured:
            assert self._run("--ignore=PIPE001", "--fail-on=advice") == 0

    @invariant()
    def programs_are_whole(self) -> None:
        for path in self.valid:
            assert is_source(path.read_bytes()), path

    @invariant()
    def nothing_is_left_behind(self) -> None:
        assert [path for path in self.root.rglob(".*") if path.name != ".gitignore"] == []

    def _run(self, *arguments: str) -> int:
        result = CliRunner().invoke(command_line, ["check", *arguments, str(self.root)])
        assert result.exit_code in (0, 1, 2), result.output
        assert not FAULT.search(result.stderr), result.stderr
        return result.exit_code

    def _contents(self) -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in sorted(self.root.rglob("*")) if path.is_file()}


ProjectOverTime.TestCase.settings = settings(
    max_examples=10,
    stateful_step_count=8,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
TestProjectOverTime = ProjectOverTime.TestCase
