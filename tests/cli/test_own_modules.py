"""What lies in the folder that is checked cannot stand in for a module that pipelint itself imports."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.workspace import PIPELINT

TRAP = "import sys\nsys.stderr.write(f'the trap {__name__} was run\\n')\nraise ImportError\n"
SOURCE = """\
import tensorflow as tf

model.fit(tf.data.TFRecordDataset("a").map(lambda x: tf.image.random_hue(tf.io.decode_jpeg(x), 0.1)).batch(8))
"""


def _loaded_by_python() -> set[str]:
    """What `python -m` imports before pipelint has a say; the program `pipelint` is not concerned."""
    listing = [sys.executable, "-c", "import sys, runpy, importlib.util, pkgutil; print(*sys.modules)"]
    return {name.partition(".")[0] for name in subprocess.check_output(listing, text=True).split()}


@pytest.fixture
def trapped(tmp_path: Path) -> Path:
    """A folder with a module for every one of the standard library and of what pipelint depends on."""
    (tmp_path / "train.py").write_text(SOURCE)
    names = sys.stdlib_module_names | {"click", "libcst", "rich", "pathspec", "tomli", "networkx", "pipelint_rules"}
    for name in names - _loaded_by_python():
        (tmp_path / f"{name}.py").write_text(TRAP)
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        ["--version"],
        ["check"],
        ["check", "train.py", "--diff", "--output-format=html"],
        ["rule", "--all"],
        ["baseline"],
    ],
    ids=" ".join,
)
def test_python_dash_m(trapped: Path, command: list[str]) -> None:
    arguments = [*PIPELINT, *command]
    completed = subprocess.run(arguments, cwd=trapped, capture_output=True, text=True, check=False, timeout=60)
    assert completed.returncode in (0, 1), completed.stderr
    assert "the trap" not in completed.stderr


def test_a_rule_pack_is_not_taken_from_the_folder(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(SOURCE)
    (tmp_path / "evil-1.0.dist-info").mkdir()
    (tmp_path / "evil-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
    (tmp_path / "evil-1.0.dist-info" / "entry_points.txt").write_text("[pipelint.rules]\nevil = evil_rules\n")
    (tmp_path / "evil_rules").mkdir()
    (tmp_path / "evil_rules" / "__init__.py").write_text(TRAP)
    completed = subprocess.run(
        [*PIPELINT, "check"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
    )
    assert "PIPE" in completed.stdout
    assert completed.stderr == ""
