"""`--output-format sarif`: what code scanning reads, and what the official validator says of it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest

from tests.linting import ROOT
from tests.report.findings.report_readers import run_of
from tests.workspace import IMPORT, Workspace, tf

pytestmark = pytest.mark.usefixtures("no_ci")
MULTITOOL = "@microsoft/sarif-multitool"


class TestSarif:
    def test_a_result_in_full(self, slow: Workspace) -> None:
        slow.write("src/train.py", tf("x = tf.size(1)"))
        artifact = {"uri": "src/train.py", "uriBaseId": "SRCROOT", "index": 0}
        region = {"startLine": 2, "startColumn": 5, "endLine": 2, "endColumn": 12}
        run = run_of(slow)
        [result] = run["results"]
        [(_, fingerprint)] = result["partialFingerprints"].items()
        assert re.fullmatch(r"[0-9a-f]{32}", fingerprint)
        assert result == {
            "ruleId": "TEST101",
            "ruleIndex": 0,
            "level": "warning",
            "message": {"text": "tf.size is slow"},
            "locations": [{"physicalLocation": {"artifactLocation": artifact, "region": region}}],
            "partialFingerprints": result["partialFingerprints"],
            "fixes": [
                {
                    "description": {"text": "write tf.shape_n"},
                    "artifactChanges": [
                        {
                            "artifactLocation": artifact,
                            "replacements": [{"deletedRegion": region, "insertedContent": {"text": "tf.shape_n"}}],
                        }
                    ],
                    "properties": {"safety": "safe"},
                }
            ],
        }
        assert run["columnKind"] == "unicodeCodePoints"
        assert run["artifacts"] == [{"location": artifact, "mimeType": "text/x-python"}]

    def test_levels(self, slow: Workspace) -> None:
        slow.write("train.py", tf("tf.shape(1), tf.size(1), tf.rank(1)"))
        assert [result["level"] for result in run_of(slow)["results"]] == ["error", "warning", "note"]

    def test_rules_are_those_that_were_on_with_their_documentation(self, workspace: Workspace) -> None:
        workspace.configure(select="PIPE2")
        workspace.write("train.py", tf("ds = Dataset.range(9000).map(f)", "model.fit(ds)"))
        run = run_of(workspace)
        rules = run["tool"]["driver"]["rules"]
        assert len(rules) > 1
        assert all(rule["id"].startswith("PIPE2") for rule in rules)
        for result in run["results"]:
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        rule = next(rule for rule in rules if rule["id"] == "PIPE201")
        assert rule["name"] == "unparallelized-map"
        assert rule["helpUri"] == "https://github.com/pipelint/pipelint/blob/main/docs/rules/unparallelized-map.md"
        assert rule["defaultConfiguration"] == {"enabled": True, "level": "warning"}
        assert "## When to ignore it" in rule["help"]["text"]
        assert "```python" in rule["help"]["markdown"]
        assert len(rule["fullDescription"]["text"]) <= 1024

    def test_related_places(self, related: Workspace) -> None:
        related.write("train.py", tf("tf.size(1)"))
        [place] = run_of(related)["results"][0]["relatedLocations"]
        assert place["message"] == {"text": "imported"}
        assert place["physicalLocation"]["region"]["startColumn"] == 8

    def test_files_that_failed_are_notifications(self, failing: Workspace) -> None:
        [invocation] = run_of(failing, ".", "missing.py")["invocations"]
        assert invocation["executionSuccessful"] is False
        places = {}
        for notification in invocation["toolExecutionNotifications"]:
            assert notification["level"] == "error"
            location = notification["locations"][0]["physicalLocation"]
            places[location["artifactLocation"]["uri"]] = location.get("region"), notification["message"]["text"]
        assert places["broken.py"][0] == {"startLine": 3}
        assert places["missing.py"][0] is None
        region, message = places["n.ipynb"]
        assert '"tf.size(x y)"' in failing.read("n.ipynb").splitlines()[region["startLine"] - 1]
        assert message.startswith("cell 3, line 2: ")

    def test_a_clean_run_was_successful(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = 1"))
        run = run_of(slow)
        assert run["results"] == []
        assert run["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]

    def test_paths_are_relative_and_percent_encoded_byte_by_byte(self, hostile: Workspace) -> None:
        uris = {artifact["location"]["uri"] for artifact in run_of(hostile)["artifacts"]}
        for uri in uris:
            assert re.fullmatch(r"[\w.~/%-]+", uri, re.ASCII)
        names = {entry.name for entry in os.scandir(os.fsencode(hostile.root)) if entry.name.endswith(b".py")}
        assert {unquote_to_bytes(uri) for uri in uris} == names

    def test_a_path_elsewhere_is_a_file_uri(self, slow: Workspace, tmp_path: Path) -> None:
        (tmp_path / "el se.py").write_text(tf("tf.size(1)"))
        (tmp_path / "pyproject.toml").write_text(
            (slow.root / "pyproject.toml").read_text().replace("own_", "project/own_")
        )
        [artifact] = run_of(slow, tmp_path / "el se.py")["artifacts"]
        assert artifact["location"]["uri"] == (tmp_path / "el se.py").as_uri()

    def test_in_a_directory_of_a_checkout_paths_start_at_its_top(
        self, slow: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("GITHUB_WORKSPACE", str(slow.root.parent))
        slow.write("train.py", tf("tf.size(1)"))
        assert run_of(slow)["artifacts"][0]["location"]["uri"] == "project/train.py"

    def test_nothing_in_a_message_is_a_link(self, hostile: Workspace) -> None:
        assert run_of(hostile)["results"][0]["message"]["text"].startswith(r"50%, \[a](b) `x` | y ::error::z")


@pytest.fixture(scope="session")
def validator(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The official validator: as the environment names it, from the path, or from the registry where Node is."""
    named = os.environ.get("PIPELINT_SARIF_MULTITOOL")
    if named and Path(named).is_dir():
        named = str(Path(named) / ".bin" / "sarif-multitool")
    found = named or shutil.which("sarif-multitool") or shutil.which("sarif")
    if found:
        return found
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        pytest.skip("the SARIF validator needs Node and npm")
    directory = tmp_path_factory.mktemp("multitool")
    command = [npm, "install", "--no-audit", "--no-fund", "--no-save", "--prefix", str(directory), MULTITOOL]
    try:
        completed = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    except subprocess.TimeoutExpired:
        pytest.skip(f"npm could not install {MULTITOOL} in time")
    if completed.returncode != 0:
        pytest.skip(f"npm could not install {MULTITOOL}: {completed.stderr.strip().splitlines()[-1:]}")
    for binary in directory.glob("node_modules/@microsoft/sarif-multitool-*/Sarif.Multitool"):
        binary.chmod(0o755)
    return str(directory / "node_modules" / ".bin" / "sarif-multitool")


