"""Files that only define things, and that no program of their project imports, are left alone where all is checked."""

from __future__ import annotations

import pytest

from tests.workspace import Workspace

MODEL = """\
import tensorflow as tf


class Noisy(tf.keras.layers.Layer):
    def call(self, x):
        return tf.keras.layers.Dense(4)(x)
"""
DATA = """\
import tensorflow as tf


def make():
    return tf.data.Dataset.range(9000).batch(32)
"""
TRAIN = """\
import tensorflow as tf
from data import make

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(make())
"""


@pytest.fixture
def project(workspace: Workspace) -> Workspace:
    """`train.py` imports `data.py`; nothing imports `old.py`."""
    workspace.configure(select="PIPE607")
    for name, source in {"old.py": MODEL, "data.py": DATA, "train.py": TRAIN}.items():
        workspace.write(name, source)
    return workspace


def told(project: Workspace, *arguments: str) -> set[str]:
    """The files in which something is found."""
    return {found["path"] for found in project.check("--output-format=json", *arguments).json["findings"]}


def test_nothing_is_told_of_it_where_the_project_is_checked(project: Workspace) -> None:
    assert told(project) == set()
    assert "old.py: left alone: it only defines things" in project.check("-v").stderr


def test_a_file_that_is_named_may_be_new(project: Workspace) -> None:
    assert told(project, "old.py") == {"old.py"}


def test_fixes_leave_it_as_it_is(project: Workspace) -> None:
    project.configure(select="PIPE202")
    reading = "from_tensor_slices(files).map(tf.io.read_file, num_parallel_calls=8)"
    old = DATA.replace("make()", "make(files)").replace("range(9000)", reading)
    project.write("old.py", old)
    project.check("--fix")
    assert project.read("old.py") == old
    project.check("--fix", "old.py")
    assert project.read("old.py") != old


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("eval.py", "import old\nold.Noisy()\n"),
        ("eval.py", "import sys\nsys.path.append('/models')\nfrom zoo.old import Noisy\n"),
        ("eval.py", "import importlib, sys\nimportlib.import_module(sys.argv[1])\n"),
        ("setup.py", "from setuptools import setup\nsetup(name='layers')\n"),
        ("old.py", MODEL + "\n\nprint(Noisy()(tf.zeros([1, 2])))\n"),
        ("old.py", MODEL + "\n\nif __name__ == '__main__':\n    app.run(Noisy)\n"),
    ],
    ids=["imported", "imported from elsewhere", "imported by a text", "installed", "runs", "is run"],
)
def test_it_is_told_of_where_something_may_use_it(project: Workspace, name: str, text: str) -> None:
    project.write(name, text)
    assert told(project) == {"old.py"}


def test_it_is_told_of_where_no_program_imports_anything(project: Workspace) -> None:
    project.write("train.py", TRAIN.replace("from data import make", "make = tf.data.Dataset"))
    assert told(project) == {"old.py"}


def test_what_is_remembered_of_it_is_told_as_soon_as_something_imports_it(project: Workspace) -> None:
    cache = ("--cache-dir", "kept")
    assert told(project, *cache) == told(project, *cache) == set()
    project.write("train.py", TRAIN.replace("from data", "import old\nfrom data"))
    assert told(project, *cache) == {"old.py"}


def test_so_is_what_programs_import_with_everything_else_and_never_use(project: Workspace) -> None:
    project.write("train.py", TRAIN.replace("from data", "from old import *\nfrom saving import Saver\nfrom data"))
    # Neither of these asks a module for what no text names.
    project.write(
        "saving.py",
        "class Saver:\n    def __getattr__(self, name):\n        return getattr(self.manager, name)\n"
        "\n\ndef settings(options):\n    return dict(vars(options))\n",
    )
    project.write("train.py", project.read("train.py") + "\n\ndef main():\n    Saver()\n\n\nmain()\n")
    assert told(project) == set()
    project.write("train.py", project.read("train.py") + "\nNoisy()\n")
    assert told(project) == {"old.py"}
