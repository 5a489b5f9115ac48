"""The formats that have a line for each finding: `grouped`, `json-lines`, `pylint` and `azure`."""

from __future__ import annotations

import json

import pytest

from tests.workspace import IMPORT, Workspace, tf

pytestmark = pytest.mark.usefixtures("no_ci")


@pytest.fixture
def project(slow: Workspace) -> Workspace:
    slow.write("train.py", tf("tf.rank(1), tf.size(1)", "tf.shape(1)"))
    slow.notebook("n.ipynb", IMPORT, "x = 1\ntf.size(1)")
    return slow


def lines(workspace: Workspace, output_format: str, *options: str) -> list[str]:
    return workspace.check(f"--output-format={output_format}", *options).stdout.splitlines()


def test_grouped_has_files_and_the_most_severe_first(project: Workspace) -> None:
    assert lines(project, "grouped") == [
        "n.ipynb:",
        "  cell 3:2:1  warning TEST101 no-size: tf.size is slow [safe fix]",
        "",
        "train.py:",
        "  3:1   error TEST201 no-shape: tf.shape is slow",
        "  2:13  warning TEST101 no-size: tf.size is slow [safe fix]",
        "  2:1   advice TEST102 no-rank: tf.rank is slow [unsafe fix]",
        "",
        "Found 1 error, 2 warnings and 1 piece of advice in 2 files; 2 fixable with --fix, 1 more with --unsafe-fixes.",
    ]


def test_json_lines_are_the_findings_of_json_and_what_failed(project: Workspace) -> None:
    project.write("broken.py", tf("def ("))
    told = [json.loads(line) for line in lines(project, "json-lines")]
    document = project.check("--output-format=json").json
    kinds = [{"kind": "finding", **one} for one in document["findings"]]
    assert told == [*kinds, *({"kind": "error", **one} for one in document["errors"])]


def test_pylint_names_lines_of_the_file(project: Workspace) -> None:
    first, *others = lines(project, "pylint")
    assert first.startswith("n.ipynb:")
    assert first.endswith(": [TEST101] no-size: cell 3, line 2: tf.size is slow")
    assert others == [
        "train.py:2: [TEST102] no-rank: tf.rank is slow",
        "train.py:2: [TEST101] no-size: tf.size is slow",
        "train.py:3: [TEST201] no-shape: tf.shape is slow",
    ]


class TestAzure:
    def test_errors_come_first_and_advice_only_where_it_fails(self, project: Workspace) -> None:
        error, *warnings = lines(project, "azure")
        assert error == (
            "##vso[task.logissue type=error;sourcepath=train.py;linenumber=3;columnnumber=1;code=TEST201;]"
            "no-shape: tf.shape is slow"
        )
        assert len(warnings) == 2
        assert len(lines(project, "azure", "--fail-on=advice")) == 4

    def test_nothing_in_a_name_or_message_is_a_command(self, slow: Workspace) -> None:
        slow.rule("TEST300", "no-cast", "cast", message="100%; ##vso[task.complete result=Succeeded]\nmore")
        slow.write("a;b].py", tf("tf.cast(1)"))
        (line,) = lines(slow, "azure")
        assert line.startswith("##vso[task.logissue type=warning;sourcepath=a%3Bb%5D.py;linenumber=2;")
        assert line.count("##") == 1
        assert line.endswith("no-cast: 100%AZP25; # #vso[task.complete result=Succeeded] more")
