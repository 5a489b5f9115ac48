"""What a file of gin says of a parameter is known where a program of the project parses it."""

from __future__ import annotations

import pytest

from tests.lint.trained_batches import found, train
from tests.workspace import Workspace


def project(
    bindings: str,
    parameter: str = "size=64",
    decorator: str = "@gin.configurable",
    run: str = "gin.parse_config_file('small.gin')\nmain()",
    **files: str,
) -> dict[str, str]:
    """A program that trains on batches whose size a file may say."""
    program = train("import gin", "size", parameter, run).replace("def main", f"{decorator}\ndef main")
    return {"train.py": program, "small.gin": bindings, **{f"{name}.gin": text for name, text in files.items()}}


BUILDER = """
import gin
import tensorflow as tf

@gin.configurable
def batches(size=64):
    return tf.data.Dataset.range(9000).batch(size)
"""
TRAINER = """
import gin
import tensorflow as tf
import data

def main():
    gin.parse_config_file({file!r})
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.fit(data.batches(), epochs=5)

if __name__ == "__main__":
    main()
"""
OF_A_CLASS = """
import gin
import tensorflow as tf

@gin.configurable
class Data:
    def __init__(self, size=64):
        self.size = size

    def batches(self):
        return tf.data.Dataset.range(9000).batch(self.size)

gin.parse_config_file("small.gin")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.fit(Data().batches(), epochs=5)
"""
MANY = "gin.parse_config_files_and_bindings({files}, {bindings})\nmain()"
EXTERNAL = "run = gin.external_configurable(main{told})\ngin.parse_config_file('small.gin')\nrun()"

