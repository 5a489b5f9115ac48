"""What the formats that other programs read have in common: manners, fingerprints, and places in notebooks."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pipelint.project.setting_keys import OUTPUT_FORMATS
from pipelint.report import findings
from tests.report.findings.report_readers import accepted, commands, entries, replaced, reviewdog, run_of, text
from tests.workspace import IMPORT, Workspace, tf

pytestmark = pytest.mark.usefixtures("no_ci")

FORMATS = ("sarif", "github", "gitlab", "rdjson", "junit")
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


@pytest.mark.parametrize("output_format", FORMATS)
class TestEveryFormat:
    def test_leaves_the_exit_status_alone(self, slow: Workspace, output_format: str) -> None:
        option = f"--output-format={output_format}"
        path = slow.write("train.py", tf("x = 1"))
        assert slow.check(option).status == 0
        path.write_text(tf("tf.rank(1)"))
        assert slow.check(option).status == 0
        path.write_text(tf("tf.size(1)"))
        assert slow.check(option).status == 1
        path.write_text(tf("def ("))
        assert slow.check(option).status == 2

    def test_tells_the_failed_files_too_and_has_stdout_for_itself(self, failing: Workspace, output_format: str) -> None:
        outcome = failing.check(f"--output-format={output_format}", ".", "missing.py")
        assert outcome.stderr == ""
        for name in ("broken.py", "n.ipynb", "missing.py", "train.py"):
            assert name in outcome.stdout

    def test_says_the_same_of_the_same_source(self, failing: Workspace, output_format: str) -> None:
        assert text(failing, output_format) == text(failing, output_format)

    def test_reports_what_a_fix_leaves(self, slow: Workspace, output_format: str) -> None:
        slow.write("train.py", tf("tf.size(1), tf.shape(1)"))
        report = text(slow, output_format, "--fix")
        assert "TEST201" in report
        assert "tf.size is slow" not in report

    def test_survives_any_encoding_of_the_output(self, hostile: Workspace, output_format: str) -> None:
        command = [sys.executable, "-m", "pipelint", "check", f"--output-format={output_format}"]
        environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
        completed = subprocess.run(command, capture_output=True, check=False, env=environment)
        assert completed.returncode == 1
        assert completed.stderr == b""
        assert completed.stdout.isascii()

    def test_writes_nothing_that_could_steer_a_terminal(self, hostile: Workspace, output_format: str) -> None:
        report = text(hostile, output_format)
        assert not CONTROL.search(report)
        # GitHub looks for the file by its name, which must be exact.
        assert "\u202e" not in re.sub(r"file=[^,]*", "", report)


class TestFingerprints:
    def of(self, workspace: Workspace, *lines: str) -> list[str]:
        workspace.write("train.py", tf(*lines))
        found = [result["partialFingerprints"]["pipelint/v1"] for result in run_of(workspace)["results"]]
        assert found == [entry["fingerprint"] for entry in entries(workspace)]
        assert len(set(found)) == len(found)
        return found

    def test_stay_when_lines_move_and_spacing_changes(self, slow: Workspace) -> None:
        before = self.of(slow, "x = tf.size(1)", "y = tf.size(2)")
        assert self.of(slow, "# new", "", "if a:", "    x  =  tf.size(1)", "y = tf.size(2)  ") == before

    def test_differ_by_line_rule_and_path(self, slow: Workspace) -> None:
        [one] = self.of(slow, "tf.size(1)")
        assert one not in self.of(slow, "tf.size(2)")
        assert one not in self.of(slow, "tf.rank(1)")
        slow.write("other.py", slow.read("train.py"))
        assert len({entry["fingerprint"] for entry in entries(slow)}) == 2

    def test_number_those_that_are_alike(self, slow: Workspace) -> None:
        first = self.of(slow, "tf.size(1)")
        both = self.of(slow, "tf.size(1)", "tf.size(1)")
        assert both[:1] == first


class TestNotebooks:
    CELL = "!ls\nx = 'é\"\t', tf.size(1)"

    def place(self, workspace: Workspace, **layout: Any) -> tuple[str, dict[str, int]]:
        """The line of the file at which SARIF, GitHub, GitLab and reviewdog all place the one finding."""
        if layout:
            path = workspace.notebook("n.ipynb", IMPORT, self.CELL)
            document = json.loads(path.read_bytes())
            document["cells"][2]["source"] = layout.pop("source", document["cells"][2]["source"])
            path.write_text(json.dumps(document, **layout))
        [result] = run_of(workspace)["results"]
        assert result["message"]["text"] == "cell 3, line 2: tf.size is slow"
        [location] = result["locations"]
        region = location["physicalLocation"]["region"]
        [(_, properties, message)] = commands(workspace)
        [entry] = entries(workspace)
        [diagnostic] = reviewdog(workspace)
        assert message == diagnostic["message"] == "cell 3, line 2: tf.size is slow"
        assert entry["description"].endswith(message)
        line = region["startLine"]
        assert int(properties["line"]) == entry["location"]["lines"]["begin"] == line
        assert diagnostic["location"]["range"] == {"start": {"line": line}, "end": {"line": line}}
        return workspace.read("n.ipynb").split("\n")[line - 1], region

    @pytest.mark.parametrize(
        "layout",
        [{"indent": 1}, {"indent": 1, "ensure_ascii": False}, {"indent": 2, "source": CELL}, {"indent": None}],
        ids=["as Jupyter writes it", "letters as they are", "one string", "one line"],
    )
    def test_are_placed_in_the_lines_of_the_file(self, slow: Workspace, layout: dict[str, Any]) -> None:
        line, region = self.place(slow, **layout)
        assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == "tf.size"

    @pytest.mark.parametrize("indent", [1, None])
    def test_fixes_change_the_json_as_fix_does(self, related: Workspace, indent: int | None) -> None:
        path = related.notebook("n.ipynb", IMPORT, "y = 'é'\nx = tf.size(1)")
        path.write_text(json.dumps(json.loads(path.read_bytes()), indent=indent))
        before = path.read_text()
        [result] = run_of(related)["results"]
        [suggestion] = reviewdog(related)[0]["suggestions"]
        related.check("--fix", "--select=TEST900")
        assert replaced(before, result["fixes"][0]) == path.read_text()
        assert accepted(before, suggestion) == path.read_text()


def test_every_module_but_the_private_ones_is_a_format() -> None:
    package = Path(findings.__file__).parent
    assert sorted(path.stem.replace("_", "-") for path in package.glob("[!_]*.py")) == list(OUTPUT_FORMATS)
    assert all(isinstance(findings.load_format(name).MACHINE_READABLE, bool) for name in OUTPUT_FORMATS)
