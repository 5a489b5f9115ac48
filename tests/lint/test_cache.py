"""What is remembered is what would be found: after each kind of change, and whatever becomes of the cache itself."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipelint.lint.apply_rules import apply_rules
from pipelint.project.cache import Cache, cache_directory, digest
from tests.workspace import PIPELINT, Workspace

LOAD = """\
import tensorflow as tf


def decode(record):
    return tf.image.random_hue(tf.io.decode_jpeg(record), 0.1)


def load():
    return tf.data.TFRecordDataset("train").map(decode).shuffle(100).batch(64)
"""
TRAIN = "from load import load\n\nmodel.fit(load())\n"
PREFETCHED = TRAIN.replace("load())", "load().prefetch(2))")
CLEAN = "import tensorflow as tf\n\nprint(tf.constant(1))\n"
SETTINGS = """\
import json

import tensorflow as tf

with open("settings.json") as file:
    settings = json.load(file)
model.fit(tf.data.Dataset.range(9000).batch(settings["batch"]).prefetch(2))
"""


class Project(Workspace):
    """A project for an old TensorFlow, with a cache outside of it."""

    def __post_init__(self) -> None:
        self.write("pyproject.toml", '[tool.pipelint]\ntarget-tensorflow = "2.8"\n')
        self.write("load.py", LOAD)
        self.write("train.py", TRAIN)
        self.write("alone.py", CLEAN)

    @property
    def cache(self) -> Path:
        return self.root.parent / "cache"

    def told(self, *arguments: str) -> Any:
        """What a run says, which must be what it says without a cache."""
        time.sleep(0.03)  # what was changed so shortly before is not kept
        warm = self.check("--output-format=json", f"--cache-dir={self.cache}", *arguments)
        cold = self.check("--output-format=json", "--no-cache", *arguments)
        assert warm == cold
        return warm.json

    def codes(self, *arguments: str) -> list[str]:
        return [f"{found['path']} {found['code']}" for found in self.told(*arguments)["findings"]]


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are looked at."""
    names: list[str] = []

    def noted(project: Any, document: Any) -> Any:
        names.append(document.path.name)
        return apply_rules(project, document)

    monkeypatch.setattr("pipelint.lint.check_batch.apply_rules", noted)
    return names


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    monkeypatch.delenv("PIPELINT_NO_CACHE")
    root = tmp_path / "project"
    root.mkdir()
    monkeypatch.chdir(root)
    yield Project(root)
    if (tmp_path / "cache").exists():
        (tmp_path / "cache").chmod(0o700)


def _again(project: Project, checked: list[str], *arguments: str) -> list[str]:
    """Which files a run looks at that has a cache."""
    time.sleep(0.03)
    checked.clear()
    project.check(f"--cache-dir={project.cache}", *arguments)
    return sorted(checked)