def test_the_official_validator_finds_nothing_wrong_with_the_sarif(
    validator: str, hostile: Workspace, failing: Workspace, related: Workspace, tmp_path: Path
) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    related.notebook("m.ipynb", IMPORT, "x = tf.size(1)")
    related.check("--output-format=sarif", "--output-file", logs / "hostile.sarif", ".", "missing.py")
    related.check("--output-format=sarif", "--output-file", logs / "clean.sarif", "own_rules/related.py")
    related.configure(select="ALL")
    related.check("--output-format=sarif", "--output-file", logs / "own.sarif", ROOT / "fixtures")
    complaints = dict(_complaints(validator, logs))
    assert complaints == {"clean": [], "hostile": [], "own": []}


def _complaints(validator: str, logs: Path) -> Iterator[tuple[str, list[Any]]]:
    """What the validator says of each log, by its own rules and by those for GitHub, save for what is a mere hint."""
    for log in sorted(logs.glob("*.sarif")):
        report = log.with_suffix(".report")
        # Its launcher hands the arguments to a shell.
        options = ["--output", str(report), "--rule-kind", "'Sarif;Ghas'", "--level", "'Error;Warning'"]
        command = [validator, "validate", str(log), *options]
        completed = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        assert report.exists(), completed.stdout + completed.stderr
        [run] = json.loads(report.read_text("utf-8-sig"))["runs"]
        notes = [note for i in run.get("invocations", []) for note in i.get("toolConfigurationNotifications", [])]
        yield log.stem, [*run.get("results", []), *notes]
