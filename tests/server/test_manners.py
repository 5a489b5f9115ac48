"""How `pipelint server` behaves: how columns are counted, settings, files that change, profiles, and what is missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from pipelint.project.cache import Cache
from pipelint.project.saved_profiles import SavedStage, save_profile
from tests.server.editor import Editor

pytest.importorskip("pygls", reason="the server speaks through pygls")

WIDE = 'import tensorflow as tf; s = "\N{GRINNING FACE}é"; tf.data.experimental.AUTOTUNE\n'
PLACE = WIDE.index("tf.data")


class TestColumns:
    @pytest.mark.parametrize(
        ("encodings", "agreed", "units"),
        [
            (None, "utf-16", 1),
            (("utf-8", "utf-16"), "utf-8", 4),
            (("utf-32",), "utf-32", 0),
            (("ebcdic",), "utf-16", 1),
        ],
    )
    def test_are_counted_as_was_agreed(
        self, tmp_path: Path, encodings: tuple[str, ...] | None, agreed: str, units: int
    ) -> None:
        (tmp_path / "requirements.txt").write_text("tensorflow>=2.16\n")
        with Editor(tmp_path, encodings=encodings) as editor:
            assert editor.answer.capabilities.position_encoding == agreed
            text = editor.open(tmp_path / "wide.py", WIDE)
            (found,) = editor.diagnostics(text)
            assert found.range.start == lsp.Position(0, PLACE + units)
            (fix,) = (a for a in editor.actions(text, only=["quickfix"]) if not a.title.startswith("Ignore"))
            assert editor.applied(fix.edit)[text.uri] == WIDE.replace("experimental.", "")
            assert editor.hover(text, 0, PLACE + units).startswith("#### PIPE903")
            editor.type(text, 0, PLACE + units, "t = 1; ")
            assert text.content == WIDE.replace("tf.data", "t = 1; tf.data")
            (found,) = editor.diagnostics(text)
            assert found.range.start.character == PLACE + units + 7

    def test_lines_are_those_of_python(self, tmp_path: Path) -> None:
        source = "import tensorflow as tf\nx = '\x0c\u2028'  #\x85\r\ntf.data.AUTOTUNE\rtf.data.AUTOTUNE\n"
        with Editor(tmp_path) as editor:
            text = editor.open(tmp_path / "lines.py", source)
            assert editor.found(text) == []
            editor.type(text, 3, 8, "experimental.")
            assert editor.found(text) == [("PIPE903", 4)]
            (action,) = editor.actions(text, only=["source.fixAll"])
            assert editor.applied(action.edit)[text.uri] == source


class TestSettings:
    OLD = "import tensorflow as tf\ntf.data.experimental.AUTOTUNE, tf.data.AUTOTUNE\n"

    def test_come_with_the_first_message_and_may_change(self, tmp_path: Path) -> None:
        with Editor(tmp_path, settings={"ignore": ["PIPE903"]}) as editor:
            text = editor.open(tmp_path / "old.py", self.OLD)
            assert editor.found(text) == []
            editor.configure({"select": ["PIPE9"]})
            editor.wait(lambda: bool(editor.published[text.uri].diagnostics))
            assert editor.found(text) == [("PIPE903", 2)]

    def test_a_mistake_is_told_in_one_line(self, tmp_path: Path) -> None:
        with Editor(tmp_path, settings={"select": "PIPE9"}) as editor:
            editor.wait(lambda: bool(editor.messages))
            assert editor.messages == ["pipelint: pipelint.select must be a list of codes, names or families"]

    def test_a_rule_that_does_not_exist_too(self, tmp_path: Path) -> None:
        with Editor(tmp_path, settings={"select": ["PIPE9999"]}) as editor:
            editor.open(tmp_path / "old.py", self.OLD)
            editor.wait(lambda: bool(editor.messages))
            assert editor.messages[0].startswith("pipelint: --select: unknown rule 'PIPE9999'")


class TestFilesOnDisk:
    def test_a_configuration_that_changes_counts_at_once(self, tmp_path: Path) -> None:
        configuration = tmp_path / "pyproject.toml"
        configuration.write_text("[tool.pipelint]\nignore = ['PIPE903']\n")
        with Editor(tmp_path, watches=True) as editor:
            editor.wait(lambda: lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES in editor.registered)
            text = editor.open(tmp_path / "old.py", TestSettings.OLD)
            assert editor.found(text) == []
            configuration.write_text("[tool.pipelint]\n")
            editor.files_changed(configuration)
            editor.wait(lambda: bool(editor.published[text.uri].diagnostics))
            configuration.write_text("[tool.pipelint]\nignor = []\n")
            editor.files_changed(configuration)
            editor.wait(lambda: bool(editor.messages))
            assert "unknown key 'ignor'; did you mean ignore?" in editor.messages[0]

    def test_excluded_files_and_tests_are_left_alone(self, tmp_path: Path) -> None:
        (tmp_path / "pyproject.toml").write_text("[tool.pipelint]\nexclude = ['old']\n")
        (tmp_path / "old").mkdir()
        with Editor(tmp_path) as editor:
            for name in ("old/train.py", "test_train.py"):
                (tmp_path / name).write_text(TestSettings.OLD)
                assert editor.found(editor.open(tmp_path / name)) == []


class TestProfiles:
    SOURCE = "import tensorflow as tf\n\nds = tf.data.Dataset.range(9)\nds = ds.map(abs).batch(3)\nds = ds.take(1)\n"

    def test_what_was_measured_stands_beside_the_stages(self, tmp_path: Path) -> None:
        path = tmp_path / "train.py"
        path.write_text(self.SOURCE)
        places = {"range": 3, "map": 4, "batch": 4, "take": 5}
        shares = {"range": 0.01, "map": 0.8, "batch": 0.19, "take": None}
        stages = [
            SavedStage(
                op=op,
                cell=None,
                line=line,
                source=self.SOURCE.splitlines()[line - 1],
                share=share,
                seconds_per_batch=share and share / 100,
                is_bottleneck=op == "map",
                pipeline=pipeline,
                consumer="fit",
            )
            for pipeline in (0, 1)
            for (op, line), share in zip(places.items(), shares.values(), strict=True)
        ]
        save_profile(Cache(tmp_path / "cache"), "train.py", "today", [(path, stage) for stage in stages])
        with Editor(tmp_path, environment={"PIPELINT_CACHE_DIR": str(tmp_path / "cache")}) as editor:
            text = editor.open(path)
            beside = [(3, "1% · 100 µs"), (4, "map 80% · 8 ms (bottleneck), batch 19% · 1.9 ms")]
            assert editor.hints(text) == beside
            editor.type(text, 0, 0, "# moved\n")
            assert editor.hints(text) == [(line + 1, label) for line, label in beside]
            editor.type(text, 4, 5, "#")
            assert editor.hints(text) == [(4, "1% · 100 µs")]
            editor.configure({"inlayHints": False})
            editor.save(text)
            assert editor.hints(text) == []


def test_without_pygls_the_command_says_what_to_install(tmp_path: Path) -> None:
    program = (
        "import sys, importlib.util\n"
        "find = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *more: None if name == 'pygls' else find(name, *more)\n"
        "from pipelint.cli import main\n"
        "main(['server'])\n"
    )
    completed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert completed.returncode == 2
    needs = "pipelint: server needs pygls, which is not installed; run `pip install 'pipelint[server]'`\n"
    assert (completed.stdout, completed.stderr) == ("", needs)
