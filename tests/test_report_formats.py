"""The formats that other programs read: SARIF, GitHub, GitLab, reviewdog and JUnit."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import unquote_to_bytes
from xml.etree import ElementTree

import pytest

from tests.linting import ROOT
from tests.workspace import IMPORT, Workspace, tf

FORMATS = ("sarif", "github", "gitlab", "rdjson", "junit")
HOSTILE = "50%, [a](b) `x` | y\n::error::z\r\x00\x1b[31m]]> </script> & \u202e \ud800 \uffff \N{GRINNING FACE}"
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


@pytest.fixture(autouse=True)
def no_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
def failing(slow: Workspace) -> Workspace:
    """A project with a file and a cell that cannot be parsed, and a path that is missing."""
    slow.write("broken.py", tf("x = 1", "def ("))
    slow.notebook("n.ipynb", IMPORT, "x = 1\ny = (")
    slow.write("train.py", tf("tf.size(1)"))
    return slow


@pytest.fixture
def related(workspace: Workspace) -> Workspace:
    workspace.raw_rule(
        "related",
        """
        from pipelint.model.finding import Edit, Fix, Region, Related, Safety, Severity
        from pipelint.rule import Rule

        class Tell(Rule):
            '''Relates.'''
            code, name, severity, fix = "TEST900", "tell", Severity.ADVICE, "safe"

            def check(self, program):
                for reference in program.references:
                    if reference.name == "tensorflow.size":
                        edits = Edit(Region(0, 0), "import os\\n"), Edit(reference.region, "os.size")
                        fix = Fix("use os", Safety.SAFE, lambda: edits)
                        related = (Related(Region(7, 17), "imported"),)
                        yield self.finding(reference.region, "here", fix=fix, related=related)
        """,
    )
    return workspace


@pytest.fixture
def hostile(workspace: Workspace) -> Workspace:
    """Findings whose message, path and source hold all that a format could trip over."""
    # Read back from its repr, since a half of a surrogate pair cannot be written to a file.
    workspace.rule("TEST101", "no-size", "size", "shape", message=HOSTILE)
    source = tf("'</script> ]]> & \u202e % ::', tf.size(1)")
    workspace.write("a %,:[b]&<c>`|.py", source)
    workspace.write("new\nline\x01.py", source)
    workspace.write("mirror\u202e.py", source)
    if sys.platform == "linux":
        workspace.write(os.fsdecode(b"tr\xffain.py"), source)
    return workspace


def text(workspace: Workspace, output_format: str, *options: str | Path) -> str:
    return workspace.check(f"--output-format={output_format}", *options).stdout


def run_of(workspace: Workspace, *options: str | Path) -> Any:
    [run] = json.loads(text(workspace, "sarif", *options))["runs"]
    return run


def entries(workspace: Workspace, *options: str | Path) -> Any:
    return json.loads(text(workspace, "gitlab", *options))


def reviewdog(workspace: Workspace, *options: str | Path) -> Any:
    return json.loads(text(workspace, "rdjson", *options))["diagnostics"]


def commands(workspace: Workspace, *options: str | Path) -> list[tuple[str, dict[str, str], str]]:
    """The workflow commands as the runner of GitHub Actions reads them."""
    return [_command(line) for line in text(workspace, "github", *options).split("\n")[:-1]]


def _command(line: str) -> tuple[str, dict[str, str], str]:
    head, data = line[2:].split("::", 1)
    kind, _, properties = head.partition(" ")
    pairs = (pair.split("=", 1) for pair in properties.split(","))
    return kind, {name: _unescaped(value, ":,\r\n%") for name, value in pairs}, _unescaped(data, "\r\n%")


def _unescaped(value: str, characters: str) -> str:
    for character in characters:
        value = value.replace(f"%{ord(character):02X}", character)
    return value


def suites(workspace: Workspace, *options: str | Path) -> ElementTree.Element:
    return ElementTree.fromstring(text(workspace, "junit", *options))


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
        path.write_text("def (")
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
        workspace.write("train.py", tf("ds = Dataset.range(9).map(f)", "model.fit(ds)"))
        run = run_of(workspace)
        rules = run["tool"]["driver"]["rules"]
        assert len(rules) > 1
        assert all(rule["id"].startswith("PIPE2") for rule in rules)
        for result in run["results"]:
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        rule = next(rule for rule in rules if rule["id"] == "PIPE201")
        assert rule["name"] == "unparallelized-map"
        assert rule["helpUri"] == "https://github.com/pipelint/pipelint/blob/main/rules/unparallelized_map.py"
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
        assert '"y = ("' in failing.read("n.ipynb").splitlines()[region["startLine"] - 1]
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


def replaced(source: str, fix: dict[str, Any]) -> str:
    """The text after a SARIF fix."""
    [change] = fix["artifactChanges"]
    for replacement in reversed(change["replacements"]):
        region = replacement["deletedRegion"]
        start = offset(source, region["startLine"], region["startColumn"])
        end = offset(source, region["endLine"], region["endColumn"])
        source = source[:start] + replacement.get("insertedContent", {"text": ""})["text"] + source[end:]
    return source


def accepted(source: str, suggestion: dict[str, Any]) -> str:
    """The text after a suggestion of reviewdog, which counts bytes, and takes whole lines away when none are given."""
    start, end = suggestion["range"]["start"], suggestion["range"]["end"]
    if "column" not in start:
        lines = source.splitlines(keepends=True)
        assert suggestion["text"] == ""
        return "".join(lines[: start["line"] - 1] + lines[end["line"] :])
    assert end["line"] <= len(source.splitlines()), "reviewdog must find the last line"
    text = source.encode().decode("latin-1")
    first, last = offset(text, start["line"], start["column"]), offset(text, end["line"], end["column"])
    added: str = suggestion["text"]
    return (text[:first] + added.encode().decode("latin-1") + text[last:]).encode("latin-1").decode()


def offset(text: str, line: int, column: int) -> int:
    lines = text.split("\n")
    return sum(len(line) + 1 for line in lines[: line - 1]) + column - 1


class TestGitHub:
    def test_a_command_for_each_finding_the_worst_first(self, slow: Workspace) -> None:
        slow.write("train.py", tf("tf.rank(1), tf.size(1), tf.shape(1)"))
        assert text(slow, "github").splitlines() == [
            "::error file=train.py,line=2,endLine=2,col=25,endColumn=33,title=TEST201 no-shape::tf.shape is slow",
            "::warning file=train.py,line=2,endLine=2,col=13,endColumn=20,title=TEST101 no-size::tf.size is slow",
            "::notice file=train.py,line=2,endLine=2,col=1,endColumn=8,title=TEST102 no-rank::tf.rank is slow",
        ]

    def test_a_span_of_several_lines_has_no_columns(self, slow: Workspace) -> None:
        slow.write("train.py", tf("(tf", ".size)(1)"))
        [(_, properties, _)] = commands(slow)
        assert properties == {"file": "train.py", "line": "2", "endLine": "3", "title": "TEST101 no-size"}

    def test_failed_files_are_errors(self, failing: Workspace) -> None:
        found = [(kind, p["file"], p.get("line")) for kind, p, _ in commands(failing, ".", "missing.py")]
        assert found[0] == ("error", "broken.py", "3")
        assert found[1] == ("error", "missing.py", None)
        assert found[2][:2] == ("error", "n.ipynb")
        assert found[3][:2] == ("warning", "train.py")

    @pytest.mark.parametrize(
        ("errors", "warnings", "advice", "shown", "note"),
        [
            (10, 10, 10, (10, 10, 10), None),
            (0, 11, 0, (0, 10, 1), "1 warning"),
            (12, 10, 10, (10, 10, 10), "2 errors, 1 notice"),
            (0, 0, 30, (0, 0, 10), "21 notices"),
        ],
    )
    def test_no_more_than_github_shows_and_how_many_are_missing(
        self, slow: Workspace, errors: int, warnings: int, advice: int, shown: tuple[int, ...], note: str | None
    ) -> None:
        lines = ["tf.rank(1)"] * advice + ["tf.size(1)"] * warnings + ["tf.shape(1)"] * errors
        slow.write("train.py", tf(*lines))
        found = commands(slow)
        assert tuple(sum(kind == k for kind, _, _ in found) for k in ("error", "warning", "notice")) == shown
        assert (f"Not shown: {note}." in found[-1][2]) if note else ("Not shown" not in found[-1][2])

    def test_what_the_runner_reads_is_what_was_meant(self, hostile: Workspace) -> None:
        found = commands(hostile)
        files = {properties["file"] for _, properties, _ in found}
        assert {"a %,:[b]&<c>`|.py", "new\nline\ufffd.py", "mirror\u202e.py"} <= files
        for kind, properties, message in found:
            assert kind == "warning"
            assert list(properties) == ["file", "line", "endLine", "col", "endColumn", "title"]
            assert message.startswith("50%, [a](b) `x` | y ::error::z")

    def test_in_a_directory_of_a_checkout_paths_start_at_its_top(
        self, slow: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("GITHUB_WORKSPACE", str(slow.root.parent))
        slow.write("train.py", tf("tf.size(1)"))
        assert commands(slow)[0][1]["file"] == "project/train.py"

    def test_a_clean_run_says_nothing(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = 1"))
        assert text(slow, "github") == ""


class TestGitLab:
    def test_a_report_in_full(self, slow: Workspace) -> None:
        slow.write("src/train.py", tf("tf.shape(1), tf.size(1), tf.rank(1)"))
        found = entries(slow)
        assert [entry["severity"] for entry in found] == ["major", "minor", "info"]
        assert found[0] == {
            "description": "no-shape: tf.shape is slow",
            "check_name": "TEST201",
            "fingerprint": found[0]["fingerprint"],
            "severity": "major",
            "location": {"path": "src/train.py", "lines": {"begin": 2, "end": 2}},
        }

    def test_failed_files_are_major(self, failing: Workspace) -> None:
        found = entries(failing, ".", "missing.py")
        assert [entry["severity"] for entry in found] == ["major", "major", "major", "minor"]
        assert len({entry["fingerprint"] for entry in found}) == 4
        assert found[0]["location"] == {"path": "broken.py", "lines": {"begin": 3}}

    def test_in_a_directory_of_a_checkout_paths_start_at_its_top(
        self, slow: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("CI_PROJECT_DIR", str(slow.root.parent))
        slow.write("train.py", tf("tf.size(1)"))
        assert entries(slow)[0]["location"]["path"] == "project/train.py"

    def test_a_clean_run_is_an_empty_list(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = 1"))
        assert entries(slow) == []

    def test_every_parser_takes_the_paths(self, hostile: Workspace) -> None:
        for entry in entries(hostile):
            entry["location"]["path"].encode()


class TestReviewdog:
    def test_columns_are_bytes_of_utf_8(self, slow: Workspace) -> None:
        slow.write("train.py", tf("'世😀', tf.size(1)"))
        [diagnostic] = reviewdog(slow)
        assert diagnostic["location"] == {
            "path": "train.py",
            "range": {"start": {"line": 2, "column": 12}, "end": {"line": 2, "column": 19}},
        }
        assert diagnostic["severity"] == "WARNING"
        assert diagnostic["code"] == {"value": "TEST101 no-size"}

    def test_severities(self, slow: Workspace) -> None:
        slow.write("train.py", tf("tf.shape(1), tf.size(1), tf.rank(1)"))
        assert [diagnostic["severity"] for diagnostic in reviewdog(slow)] == ["ERROR", "WARNING", "INFO"]

    @pytest.mark.parametrize("newline", ["\n", "\r\n"])
    def test_a_suggestion_gives_what_fix_writes(self, related: Workspace, newline: str) -> None:
        source = newline.join(["'ü'", *tf("'世', tf.size(1)").splitlines(), ""])
        related.write("train.py", source)
        [suggestion] = reviewdog(related)[0]["suggestions"]
        related.check("--fix")
        assert accepted(source, suggestion) == related.read("train.py")

    @pytest.mark.parametrize("text", ["", "y = 2{newline}", "y = 2{newline}z = 3{newline}"])
    @pytest.mark.parametrize("newline", ["\n", "\r\n"])
    def test_the_last_line_of_a_file_can_be_replaced_or_taken_away(
        self, workspace: Workspace, text: str, newline: str
    ) -> None:
        source = newline.join([IMPORT, "x = tf.size(1)", ""])
        workspace.raw_rule(
            "whole",
            f"""
            from pipelint.model.finding import Edit, Fix, Region, Safety, Severity
            from pipelint.rule import Rule

            class Whole(Rule):
                'Replaces a line.'
                code, name, severity, fix = "TEST900", "whole", Severity.ADVICE, "safe"

                def check(self, program):
                    edit = Edit(Region({source.index("x")}, {len(source)}), {text.format(newline=newline)!r})
                    for reference in program.references:
                        if reference.name == "tensorflow.size":
                            yield self.finding(reference.region, "line", fix=Fix("x", Safety.SAFE, lambda: (edit,)))
            """,
        )
        workspace.write("train.py", source)
        [suggestion] = reviewdog(workspace)[0]["suggestions"]
        workspace.check("--fix")
        assert accepted(source, suggestion) == workspace.read("train.py") != source

    def test_a_fix_over_too_many_lines_is_not_suggested(self, related: Workspace) -> None:
        related.write("train.py", tf(*["x = 1"] * 200, "tf.size(1)"))
        assert "suggestions" not in reviewdog(related)[0]

    def test_every_suggestion_for_pipelints_own_fixtures_applies(
        self, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seen = 0
        shutil.copytree(ROOT / "fixtures" / "slow", workspace.root / "slow")
        monkeypatch.chdir(workspace.root)
        workspace.configure(select="PIPE")
        for diagnostic, result in zip(reviewdog(workspace), run_of(workspace)["results"], strict=True):
            source = workspace.read(diagnostic["location"]["path"])
            for suggestion, fix in zip(diagnostic.get("suggestions", []), result.get("fixes", []), strict=True):
                assert accepted(source, suggestion) == replaced(source, fix) != source
                seen += 1
        assert seen > 5

    def test_the_message_tells_related_places_and_that_a_fix_is_unsafe(
        self, slow: Workspace, related: Workspace
    ) -> None:
        related.write("a.py", tf("tf.rank(1)"))
        related.write("b.py", tf("tf.size(1)"))
        messages = [diagnostic["message"] for diagnostic in reviewdog(related)]
        assert messages[0] == "tf.rank is slow\nUnsafe fix: write tf.ndim"
        assert "here\nb.py:1:8: imported" in messages

    def test_failed_files_are_errors(self, failing: Workspace) -> None:
        found = reviewdog(failing, ".", "missing.py")
        assert [diagnostic["severity"] for diagnostic in found] == ["ERROR", "ERROR", "ERROR", "WARNING"]
        assert found[0]["location"] == {"path": "broken.py", "range": {"start": {"line": 3}}}
        assert found[1]["location"] == {"path": "missing.py"}

    def test_reviewdog_knows_every_field(self, hostile: Workspace, failing: Workspace, related: Workspace) -> None:
        """It reads the report by its protocol buffers, where a field that it does not know is an error."""
        json_format = pytest.importorskip("google.protobuf.json_format", reason="comes with TensorFlow")
        result = _diagnostic_result()()
        json_format.Parse(text(hostile, "rdjson", ".", "missing.py"), result)
        assert len(result.diagnostics) >= 7
        for diagnostic in result.diagnostics:
            assert diagnostic.message
            assert diagnostic.location.path
            assert diagnostic.severity in (1, 2, 3)


def _diagnostic_result() -> Any:
    """The message of reviewdog's proto/rdf/reviewdog.proto."""
    names = ("descriptor_pb2", "descriptor_pool", "message_factory")
    descriptor_pb2, descriptor_pool, message_factory = (import_module(f"google.protobuf.{name}") for name in names)
    fields = {
        "DiagnosticResult": ["diagnostics:Diagnostic*", "source:Source", "severity:Severity"],
        "Diagnostic": [
            "message:",
            "location:Location",
            "severity:Severity",
            "source:Source",
            "code:Code",
            "suggestions:Suggestion*",
            "original_output:",
        ],
        "Location": ["path:", "range:Range"],
        "Range": ["start:Position", "end:Position"],
        "Position": ["line:int32", "column:int32"],
        "Suggestion": ["range:Range", "text:"],
        "Source": ["name:", "url:"],
        "Code": ["value:", "url:"],
    }
    kinds = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="rdf.proto", package="rdf", syntax="proto3")
    severity = file.enum_type.add(name="Severity")
    for number, name in enumerate(["UNKNOWN_SEVERITY", "ERROR", "WARNING", "INFO"]):
        severity.value.add(name=name, number=number)
    for message, members in fields.items():
        declared = file.message_type.add(name=message)
        for number, member in enumerate(members, 1):
            name, _, kind = member.rstrip("*").partition(":")
            label = kinds.LABEL_REPEATED if member.endswith("*") else kinds.LABEL_OPTIONAL
            field = declared.field.add(name=name, number=number, label=label)
            if kind in fields or kind == "Severity":
                field.type = kinds.TYPE_ENUM if kind == "Severity" else kinds.TYPE_MESSAGE
                field.type_name = f".rdf.{kind}"
            else:
                field.type = kinds.TYPE_INT32 if kind else kinds.TYPE_STRING
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("rdf.DiagnosticResult"))