class TestWhatIsLookedAtAgain:
    def test_nothing_where_nothing_changed(self, project: Project, checked: list[str]) -> None:
        assert _again(project, checked) == ["alone.py", "load.py", "train.py"]
        assert _again(project, checked) == []
        assert _again(project, checked, "train.py") == ["train.py"]
        assert _again(project, checked, "train.py") == []

    def test_nothing_of_what_cannot_be_parsed_or_reads_settings_elsewhere(
        self, project: Project, checked: list[str]
    ) -> None:
        project.write("old.py", "import tensorflow\nprint 1\n")
        project.write("inner/settings.py", SETTINGS.replace("settings.json", "../settings.json"))
        project.write("settings.json", '{"batch": 1}')
        assert "old.py" in _again(project, checked)
        assert _again(project, checked) == []
        project.write("settings.json", '{"batch": 2}')
        assert "settings.py" in _again(project, checked)

    def test_what_imports_connect_with_the_change(self, project: Project, checked: list[str]) -> None:
        _again(project, checked)
        project.write("load.py", LOAD.replace("64", "32"))
        assert _again(project, checked) == ["load.py", "train.py"]
        project.write("alone.py", CLEAN.replace("1", "2"))
        assert _again(project, checked) == ["alone.py"]
        project.write("load.py", LOAD)
        assert _again(project, checked) == []

    @pytest.mark.parametrize(
        "option",
        ["--min-severity=error", "--fail-on=advice", "--config=output-format=concise", "--extend-exclude=nothing/"],
    )
    def test_nothing_for_what_only_chooses_what_is_shown(
        self, project: Project, checked: list[str], option: str
    ) -> None:
        everything = project.codes()
        assert _again(project, checked, option) == []
        project.told(option)
        assert project.codes() == everything, "nothing was forgotten"

    @pytest.mark.parametrize(
        "option", ["--ignore-noqa", "--unfixable=PIPE201", "--per-file-ignores=load.py:PIPE201", "--isolated"]
    )
    def test_all_for_what_changes_what_is_found(self, project: Project, checked: list[str], option: str) -> None:
        project.codes()
        assert _again(project, checked, option) == ["alone.py", "load.py", "train.py"]
        project.told(option)

    def test_a_saved_file_is_as_good_as_the_old_one(self, project: Project, checked: list[str]) -> None:
        _again(project, checked)
        project.write("load.py", LOAD)
        assert _again(project, checked) == []

    def test_a_module_that_an_import_now_leads_to(self, project: Project, checked: list[str]) -> None:
        project.write("user.py", "import tensorflow as tf\nfrom new import finish\n")
        _again(project, checked)
        project.write("new.py", "def finish(ds):\n    return ds\n")
        assert _again(project, checked) == ["new.py", "user.py"]
        (project.root / "new.py").unlink()
        assert _again(project, checked) == []

    @pytest.mark.parametrize(
        "statement",
        ["from.new import finish", "from new import (  # not (yet) tf\n    finish,\n)", "if True: import new"],
    )
    def test_however_the_import_is_written(self, project: Project, checked: list[str], statement: str) -> None:
        project.write("new.py", "def finish(ds):\n    return ds\n")
        project.write("user.py", f"import tensorflow as tf\n{statement}\n")
        _again(project, checked)
        project.write("new.py", "def finish(ds):\n    return ds.prefetch(1)\n")
        assert _again(project, checked) == ["new.py", "user.py"]

    def test_what_another_branch_left_is_still_known(self, project: Project, checked: list[str]) -> None:
        _again(project, checked)
        project.write("train.py", PREFETCHED)
        _again(project, checked)
        project.write("train.py", TRAIN)
        assert _again(project, checked) == []

    def test_fixes_look_at_nothing_where_nothing_is_found(self, project: Project, checked: list[str]) -> None:
        assert _again(project, checked, "alone.py") == ["alone.py"]
        assert _again(project, checked, "alone.py", "--fix") == []
        assert _again(project, checked, "train.py", "--diff") == ["train.py"]
        assert _again(project, checked, "train.py", "--diff") == ["train.py"]

    def test_a_run_of_the_fixes_that_finds_nothing_is_remembered(self, project: Project, checked: list[str]) -> None:
        assert _again(project, checked, "alone.py", "--fix") == ["alone.py"]
        assert _again(project, checked, "alone.py", "--fix") == []
        assert _again(project, checked, "alone.py") == []


