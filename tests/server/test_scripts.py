"""`pipelint server` on scripts: findings while somebody types, what can be done about them, and what rules say."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types as lsp

import pipelint
from tests.server.editor import Editor, Text
from tests.workspace import PIPELINT

pytest.importorskip("pygls", reason="the server speaks through pygls")

FIXTURES = Path(__file__).parents[2] / "fixtures"
SLOW = """\
import tensorflow as tf

def load(path):
    return tf.image.random_hue(tf.io.decode_jpeg(tf.io.read_file(path)), 0.1)

def train(model, paths):
    ds = tf.data.Dataset.from_tensor_slices(paths).shuffle(1000)
    ds = ds.map(load)
    ds = ds.map(tf.io.encode_jpeg, num_parallel_calls=1)
    model.fit(ds.batch(32), epochs=3)
"""
MAP = ("PIPE201", 8)
ONE_CALL = ("PIPE202", 9)
SIZED = """\
import tensorflow as tf
from {numbers} import CALLS

def load(path):
    return tf.io.decode_jpeg(tf.io.read_file(path))

def train(model, paths):
    ds = tf.data.Dataset.from_tensor_slices(paths).shuffle(100).map(load, num_parallel_calls=CALLS)
    model.fit(ds.batch(32), epochs=2)
"""


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    """An editor that is open on an empty directory."""
    root = tmp_path_factory.mktemp("project")
    (root / "pyproject.toml").write_text('[project]\nname = "project"\n[tool.pipelint]\ntarget-tensorflow = "2.8"\n')
    with Editor(root) as started:
        yield started


@pytest.fixture
def slow(editor: Editor) -> Iterator[Text]:
    """A script with findings, open."""
    path = editor.root / "train.py"
    path.write_text(SLOW)
    text = editor.open(path)
    yield text
    if text.uri in editor.texts:
        editor.close(text)


class TestFindings:
    def test_are_told_when_a_file_is_opened(self, editor: Editor, slow: Text) -> None:
        assert editor.found(slow) == [MAP, ONE_CALL]
        first = editor.diagnostics(slow)[0]
        assert first.range == lsp.Range(lsp.Position(7, 12), lsp.Position(7, 15))
        assert (first.source, first.severity) == ("pipelint", lsp.DiagnosticSeverity.Warning)
        assert first.message.startswith("`load` draws random numbers")
        assert first.code_description is not None
        assert first.code_description.href.endswith("/docs/rules/unparallelized-map.md")

    def test_are_those_of_the_command(self, editor: Editor) -> None:
        for path in sorted(FIXTURES.glob("slow/*.py")):
            text = editor.open(editor.root / path.name, path.read_text("utf-8"))
            found = pipelint.check(text.content, filename=editor.root / path.name)
            assert sorted(editor.found(text)) == sorted((f.code, f.span.start.line) for f in found), path.name
            editor.close(text)

    def test_follow_each_change(self, editor: Editor, slow: Text) -> None:
        editor.type(slow, 0, 0, "# one more line\n")
        assert editor.found(slow) == [("PIPE201", 9), ("PIPE202", 10)]
        editor.type(slow, 8, 20, ", num_parallel_calls=tf.data.AUTOTUNE")
        assert editor.found(slow) == [("PIPE202", 10)]

    def test_of_many_quick_changes_the_last_counts(self, editor: Editor, slow: Text) -> None:
        editor.diagnostics(slow)
        told = len(editor.publications)
        for _ in range(30):
            editor.type(slow, 0, 0, "#\n")
        assert editor.found(slow) == [("PIPE201", 38), ("PIPE202", 39)]
        assert len(editor.publications) - told < 30

    def test_stay_while_a_statement_is_being_typed(self, editor: Editor, slow: Text) -> None:
        editor.diagnostics(slow)
        editor.type(slow, 9, 4, "ds = ds.map(")
        broken = slow.version
        assert editor.hover(slow, 0, 0) == ""  # by now it was checked
        editor.type(slow, 9, 16, "load)\n    ")
        assert editor.found(slow) == [MAP, ONE_CALL, ("PIPE201", 10)]
        assert broken not in [said.version for said in editor.publications]

    def test_what_cannot_be_parsed_is_told_when_it_is_saved(self, editor: Editor, slow: Text) -> None:
        editor.change(slow, SLOW + "def (")
        editor.save(slow)
        (problem,) = editor.diagnostics(slow)
        assert (problem.severity, problem.range.start.line) == (lsp.DiagnosticSeverity.Error, 10)
        assert problem.message.startswith("syntax error")

    def test_are_gone_when_the_file_is_closed(self, editor: Editor, slow: Text) -> None:
        assert editor.diagnostics(slow)
        editor.close(slow)
        editor.wait(lambda: not editor.published[slow.uri].diagnostics)

    def test_point_to_what_they_rest_on_in_another_file(self, editor: Editor) -> None:
        (editor.root / "one_call.py").write_text("CALLS = 1\n")
        text = editor.open(editor.root / "calls_once.py", SIZED.format(numbers="one_call"))
        (found,) = editor.diagnostics(text)
        assert found.code == "PIPE202"
        assert found.related_information is not None
        (note,) = found.related_information
        assert note.location.uri == (editor.root / "one_call.py").as_uri()
        assert note.location.range == lsp.Range(lsp.Position(0, 8), lsp.Position(0, 9))
        editor.close(text)


class TestOtherOpenFiles:
    def test_their_unsaved_texts_count_at_once(self, editor: Editor) -> None:
        (editor.root / "calls_of.py").write_text("CALLS = None\n")
        numbers = editor.open(editor.root / "calls_of.py", "CALLS = 1\n")
        text = editor.open(editor.root / "sized.py", SIZED.format(numbers="calls_of"))
        assert [code for code, _ in editor.found(text)] == ["PIPE202"]
        editor.close(text)
        editor.close(numbers)

    def test_are_checked_again_after_a_pause(self, editor: Editor) -> None:
        (editor.root / "more_calls.py").write_text("CALLS = None\n")
        text = editor.open(editor.root / "more_sized.py", SIZED.format(numbers="more_calls"))
        numbers = editor.open(editor.root / "more_calls.py")
        assert editor.found(text) == []
        editor.change(numbers, "CALLS = 1\n")
        editor.wait(lambda: bool(editor.published[text.uri].diagnostics))
        editor.close(numbers)
        editor.wait(lambda: not editor.published[text.uri].diagnostics)
        editor.close(text)


class TestActions:
    def test_a_fix_says_whether_it_is_safe(self, editor: Editor, slow: Text) -> None:
        offered = editor.actions(slow, only=["quickfix"])
        fixes = [action for action in offered if not action.title.startswith("Ignore")]
        assert [(action.kind, action.title, action.is_preferred) for action in fixes] == [
            ("quickfix.unsafe.pipelint", "PIPE201, unsafe: Add num_parallel_calls=AUTOTUNE", False),
            ("quickfix", "PIPE202: Set num_parallel_calls=AUTOTUNE", True),
        ]

    def test_one_fix_is_that_of_the_report(self, editor: Editor, slow: Text) -> None:
        where = editor.diagnostics(slow)[0].range
        fix = next(action for action in editor.actions(slow, where) if "num_parallel_calls" in action.title)
        assert fix.diagnostics is not None
        assert [known.code for known in fix.diagnostics] == ["PIPE201"]
        after = editor.applied(fix.edit)[slow.uri]
        assert after == SLOW.replace("ds.map(load)", "ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)")

    def test_only_what_touches_the_range_is_offered(self, editor: Editor, slow: Text) -> None:
        elsewhere = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 3))
        assert editor.actions(slow, elsewhere, only=["quickfix"]) == []

    @pytest.mark.parametrize("path", sorted(FIXTURES.glob("slow/*.py")), ids=lambda path: path.stem)
    def test_fix_all_gives_what_the_command_writes(self, editor: Editor, tmp_path: Path, path: Path) -> None:
        shutil.copy(path, tmp_path)
        shutil.copy(editor.root / "pyproject.toml", tmp_path)
        text = editor.open(editor.root / path.name, path.read_text("utf-8"))
        after = text.content
        for kind, options in (("source.fixAll", ["--fix"]), ("source.unsafeFixAll", ["--fix", "--unsafe-fixes"])):
            command = [*PIPELINT, "check", path.name, *options, "--quiet"]
            subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
            written = (tmp_path / path.name).read_text("utf-8")
            actions = editor.actions(text, only=[kind])
            assert [action.kind for action in actions] in ([], [f"{kind}.pipelint"])
            after = editor.applied(actions[0].edit)[text.uri] if actions else after
            assert after == written
        editor.close(text)

    def test_a_line_is_ignored_as_add_noqa_writes_it(self, editor: Editor, slow: Text) -> None:
        where = editor.diagnostics(slow)[0].range
        ignore = next(action for action in editor.actions(slow, where) if action.title.startswith("Ignore"))
        assert ignore.title == "Ignore PIPE201 on this line"
        after = editor.applied(ignore.edit)[slow.uri]
        assert after == SLOW.replace("ds.map(load)", "ds.map(load)  # noqa: PIPE201")
        editor.change(slow, after)
        assert editor.found(slow) == [ONE_CALL]

    def test_the_fix_of_another_file_changes_that_file(self, editor: Editor) -> None:
        builder = editor.root / "build_data.py"
        made = "import tensorflow as tf\n\n\ndef make(files):\n    return tf.data.TFRecordDataset(files).batch(32)\n"
        builder.write_text(made)
        program = "import tensorflow as tf\nfrom build_data import make\n\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n"
        text = editor.open(
            editor.root / "takes_data.py", f'{program}model.compile("adam", "mse")\nmodel.fit(make("a"))\n'
        )
        (fix,) = (a for a in editor.actions(text, only=["quickfix"]) if not a.title.startswith("Ignore"))
        assert (fix.title, fix.is_preferred) == ("PIPE101: Append .prefetch(AUTOTUNE) (in build_data.py)", False)
        mended = made.replace(".batch(32)", ".batch(32).prefetch(tf.data.AUTOTUNE)")
        assert editor.applied(fix.edit) == {builder.as_uri(): mended}
        editor.close(text)


class TestRules:
    def test_hovering_over_a_finding_tells_its_rule(self, editor: Editor, slow: Text) -> None:
        editor.diagnostics(slow)
        page = editor.hover(slow, 7, 13)
        assert page.startswith("#### PIPE201 unparallelized-map")
        assert "## What it finds" in page
        assert editor.hover(slow, 0, 2) == ""

    def test_hovering_over_a_code_in_a_comment_too(self, editor: Editor, slow: Text) -> None:
        editor.change(slow, SLOW.replace("ds.map(load)", "ds.map(load)  # noqa: PIPE101"))
        assert editor.hover(slow, 7, 34).startswith("#### PIPE101 missing-prefetch")
        editor.change(slow, SLOW.replace("ds.map(load)", "ds.map(load)  # pipelint: ignore[missing-prefetch]"))
        assert editor.hover(slow, 7, 48).startswith("#### PIPE101 missing-prefetch")
        assert editor.hover(slow, 6, 9) == ""