class TestJUnit:
    # What the schema of Jenkins allows; it refuses anything else.
    ATTRIBUTES: ClassVar = {
        "testsuites": {"name", "tests", "failures", "errors"},
        "testsuite": {"name", "tests", "failures", "errors"},
        "testcase": {"name", "classname"},
        "failure": {"type", "message"},
        "error": {"type", "message"},
    }

    def test_a_suite_for_each_file_and_a_failed_case_for_each_finding(self, slow: Workspace) -> None:
        slow.write("a.py", tf("tf.shape(1), tf.rank(1)"))
        slow.write("b.py", tf("tf.size(1)"))
        root = suites(slow)
        assert root.attrib == {"name": "pipelint", "tests": "3", "failures": "3", "errors": "0"}
        assert [suite.attrib for suite in root] == [
            {"name": "a.py", "tests": "2", "failures": "2", "errors": "0"},
            {"name": "b.py", "tests": "1", "failures": "1", "errors": "0"},
        ]
        case = root[1][0]
        assert case.attrib == {"classname": "b.py", "name": "TEST101 no-size"}
        assert case[0].attrib == {"type": "warning", "message": "b.py:2:1: tf.size is slow"}
        assert case[0].text == "b.py:2:1: tf.size is slow\ntf.size(1)\nsafe fix: write tf.shape_n"

    def test_cases_have_names_of_their_own_that_stay_when_lines_move(self, slow: Workspace) -> None:
        for shift in (0, 5):
            slow.write("a.py", tf(*["x = 1"] * shift, "tf.size(1), tf.size(2)"))
            names = [case.get("name") for case in suites(slow).iter("testcase")]
            assert names == ["TEST101 no-size", "TEST101 no-size (2)"]

    def test_failed_files_are_errors(self, failing: Workspace) -> None:
        root = suites(failing, ".", "missing.py")
        assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("4", "1", "3")
        [error] = root.findall("testsuite[@name='n.ipynb']/testcase/error")
        assert (error.get("message") or "").startswith("cell 3, line 2: ")

    def test_a_clean_run_is_a_case_that_passed(self, slow: Workspace) -> None:
        slow.write("train.py", tf("x = 1"))
        root = suites(slow)
        assert root.attrib == {"name": "pipelint", "tests": "1", "failures": "0", "errors": "0"}
        assert [list(case) for case in root.iter("testcase")] == [[]]

    def test_jenkins_knows_every_attribute(self, hostile: Workspace, failing: Workspace) -> None:
        for element in suites(hostile).iter():
            assert set(element.attrib) <= self.ATTRIBUTES[element.tag]


MULTITOOL = "@microsoft/sarif-multitool"


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