class TestWhatIsFound:
    def test_after_a_change_in_another_module(self, project: Project) -> None:
        assert "train.py PIPE101" in project.codes()
        project.write("load.py", LOAD.replace(".batch(64)", ".batch(64).prefetch(2)"))
        assert "train.py PIPE101" not in project.codes()
        assert "train.py PIPE101" not in project.codes("train.py")
        project.write("load.py", LOAD)
        assert "train.py PIPE101" in project.codes()
        assert "train.py PIPE101" in project.codes("train.py")

    def test_after_a_file_begins_or_ceases_to_use_another(self, project: Project) -> None:
        (project.root / "train.py").unlink()
        before = project.codes(), project.codes("load.py")
        project.write("train.py", PREFETCHED)
        after = project.codes(), project.codes("load.py")
        assert before != after
        (project.root / "train.py").unlink()
        assert (project.codes(), project.codes("load.py")) == before

    def test_when_a_module_comes_and_goes(self, project: Project) -> None:
        (project.root / "load.py").unlink()
        assert project.codes("train.py") == project.codes() == []
        project.write("load/__init__.py", LOAD)
        assert "train.py PIPE101" in project.codes("train.py")
        assert "train.py PIPE101" in project.codes()
        shutil.rmtree(project.root / "load")
        assert project.codes("train.py") == project.codes() == []

    def test_in_a_module_that_nobody_lists(self, project: Project) -> None:
        project.write(".gitignore", "load.py\n")
        assert "train.py PIPE101" in project.codes()
        project.write("load.py", LOAD.replace(".batch(64)", ".batch(64).prefetch(2)"))
        assert "train.py PIPE101" not in project.codes()
        (project.root / "load.py").unlink()
        assert "train.py PIPE101" not in project.codes()

    def test_for_the_tensorflow_that_is_required(self, project: Project) -> None:
        project.write("pyproject.toml", "")
        newest = project.told()["findings"]
        project.write("requirements.txt", "tensorflow==2.4\n")
        old = project.told()["findings"]
        assert [found["severity"] for found in old] != [found["severity"] for found in newest]
        project.write("requirements.txt", "tensorflow==2.16\n")
        assert project.told()["findings"] != old
        (project.root / "requirements.txt").rename(project.root / "requirements")
        assert project.told()["findings"] == newest
        (project.root / "requirements").rename(project.root / "r.txt")
        project.write("requirements/base.txt", "tensorflow==2.4\n")
        assert project.told()["findings"] == old

    def test_for_the_tensorflow_that_a_new_readme_speaks_of(self, project: Project) -> None:
        project.write("pyproject.toml", "")
        project.write("load.py", LOAD.replace("(decode)", "(decode, tf.data.experimental.AUTOTUNE)"))
        assert "load.py PIPE903" not in project.codes()
        project.write("README.md", "pip install tensorflow==2.8\n")
        assert "load.py PIPE903" in project.codes()
        (project.root / "README.md").unlink()
        assert "load.py PIPE903" not in project.codes()
        project.write("docs/readme.rst", "Networks in TensorFlow 2.6\n")
        assert "load.py PIPE903" in project.codes()

    def test_for_the_tensorflow_of_a_new_image(self, project: Project) -> None:
        project.write("pyproject.toml", "")
        project.write("docker/entry.sh", "")
        project.write("load.py", LOAD.replace("(decode)", "(decode, tf.data.experimental.AUTOTUNE)"))
        assert "load.py PIPE903" not in project.codes()
        project.write("docker/Dockerfile", "FROM tensorflow/tensorflow:2.8.0\n")
        assert "load.py PIPE903" in project.codes()

    def test_for_the_tensorflow_that_old_pythons_have(self, project: Project) -> None:
        project.write("pyproject.toml", "")
        project.write("main.py", "from tensorflow import keras\nkeras.Sequential().fit_generator(batches)\n")
        assert "main.py PIPE904" in project.codes()
        project.write("pyproject.toml", '[project]\nrequires-python = "<3.9"\n')
        assert "main.py PIPE904" not in project.codes()

    def test_with_settings_that_a_program_reads(self, project: Project) -> None:
        project.write("main.py", SETTINGS)
        assert "main.py PIPE801" not in project.codes("--select=PIPE801")
        project.write("settings.json", '{"batch": 1}')
        assert "main.py PIPE801" in project.codes("--select=PIPE801")
        assert "main.py PIPE801" in project.codes("--select=PIPE801", "main.py")
        project.write("settings.json", '{"batch": 512}')
        assert "main.py PIPE801" not in project.codes("--select=PIPE801")
        assert "main.py PIPE801" not in project.codes("--select=PIPE801", "main.py")

    def test_by_other_rules_options_and_targets(self, project: Project) -> None:
        everything = project.codes()
        assert project.codes("--select=PIPE101") != everything
        assert project.codes("--ignore=PIPE101") != everything
        assert project.told("--target-tensorflow=2.16") != project.told()
        project.write("pyproject.toml", '[tool.pipelint]\ntarget-tensorflow = "2.8"\nignore = ["PIPE101"]\n')
        assert "train.py PIPE101" not in project.codes()
        project.write(
            "pyproject.toml", '[tool.pipelint]\ntarget-tensorflow = "2.8"\nseverity = { PIPE101 = "error" }\n'
        )
        assert project.told()["summary"]["errors"] == 1
        per_file = 'per-file-ignores = { "train.py" = ["PIPE101"] }\n'
        project.write("pyproject.toml", f'[tool.pipelint]\ntarget-tensorflow = "2.8"\n{per_file}')
        assert "train.py PIPE101" not in project.codes()

    def test_by_options_of_a_rule(self, project: Project) -> None:
        project.write("main.py", SETTINGS)
        project.write("settings.json", '{"batch": 64}')
        assert "main.py PIPE801" not in project.codes()
        project.write("pyproject.toml", "[tool.pipelint.tiny-batch]\nwarning = 128\nadvice = 256\n")
        assert "main.py PIPE801" in project.codes()

    def test_besides_a_baseline(self, project: Project) -> None:
        project.run("baseline", f"--cache-dir={project.cache}")
        project.codes()
        assert project.codes("--baseline=.pipelint-baseline.json") == []
        text = project.read(".pipelint-baseline.json")
        project.write(".pipelint-baseline.json", '{"version": 1, "findings": []}')
        assert "train.py PIPE101" in project.codes("--baseline=.pipelint-baseline.json")
        project.write(".pipelint-baseline.json", text)
        assert project.codes("--baseline=.pipelint-baseline.json") == []

    def test_by_local_rules_as_they_are(self, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PIPELINT_ALLOW_LOCAL_RULES", "1")
        project.write("pyproject.toml", '[tool.pipelint]\nrule-paths = ["own_rules"]\nselect = ["TEST"]\n')
        (project.root / "own_rules").mkdir()
        project.rule("TEST101", "no-constant", "constant")
        assert project.codes() == ["alone.py TEST101"]
        project.rule("TEST102", "no-size", "size")
        project.rule("TEST101", "no-constant", "constant_v2")
        assert project.codes() == []
        monkeypatch.delenv("PIPELINT_ALLOW_LOCAL_RULES")
        project.write("pyproject.toml", '[tool.pipelint]\nrule-paths = ["own_rules"]\n')
        project.codes()

    def test_from_another_directory(self, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        here = project.told()["findings"]
        monkeypatch.chdir(project.root.parent)
        there = project.told("project")["findings"]
        assert [f"project/{found['path']}" for found in here] == [found["path"] for found in there]

    def test_in_a_file_with_a_fault(self, project: Project) -> None:
        project.write("load.py", f"{LOAD}def (\n")
        assert project.told()["errors"] == project.told()["errors"] != []
        project.write("load.py", LOAD)
        assert project.told()["errors"] == []

    @pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a file that cannot be read")
    def test_in_a_file_that_can_be_read_again(self, project: Project) -> None:
        (project.root / "train.py").chmod(0)
        assert project.told()["errors"] != []
        (project.root / "train.py").chmod(0o600)
        assert project.told()["errors"] == []

    @pytest.mark.parametrize(
        "name", ["full", "concise", "html", "markdown", "sarif", "github", "gitlab", "junit", "rdjson"]
    )
    def test_in_every_format(self, project: Project, name: str) -> None:
        project.notebook("n.ipynb", LOAD, "model.fit(load())")
        texts = {project.check(f"--output-format={name}", "--no-cache").stdout}
        for _ in range(2):
            time.sleep(0.03)
            texts.add(project.check(f"--output-format={name}", f"--cache-dir={project.cache}").stdout)
        assert len(texts) == 1

    def test_on_standard_input(self, project: Project) -> None:
        stdin = f"--stdin-filename=train.py --output-format=json --cache-dir={project.cache} -".split()
        with_findings = project.check(*stdin, stdin=TRAIN).json["findings"]
        assert with_findings != []
        assert project.check(*stdin, stdin=PREFETCHED).json["findings"] != with_findings
        assert not project.cache.exists()


class TestTheCacheItself:
    def test_damage_is_not_told_and_is_mended(self, project: Project, checked: list[str]) -> None:
        _again(project, checked)
        (file,) = project.cache.iterdir()
        whole = file.read_bytes()
        for damaged in (b"", b"no database", whole[: len(whole) // 2], whole.replace(b"PIPE", b"PIPX")):
            file.write_bytes(damaged)
            project.told()
            assert _again(project, checked) == []

    def test_a_changed_value_is_none_of_ours(self, project: Project, checked: list[str]) -> None:
        _again(project, checked)
        (file,) = project.cache.iterdir()
        with sqlite3.connect(file) as connection:
            connection.execute("UPDATE entries SET value = REPLACE(value, 'PIPE101', 'PIPE102')")
        connection.close()
        project.told()

    def test_what_it_leads_to_outside_of_the_project_is_not_read(self, project: Project) -> None:
        _again(project, [], "--output-format=html")
        (file,) = project.cache.iterdir()
        secret = project.root.parent / "secret.py"
        secret.write_text("import tensorflow as tf  # secret\n")
        with sqlite3.connect(file) as connection:
            for key, value in connection.execute("SELECT key, value FROM entries").fetchall():
                forged = value.replace('"load.py"', json.dumps(secret.as_posix()))
                row = digest(forged.encode()), forged, key
                connection.execute("UPDATE entries SET digest = ?, value = ? WHERE key = ?", row)
        connection.close()
        assert "# secret" not in project.check("--output-format=html", f"--cache-dir={project.cache}").stdout

    def test_a_place_that_cannot_be_written(self, project: Project) -> None:
        project.write("file", "")
        for place in ("file", "file/below"):
            outcome = project.check("--output-format=json", f"--cache-dir={place}")
            assert outcome == project.check("--output-format=json", "--no-cache")

    @pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a directory that cannot be written")
    def test_a_home_that_is_read_only(self, project: Project, checked: list[str]) -> None:
        _again(project, checked)
        project.cache.chmod(0o500)
        assert _again(project, checked) == []
        project.write("alone.py", CLEAN * 2)
        project.told()

    def test_another_run_that_writes(
        self, project: Project, checked: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("pipelint.project.cache._PATIENCE", 0.05)
        _again(project, checked)
        (file,) = project.cache.iterdir()
        connection = sqlite3.connect(file, isolation_level=None)
        connection.execute("BEGIN EXCLUSIVE")
        project.told()
        connection.execute("COMMIT")
        connection.close()
        assert _again(project, checked) == []

    def test_several_runs_at_once(self, project: Project) -> None:
        command = [*PIPELINT, "check", "--output-format=json", f"--cache-dir={project.cache}"]
        runs = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(4)]
        said = [(*run.communicate(timeout=120), run.returncode) for run in runs]
        assert set(said) == {(project.check("--output-format=json", "--no-cache").stdout, "", 1)}

    def test_the_oldest_entries_go(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        cache = Cache(tmp_path)
        clock = iter(range(1_000_000_000, 2_000_000_000, 100_000))
        monkeypatch.setattr("pipelint.project.cache.time.time", lambda: next(clock))
        monkeypatch.setattr("pipelint.project.cache._MOST_BYTES", 100_000)
        for number in range(20):
            cache.put({f"key {number}": "x" * 10_000})
            assert cache.get(["key 0"])
        kept = cache.get([f"key {number}" for number in range(20)])
        assert {"key 0", "key 19"} <= kept.keys()
        assert 4 <= len(kept) <= 10
        assert sum(file.stat().st_size for file in tmp_path.iterdir()) < 200_000
        monkeypatch.setattr("pipelint.project.cache.time.time", lambda: 3_000_000_000)
        cache.put({"new": 1})
        assert cache.get(["key 0", "new"]) == {"new": 1}

    def test_clean_removes_it_and_nothing_else(self, project: Project, checked: list[str]) -> None:
        _again(project, checked)
        (project.cache / "other").touch()
        outcome = project.run("clean", f"--cache-dir={project.cache}")
        assert (outcome.status, outcome.stdout.partition(" ")[0]) == (0, "Removed")
        assert [file.name for file in project.cache.iterdir()] == ["other"]
        assert project.run("clean", f"--cache-dir={project.cache}").stdout == "Nothing to remove.\n"

    def test_where_it_is(self, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        time.sleep(0.03)
        monkeypatch.setenv("XDG_CACHE_HOME", str(project.cache))
        if sys.platform == "linux":
            project.check()
            assert (project.cache / "pipelint" / "results.sqlite3").is_file()
        monkeypatch.setenv("PIPELINT_CACHE_DIR", str(project.cache / "named"))
        project.check()
        assert (project.cache / "named" / "results.sqlite3").is_file()
        monkeypatch.setenv("XDG_CACHE_HOME", "relative")
        assert cache_directory() == Path.home() / ".cache" / "pipelint" or sys.platform != "linux"

    def test_a_warm_run_loads_little(self, project: Project) -> None:
        time.sleep(0.03)
        heavy = ("libcst", "rich", "networkx", "pipelint.static.analyse", "pipelint.rule", "multiprocessing")
        script = f"""if True:
            import sys
            from pipelint.cli import main
            try:
                main(["check", "--cache-dir={project.cache}"])
            finally:
                print(*(name for name in {heavy!r} if name in sys.modules), file=sys.stderr)
        """
        for loaded in ("libcst", ""):
            completed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
            assert completed.returncode == 1
            assert loaded in completed.stderr
        assert completed.stderr.split() == []


_EDITS = st.sampled_from(
    [
        ("load.py", LOAD),
        ("load.py", LOAD.replace(".batch(64)", ".batch(64).prefetch(2)")),
        ("load.py", LOAD.replace("import tensorflow as tf", "import tensorflow as tf\nfrom finish import finish")),
        ("load.py", None),
        ("finish.py", "def finish(ds):\n    return ds.prefetch(1)\n"),
        ("finish/__init__.py", "from load import load as finish\n"),
        ("finish.py", None),
        ("finish/__init__.py", None),
        ("train.py", TRAIN),
        ("train.py", PREFETCHED),
        ("train.py", f"{TRAIN}from finish import finish\nmodel.fit(finish(load()))\n"),
        ("sub/train.py", TRAIN),
        ("sub/load.py", LOAD),
        ("sub/load.py", None),
        ("requirements.txt", "tensorflow==2.4\n"),
        ("requirements.txt", None),
        ("settings.json", '{"batch": 1}'),
        ("main.py", SETTINGS),
        ("pyproject.toml", ""),
        ("pyproject.toml", '[tool.pipelint]\nignore = ["PIPE201"]\n'),
    ]
)


class TestAnyEdits:
    @settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(edits=st.lists(st.tuples(_EDITS, st.sampled_from([(), ("train.py",), ("sub",)])), min_size=3, max_size=10))
    def test_warm_is_as_cold(
        self, project: Project, edits: list[tuple[tuple[str, str | None], tuple[str, ...]]]
    ) -> None:
        for (name, text), arguments in edits:
            if text is None:
                (project.root / name).unlink(missing_ok=True)
            elif not (project.root / name).parent.is_file():
                project.write(name, text)
            project.told(*(argument for argument in arguments if (project.root / argument).exists()))
