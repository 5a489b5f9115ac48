"""What is no regular file, or too large, is not read: one line tells it, and the others are checked."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from pipelint.source.regular_files import LARGEST_NOTEBOOK, LARGEST_SCRIPT, LARGEST_SETTINGS
from tests.linting import notebook

_SLOW = """import tensorflow as tf
for x in tf.data.TFRecordDataset("a").map(tf.io.parse_tensor, tf.data.experimental.AUTOTUNE).batch(32).prefetch(tf.data.AUTOTUNE):
    unknown(x)
"""


def _check(directory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pipelint", "check", "--output-format", "concise", *arguments]
    # Whoever opens the pipe waits for ever: the time ends that, and measures nothing.
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False, timeout=300)


@pytest.fixture(params=["pipe", "link to a pipe", "link to a device"])
def irregular(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The name of something that is no regular file, in a directory above the project."""
    place = tmp_path / "irregular"
    if request.param == "link to a device":
        place.symlink_to("/dev/zero")
    else:
        os.mkfifo(place)
    return str(place)


def _project(tmp_path: Path, irregular: str, name: str) -> Path:
    project = tmp_path / "project"
    project.mkdir()
    (project / "train.py").write_text(_SLOW)
    if Path(irregular).is_symlink() or name.endswith(".ipynb"):
        (project / name).symlink_to(irregular)
    else:
        os.mkfifo(project / name)
        assert stat.S_ISFIFO((project / name).stat().st_mode)
    return project


@pytest.mark.parametrize("name", ["requirements.txt", "environment.yml", "setup.cfg", ".gitignore", "a.py", "a.ipynb"])
def test_in_a_directory(name: str, irregular: str, tmp_path: Path) -> None:
    completed = _check(_project(tmp_path, irregular, name))
    assert completed.returncode == 2
    assert completed.stderr == f"pipelint: {name}: is not a regular file\n"
    assert "train.py:2:" in completed.stdout


@pytest.mark.parametrize("arguments", [["--config", "x"], ["--baseline", "x"]])
def test_named_on_the_command_line(arguments: list[str], irregular: str, tmp_path: Path) -> None:
    completed = _check(_project(tmp_path, irregular, "x"), *arguments)
    assert completed.returncode == 2
    assert completed.stderr.startswith("pipelint: ")
    assert "is not a regular file" in completed.stderr
    assert completed.stderr.count("\n") == 1


def test_a_nearest_configuration_that_is_no_file_is_passed_over(irregular: str, tmp_path: Path) -> None:
    assert "train.py:2:" in _check(_project(tmp_path, irregular, "pyproject.toml")).stdout


@pytest.mark.parametrize(
    ("name", "text", "most"),
    [
        ("large.py", "import tensorflow as tf\n", LARGEST_SCRIPT),
        ("large.ipynb", notebook("import tensorflow as tf"), LARGEST_NOTEBOOK),
        ("requirements.txt", "tensorflow>=2.4\n", LARGEST_SETTINGS),
        (".gitignore", "# none\n", LARGEST_SETTINGS),
        ("pyproject.toml", "[tool.pipelint]\n", LARGEST_SETTINGS),
    ],
)
def test_too_large(name: str, text: str, most: int, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(_SLOW)
    (tmp_path / name).write_text(text + "\n" * (most + 1 - len(text)))
    completed = _check(tmp_path)
    assert completed.returncode == 2
    assert completed.stderr.count("\n") == 1
    assert f"{name}: is larger than {most // 1_000_000} MB, which is not read\n" in completed.stderr
    assert ("train.py:2:" in completed.stdout) is (name != "pyproject.toml")


def test_a_large_file_without_tensorflow_is_not_our_business(tmp_path: Path) -> None:
    (tmp_path / "table.py").write_text("x = 1\n" * (LARGEST_SCRIPT // 6 + 1))
    assert _check(tmp_path).returncode == 0


def test_numbers_that_python_does_not_write_out(tmp_path: Path) -> None:
    many = "9" * 5000
    (tmp_path / "requirements.txt").write_text(f"tensorflow>=2.4,<2.{many}\n")
    hexadecimal = "0x" + "f" * 5000
    (tmp_path / "train.py").write_text(
        f"{_SLOW}if x == {hexadecimal}:\n    y = {hexadecimal} * -{hexadecimal}\n    d = tf.data.Dataset.range(y).batch(y)\n"
    )
    completed = _check(tmp_path)
    assert (completed.returncode, completed.stderr) == (0, "")
    assert "train.py:2:" in completed.stdout
    (tmp_path / "train.py").write_text(f"{_SLOW}x = {many}\n")
    completed = _check(tmp_path)
    assert completed.returncode == 2
    assert completed.stderr.startswith("pipelint: train.py:4: syntax error: Exceeds the limit")
    assert completed.stderr.count("\n") == 1
    (tmp_path / "pyproject.toml").write_text(f"[tool.pipelint]\nselect = {many}\n")
    completed = _check(tmp_path)
    assert completed.returncode == 2
    assert "is not valid TOML: Exceeds the limit" in completed.stderr
    assert completed.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "encoding",
    ["idna", "utf-7", "rot13", "punycode", "base64", "zlib", "unicode_escape", "utf-16", "undefined", "hz", "x" * 5000],
)
def test_encodings_that_no_program_has(encoding: str, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(f"# coding: {encoding}\n{_SLOW}# é ß\n", "utf-8")
    completed = _check(tmp_path)
    assert completed.returncode in (0, 2)
    assert completed.stderr.count("\n") == (completed.returncode == 2)
    assert "internal error" not in completed.stderr
