"""Rules that a checkout brings with it are code: they run only where the user works and says so."""

from __future__ import annotations

import importlib.util
import marshal
import os
import shutil
import sys
from pathlib import Path

import pytest

from pipelint.project.local_rules import LocalRules
from pipelint.project.local_rules_gate import VARIABLE
from pipelint.project.read_settings import load_settings
from pipelint.project.trust_record import record_file
from tests.workspace import Outcome, Workspace, tf

PAYLOAD = "from pathlib import Path\nPath({marker!r}).touch()\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's own configuration, which knows nothing yet."""
    directory = tmp_path / "home"
    for variable in ("XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.setenv(variable, str(directory / "config"))
    monkeypatch.setenv("HOME", str(directory))
    return directory


@pytest.fixture
def checkout(slow: Workspace, home: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A project of which nobody has said that its rules may run; they leave a mark when they do."""
    monkeypatch.delenv("PIPELINT_ALLOW_LOCAL_RULES")
    slow.write("train.py", tf("x = tf.size(1)  # noqa: TEST101", "y = tf.size(2)"))
    for rule in (slow.root / "own_rules").glob("*.py"):
        rule.write_text(PAYLOAD.format(marker=str(marker(slow))) + rule.read_text())
    return slow


def marker(workspace: Workspace) -> Path:
    return workspace.root.parent / "was-run"


def ran(workspace: Workspace) -> bool:
    """Whether the rules were run, since this was last asked."""
    found = marker(workspace).exists()
    marker(workspace).unlink(missing_ok=True)
    return found


COMMANDS = [
    ("check",),
    ("check", "train.py", "--fix"),
    ("check", "--show-settings"),
    ("check", "--diff", "--output-format=json"),
    ("check", "--add-noqa"),
    ("check", "--config", "pyproject.toml"),
    ("check", "-", "--stdin-filename=train.py"),
    ("rule", "--all"),
    ("baseline",),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_nothing_of_a_checkout_is_run(checkout: Workspace, command: tuple[str, ...]) -> None:
    outcome = checkout.run(*command)
    assert not ran(checkout)
    assert outcome.status == 0
    assert outcome.errors == [
        (
            "pipelint: pyproject.toml: the rules in own_rules (rule-paths) were not loaded: they are code; "
            "allow it with --allow-local-rules, PIPELINT_ALLOW_LOCAL_RULES=1 or `pipelint trust`"
        )
    ]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("how", ["option", "variable", "record"])
def test_what_the_user_allows_runs(
    checkout: Workspace, monkeypatch: pytest.MonkeyPatch, how: str, command: tuple[str, ...]
) -> None:
    if how == "variable":
        monkeypatch.setenv("PIPELINT_ALLOW_LOCAL_RULES", "1")
    if how == "record":
        assert checkout.run("trust").status == 0
    outcome = checkout.run(*command, *(["--allow-local-rules"] if how == "option" else []))
    assert ran(checkout)
    assert "were not loaded" not in outcome.stderr


@pytest.mark.parametrize("name", [".pre-commit-hooks.yaml", "action.yml"])
def test_hooks_and_action_trust_nothing_by_themselves(name: str) -> None:
    text = (Path(__file__).parents[2] / name).read_text("utf-8").lower()
    assert "allow-local-rules" not in text
    assert "allow_local_rules" not in text


@pytest.mark.parametrize("name", ["docs/configuration.md", "SECURITY.md"])
def test_the_ways_to_allow_them_are_documented(name: str) -> None:
    text = (Path(__file__).parents[2] / name).read_text("utf-8")
    assert all(way in text for way in (f"{VARIABLE}=1", "--allow-local-rules", "`pipelint trust`"))


@pytest.mark.parametrize("value", ["", "0"])
def test_a_variable_that_says_no(checkout: Workspace, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("PIPELINT_ALLOW_LOCAL_RULES", value)
    checkout.check()
    assert not ran(checkout)


def test_other_rules_and_their_settings_work_without_them(checkout: Workspace) -> None:
    checkout.configure(
        'extend-select = ["PIPE101"]\nper-file-ignores = { "x.py" = ["no-size"] }\n'
        'target-tensorflow = "2.8"\nseverity = { TEST101 = "error", PIPE101 = "error" }\n'
        "[tool.pipelint.no-size]\nlimit = 3\n"
    )
    checkout.write("more.py", 'import tensorflow as tf\nmodel.fit(tf.data.TFRecordDataset("a").batch(64))\n')
    outcome = checkout.check("--output-format=concise")
    assert outcome.status == 1
    assert "error PIPE101" in outcome.stdout
    assert "PIPE001" not in outcome.stdout, "a comment for a rule that was not loaded is not told to be useless"
    checkout.configure('selct = ["TEST"]')
    assert "unknown key 'selct'; did you mean select" in checkout.check().stderr


class TestNestedConfigurations:
    VENDORED = '[tool.pipelint]\nrule-paths = ["hidden"]\nselect = ["EVIL"]\n'

    @pytest.fixture
    def vendored(self, checkout: Workspace) -> Workspace:
        checkout.write("vendor/lib/pyproject.toml", self.VENDORED)
        checkout.write("vendor/lib/train.py", tf("x = tf.size(1)"))
        rule = checkout.read("own_rules/no_size.py").replace("TEST101", "EVIL101").replace("no-size", "evil")
        checkout.write("vendor/lib/hidden/evil.py", rule)
        for other in (checkout.root / "own_rules").glob("*.py"):
            other.write_text(other.read_text().split("touch()\n")[1])
        return checkout

    @staticmethod
    def refused(outcome: Outcome) -> bool:
        return outcome.stderr.endswith(
            "vendor/lib/pyproject.toml: the rules in vendor/lib/hidden (rule-paths) were not loaded: "
            "only the configuration of the directory that pipelint runs in may name rules\n"
        )

    @pytest.mark.parametrize("command", [("check",), ("check", "vendor/lib", "--show-settings"), ("baseline",)])
    def test_they_never_run_code(self, vendored: Workspace, command: tuple[str, ...]) -> None:
        outcome = vendored.run(*command, "--allow-local-rules")
        assert not ran(vendored)
        assert self.refused(outcome)

    def test_nor_when_there_is_no_configuration_above(self, vendored: Workspace) -> None:
        (vendored.root / "pyproject.toml").unlink()
        assert self.refused(vendored.check("--allow-local-rules"))
        assert not ran(vendored)

    def test_nor_by_a_path_outside_of_where_the_user_is(
        self, vendored: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(vendored.root.parent)
        vendored.check("--allow-local-rules", vendored.root / "vendor" / "lib")
        assert not ran(vendored)

    @pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
    def test_nor_by_a_link_that_looks_like_the_rules_of_the_root(self, vendored: Workspace) -> None:
        """`way/../../../own_rules` reads like the root's own, and leads elsewhere."""
        lib = vendored.root / "vendor" / "lib"
        (lib / "a" / "b" / "c").mkdir(parents=True)
        (lib / "hidden").rename(lib / "own_rules")
        (lib / "way").symlink_to(lib / "a" / "b" / "c")
        vendored.write("vendor/lib/pyproject.toml", self.VENDORED.replace("hidden", "way/../../../own_rules"))
        outcome = vendored.check("--allow-local-rules")
        assert not ran(vendored)
        assert "vendor/lib/own_rules (rule-paths) were not loaded" in outcome.stderr

    def test_they_may_name_the_rules_of_the_root(self, vendored: Workspace) -> None:
        vendored.write(
            "vendor/lib/pyproject.toml", self.VENDORED.replace("hidden", "../../own_rules").replace("EVIL", "TEST")
        )
        outcome = vendored.check("--allow-local-rules", "--output-format=concise")
        assert "vendor/lib/train.py:2:5: warning TEST101" in outcome.stdout


class TestTrust:
    def test_it_names_what_is_trusted_and_where_that_is_written(self, checkout: Workspace) -> None:
        outcome = checkout.run("trust")
        *files, last = outcome.stdout.splitlines()
        assert files == ["  own_rules/no_rank.py", "  own_rules/no_shape.py", "  own_rules/no_size.py"]
        assert last.startswith("Trusted as they are now, for pyproject.toml (")
        assert str(record_file()) in last
        assert not ran(checkout), "to trust is not to run"
        assert not list(checkout.root.rglob("trusted*")), "and leaves nothing in the project"

    @pytest.mark.parametrize(
        "name", ["own_rules/no_size.py", "own_rules/another.py", "own_rules/data.txt", "own_rules/deep/_part.py"]
    )
    def test_it_ends_when_any_file_of_theirs_changes(self, checkout: Workspace, name: str) -> None:
        checkout.run("trust")
        checkout.check()
        assert ran(checkout)
        checkout.write(name, PAYLOAD.format(marker=str(marker(checkout))))
        assert "were not loaded: they have changed since you trusted them; " in checkout.check().stderr
        assert not ran(checkout)

    def test_it_ends_when_other_paths_are_named(self, checkout: Workspace) -> None:
        checkout.run("trust")
        checkout.write("more/another.py", PAYLOAD.format(marker=str(marker(checkout))))
        text = checkout.read("pyproject.toml").replace('["own_rules"]\nexclude', '["own_rules", "more"]\nexclude')
        checkout.write("pyproject.toml", text)
        assert "they have changed since" in checkout.check().stderr
        assert not ran(checkout)

    def test_other_settings_may_change(self, checkout: Workspace) -> None:
        checkout.run("trust")
        checkout.configure('fail-on = "error"')
        checkout.check()
        assert ran(checkout)

    def test_it_is_for_one_place(self, checkout: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
        checkout.run("trust")
        copy = checkout.root.parent / "copy"
        shutil.copytree(checkout.root, copy)
        monkeypatch.chdir(copy)
        assert "they are code" in checkout.check().stderr
        assert not ran(checkout)

    def test_it_can_be_taken_back(self, checkout: Workspace) -> None:
        checkout.run("trust")
        outcome = checkout.run("trust", "--revoke")
        assert outcome.stdout.startswith("No rules of pyproject.toml are trusted any longer (")
        assert "they are code" in checkout.check().stderr

    def test_a_planted_bytecode_is_not_what_runs(self, checkout: Workspace) -> None:
        """Python takes a cached file whose header says that nobody need look at the source."""
        rule = checkout.root / "own_rules" / "no_size.py"
        rule.write_text(rule.read_text().split("touch()\n")[1])
        for other in ("no_rank.py", "no_shape.py"):
            (rule.parent / other).unlink()
        checkout.run("trust")
        cached = Path(importlib.util.cache_from_source(str(rule)))
        cached.parent.mkdir(exist_ok=True)
        code = compile(PAYLOAD.format(marker=str(marker(checkout))) + rule.read_text(), str(rule), "exec")
        unchecked = (1).to_bytes(4, "little")
        cached.write_bytes(importlib.util.MAGIC_NUMBER + unchecked + bytes(8) + marshal.dumps(code))
        assert "they have changed since" in checkout.check().stderr, "a rule might import what it stands for"
        assert checkout.check("--allow-local-rules").status == 1
        assert not ran(checkout)

    def test_a_rule_that_imports_from_beside_it_stays_trusted(self, checkout: Workspace) -> None:
        beside = checkout.root / "own_rules"
        checkout.write("own_rules/_shared_by_rules.py", "")
        text = f"import sys\nsys.path.insert(0, {str(beside)!r})\nimport _shared_by_rules\n"
        checkout.write("own_rules/no_rank.py", text + checkout.read("own_rules/no_rank.py"))
        before = list(sys.path)
        checkout.run("trust")
        for _ in range(2):
            checkout.check()
            sys.modules.pop("_shared_by_rules", None)
            sys.path[:] = before
            assert ran(checkout)

    @pytest.mark.parametrize(
        "record", [b"", b"[]", b"{}", b'{"version": 9, "trusted": {}}', b'{"version": 1, "trusted": 3}']
    )
    def test_a_record_that_is_none_trusts_nobody(self, checkout: Workspace, record: bytes) -> None:
        record_file().parent.mkdir(parents=True)
        record_file().write_bytes(record)
        assert "they are code" in checkout.check().stderr
        outcome = checkout.run("trust")
        assert outcome.status == 2
        assert "is not a record of pipelint 1; delete it to begin anew" in outcome.stderr

    def test_there_must_be_something_to_trust(self, checkout: Workspace) -> None:
        checkout.write("pyproject.toml", "[tool.pipelint]\n")
        assert checkout.run("trust").errors == [
            "pipelint: pyproject.toml names no rule-paths, so there is nothing to trust"
        ]
        (checkout.root / "pyproject.toml").unlink()
        assert "there is no [tool.pipelint] in a pyproject.toml here or above" in checkout.run("trust").stderr

    @pytest.mark.skipif(sys.platform == "win32", reason="it has another place there")
    def test_a_relative_directory_of_configuration_is_none(self, checkout: Workspace, home: Path) -> None:
        """It would be one that the checkout brings with it."""
        assert not record_file({**os.environ, "XDG_CONFIG_HOME": "config"}).is_relative_to(checkout.root)
        assert record_file({**os.environ, "XDG_CONFIG_HOME": "config"}).is_relative_to(home)


def test_the_baseline_keeps_what_the_rules_found(checkout: Workspace) -> None:
    checkout.run("baseline", "--allow-local-rules")
    before = checkout.read(".pipelint-baseline.json")
    assert "TEST101" in before
    checkout.run("baseline")
    assert checkout.read(".pipelint-baseline.json") == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such files")
def test_what_is_no_regular_file_is_not_read(checkout: Workspace) -> None:
    os.mkfifo(checkout.root / "own_rules" / "waits.py")
    checkout.run("trust")
    checkout.check()
    assert ran(checkout)


def test_the_fingerprint_tells_names_from_content(checkout: Workspace) -> None:
    checkout.write("one/ab.py", "c")
    checkout.write("two/a.py", "bc")
    prints = set()
    for name in ("one", "two"):
        checkout.write("pyproject.toml", f'[tool.pipelint]\nrule-paths = ["{name}"]\n')
        local = LocalRules.of(load_settings())
        assert local is not None
        prints.add(local.fingerprint)
    assert len(prints) == 2
