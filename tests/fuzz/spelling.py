"""How a program spells TensorFlow, and how its lines are laid out: imports, indentation, comments, blank lines."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class Spelling:
    """The names under which a program knows TensorFlow."""

    imports: tuple[str, ...]
    tensorflow: str = "tf"
    dataset: str = "tf.data.Dataset"
    autotune: tuple[str, ...] = ("tf.data.AUTOTUNE", "tf.data.experimental.AUTOTUNE", "-1")


SPELLINGS = (
    Spelling(("import tensorflow as tf",)),
    Spelling(("import tensorflow as tf",)),
    Spelling(("import tensorflow as tf", "AUTO = tf.data.AUTOTUNE"), autotune=("AUTO", "tf.data.AUTOTUNE")),
    Spelling(("import tensorflow as tf", "from tensorflow.data import Dataset"), dataset="Dataset"),
    Spelling(
        ("import tensorflow",),
        "tensorflow",
        "tensorflow.data.Dataset",
        ("tensorflow.data.AUTOTUNE", "tensorflow.data.experimental.AUTOTUNE"),
    ),
    Spelling(
        ("import tensorflow as tf", "from tensorflow.data import AUTOTUNE, Dataset"),
        dataset="Dataset",
        autotune=("AUTOTUNE",),
    ),
    Spelling(
        ("import tensorflow as tf", "from tensorflow import data as D"),
        dataset="D.Dataset",
        autotune=("D.AUTOTUNE", "D.experimental.AUTOTUNE"),
    ),
    Spelling(
        (
            "import tensorflow as tf",
            "from tensorflow.data.experimental import (\n    AUTOTUNE,  # as many as it likes\n    cardinality,\n)",
        ),
        autotune=("AUTOTUNE", "tf.data.AUTOTUNE"),
    ),
    Spelling(
        (
            "import tensorflow as tf",
            "from tensorflow.data.experimental import (AUTOTUNE,  # as many as it likes\n    cardinality as c, AutoShardPolicy)",
        ),
        autotune=("AUTOTUNE", "tf.data.AUTOTUNE"),
    ),
    Spelling(
        ("import tensorflow as tf", "from tensorflow.data.experimental import AUTOTUNE, \\\n    cardinality"),
        autotune=("AUTOTUNE", "-1"),
    ),
    Spelling(("import tensorflow as tf", "from tensorflow.data.experimental import *"), autotune=("AUTOTUNE",)),
    Spelling(
        ("import tensorflow as tf", "try:\n    AUTO = tf.data.AUTOTUNE\nexcept AttributeError:\n    pass"),
        autotune=("AUTO", "tf.data.AUTOTUNE"),
    ),
    Spelling(
        ("import tensorflow as tf", "if flag:\n    AUTO = tf.data.AUTOTUNE\nelse:\n    AUTO = 4"), autotune=("AUTO",)
    ),
    Spelling(("import os, tensorflow as tf, numpy as np",)),
    Spelling(("try:\n    import tensorflow as tf\nexcept ImportError:\n    tf = None",)),
    Spelling(
        ("import tensorflow.compat.v2 as tf",),
        autotune=("tf.data.AUTOTUNE", "tf.data.experimental.AUTOTUNE"),
    ),
    Spelling(("import keras", "import tensorflow as tf; AUTO = tf.data.experimental.AUTOTUNE"), autotune=("AUTO",)),
)
OTHERS = (
    "import numpy as np",
    "import os",
    "import random",
    "import tensorflow_datasets as tfds",
    "from tqdm import tqdm",
    "from __future__ import annotations",
    "from tensorflow import keras",
    "import time",
    "tf.random.set_seed(1)",
    "tf.config.run_functions_eagerly(True)",
    "tf.data.experimental.enable_debug_mode()",
    "np.random.seed(0)",
)
REMARKS = (
    "# of examples",
    "# \N{PENCIL}",
    "#",
    "# TODO(me): \u00e4ndern",
    "# type: ignore",
    "#: doc",
    "# fmt: skip",
    "#\t%d",
)


def spelling(rng: random.Random) -> Spelling:
    """A random way to import TensorFlow and what programs use beside it."""
    chosen = rng.choice(SPELLINGS)
    others = rng.sample(OTHERS, rng.choice((0, 1, 1, 2, 3)))
    future = [line for line in others if "__future__" in line]
    # What needs an import stands behind it, save now and then.
    late = [line for line in others if line not in future]
    imports = (*future, *chosen.imports, *late) if rng.random() < 0.9 else (*future, *late, *chosen.imports)
    return Spelling(imports, chosen.tensorflow, chosen.dataset, chosen.autotune)


class Writer:
    """Writes lines with the indentation, the comments and the blank lines of one author."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._unit = rng.choice(("    ",) * 5 + ("  ", "\t"))
        self._depth = 0
        self._lines: list[str] = []
        self._remarks = rng.choice((0.0, 0.0, 0.1, 0.4))
        self._blanks = rng.choice((0.0, 0.05, 0.2))
        self._final_newline = rng.random() < 0.9

    def line(self, text: str) -> None:
        """A statement, or lines of one, perhaps with a comment behind it and an empty line after it."""
        first, *others = text.split("\n")
        remark = ""
        if self._rng.random() < self._remarks and not others:
            remark = f"{self._rng.choice(('  ', ' ', ''))}{self._rng.choice(REMARKS)}"
        self.raw(first + remark)
        for other in others:
            self.raw(other)
        if self._rng.random() < self._blanks:
            self._lines.append(
                self._rng.choice(("", "", self._indent, "# a line of its own", f"{self._indent}# \u00fc"))
            )

    def raw(self, text: str) -> None:
        """A line as it is, save for its indentation."""
        self._lines.append(self._indent + text.replace("    ", self._unit))

    def blank(self) -> None:
        """The empty line below a head."""
        self._lines.append("")

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Lines below a head that ends in a colon."""
        self.line(head)
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    def text(self) -> str:
        """All that was written."""
        return "\n".join(self._lines) + ("\n" if self._final_newline else "")

    @property
    def _indent(self) -> str:
        return self._unit * self._depth