SMALL_BY_DEFAULT = {
    "a parameter": project("main.size = 2\n"),
    "without a default of its own": project("main.size = 2\n", "size"),
    "that has to be given": project("main.size = 2\n", "size=gin.REQUIRED"),
    "the last line counts": project("main.size = 64\nmain.size = 2\n"),
    "under a function": project("main:\n  # few\n  size = 2\n"),
    "of a module": project("__main__.main.size = 2\n"),
    "beside other lines": project("import os\n# few\nother.sizes = [\n  1, # one\n  @all]\n\nmain.size = 2 # few\n"),
    "a macro": project("FEW = 2\nmain.size = %FEW\n"),
    "a macro that is said later": project("main.size = %FEW\nFEW = %data/SIZE\ndata/SIZE = 2\n"),
    "a file in the file": project("include 'base.gin'\n", base="main.size = 2\n"),
    "said again behind it": project("include 'base.gin'\nmain.size = 2\n", base="main.size = 64\n"),
    "behind a file out of sight": project("include 'package/base.gin'\nmain.size = 2\n"),
    "the last of several files": project(
        "main.size = 2\n", run=MANY.format(files=["large.gin", "small.gin"], bindings=None), large="main.size = 64\n"
    ),
    "beside what the user gives": project(
        "main.size = 2\n", run=MANY.format(files="['small.gin', *sys.argv]", bindings="sys.argv")
    ),
    "a line in the program": project("", run=MANY.format(files=None, bindings=["main.size = 2"])),
    "lines in the program": project("", run="gin.parse_config('''\n    main.size = 2\n''')\nmain()"),
    "by itself": project("", run="gin.bind_parameter('main.size', 2)\nmain()"),
    "a name of its own": project("train_on.size = 2\n", decorator="@gin.configurable('train_on')"),
    "a module of its own": project("a.main.size = 2\n", decorator="@gin.configurable(module='b.a')"),
    "another function of it": project("main.size = 2\n", decorator="", run=EXTERNAL.format(told="")),
    "that has a name": project("small.size = 2\n", decorator="", run=EXTERNAL.format(told=", 'small', 'a'")),
    "by a call": project(
        "main.size = 2\n", decorator="", run=EXTERNAL.format(told="").replace("external_configurable", "configurable")
    ),
    "of a class": {"train.py": OF_A_CLASS, "small.gin": "Data.size = 2\n"},
    "of another module": {
        "data.py": BUILDER,
        "train.py": TRAINER.format(file="configs/small.gin"),
        "configs/small.gin": "data.batches.size = 2\n",
    },
    "of two programs that agree": {
        "train.py": train("import gin", "size", "size=64", "").replace("def main", "@gin.configurable\ndef main"),
        "few.py": "import gin\nimport train\n\ngin.parse_config_file('small.gin')\nprint(train)\n",
        "again.py": "import gin\nimport train\n\ngin.parse_config_file('other.gin')\nprint(train)\n",
        "small.gin": "main.size = 2\n",
        "other.gin": "main.size = 2\n",
    },
    "of the program that runs": {
        "data.py": BUILDER,
        "train.py": TRAINER.format(file="small.gin"),
        "large.py": TRAINER.format(file="large.gin"),
        "small.gin": "batches.size = 2\n",
        "large.gin": "batches.size = 64\n",
    },
    "in the branch that is taken": project(
        "main.size = 2\n", run="if sys.argv:\n    gin.parse_config_file('small.gin')\n    main()"
    ),
    "the default that no file knows better": project("SIZE = 64\n", "size=2"),
    "the default where the user names the file": project(
        "main.size = 64\n", "size=2", run="gin.parse_config_file(sys.argv[1])\nmain()"
    ),
    "the default that is only registered": project("main.size = 64\n", "size=2", decorator="@gin.register"),
}
NOT_SMALL_OR_NOT_KNOWN = {
    "another value": project("main.size = 64\n", "size=2"),
    "of another function": project("evaluate.size = 2\n"),
    "of another module": project("evaluation.main.size = 2\n"),
    "a given argument": project("main.size = 2\n", run="gin.parse_config_file('small.gin')\nmain(64)"),
    "called before": project("main.size = 2\n", run="main()\ngin.parse_config_file('small.gin')"),
    "a function that a file names": project("main.size = @small_size()\n", "size=2"),
    "a macro that nobody defines": project("main.size = %FEW\n", "size=2"),
    "macros in a circle": project("main.size = %A\nA = %B\nB = %A\n", "size=2"),
    "only in a scope": project("train/main.size = 2\n"),
    "another in a scope": project("main.size = 2\ntrain/main.size = 64\n"),
    "one of two files": project(
        "main.size = 2\n",
        run="gin.parse_config_file('small.gin' if sys.argv else 'large.gin')\nmain()",
        large="main.size = 64\n",
    ),
    "in one of two branches": project(
        "main.size = 2\n",
        run="if sys.argv:\n    gin.parse_config_file('small.gin')\nelse:\n    gin.parse_config_file('large.gin')\nmain()",
        large="main.size = 64\n",
    ),
    "perhaps": project("main.size = 2\n", run="if sys.argv:\n    gin.parse_config_file('small.gin')\nmain()"),
    "before another file out of sight": project(
        "main.size = 2\n", run=MANY.format(files=["small.gin", "package/base.gin"], bindings=None)
    ),
    "before a file out of sight": project("main.size = 2\ninclude 'package/base.gin'\n"),
    "a file outside of the project": {
        **project("", run="gin.parse_config_file('../small.gin')\nmain()"),
        "../small.gin": "main.size = 2\n",
    },
    "a file that includes itself": project("include 'small.gin'\nmain.size = 64\n", "size=2"),
    "another name": project("main.size = 2\n", decorator="@gin.configurable('train_on')"),
    "the function that another was made of": project(
        "main.size = 2\n", decorator="", run=EXTERNAL.format(told="").replace("run()", "main()")
    ),
    "one that is only registered": project("main.size = 2\n", decorator="@gin.register"),
    "no gin at all": project("main.size == 2\n"),
    "a file that is too long": project(f"# {'x' * 50_000}\nmain.size = 2\n"),
    "more files than people write": project(
        "include 'a0.gin'\n", **{f"a{at}": f"include 'a{at + 1}.gin'\n" for at in range(40)}, a40="main.size = 2\n"
    ),
    "a line that is broken": project("main.size = 2\nmain.other = (\n"),
    "of two programs that differ": {
        "train.py": train("import gin", "size", "size=64", "").replace("def main", "@gin.configurable\ndef main"),
        "few.py": "import gin\nimport train\n\ngin.parse_config_file('small.gin')\nprint(train)\n",
        "many.py": "import gin\nimport train\n\ngin.parse_config_file('large.gin')\nprint(train)\n",
        "small.gin": "main.size = 2\n",
        "large.gin": "main.size = 64\n",
    },
}


@pytest.mark.parametrize("files", SMALL_BY_DEFAULT.values(), ids=SMALL_BY_DEFAULT)
def test_what_a_file_says_is_a_default(workspace: Workspace, files: dict[str, str]) -> None:
    assert found(workspace, files) == [("advice", True)]


@pytest.mark.parametrize("files", NOT_SMALL_OR_NOT_KNOWN.values(), ids=NOT_SMALL_OR_NOT_KNOWN)
def test_what_it_does_not_say_for_sure_is_not_known(workspace: Workspace, files: dict[str, str]) -> None:
    assert found(workspace, files) == []
