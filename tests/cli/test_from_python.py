"""`import pipelint`: what the command line does, for those who call it from Python."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import pipelint
from pipelint.dynamic.tuning import Tuning
from pipelint.report.profile.notebook_view import ProfileView
from tests.profiles import profile
from tests.workspace import Workspace, tf


class TestCheck:
    def test_a_path_gives_what_the_command_gives(self, slow: Workspace) -> None:
        slow.write("train.py", tf("tf.size(1)", "tf.rank(1)"))
        for path in ("train.py", Path("train.py"), ".", ["train.py"]):
            assert json.loads(pipelint.check(path).to_json()) == slow.check("--output-format=json").json

    def test_findings_are_objects(self, slow: Workspace) -> None:
        slow.write("train.py", tf("tf.size(1)"))
        result = pipelint.check("train.py")
        (finding,) = result
        assert (finding.code, finding.name, finding.severity.value) == ("TEST101", "no-size", "warning")
        assert (finding.span.path, finding.span.start.line, finding.message) == ("train.py", 2, "tf.size is slow")
        assert finding.fix is not None
        assert (len(result), result.failing, result.errors) == (1, True, ())

    def test_a_text_with_a_line_break_is_source(self, slow: Workspace) -> None:
        result = pipelint.check(tf("tf.size(1)"))
        assert [(found.code, found.span.path) for found in result.findings] == [("TEST101", "source.py")]

    def test_source_stands_in_for_a_file_of_the_project(self, slow: Workspace) -> None:
        slow.configure("[tool.pipelint.per-file-ignores]\n'train.py' = ['TEST101']")
        source = tf("tf.size(1)")
        assert len(pipelint.check(source, filename="train.py")) == 0
        assert len(pipelint.check(source.encode(), filename="other.py")) == 1

    def test_fixes_change_files_and_give_back_source(self, slow: Workspace) -> None:
        slow.write("train.py", tf("tf.size(1)", "tf.rank(1)"))
        safe = pipelint.check("train.py", fix=True)
        assert (len(safe), slow.read("train.py")) == (1, tf("tf.shape_n(1)", "tf.rank(1)"))
        everything = pipelint.check(slow.read("train.py"), fix=True, unsafe_fixes=True)
        assert (len(everything), everything.fixed_source) == (0, tf("tf.shape_n(1)", "tf.ndim(1)"))
        assert slow.read("train.py") == tf("tf.shape_n(1)", "tf.rank(1)")

    def test_rules_are_chosen_as_on_the_command_line(self, slow: Workspace) -> None:
        source = tf("tf.size(1)", "tf.rank(1)", "tf.shape(1)")
        codes = [found.code for found in pipelint.check(source, select="TEST101,no-rank")]
        assert codes == ["TEST101", "TEST102"]
        assert [found.code for found in pipelint.check(source, ignore=["TEST1"])] == ["TEST201"]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"target": "nowhere.py"}, "nowhere.py does not exist; a text is taken for source if it has a line break"),
            ({"target": ".", "filename": "a.py"}, "`filename` goes with source"),
            ({"target": ".", "select": "NONE9"}, "unknown rule 'NONE9'"),
            ({"target": ".", "target_tensorflow": "two"}, "'two' is not a TensorFlow version such as 2.16"),
        ],
    )
    def test_mistakes_are_told_in_one_line(self, slow: Workspace, arguments: dict[str, str], message: str) -> None:
        with pytest.raises(pipelint.UserError, match=message.replace("(", r"\(")):
            pipelint.check(**arguments)  # type: ignore[arg-type]

    def test_a_file_that_cannot_be_parsed_is_an_error_of_the_result(self, slow: Workspace) -> None:
        result = pipelint.check(tf("def ("))
        assert (len(result), result.failing) == (0, True)
        assert str(result).startswith("source.py:2: syntax error")


class TestResults:
    @pytest.mark.parametrize("name", ["found.json", "found.html", "found.md", "found.txt", "found.sarif"])
    def test_the_name_of_a_file_says_its_format(self, slow: Workspace, name: str) -> None:
        path = pipelint.check(tf("tf.size(1)")).save(name)
        assert "TEST101" in path.read_text("utf-8")
        if path.suffix in (".json", ".sarif"):
            assert json.loads(path.read_text("utf-8"))["version"]

    def test_profiles_are_saved_in_the_same_way(self, tmp_path: Path) -> None:
        view = ProfileView(profile())
        assert json.loads(view.save(tmp_path / "profile.json").read_text("utf-8"))["target"] == "train.py"
        assert view.save(str(tmp_path / "profile.html")).read_text("utf-8") == view.to_html()
        assert view.to_markdown().startswith("### pipelint profile")

    def test_what_was_tuned_is_saved_in_the_same_way(self, tmp_path: Path) -> None:
        view = pipelint.TuneView(Tuning("train.py", "2.21.0", 2, 11.0, 22.0, 30.0, diff="--- train.py\n"))
        assert json.loads(view.save(tmp_path / "tuned.json").read_text("utf-8"))["after"] == 22.0
        assert view.save(tmp_path / "tuned.txt").read_text("utf-8").startswith(view.diff)

    def test_a_program_that_is_not_there_cannot_be_tuned(self) -> None:
        with pytest.raises(pipelint.UserError, match=r"absent\.py: no such file"):
            pipelint.tune("absent.py")

    def test_an_unknown_format_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match=r"must end in \.json, \.html, \.md, \.txt"):
            ProfileView(profile()).save(tmp_path / "profile.pdf")

    def test_they_show_themselves(self, slow: Workspace) -> None:
        result = pipelint.check(tf("tf.size(1)"))
        assert repr(result).startswith("source.py:2:1: warning TEST101 no-size: tf.size is slow")
        assert result._repr_html_().startswith("<iframe srcdoc=")


def test_what_is_promised_is_there_and_loads_no_tensorflow() -> None:
    program = (
        "import sys, pipelint\n"
        "before = set(sys.modules)\n"
        "assert not [name for name in before if name.startswith('pipelint.') and name != 'pipelint.version']\n"
        "from pipelint import *\n"
        "print(*sorted(name for name in pipelint.__all__ if name in globals()))\n"
        "assert not {'tensorflow', 'keras', 'numpy', 'libcst'} & set(sys.modules)\n"
    )
    completed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert completed.stdout.split() == sorted(pipelint.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        pipelint.nothing  # type: ignore[attr-defined] # noqa: B018
