"""How fixes spell what a file has from another module of its project."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelint.lint.check_files import check_paths
from pipelint.lint.task import Fixes, Mode, Task
from pipelint.project.projects import Overrides, Projects

OLD = "import tensorflow as tf\n\ndef read(files):\n    return tf.data.TFRecordDataset(files).prefetch(tf.data.experimental.AUTOTUNE)\n"
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


@pytest.mark.parametrize(
    ("file", "text", "autotune"),
    [
        ("shared.py", OLD, "tf.data.experimental.AUTOTUNE"),
        ("shared.py", f"{OLD}\ntf.keras.mixed_precision.set_global_policy('float32')\n", "tf.data.AUTOTUNE"),
        ("requirements.txt", "tensorflow>=2.6\n", "tf.data.AUTOTUNE"),
        ("README.md", "Written with TensorFlow 2.8.\n", "tf.data.AUTOTUNE"),
        ("alone.py", OLD, "tf.data.AUTOTUNE"),
    ],
    ids=["the old name", "the old name and a newer one", "required", "named", "not followed together"],
)
def test_the_old_name_of_another_module_is_used_where_nothing_shows_that_there_is_a_new_one(
    file: str, text: str, autotune: str, tmp_path: Path
) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "shared.py").write_text(OLD)
    (tmp_path / file).write_text(text)
    imports = "" if file == "alone.py" else "from shared import read\n"
    source = f"import tensorflow as tf\n{imports}\nmodel.fit(tf.data.TFRecordDataset(['a']).prefetch(1).batch(64))\n"
    script = tmp_path / "train.py"
    script.write_text(source)
    projects = Projects(Overrides(select=("PIPE102",)), tell=print)
    check_paths(projects, [tmp_path], Task(Mode.FIX, Fixes.ALL))
    assert script.read_text() == source.replace(".prefetch(1).batch(64)", f".batch(64).prefetch({autotune})")
