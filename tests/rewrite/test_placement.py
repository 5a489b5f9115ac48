"""Where a new import goes: to the imports of a module that loads the package in any case, and nowhere else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipelint.lint.check_batch import check_file
from pipelint.lint.task import Fixes, Mode, Task
from pipelint.project.projects import Overrides, Project
from pipelint.project.settings import Settings
from tests.linting import REGISTRY
from tests.rewrite.fixing import fixed, found

NEW = "import tensorflow as tf"
DATASET = "from tensorflow.data import Dataset\n"
TRAIN = "def train(model):\n    model.fit(Dataset.list_files('*').batch(32))\n"
REPAIRED = TRAIN.replace(".batch(32)", ".batch(32).prefetch(tf.data.AUTOTUNE)")
LOCAL = TRAIN.replace("    model", f"    {DATASET}    model")

PLACES = {
    "behind the group of imports that has TensorFlow": (
        f'"""Trains."""\nimport os\n{DATASET}import numpy as np  # arrays\n\nSEED = 3\nimport json\n',
        f'"""Trains."""\nimport os\n{DATASET}import numpy as np  # arrays\n{NEW}\n\nSEED = 3\nimport json\n',
    ),
    "the environment changes afterwards": (
        f"import os\n{DATASET}os.environ['A'] = 'b'\n",
        f"import os\n{DATASET}{NEW}\nos.environ['A'] = 'b'\n",
    ),
    "the environment changes before": (
        f"import os\nos.environ['A'] = 'b'\n{DATASET}import json\nX = 1\n",
        f"import os\nos.environ['A'] = 'b'\n{DATASET}import json\n{NEW}\nX = 1\n",
    ),
    "an import over several lines": (
        "from tensorflow.data import (\n    Dataset,\n)\n\n",
        f"from tensorflow.data import (\n    Dataset,\n)\n{NEW}\n\n",
    ),
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(("before", "after"), PLACES.values(), ids=PLACES)
def test_an_import_goes_to_the_group_that_loads_the_package(before: str, after: str, newline: str) -> None:
    assert fixed("PIPE101", (before + TRAIN).replace("\n", newline)) == (after + REPAIRED).replace("\n", newline)


def test_a_function_runs_when_what_stands_below_it_is_imported() -> None:
    source = f"{TRAIN}\n{DATASET}\ntrain(model)\n"
    assert fixed("PIPE101", source) == f"{REPAIRED}\n{DATASET}{NEW}\n\ntrain(model)\n"


LOADED = "tfds.load('mnist', split='train').batch(32)"
NO_PLACE = {
    "only a function imports TensorFlow": f"import os\n\n{LOCAL}",
    "another package loads it": f"import tensorflow_datasets as tfds\nmodel.fit({LOADED})\n",
    "the program may run without it": (
        "import numpy as np\nfrom ours import backend\n\ndef train(model):\n    if backend.is_tensorflow:\n"
        f"        import tensorflow_datasets as tfds\n        model.fit({LOADED})\n"
    ),
    "Keras may have another backend": (
        "import os\nos.environ['KERAS_BACKEND'] = 'jax'\nimport keras\nimport tensorflow_datasets as tfds\n"
        f"keras.Sequential().fit({LOADED})\n"
    ),
    "it is imported further down": (
        f"import tensorflow_datasets as tfds\nds = {LOADED}\nmodel.fit(ds)\nfrom tensorflow import io\n"
    ),
    "it is imported for type checkers only": (
        f"from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from tensorflow.data import Dataset as D\n\n{LOCAL}"
    ),
    "it is optional": f"try:\n    from tensorflow import io\nexcept ImportError:\n    pass\n{LOCAL}",
    "the line goes on": f"from tensorflow.data import Dataset; x = 1; \\\n    y = 2\n{TRAIN}",
}


@pytest.mark.parametrize("source", NO_PLACE.values(), ids=NO_PLACE)
def test_there_is_no_fix_where_nothing_surely_loads_the_package(source: str) -> None:
    assert found("PIPE101", source) == 1
    assert fixed("PIPE101", source) == source


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
        project = Project(Settings(root=Path()), REGISTRY, Overrides(select=("PIPE101",), target_tensorflow=(2, 8)))
        outcome = check_file(project, Path("train.ipynb"), Task(Mode.FIX, Fixes.ALL), data)
        assert outcome.problems == ()
        after = outcome.change.after if outcome.change else data
        return ["".join(cell["source"]) for cell in json.loads(after)["cells"]]

    def test_the_cell_that_loads_the_package_gets_it(self) -> None:
        cells = ("!pip install tensorflow", "import os\nfrom tensorflow.data import Dataset", "!ls", TRAIN)
        assert self.fixed(*cells) == [cells[0], f"{cells[1]}\n{NEW}", "!ls", REPAIRED]

    def test_a_command_between_imports_ends_their_group(self) -> None:
        cells = (f"{DATASET}%matplotlib inline\nimport json", TRAIN)
        assert self.fixed(*cells) == [f"{DATASET}{NEW}\n%matplotlib inline\nimport json", REPAIRED]
