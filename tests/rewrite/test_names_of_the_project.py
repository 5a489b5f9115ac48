"""How fixes spell what a file has from another module of its project."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelint.lint.check_files import check_paths
from pipelint.lint.task import Fixes, Mode, Task
from pipelint.project.projects import Overrides, Projects

SHARED = "import tensorflow as tf\n\nAUTOTUNE = tf.data.AUTOTUNE\n"


def fixed(source: str) -> str:
    """A script of a project with a module `shared`, after its fixes."""
    Path("pyproject.toml").touch()
    Path("shared.py").write_text(SHARED)
    script = Path("train.py")
    script.write_text(source)
    check_paths(Projects(Overrides(target_tensorflow=(2, 8)), tell=print), [script], Task(Mode.FIX, Fixes.ALL))
    return script.read_text()


@pytest.mark.parametrize(
    ("imports", "autotune"),
    [
        ("from shared import tf", "tf.data.AUTOTUNE"),
        ("from shared import tf as t, tf", "tf.data.AUTOTUNE"),
        ("from shared import AUTOTUNE, tf", "AUTOTUNE"),
        ("from shared import AUTOTUNE as AUTO, tf", "AUTO"),
        ("from shared import *", "tf.data.AUTOTUNE"),
        ("import tensorflow as tf\nfrom shared import AUTOTUNE", "AUTOTUNE"),
    ],
)
def test_what_the_project_passes_on_needs_no_import(
    imports: str, autotune: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    data = 'tf.data.TFRecordDataset(["a"]).batch(64)'
    assert fixed(f"{imports}\n\ntf.keras.Sequential().fit({data})\n") == (
        f"{imports}\n\ntf.keras.Sequential().fit({data}.prefetch({autotune}))\n"
    )
