"""The tree itself: types, style, packaging, and what a check never imports."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pipelint.project import toml
from tests.workspace import tf

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "command",
    [["mypy", "--no-error-summary"], ["ruff", "check", "--quiet"], ["ruff", "format", "--check", "--quiet"]],
    ids=["types", "lint", "format"],
)
def test_the_tree_is_clean(command: list[str]) -> None:
    completed = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert completed.returncode == 0, completed.stdout + completed.stderr


def test_every_package_is_shipped() -> None:
    configuration = toml.parse((ROOT / "pyproject.toml").read_text("utf-8"))
    packages = {".".join(path.parent.relative_to(ROOT).parts) for path in ROOT.glob("pipelint/**/__init__.py")}
    assert set(configuration["tool"]["setuptools"]["packages"]) == packages | {"pipelint_rules"}


def test_a_check_imports_neither_tensorflow_nor_the_project(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(
        tf(
            "import numpy as np",
            "import losses",
            "ds = tf.data.TFRecordDataset('a').map(losses.parse).batch(2)",
            "model.fit(ds)",
        )
    )
    (tmp_path / "losses.py").write_text("raise SystemExit('the project was run')\n")
    program = (
        "import sys\n"
        "from pipelint.cli import main\n"
        "try: main(['check', '--fix', '--unsafe-fixes', '--select=ALL', '.'])\n"
        "except SystemExit as end: print(end.code)\n"
        "print(*sys.modules, file=sys.stderr)\n"
    )
    completed = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    modules = {name.partition(".")[0] for name in completed.stderr.split()}
    assert completed.stdout, "something was found"
    assert "pipelint_rules" in modules
    assert not {"tensorflow", "keras", "numpy", "train", "losses"} & modules


def test_importing_pipelint_is_light() -> None:
    program = "import sys, pipelint; print(*sys.modules)"
    completed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not {"click", "rich", "libcst", "pathspec", "tensorflow", "numpy"} & set(completed.stdout.split())


NOT_NEEDED = {
    "difflib", "importlib.metadata", "json", "libcst", "pathspec", "rich", "subprocess", "tempfile", "tomllib",
    "pipelint.lint.baseline", "pipelint.lint.fix", "pipelint.lint.since", "pipelint.rewrite.rewriter",
    "pipelint.source.git", "pipelint.source.notebook",
}  # fmt: skip
"""What a check of one clean file starts without."""
MODEL = {
    "pipelint.rule",
    "pipelint.model.program",
    "pipelint_rules.missing_prefetch",
    "pipelint.static.analyse",
    "networkx",
}
"""What only a program with TensorFlow in it needs."""


@pytest.mark.parametrize(
    ("arguments", "source", "left_out"),
    [
        (["check", "train.py"], tf("ds = Dataset.range(9).batch(3).prefetch(1)"), NOT_NEEDED),
        (["check", "train.py"], "x = 1\n", NOT_NEEDED | MODEL),
        (["--version"], "", NOT_NEEDED | {"click", "pipelint.rule"}),
    ],
    ids=["check a clean file", "check a file without TensorFlow", "version"],
)
def test_a_start_loads_what_it_needs(arguments: list[str], source: str, left_out: set[str], tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(source)
    program = (
        "import sys\n"
        "before = set(sys.modules)\n"
        "from pipelint.cli import main\n"
        f"try: main({arguments})\n"
        "except SystemExit as end: assert not end.code\n"
        "print(*(set(sys.modules) - before), file=sys.stderr)\n"
    )
    completed = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert not left_out & set(completed.stderr.split())
