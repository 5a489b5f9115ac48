"""Where a new import goes: to the imports at the top, but never above a line that may decide what it loads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipelint.lint.check_files import check_file
from pipelint.lint.task import Fixes, Mode, Task
from pipelint.project.projects import Overrides, Project
from pipelint.project.settings import Settings
from tests.linting import REGISTRY
from tests.rewrite.fixing import fixed, found

NEW = "import tensorflow as tf"
TRAIN = "def train(model):\n    from tensorflow.data import Dataset\n    model.fit(Dataset.range(100).batch(32))\n"
REPAIRED = TRAIN.replace(".batch(32)", ".batch(32).prefetch(tf.data.AUTOTUNE)")

PLACES = {
    "a licence header, a docstring and __future__ stay first": (
        '# Copyright\n"""Trains."""\nfrom __future__ import annotations\n',
        '# Copyright\n"""Trains."""\nfrom __future__ import annotations\nimport tensorflow as tf\n',
    ),
    "a docstring alone": ('"""Trains."""\n\n', '"""Trains."""\nimport tensorflow as tf\n\n'),
    "above the comment of the first statement": (
        "# Copyright\n\n# Trains.\n# Slowly.\nSEED = 3\n",
        "# Copyright\n\nimport tensorflow as tf\n# Trains.\n# Slowly.\nSEED = 3\n",
    ),
    "below a comment about the file": (
        "#!/usr/bin/env python\n# Copyright\nSEED = 3\n",
        "#!/usr/bin/env python\n# Copyright\nimport tensorflow as tf\nSEED = 3\n",
    ),
    "behind the first group of imports": (
        "__author__ = 'me'\nimport os\nimport numpy as np\n\nSEED = 3\nimport json\n",
        "__author__ = 'me'\nimport os\nimport numpy as np\nimport tensorflow as tf\n\nSEED = 3\nimport json\n",
    ),
    "the environment by item": (
        "import os\nos.environ['KERAS_BACKEND'] = 'jax'\nimport keras\nimport numpy as np\n\n",
        "import os\nos.environ['KERAS_BACKEND'] = 'jax'\nimport keras\nimport numpy as np\nimport tensorflow as tf\n\n",
    ),
    "the environment by a method, under another name": (
        "from os import environ as env\nenv.setdefault('KERAS_BACKEND', 'torch')  # fast\n",
        "from os import environ as env\nenv.setdefault('KERAS_BACKEND', 'torch')  # fast\nimport tensorflow as tf\n",
    ),
    "the environment by update and putenv": (
        "import os\nos.environ.update(KERAS_BACKEND='jax')\nos.putenv('A', 'b')\nSEED = 3\n",
        "import os\nos.environ.update(KERAS_BACKEND='jax')\nos.putenv('A', 'b')\nimport tensorflow as tf\nSEED = 3\n",
    ),
    "the environment handed to somebody": (
        "import os\nenv = os.environ\nimport json\n",
        "import os\nenv = os.environ\nimport json\nimport tensorflow as tf\n",
    ),
    "the environment in a branch": (
        "import os\nif os.environ.get('FAST'):\n    os.environ['KERAS_BACKEND'] = 'jax'\n",
        "import os\nif os.environ.get('FAST'):\n    os.environ['KERAS_BACKEND'] = 'jax'\nimport tensorflow as tf\n",
    ),
    "the environment only read": (
        "import os\nHOME = os.environ['HOME'], os.environ.get('A'), 'B' in os.environ\n",
        "import os\nimport tensorflow as tf\nHOME = os.environ['HOME'], os.environ.get('A'), 'B' in os.environ\n",
    ),
    "the path of modules": (
        "import sys\nsys.path.insert(0, '..')\nimport json\n",
        "import sys\nsys.path.insert(0, '..')\nimport json\nimport tensorflow as tf\n",
    ),
    "a call that may set the backend": (
        "from ours import prepare\nprepare()\nimport keras\n",
        "from ours import prepare\nprepare()\nimport keras\nimport tensorflow as tf\n",
    ),
    "the same once Keras is loaded": (
        "import keras\nfrom ours import prepare\nprepare()\n",
        "import keras\nfrom ours import prepare\nimport tensorflow as tf\nprepare()\n",
    ),
    "calls of known libraries": (
        "import logging\nimport numpy as np\nlogging.basicConfig()\nnp.random.seed(1)\nprint(len('abc'))\n",
        (
            "import logging\nimport numpy as np\nimport tensorflow as tf\n"
            "logging.basicConfig()\nnp.random.seed(1)\nprint(len('abc'))\n"
        ),
    ),
    "TensorFlow is loaded before the environment changes": (
        "import os\nfrom tensorflow import keras\nos.environ['A'] = 'b'\n",
        "import os\nfrom tensorflow import keras\nimport tensorflow as tf\nos.environ['A'] = 'b'\n",
    ),
    "TensorFlow is loaded behind it": (
        "import os\nos.environ['A'] = 'b'\nfrom tensorflow import keras\nimport json\nX = 1\n",
        "import os\nos.environ['A'] = 'b'\nfrom tensorflow import keras\nimport json\nimport tensorflow as tf\nX = 1\n",
    ),
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(("before", "after"), PLACES.values(), ids=PLACES)
def test_an_import_goes_below_what_may_decide_what_it_loads(before: str, after: str, newline: str) -> None:
    assert fixed("PIPE101", (before + TRAIN).replace("\n", newline)) == (after + REPAIRED).replace("\n", newline)


NO_PLACE = {
    "the environment changes later": TRAIN + "import os\nos.environ['KERAS_BACKEND'] = 'jax'\ntrain(m)\n",
    "a call that may change it comes later": TRAIN + "import ours\nours.main(train)\n",
    "the block around it changes it first": (
        "import os\nimport tensorflow_datasets as tfds\n\nif __name__ == '__main__':\n"
        "    os.environ['KERAS_BACKEND'] = 'jax'\n    import keras\n"
        "    keras.Sequential().fit(tfds.load('mnist', split='train').batch(32))\n"
    ),
    "the class around it changes it": (
        "import os\nimport tensorflow_datasets as tfds\n\nclass Trainer:\n    os.environ['KERAS_BACKEND'] = 'jax'\n"
        "    def train(self, model):\n        model.fit(tfds.load('mnist', split='train').batch(32))\n"
    ),
    "a lambda runs later": (
        "import os\nimport tensorflow_datasets as tfds\n"
        "make = lambda: tfds.load('mnist', split='train').batch(32)\n"
        "os.environ['KERAS_BACKEND'] = 'jax'\nimport keras\nkeras.Sequential().fit(make())\n"
    ),
    "TensorFlow is imported for type checkers only": (
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from tensorflow.data import Dataset as D\n\n"
        + TRAIN
    ),
    "TensorFlow is optional": "try:\n    from tensorflow import io\nexcept ImportError:\n    pass\n" + TRAIN,
    "the line goes on": "import json; x = 1; \\\n    y = 2\n" + TRAIN,
    "a function changes it": "import os\ndef setup():\n    os.environ['KERAS_BACKEND'] = 'jax'\n" + TRAIN,
}


@pytest.mark.parametrize("source", NO_PLACE.values(), ids=NO_PLACE)
def test_there_is_no_fix_where_no_place_is_sure(source: str) -> None:
    assert found("PIPE101", source) == 1
    assert fixed("PIPE101", source) == source


def test_what_runs_at_once_has_its_import_before_whatever_comes_later() -> None:
    source = (
        "import ours\nimport tensorflow_datasets as tfds\n\n"
        "ds = tfds.load('mnist', split='train')\nds = ds.batch(32)\nmodel.fit(ds)\nours.login()\n"
    )
    after = source.replace("as tfds\n", f"as tfds\n{NEW}\n")
    assert fixed("PIPE101", source) == after.replace(".batch(32)", ".batch(32).prefetch(tf.data.AUTOTUNE)")


def test_what_the_module_imports_further_down_is_not_optional() -> None:
    source = (
        "import tensorflow_datasets as tfds\nds = tfds.load('mnist', split='train').batch(32)\nmodel.fit(ds)\n"
        "from tensorflow import io\n"
    )
    after = source.replace("as tfds\n", f"as tfds\n{NEW}\n")
    assert fixed("PIPE101", source) == after.replace(".batch(32)", ".batch(32).prefetch(tf.data.AUTOTUNE)")


class TestNotebooks:
    @staticmethod
    def fixed(*cells: str) -> list[str]:
        """The code cells after all fixes of PIPE101."""
        content = {
            "cells": [
                {"cell_type": "code", "id": str(n), "metadata": {}, "execution_count": None, "outputs": [], "source": c}
                for n, c in enumerate(cells)
            ],
            "metadata": {},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
        data = json.dumps(content).encode()
        project = Project(Settings(root=Path()), REGISTRY, Overrides(select=("PIPE101",), target_tensorflow=(2, 16)))
        outcome = check_file(project, Path("train.ipynb"), Task(Mode.FIX, Fixes.ALL), data)
        assert outcome.problems == ()
        after = outcome.change.after if outcome.change else data
        return ["".join(cell["source"]) for cell in json.loads(after)["cells"]]

    def test_a_package_is_installed_first(self) -> None:
        cells = ("import os\n", "!pip install tensorflow", TRAIN)
        assert self.fixed(*cells) == ["import os\n", "!pip install tensorflow", f"{NEW}\n{REPAIRED}"]

    def test_the_imports_of_a_later_cell_are_joined(self) -> None:
        cells = ("%pip install -q tensorflow\n%matplotlib inline", "import os\nimport json", TRAIN)
        assert self.fixed(*cells) == [cells[0], f"import os\nimport json\n{NEW}", REPAIRED]

    def test_a_command_for_one_branch_counts(self) -> None:
        cells = ("import sys\nif 'google.colab' in sys.modules:\n    !pip install tensorflow\n", TRAIN)
        assert self.fixed(*cells) == [cells[0], f"{NEW}\n{REPAIRED}"]

    def test_commands_behind_the_first_import_do_not_matter(self) -> None:
        cells = ("from tensorflow import keras", "!ls", TRAIN)
        assert self.fixed(*cells) == [f"from tensorflow import keras\n{NEW}", "!ls", REPAIRED]
